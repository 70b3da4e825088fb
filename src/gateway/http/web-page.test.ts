import { expect, it } from 'vitest';

import { parseWebPage } from './web-page.ts';

it('extracts the title of a web page as plain text', () => {
  const rows: [text: string, page: { title?: string } | undefined][] = [
    ['The page <title>', undefined],
    [' \n<html><title>a</title>', { title: 'a' }],
    ['<h2>d</h2><message>c</message><h1>b</h1><title>a</title>', { title: 'a' }],
    ['<h2>d</h2><message>c</message><h1>b</h1><title> </title>', { title: 'b' }],
    ['<h2>d</h2><Message>c</Message>', { title: 'c' }],
    ['<h2 class="x">d</h2>', { title: 'd' }],
    ['<p>e</p>', {}],
    ['<title> a\n\t b </title>', { title: 'a b' }],
    ['<title>&lt;a&gt; &AMP; &quot;&apos;&nbsp;b&unknown;</title>', { title: `<a> & "' b&unknown;` }],
    ['<title>&#65;&#x42;&#X43;&#00068;&#x10FFFF;</title>', { title: 'ABCD\u{10FFFF}' }],
    ['<title>&#0;&#x110000;</title>', { title: '&#0;&#x110000;' }],
    [`<title>${'a'.repeat(300)}</title>`, { title: 'a'.repeat(200) }],
    [`<p>${'a'.repeat(70_000)}</p><title>a</title>`, {}],
  ];
  expect(rows.map(([text]) => [text, parseWebPage(text)])).toEqual(rows);
});

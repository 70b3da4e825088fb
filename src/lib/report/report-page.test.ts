import { createHash } from 'node:crypto';

import { expect, it } from 'vitest';

import { buildReportPage } from './report-page.ts';
import { buildReportBar, buildReportTable } from './report-parts.ts';

it('allows only its own stylesheet, by hash, and embedded images and fonts', () => {
  const page = buildReportPage({
    title: '</title><script>x</script>',
    intro: [],
    main: '',
    style: '.é{color:red}',
    fontFaces: "@font-face{font-family:'A'}",
  });
  const css = /<style>(.*)<\/style>/s.exec(page)?.[1] ?? '';
  expect(css).toContain('.é{color:red}');
  expect(css).toContain('@font-face');
  const hash = createHash('sha256').update(css).digest('base64');
  expect(page).toContain(
    `content="default-src 'none'; style-src 'sha256-${hash}'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"`,
  );
  expect(page).not.toContain('<script>');
});

it('escapes the name and the text cells of a table', () => {
  const table = buildReportTable('"<b>', ['<i>'], [['<u>', { html: '<b>1</b>' }]]);
  expect([...table.matchAll(/<(?:i|u|b)>/g)].map(([tag]) => tag)).toEqual(['<b>']);
  expect(table).toContain('aria-label="&quot;&lt;b&gt;"');
});

it('fills a bar by its share and keeps it within its track', () => {
  const getWidths = (share: number) =>
    [...buildReportBar(share, 'B').matchAll(/<rect width="(\d+)"/g)].map(([, width]) => width);
  expect([0, 0.5, 1, 7].map((share) => getWidths(share)[1])).toEqual(['0', '48', '96', '96']);
});

import { expect, it } from 'vitest';

import { parseImageData, parseSafeImage, parseSafeLink } from './safe-link.ts';

it('accepts web URLs and email addresses and returns their target', () => {
  const rows = [
    ['https://example.com/a?b#c', 'https://example.com/a?b#c', 'example.com'],
    ['HTTP://EXAMPLE.com', 'http://example.com/', 'example.com'],
    ['www.example.com', 'http://www.example.com/', 'www.example.com'],
    ['mailto:me@example.com', 'mailto:me@example.com', 'me@example.com'],
    ['https://user:pass@evil.example/', 'https://user:pass@evil.example/', 'evil.example'],
    ['https://аррӏе.com', 'https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
    ['https://example.com:8443/x', 'https://example.com:8443/x', 'example.com:8443'],
    ['ht\ntps://example.com', 'https://example.com/', 'example.com'],
  ] as const;
  expect(rows.map(([href]) => parseSafeLink(href))).toEqual(rows.map(([, href, host]) => ({ href, host })));
});

it('rejects all other URLs', () => {
  const addresses = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64,PHN2Zz4=',
    'vbscript:msgbox(1)',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'ftp://example.com',
    'view-source:https://example.com',
    'about:blank',
    'chrome://settings',
    'intent://x#Intent;end',
    'ms-word:ofe|u|https://x',
    'tel:123',
    '//evil.example',
    '/relative',
    'relative',
    '#hash',
    '?query',
    '',
    'https://',
    'http://[bad',
  ];
  expect(addresses.filter((href) => parseSafeLink(href) !== undefined)).toEqual([]);
});

it('accepts images only over http and https', () => {
  expect(parseSafeImage('https://example.com/x.png')?.host).toBe('example.com');
  expect(parseSafeImage('mailto:me@example.com')).toBeUndefined();
  expect(parseSafeImage('data:image/png;base64,AA==')).toBeUndefined();
});

it('accepts embedded bitmaps and no other embedded data', () => {
  expect(parseImageData('data:image/png;base64,iVBORw0KGgo=')).toMatchObject({ format: 'PNG', bytes: 8 });
  for (const address of [
    'data:image/svg+xml;base64,PHN2Zz4=',
    'data:text/html;base64,PGI+',
    'data:image/png,%89PNG',
    'data:image/png;base64,AA<script>',
    `data:image/png;base64,${'A'.repeat(2_000_000)}`,
    'https://example.com/x.png',
  ])
    expect(parseImageData(address)).toBeUndefined();
});

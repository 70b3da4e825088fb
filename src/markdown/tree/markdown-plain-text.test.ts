import { expect, it } from 'vitest';

import { markdownToPlainText } from './markdown-plain-text.ts';

it('keeps the words in their order and removes the markup', () => {
  const text =
    '# Title\n\nSome **bold** `code` and a [link](https://x.example).\n\n```js\nlet a = 1;\n\nlet b;\n```\n\n> quoted';
  expect(markdownToPlainText(text)).toBe(
    'Title\n\nSome bold code and a link.\n\nlet a = 1;\n\nlet b;\n\nquoted',
  );
});

it('shows lists and tables as lines', () => {
  expect(markdownToPlainText('- one\n- two\n  - inner\n\n3. three\n4. four')).toBe(
    '• one\n• two\n  • inner\n\n3. three\n4. four',
  );
  expect(markdownToPlainText('| a | b |\n| --- | --- |\n| 1 | 2 |')).toBe('a\tb\n1\t2');
});

it('leaves plain text unchanged', () => {
  expect(markdownToPlainText('It costs $5, and 2 * 3 * 4 is 24.')).toBe('It costs $5, and 2 * 3 * 4 is 24.');
});

it('keeps every word and line of text that is too long or too deep to be drawn', () => {
  const deepText = `${'>'.repeat(10_000)} a\n\n  b\n${'c'.repeat(4_500)}\n\nd`;
  expect(markdownToPlainText(deepText)).toBe(deepText);
  // Lines of exactly the maximum piece length, each beginning at the start of a piece.
  const fullLines = `${'>'.repeat(9_999)}\n${`${'d'.repeat(2_000)}\n`.repeat(4)}e`;
  expect(markdownToPlainText(fullLines)).toBe(fullLines);
  const line = 'A line with **marks**.\n\n';
  const longText = line.repeat(100_000);
  const plainText = markdownToPlainText(longText);
  expect(plainText.startsWith('A line with marks.\n\nA line with marks.')).toBe(true);
  expect(plainText.endsWith(line.repeat(5_000).trim())).toBe(true);
});

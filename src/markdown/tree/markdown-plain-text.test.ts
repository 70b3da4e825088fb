import { expect, it } from 'vitest';

import { wordsOfMarkdown } from './markdown-plain-text.ts';

it('keeps the words and their order, and leaves out the marks', () => {
  const text =
    '# Title\n\nSome **bold** `code` and a [link](https://x.example).\n\n```js\nlet a = 1;\n\nlet b;\n```\n\n> quoted';
  expect(wordsOfMarkdown(text)).toBe('Title\n\nSome bold code and a link.\n\nlet a = 1;\n\nlet b;\n\nquoted');
});

it('shows lists and tables as lines', () => {
  expect(wordsOfMarkdown('- one\n- two\n  - inner\n\n3. three\n4. four')).toBe(
    '• one\n• two\n  • inner\n\n3. three\n4. four',
  );
  expect(wordsOfMarkdown('| a | b |\n| --- | --- |\n| 1 | 2 |')).toBe('a\tb\n1\t2');
});

it('plain text is the same', () => {
  expect(wordsOfMarkdown('It costs $5, and 2 * 3 * 4 is 24.')).toBe('It costs $5, and 2 * 3 * 4 is 24.');
});

it('what is too long or too deep to be drawn keeps every word and line of its rest', () => {
  const deep = `${'>'.repeat(10_000)} a\n\n  b\n${'c'.repeat(4_500)}\n\nd`;
  expect(wordsOfMarkdown(deep)).toBe(deep);
  // Lines as long as a piece is at most, each at the beginning of one.
  const full = `${'>'.repeat(9_999)}\n${`${'d'.repeat(2_000)}\n`.repeat(4)}e`;
  expect(wordsOfMarkdown(full)).toBe(full);
  const line = 'A line with **marks**.\n\n';
  const long = line.repeat(100_000);
  const words = wordsOfMarkdown(long);
  expect(words.startsWith('A line with marks.\n\nA line with marks.')).toBe(true);
  expect(words.endsWith(line.repeat(5_000).trim())).toBe(true);
});

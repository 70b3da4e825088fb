import { describe, expect, it } from 'vitest';

import { wrapText } from './wrap-text.ts';

describe('text wrapping on the map', () => {
  const wrap = (text: string, maxLines = 3) => wrapText(text, maxLines, (line) => line.length <= 10);

  it.each([
    ['a short text on one line', 'One line', ['One line']],
    ['at spaces', 'The bank has it', ['The bank', 'has it']],
    ['a long word between characters', 'abcdefghijklmno', ['abcdefghij', 'klmno']],
    ['line breaks and repeated spaces as one space', 'a \n\n b', ['a b']],
    ['an empty text into no line', ' ', []],
  ])('breaks %s', (_name, text, lines) => {
    expect(wrap(text)).toEqual(lines);
  });

  it('ends the last line with an ellipsis if more text follows', () => {
    expect(wrap('The bank has not received the refund', 2)).toEqual(['The bank', 'has not…']);
  });
});

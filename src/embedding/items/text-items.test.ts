import { describe, expect, it } from 'vitest';

import { countDuplicates, listGroups, parseTextLines, parseTokenLines } from './text-items.ts';

describe('texts by line', () => {
  it('leaves out blank lines, keeps duplicates and counts both', () => {
    for (const source of [' one \r\n\r\n two\none\n', ' one \n\n two\none']) {
      const reading = parseTextLines(source);
      expect(reading).toEqual({
        items: [{ text: 'one' }, { text: 'two' }, { text: 'one' }],
        blanks: 1,
        problems: [],
      });
      expect(countDuplicates(reading.items)).toBe(1);
    }
    expect(parseTextLines('').items).toEqual([]);
  });

  it('reads a line that begins with a number sign as the group of the lines below', () => {
    const { items } = parseTextLines('none\n# Delivery\nlate\n#1 in the list\n# Refunds \nmoney');
    expect(items).toEqual([
      { text: 'none' },
      { text: 'late', label: 'Delivery' },
      { text: '#1 in the list', label: 'Delivery' },
      { text: 'money', label: 'Refunds' },
    ]);
    expect(listGroups(items)).toEqual(['Delivery', 'Refunds']);
  });
});

describe('token inputs by line', () => {
  it('reads token numbers separated by commas or spaces, with or without brackets', () => {
    expect(parseTokenLines('1, 2,3\n[4,5],\n\n6 7').items).toEqual([
      { text: '1, 2, 3', tokens: [1, 2, 3] },
      { text: '4, 5', tokens: [4, 5] },
      { text: '6, 7', tokens: [6, 7] },
    ]);
  });

  it.each(['1, two', '-1', '1.5', '9007199254740993', 'NaN'])('rejects %s and reports its line', (line) => {
    const { items, problems } = parseTokenLines(`1\n${line}`);
    expect(items).toHaveLength(1);
    expect(problems).toEqual([{ line: 2, message: expect.stringContaining('is not a token') }]);
  });
});

import { describe, expect, it } from 'vitest';

import { firstWordsOf, pastedName, waitsBesideField, withoutPasted, withPasted } from './pasted-text.ts';

describe('a pasted text', () => {
  it('waits beside the field where it has more than 20 KB, in bytes and not in letters', () => {
    expect(waitsBesideField('a'.repeat(20_000))).toBe(false);
    expect(waitsBesideField('a'.repeat(20_001))).toBe(true);
    expect(waitsBesideField('漢'.repeat(6_666))).toBe(false);
    expect(waitsBesideField('漢'.repeat(6_667))).toBe(true);
    expect(waitsBesideField('😀'.repeat(5_001))).toBe(true);
  });

  it('goes into the field where it is nothing but blanks, however many', () => {
    expect(waitsBesideField(' \n'.repeat(50_000))).toBe(false);
  });

  it('is named by its size and shown by its first words, on one line', () => {
    const text = `\n\n  Dear\n\treader, ${'word '.repeat(6_800)}`;
    expect(pastedName(text)).toBe('Pasted text, 34 KB');
    expect(firstWordsOf(text)).toMatch(/^Dear reader, word word/);
    expect(firstWordsOf(text).length).toBeLessThanOrEqual(120);
  });

  it('is shown by what there is where it begins with blanks or is one endless word', () => {
    expect(firstWordsOf(`${' '.repeat(2_000)}late`)).toBe('');
    expect(firstWordsOf('a'.repeat(5_000))).toBe('a'.repeat(120));
  });
});

describe('a message with pasted texts', () => {
  it('is what was typed, then each of them to the letter, apart by an empty line', () => {
    expect(withPasted('Sum this up', ['one\n', '  two'])).toBe('Sum this up\n\none\n\n\n  two');
  });

  it('is the pasted text alone where nothing was typed, and what was typed where nothing was pasted', () => {
    expect(withPasted(' \n', ['one'])).toBe('one');
    expect(withPasted(' as typed ', [])).toBe(' as typed ');
    expect(withPasted('', [])).toBe('');
  });

  it('loses one of two equal ones when one is removed', () => {
    expect(withoutPasted(['one', 'two', 'one'], 'one')).toEqual(['two', 'one']);
    expect(withoutPasted(['one'], 'gone')).toEqual(['one']);
  });
});

import { describe, expect, it } from 'vitest';

import {
  getPastePreview,
  getPasteLabel,
  shouldAttachPaste,
  removePastedText,
  joinPastedTexts,
} from './pasted-text.ts';

describe('a pasted text', () => {
  it('waits beside the field where it has more than 20 KB, in bytes and not in letters', () => {
    expect(shouldAttachPaste('a'.repeat(20_000))).toBe(false);
    expect(shouldAttachPaste('a'.repeat(20_001))).toBe(true);
    expect(shouldAttachPaste('漢'.repeat(6_666))).toBe(false);
    expect(shouldAttachPaste('漢'.repeat(6_667))).toBe(true);
    expect(shouldAttachPaste('😀'.repeat(5_001))).toBe(true);
  });

  it('goes into the field where it is nothing but blanks, however many', () => {
    expect(shouldAttachPaste(' \n'.repeat(50_000))).toBe(false);
  });

  it('is named by its size and shown by its first words, on one line', () => {
    const text = `\n\n  Dear\n\treader, ${'word '.repeat(6_800)}`;
    expect(getPasteLabel(text)).toBe('Pasted text, 34 KB');
    expect(getPastePreview(text)).toMatch(/^Dear reader, word word/);
    expect(getPastePreview(text).length).toBeLessThanOrEqual(120);
  });

  it('is shown by what there is where it begins with blanks or is one endless word', () => {
    expect(getPastePreview(`${' '.repeat(2_000)}late`)).toBe('');
    expect(getPastePreview('a'.repeat(5_000))).toBe('a'.repeat(120));
  });
});

describe('a message with pasted texts', () => {
  it('is what was typed, then each of them to the letter, apart by an empty line', () => {
    expect(joinPastedTexts('Sum this up', ['one\n', '  two'])).toBe('Sum this up\n\none\n\n\n  two');
  });

  it('is the pasted text alone where nothing was typed, and what was typed where nothing was pasted', () => {
    expect(joinPastedTexts(' \n', ['one'])).toBe('one');
    expect(joinPastedTexts(' as typed ', [])).toBe(' as typed ');
    expect(joinPastedTexts('', [])).toBe('');
  });

  it('loses one of two equal ones when one is removed', () => {
    expect(removePastedText(['one', 'two', 'one'], 'one')).toEqual(['two', 'one']);
    expect(removePastedText(['one'], 'gone')).toEqual(['one']);
  });
});

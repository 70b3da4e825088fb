import { describe, expect, it } from 'vitest';

import {
  getPastePreview,
  getPasteLabel,
  shouldAttachPaste,
  removePastedText,
  joinPastedTexts,
} from './pasted-text.ts';

describe('pasted text', () => {
  it('attaches a paste of more than 20 KB, measured in bytes', () => {
    expect(shouldAttachPaste('a'.repeat(20_000))).toBe(false);
    expect(shouldAttachPaste('a'.repeat(20_001))).toBe(true);
    expect(shouldAttachPaste('漢'.repeat(6_666))).toBe(false);
    expect(shouldAttachPaste('漢'.repeat(6_667))).toBe(true);
    expect(shouldAttachPaste('😀'.repeat(5_001))).toBe(true);
  });

  it('inserts a blank paste into the field, whatever its length', () => {
    expect(shouldAttachPaste(' \n'.repeat(50_000))).toBe(false);
  });

  it('labels a paste with its size and previews its first words on one line', () => {
    const text = `\n\n  Dear\n\treader, ${'word '.repeat(6_800)}`;
    expect(getPasteLabel(text)).toBe('Pasted text, 34 KB');
    expect(getPastePreview(text)).toMatch(/^Dear reader, word word/);
    expect(getPastePreview(text).length).toBeLessThanOrEqual(120);
  });

  it('limits the preview of white space and of a single long word', () => {
    expect(getPastePreview(`${' '.repeat(2_000)}late`)).toBe('');
    expect(getPastePreview('a'.repeat(5_000))).toBe('a'.repeat(120));
  });
});

describe('message with pasted texts', () => {
  it('appends pasted texts unchanged after the typed text, separated by blank lines', () => {
    expect(joinPastedTexts('Sum this up', ['one\n', '  two'])).toBe('Sum this up\n\none\n\n\n  two');
  });

  it('omits blank typed text and works without pasted texts', () => {
    expect(joinPastedTexts(' \n', ['one'])).toBe('one');
    expect(joinPastedTexts(' as typed ', [])).toBe(' as typed ');
    expect(joinPastedTexts('', [])).toBe('');
  });

  it('removes only one of two equal pasted texts', () => {
    expect(removePastedText(['one', 'two', 'one'], 'one')).toEqual(['two', 'one']);
    expect(removePastedText(['one'], 'gone')).toEqual(['one']);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { folded, snippetOf, wordsIn, wordsOfQuery } from './text-search.ts';

const marked = (text: string, query: string) =>
  snippetOf({ who: 'answer', text }, wordsOfQuery(query))
    .pieces.map((piece) => (piece.hit ? `[${piece.text}]` : piece.text))
    .join('');

describe('words', () => {
  it('are compared without case and accents, in any script', () => {
    expect(wordsOfQuery('  CRÈME  brûlée creme ')).toEqual(['creme', 'brulee']);
    expect(wordsIn('Die Crème BRÛLÉE', ['creme', 'brulee', 'tea'])).toEqual(['creme', 'brulee']);
    expect(wordsIn('Привет Мир', wordsOfQuery('мир'))).toEqual(['мир']);
    expect(folded('plain TEXT')).toBe('plain text');
  });
});

describe('a snippet', () => {
  it('marks every hit, with the text as it was written', () => {
    expect(marked('The Café: a café in Brünn', 'cafe brunn')).toBe('The [Café]: a [café] in [Brünn]');
    expect(marked('plain Text and text', 'text')).toBe('plain [Text] and [text]');
  });

  it('marks overlapping words as one', () => expect(marked('recall', 'rec call')).toBe('[recall]'));

  it('is one line around the first hit, cut at a word and said to be cut', () => {
    const text = `${'before '.repeat(30)}\nthe needle\nin ${'after '.repeat(60)}`;
    const found = marked(text, 'needle');
    expect(found).toMatch(/^…before .*the \[needle\] in after .*…$/);
    expect(found.length).toBeLessThan(180);
  });

  it('finds what stands far into a long text of any script', () => {
    expect(marked(`${'é'.repeat(120_000)} Nadel`, 'nadel')).toContain('[Nadel]');
    expect(marked(`${'x'.repeat(49_998)}needle`, 'needle')).toContain('[needle]');
  });

  it('marks nothing but hits, and every hit in a short text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', 'é', 'e\u0301', '😀', ' ', 'ß'),
      maxLength: 60,
    });
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'e', 's'), minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(text, word, (given, searched) => {
        const { pieces } = snippetOf({ who: 'prompt', text: given }, [searched]);
        const shown = pieces.filter((piece) => piece.text !== '…');
        expect(given).toContain(shown.map((piece) => piece.text).join(''));
        const hits = pieces.filter((piece) => piece.hit);
        expect(hits.every((piece) => folded(piece.text).includes(searched))).toBe(true);
        const isFound = folded(given).includes(searched);
        expect(hits.length > 0).toBe(isFound);
      }),
    );
  });
});

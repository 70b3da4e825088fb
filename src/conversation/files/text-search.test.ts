import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { normalizeForSearch, buildSnippet, findMatchingTerms, parseQueryTerms } from './text-search.ts';

const markHits = (text: string, query: string) =>
  buildSnippet({ source: 'answer', text }, parseQueryTerms(query))
    .pieces.map((piece) => (piece.isHit ? `[${piece.text}]` : piece.text))
    .join('');

describe('search terms', () => {
  it('matches words regardless of case and accents, in any script', () => {
    expect(parseQueryTerms('  CRÈME  brûlée creme ')).toEqual(['creme', 'brulee']);
    expect(findMatchingTerms('Die Crème BRÛLÉE', ['creme', 'brulee', 'tea'])).toEqual(['creme', 'brulee']);
    expect(findMatchingTerms('Привет Мир', parseQueryTerms('мир'))).toEqual(['мир']);
    expect(normalizeForSearch('plain TEXT')).toBe('plain text');
  });
});

describe('search snippet', () => {
  it('marks every match and keeps the original text', () => {
    expect(markHits('The Café: a café in Brünn', 'cafe brunn')).toBe('The [Café]: a [café] in [Brünn]');
    expect(markHits('plain Text and text', 'text')).toBe('plain [Text] and [text]');
  });

  it('merges overlapping matches', () => expect(markHits('recall', 'rec call')).toBe('[recall]'));

  it('shows one line around the first match, truncated at word boundaries with ellipses', () => {
    const text = `${'before '.repeat(30)}\nthe needle\nin ${'after '.repeat(60)}`;
    const snippet = markHits(text, 'needle');
    expect(snippet).toMatch(/^…before .*the \[needle\] in after .*…$/);
    expect(snippet.length).toBeLessThan(180);
  });

  it('finds matches far into a long text of any script', () => {
    expect(markHits(`${'é'.repeat(120_000)} Nadel`, 'nadel')).toContain('[Nadel]');
    expect(markHits(`${'x'.repeat(49_998)}needle`, 'needle')).toContain('[needle]');
  });

  it('marks exactly the matches in a short text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', 'é', 'e\u0301', '😀', ' ', 'ß'),
      maxLength: 60,
    });
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'e', 's'), minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(text, word, (input, term) => {
        const { pieces } = buildSnippet({ source: 'prompt', text: input }, [term]);
        const textPieces = pieces.filter((piece) => piece.text !== '…');
        expect(input).toContain(textPieces.map((piece) => piece.text).join(''));
        const hits = pieces.filter((piece) => piece.isHit);
        expect(hits.every((piece) => normalizeForSearch(piece.text).includes(term))).toBe(true);
        const isFound = normalizeForSearch(input).includes(term);
        expect(hits.length > 0).toBe(isFound);
      }),
    );
  });
});

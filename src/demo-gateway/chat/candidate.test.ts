import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createStopFilter } from './candidate.ts';

function filterPieces(pieces: readonly string[], stops: readonly string[]): string {
  const filter = createStopFilter(stops);
  let output = '';
  for (const piece of pieces) {
    const { text, stopped } = filter.push(piece);
    output += text;
    if (stopped) return output;
  }
  return output + filter.flush();
}

describe('stop filter', () => {
  it('stops at the stop sequence that ends first, preferring the longest if several do', () => {
    expect(filterPieces(['xabcd'], ['abcd', 'bc'])).toBe('xa');
    expect(filterPieces(['xabc'], ['abc', 'bc'])).toBe('x');
  });

  it('finds a stop sequence that restarts within a partial match', () => {
    expect(filterPieces(['a', 'a', 'a', 'b', 'c'], ['aab'])).toBe('a');
  });

  it('holds back only text that may become a stop sequence', () => {
    const filter = createStopFilter(['END']);
    expect(filter.push('the EN')).toEqual({ text: 'the ', stopped: false });
    expect(filter.push('t')).toEqual({ text: 'ENt', stopped: false });
  });

  it('returns the same text without stop sequences however the text is split into pieces', () => {
    const letter = fc.constantFrom('a', 'b', '\n');
    const pieceTexts = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 5 }), { maxLength: 12 });
    const stopTexts = fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(pieceTexts, stopTexts, (pieces, stops) => {
        const text = pieces.join('');
        const output = filterPieces(pieces, stops);
        expect(output).toBe(filterPieces(text.split(''), stops));
        expect(text.startsWith(output)).toBe(true);
        expect(stops.some((stop) => output.includes(stop))).toBe(false);
        expect(output === text).toBe(!stops.some((stop) => text.includes(stop)));
      }),
    );
  });
});

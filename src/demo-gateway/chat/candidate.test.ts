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

describe('a stop filter', () => {
  it('takes the sequence that is complete first, and of those the longest', () => {
    expect(filterPieces(['xabcd'], ['abcd', 'bc'])).toBe('xa');
    expect(filterPieces(['xabc'], ['abc', 'bc'])).toBe('x');
  });

  it('finds a sequence that begins again within itself', () => {
    expect(filterPieces(['a', 'a', 'a', 'b', 'c'], ['aab'])).toBe('a');
  });

  it('holds back no more than may become a sequence', () => {
    const filter = createStopFilter(['END']);
    expect(filter.push('the EN')).toEqual({ text: 'the ', stopped: false });
    expect(filter.push('t')).toEqual({ text: 'ENt', stopped: false });
  });

  it('gives the same text however it is cut, without any stop sequence in it', () => {
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

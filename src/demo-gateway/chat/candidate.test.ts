import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createStopFilter } from './candidate.ts';

function filtered(pieces: readonly string[], stops: readonly string[]): string {
  const filter = createStopFilter(stops);
  let said = '';
  for (const piece of pieces) {
    const { text, stopped } = filter.push(piece);
    said += text;
    if (stopped) return said;
  }
  return said + filter.flush();
}

describe('a stop filter', () => {
  it('takes the sequence that is complete first, and of those the longest', () => {
    expect(filtered(['xabcd'], ['abcd', 'bc'])).toBe('xa');
    expect(filtered(['xabc'], ['abc', 'bc'])).toBe('x');
  });

  it('finds a sequence that begins again within itself', () => {
    expect(filtered(['a', 'a', 'a', 'b', 'c'], ['aab'])).toBe('a');
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
        const said = filtered(pieces, stops);
        expect(said).toBe(filtered(text.split(''), stops));
        expect(text.startsWith(said)).toBe(true);
        expect(stops.some((stop) => said.includes(stop))).toBe(false);
        expect(said === text).toBe(!stops.some((stop) => text.includes(stop)));
      }),
    );
  });
});

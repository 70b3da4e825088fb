import { describe, expect, it } from 'vitest';

import type { Tick } from '../../../conversation/trace/trace.ts';
import { momentAfterKey } from './next-trace-position.ts';

const ticks = Array.from({ length: 30 }, (_, index): Tick => ({
  atMs: 100 + index * 10,
  kind: 'answer',
  size: 1,
}));

describe('the keys of a trace', () => {
  const after = (key: string, cursorMs?: number, shift = false) =>
    momentAfterKey(key, shift, { cursorMs, ticks, endMs: 500 });

  it('go from event to event, and stop at the start and the end', () => {
    expect(after('ArrowLeft')).toBe(390);
    expect(after('ArrowLeft', 390)).toBe(380);
    expect(after('ArrowLeft', 385)).toBe(380);
    expect(after('ArrowRight', 380)).toBe(390);
    expect(after('ArrowRight', 390)).toBe(500);
    expect(after('ArrowLeft', 100)).toBe(0);
    expect(after('ArrowRight', 0)).toBe(100);
  });

  it('go ten events with Shift, a tenth of the way by page, and all the way with Home and End', () => {
    expect(after('ArrowRight', 100, true)).toBe(200);
    expect(after('ArrowLeft', 300, true)).toBe(200);
    expect(after('PageUp', 100)).toBe(150);
    expect(after('PageDown', 30)).toBe(0);
    expect(after('Home', 100)).toBe(0);
    expect(after('End', 100)).toBe(500);
    expect(after('a', 100)).toBeUndefined();
  });
});

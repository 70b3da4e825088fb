import { describe, expect, it } from 'vitest';

import type { Tick } from '../../../conversation/trace/trace.ts';
import { getNextTracePosition } from './next-trace-position.ts';

const ticks = Array.from({ length: 30 }, (_, index): Tick => ({
  atMs: 100 + index * 10,
  kind: 'answer',
  size: 1,
}));

describe('keys of a trace', () => {
  const getPosition = (key: string, cursorMs?: number, shift = false) =>
    getNextTracePosition(key, shift, { cursorMs, ticks, endMs: 500 });

  it('moves the trace cursor from event to event and stops at the start and end', () => {
    expect(getPosition('ArrowLeft')).toBe(390);
    expect(getPosition('ArrowLeft', 390)).toBe(380);
    expect(getPosition('ArrowLeft', 385)).toBe(380);
    expect(getPosition('ArrowRight', 380)).toBe(390);
    expect(getPosition('ArrowRight', 390)).toBe(500);
    expect(getPosition('ArrowLeft', 100)).toBe(0);
    expect(getPosition('ArrowRight', 0)).toBe(100);
  });

  it('moves the trace cursor by ten events with Shift, by a tenth with Page keys, and to the ends with Home and End', () => {
    expect(getPosition('ArrowRight', 100, true)).toBe(200);
    expect(getPosition('ArrowLeft', 300, true)).toBe(200);
    expect(getPosition('PageUp', 100)).toBe(150);
    expect(getPosition('PageDown', 30)).toBe(0);
    expect(getPosition('Home', 100)).toBe(0);
    expect(getPosition('End', 100)).toBe(500);
    expect(getPosition('a', 100)).toBeUndefined();
  });
});

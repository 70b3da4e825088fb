import type { Tick } from '../../../conversation/trace/trace.ts';

interface Place {
  /** Where the cursor is, ms; the end where there is none yet. */
  cursorMs: number | undefined;
  ticks: readonly Tick[];
  endMs: number;
}

const large = 10;

/**
 * Where a key moves the cursor of a trace, ms: arrows to the event before or after, with Shift ten of them, Page Up and
 * Page Down a tenth of the way, Home and End to the start and the end. Undefined for any other key.
 */
export function momentAfterKey(
  key: string,
  shift: boolean,
  { cursorMs, ticks, endMs }: Place,
): number | undefined {
  const now = cursorMs ?? endMs;
  const steps = shift ? large : 1;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return ticks[firstAfter(ticks, now) + steps - 1]?.atMs ?? endMs;
    case 'ArrowLeft':
    case 'ArrowDown':
      return ticks[firstAt(ticks, now) - steps]?.atMs ?? 0;
    case 'PageUp':
      return Math.min(endMs, now + endMs / large);
    case 'PageDown':
      return Math.max(0, now - endMs / large);
    case 'Home':
      return 0;
    case 'End':
      return endMs;
    default:
      return undefined;
  }
}

/** The first tick later than this moment. */
export function firstAfter(ticks: readonly Tick[], ms: number): number {
  return search(ticks, (atMs) => atMs > ms);
}

function firstAt(ticks: readonly Tick[], ms: number): number {
  return search(ticks, (atMs) => atMs >= ms);
}

function search(ticks: readonly Tick[], isBehind: (atMs: number) => boolean): number {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(ticks[middle]?.atMs ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

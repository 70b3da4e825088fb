import type { Tick } from '../../../conversation/trace/trace.ts';

interface TracePosition {
  /** Position of the cursor in ms. Without a position, keys start from the end. */
  cursorMs: number | undefined;
  ticks: readonly Tick[];
  endMs: number;
}

const pageSteps = 10;

/**
 * Returns the cursor position in ms after a key: arrows move by one event, with Shift by ten; Page Up and Page Down by
 * a tenth of the range; Home and End to the start and end. `undefined` for other keys.
 */
export function getNextTracePosition(
  key: string,
  isShiftPressed: boolean,
  { cursorMs, ticks, endMs }: TracePosition,
): number | undefined {
  const positionMs = cursorMs ?? endMs;
  const steps = isShiftPressed ? pageSteps : 1;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return ticks[findTickIndexAfter(ticks, positionMs) + steps - 1]?.atMs ?? endMs;
    case 'ArrowLeft':
    case 'ArrowDown':
      return ticks[findTickIndexAt(ticks, positionMs) - steps]?.atMs ?? 0;
    case 'PageUp':
      return Math.min(endMs, positionMs + endMs / pageSteps);
    case 'PageDown':
      return Math.max(0, positionMs - endMs / pageSteps);
    case 'Home':
      return 0;
    case 'End':
      return endMs;
    default:
      return undefined;
  }
}

/** Returns the index of the first tick later than `ms`. */
export function findTickIndexAfter(ticks: readonly Tick[], ms: number): number {
  return searchTicks(ticks, (atMs) => atMs > ms);
}

function findTickIndexAt(ticks: readonly Tick[], ms: number): number {
  return searchTicks(ticks, (atMs) => atMs >= ms);
}

function searchTicks(ticks: readonly Tick[], isMatch: (atMs: number) => boolean): number {
  let [low, high] = [0, ticks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMatch(ticks[middle]?.atMs ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

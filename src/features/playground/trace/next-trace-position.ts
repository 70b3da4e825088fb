import type { Tick } from '../../../conversation/trace/trace.ts';

interface TracePosition {
  /** Where the cursor is, ms; the end where there is none yet. */
  cursorMs: number | undefined;
  ticks: readonly Tick[];
  endMs: number;
}

const pageSteps = 10;

/**
 * Where a key moves the cursor of a trace, ms: arrows to the event before or after, with Shift ten of them, Page Up and
 * Page Down a tenth of the way, Home and End to the start and the end. Undefined for any other key.
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

/** Index of the first tick later than this moment. */
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

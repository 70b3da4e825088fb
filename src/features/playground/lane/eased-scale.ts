const easedMs = 200;

/**
 * A scale that reaches a new range in 200 ms instead of a jump; returns the range to draw now. `nowMs` is monotonic.
 * `isStill`: the person wants no motion.
 */
export function createEasedScale(isStill: () => boolean): (rangeMs: number, nowMs: number) => number {
  let from: number | undefined;
  let to: number | undefined;
  let sinceMs = 0;
  return (rangeMs, nowMs) => {
    const part = Math.min(1, (nowMs - sinceMs) / easedMs);
    const shown = from === undefined || to === undefined ? rangeMs : from + (to - from) * part;
    if (rangeMs !== to) {
      from = to === undefined || isStill() ? rangeMs : shown;
      to = rangeMs;
      sinceMs = nowMs;
      return from;
    }
    return shown;
  };
}

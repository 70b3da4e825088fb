/** How evenly a stream came: the times between its events as a histogram, and which of them were stalls. */
import type { TraceEvent } from './trace-events.ts';

export interface GapBin {
  fromMs: number;
  toMs: number;
  count: number;
}

export interface GapStats {
  medianMs: number;
  /** 95 of 100 gaps are at most this. */
  nearlyAllMs: number;
  longestMs: number;
  bins: GapBin[];
  /** Gaps beyond the last bin. */
  beyond: number;
  /** From this on a gap is a stall. */
  stallMs: number;
}

/** Shorter waits than this are not stalls, whatever the rest of the stream is like. */
const shortestStallMs = 200;
const stallTimesMedian = 8;
const mostBins = 16;

/** The gaps between events after the first; undefined where there are fewer than two of them. */
export function gapStatsOf(events: readonly TraceEvent[]): GapStats | undefined {
  const counted = events.filter(({ kind }) => kind !== 'comment');
  if (counted.length < 3) return undefined;
  const gaps = new Float64Array(counted.length - 1);
  let before = counted[0]?.atMs ?? 0;
  for (let at = 1; at < counted.length; at += 1) {
    const { atMs } = counted[at] ?? { atMs: before };
    gaps[at - 1] = Math.max(0, atMs - before);
    before = atMs;
  }
  const sorted = gaps.toSorted();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  const medianMs = at(0.5);
  const nearlyAllMs = at(0.95);
  const longestMs = at(1);
  const stepMs = niceStep((nearlyAllMs * 1.2) / mostBins);
  const count = Math.min(mostBins, Math.floor(Math.min(longestMs, nearlyAllMs * 1.2) / stepMs) + 1);
  const bins = Array.from({ length: count }, (_, index): GapBin => {
    return { fromMs: index * stepMs, toMs: (index + 1) * stepMs, count: 0 };
  });
  let beyond = 0;
  for (const gap of sorted) {
    const bin = bins[Math.floor(gap / stepMs)];
    if (bin) bin.count += 1;
    else beyond += 1;
  }
  return { medianMs, nearlyAllMs, longestMs, bins, beyond, stallMs: stallFrom(medianMs) };
}

/** Milliseconds from which a wait counts as a stall in a stream with this usual gap. */
export function stallFrom(medianMs: number): number {
  return Math.max(shortestStallMs, medianMs * stallTimesMedian);
}

/** 1, 2 or 5 times a power of ten, at least this and at least a tenth of a millisecond. */
function niceStep(leastMs: number): number {
  const least = Math.max(0.1, leastMs);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((times) => times * power >= least * 0.999) ?? 10;
  return step * power;
}

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
  p95Ms: number;
  maxMs: number;
  bins: GapBin[];
  /** Gaps beyond the last bin. */
  overflowCount: number;
  /** From this on a gap is a stall. */
  stallThresholdMs: number;
}

/** Shorter waits than this are not stalls, whatever the rest of the stream is like. */
const minStallMs = 200;
const stallMedianFactor = 8;
const maxBins = 16;

/** The gaps between events after the first; undefined where there are fewer than two of them. */
export function computeGapStats(events: readonly TraceEvent[]): GapStats | undefined {
  const countedEvents = events.filter(({ kind }) => kind !== 'comment');
  if (countedEvents.length < 3) return undefined;
  const gaps = new Float64Array(countedEvents.length - 1);
  let previousMs = countedEvents[0]?.atMs ?? 0;
  for (let index = 1; index < countedEvents.length; index += 1) {
    const { atMs } = countedEvents[index] ?? { atMs: previousMs };
    gaps[index - 1] = Math.max(0, atMs - previousMs);
    previousMs = atMs;
  }
  const sortedGaps = gaps.toSorted();
  const getQuantile = (share: number) =>
    sortedGaps[Math.min(sortedGaps.length - 1, Math.floor(share * sortedGaps.length))] ?? 0;
  const medianMs = getQuantile(0.5);
  const p95Ms = getQuantile(0.95);
  const maxMs = getQuantile(1);
  const stepMs = computeNiceStep((p95Ms * 1.2) / maxBins);
  const binCount = Math.min(maxBins, Math.floor(Math.min(maxMs, p95Ms * 1.2) / stepMs) + 1);
  const bins = Array.from({ length: binCount }, (_, index): GapBin => {
    return { fromMs: index * stepMs, toMs: (index + 1) * stepMs, count: 0 };
  });
  let overflowCount = 0;
  for (const gap of sortedGaps) {
    const bin = bins[Math.floor(gap / stepMs)];
    if (bin) bin.count += 1;
    else overflowCount += 1;
  }
  return { medianMs, p95Ms, maxMs, bins, overflowCount, stallThresholdMs: getStallThresholdMs(medianMs) };
}

/** Milliseconds from which a wait counts as a stall in a stream with this usual gap. */
export function getStallThresholdMs(medianMs: number): number {
  return Math.max(minStallMs, medianMs * stallMedianFactor);
}

/** 1, 2 or 5 times a power of ten, at least this and at least a tenth of a millisecond. */
function computeNiceStep(minStepMs: number): number {
  const minMs = Math.max(0.1, minStepMs);
  const power = 10 ** Math.floor(Math.log10(minMs));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= minMs * 0.999) ?? 10;
  return step * power;
}

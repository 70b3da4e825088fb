/** Measures how evenly a stream arrived: a histogram of the gaps between events, and the stall threshold. */
import type { TraceEvent } from './trace-events.ts';

export interface GapBin {
  fromMs: number;
  toMs: number;
  count: number;
}

export interface GapStats {
  medianMs: number;
  /** 95th percentile of the gaps in ms. */
  p95Ms: number;
  maxMs: number;
  bins: GapBin[];
  /** Number of gaps beyond the last bin. */
  overflowCount: number;
  /** Minimum gap in ms that counts as a stall. */
  stallThresholdMs: number;
}

/** Minimum stall in ms, however short the other gaps are. */
const minStallMs = 200;
const stallMedianFactor = 8;
const maxBins = 16;

/** Computes the statistics of the gaps between events, `undefined` for fewer than two gaps. */
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

/** Returns the minimum stall in ms for a stream with this median gap. */
export function getStallThresholdMs(medianMs: number): number {
  return Math.max(minStallMs, medianMs * stallMedianFactor);
}

/** Returns the smallest 1, 2 or 5 times a power of ten that is at least `minStepMs` and at least 0.1 ms. */
function computeNiceStep(minStepMs: number): number {
  const minMs = Math.max(0.1, minStepMs);
  const power = 10 ** Math.floor(Math.log10(minMs));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= minMs * 0.999) ?? 10;
  return step * power;
}

import type { MatrixOverview, MatrixRegion, MatrixTile } from '../../../embedding/engine/engine.ts';

/** A matrix of similarities as it is shown: positions are places in the order, not rows. */
export interface HeatScene {
  /** A side, in cells. */
  side: number;
  overview: MatrixOverview;
  /** What the ends of the colours stand for; beyond them nothing is told apart. */
  range: { low: number; high: number };
  /** Exact cells. Only asked for where the overview shows means. */
  loadTile: (region: MatrixRegion) => Promise<MatrixTile>;
  /** Runs of one group in the order, named at the edges. */
  bands: readonly Band[];
  /** The text at a position, for rows that are high enough. */
  getText: (position: number) => string;
}

export interface Band {
  name: string;
  from: number;
  /** The first position after it. */
  to: number;
}

export interface HeatCell {
  row: number;
  column: number;
}

/** Runs of equal groups along an order; -1 is none and makes no band. */
export function buildBands(groups: ArrayLike<number>, names: readonly string[]): Band[] {
  const bands: Band[] = [];
  for (let from = 0; from < groups.length;) {
    let to = from + 1;
    while (to < groups.length && groups[to] === groups[from]) to++;
    const name = names[groups[from] ?? -1];
    if (name !== undefined) bands.push({ name, from, to });
    from = to;
  }
  return bands;
}

/** From a sorted distribution, the range that the colours cover: all but the lowest tenth and the highest hundredth. */
export function getScoreRange(sorted: Float32Array): { low: number; high: number } {
  const getQuantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  if (sorted.length === 0) return { low: 0, high: 1 };
  // Rounding, here and in the sums behind a cosine, must not name one that cannot be.
  const low = Math.max(-1, Math.floor(getQuantile(0.1) * 100) / 100);
  const high = Math.min(1, Math.ceil(getQuantile(0.99) * 100) / 100);
  return high > low ? { low, high } : { low: Math.max(-1, low - 0.01), high: Math.min(1, high + 0.01) };
}

/** 0 to 1 within the range. */
export function toRangeShare(value: number, { low, high }: { low: number; high: number }): number {
  return Math.max(0, Math.min(1, (value - low) / (high - low)));
}

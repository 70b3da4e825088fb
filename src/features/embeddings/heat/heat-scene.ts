import type { MatrixOverview, MatrixRegion, MatrixTile } from '../../../embedding/engine/engine.ts';

/** Similarity matrix to draw. Positions are indices in the current order, not rows. */
export interface HeatScene {
  /** Number of cells per side. */
  side: number;
  overview: MatrixOverview;
  /** Values at the ends of the colour ramp; values beyond them are not distinguished. */
  range: { low: number; high: number };
  /** Loads exact cells; called only where the overview shows means. */
  loadTile: (region: MatrixRegion) => Promise<MatrixTile>;
  /** Runs of one group in the order, labelled at the edges. */
  bands: readonly Band[];
  /** Returns the text at a position, for rows that are tall enough. */
  getText: (position: number) => string;
}

export interface Band {
  name: string;
  from: number;
  /** First position after the band. */
  to: number;
}

export interface HeatCell {
  row: number;
  column: number;
}

/** Returns the runs of equal groups along an order; -1 means no group and makes no band. */
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

/** Returns the range covered by the colours: the sorted values without the lowest tenth and the highest hundredth. */
export function getScoreRange(sorted: Float32Array): { low: number; high: number } {
  const getQuantile = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  if (sorted.length === 0) return { low: 0, high: 1 };
  // Clamped, because rounding here or in the cosine sums can exceed ±1.
  const low = Math.max(-1, Math.floor(getQuantile(0.1) * 100) / 100);
  const high = Math.min(1, Math.ceil(getQuantile(0.99) * 100) / 100);
  return high > low ? { low, high } : { low: Math.max(-1, low - 0.01), high: Math.min(1, high + 0.01) };
}

/** Returns the position of a value in the range, 0 to 1. */
export function toRangeShare(value: number, { low, high }: { low: number; high: number }): number {
  return Math.max(0, Math.min(1, (value - low) / (high - low)));
}

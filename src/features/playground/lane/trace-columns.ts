import type { Tick } from '../../../conversation/trace/trace.ts';

/** What stands in one pixel column: the tallest of its ticks, 0 to 1. */
export interface TraceColumn {
  kind: Tick['kind'];
  size: number;
}

export interface TraceColumns {
  /** The columns of the first `count` ticks at this width and range. */
  of: (
    ticks: readonly Tick[],
    count: number,
    width: number,
    rangeMs: number,
  ) => ReadonlyMap<number, TraceColumn>;
}

/** Keeps the columns of a trace that only grows, so that drawing it again costs what is new. */
export function createTraceColumns(): TraceColumns {
  let columns = new Map<number, TraceColumn>();
  let made: { ticks: readonly Tick[]; count: number; width: number; rangeMs: number } | undefined;
  return {
    of: (ticks, count, width, rangeMs) => {
      const grows =
        made?.ticks === ticks && made.width === width && made.rangeMs === rangeMs && made.count <= count;
      if (!grows) columns = new Map();
      for (let at = grows ? (made?.count ?? 0) : 0; at < count; at += 1) {
        const tick = ticks[at];
        if (tick) add(columns, columnOf(tick.atMs, width, rangeMs), tick);
      }
      made = { ticks, count, width, rangeMs };
      return columns;
    },
  };
}

function add(columns: Map<number, TraceColumn>, column: number, { kind, size }: Tick): void {
  const grown = Math.min(1, Math.log2(1 + size) / 5);
  const known = columns.get(column);
  if (
    !known ||
    (known.kind === 'thinking' && kind === 'answer') ||
    (known.kind === kind && known.size < grown)
  ) {
    columns.set(column, { kind, size: grown });
  }
}

/** The middle of the pixel in which this moment stands. */
export function columnOf(ms: number, width: number, rangeMs: number): number {
  return Math.round((Math.min(Math.max(0, ms), rangeMs) / rangeMs) * (width - 1)) + 0.5;
}

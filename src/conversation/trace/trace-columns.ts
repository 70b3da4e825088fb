import type { Tick } from './trace.ts';

/** Content of one pixel column: its tallest tick, 0 to 1. */
export interface TraceColumn {
  kind: Tick['kind'];
  size: number;
}

export interface TraceColumns {
  /** Returns the columns of the first `count` ticks at this width and range. */
  getColumns: (
    ticks: readonly Tick[],
    count: number,
    width: number,
    rangeMs: number,
  ) => ReadonlyMap<number, TraceColumn>;
}

/** Caches the columns of a growing trace, so that each paint processes only new ticks. */
export function createTraceColumns(): TraceColumns {
  let columns = new Map<number, TraceColumn>();
  let cacheKey: { ticks: readonly Tick[]; count: number; width: number; rangeMs: number } | undefined;
  return {
    getColumns: (ticks, count, width, rangeMs) => {
      const canExtend =
        cacheKey?.ticks === ticks &&
        cacheKey.width === width &&
        cacheKey.rangeMs === rangeMs &&
        cacheKey.count <= count;
      if (!canExtend) columns = new Map();
      for (let index = canExtend ? (cacheKey?.count ?? 0) : 0; index < count; index += 1) {
        const tick = ticks[index];
        if (tick) addTick(columns, getTraceX(tick.atMs, width, rangeMs), tick);
      }
      cacheKey = { ticks, count, width, rangeMs };
      return columns;
    },
  };
}

function addTick(columns: Map<number, TraceColumn>, x: number, { kind, size }: Tick): void {
  const scaledSize = Math.min(1, Math.log2(1 + size) / 5);
  const existingColumn = columns.get(x);
  if (
    !existingColumn ||
    (existingColumn.kind === 'thinking' && kind === 'answer') ||
    (existingColumn.kind === kind && existingColumn.size < scaledSize)
  ) {
    columns.set(x, { kind, size: scaledSize });
  }
}

/** Returns the x position of a time, at the centre of a pixel. */
export function getTraceX(ms: number, width: number, rangeMs: number): number {
  return Math.round((Math.min(Math.max(0, ms), rangeMs) / rangeMs) * (width - 1)) + 0.5;
}

/** How and when cells ended, independent of checks: typed arrays with one ending and two times per cell. */
import { missingTime } from './latency.ts';
import type { Cell } from './trial.ts';

export const endingCodes = { 'to come': 0, answered: 1, 'no answer': 2 } as const;

/** Cells of one column, indexed by row × repeats + repeat − 1. Rows are the cases in random order. */
export interface EndedCells {
  /** Values of `endingCodes`. */
  endings: Uint8Array;
  /** Times in ms; `missingTime` if there is none. */
  firstTokenMs: Float32Array;
  totalMs: Float32Array;
}

export function createEndedCells(size: number): EndedCells {
  return {
    endings: new Uint8Array(size),
    firstTokenMs: new Float32Array(size).fill(missingTime),
    totalMs: new Float32Array(size).fill(missingTime),
  };
}

/** Sets the ending and the times of a cell; `undefined` marks it as pending. */
export function setEnded(cells: EndedCells, index: number, cell: Cell | undefined): void {
  const isAnswered = cell?.outcome === 'answered';
  cells.endings[index] = endingCodes[cell?.outcome ?? 'to come'];
  cells.firstTokenMs[index] = (isAnswered ? cell.firstTokenMs : undefined) ?? missingTime;
  cells.totalMs[index] = (isAnswered ? cell.totalMs : undefined) ?? missingTime;
}

/** Counts the cells that have ended, and how many of these have no answer. */
export function countEnded(cells: EndedCells): { ended: number; missing: number } {
  let [ended, missing] = [0, 0];
  for (const ending of cells.endings) {
    if (ending !== endingCodes['to come']) ended += 1;
    if (ending === endingCodes['no answer']) missing += 1;
  }
  return { ended, missing };
}

/** Returns the number of cells before the first pending cell in any of these columns. */
export function countEndedPrefix(columns: readonly EndedCells[], size: number): number {
  return Math.min(
    size,
    ...columns.map((cells) => {
      const firstPending = cells.endings.indexOf(endingCodes['to come']);
      return firstPending < 0 ? size : firstPending;
    }),
  );
}

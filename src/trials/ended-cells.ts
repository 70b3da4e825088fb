/** What is counted of cells beside their results, as arrays: a byte for how each ended, and its times. */
import { missingTime } from './latency.ts';
import type { Cell } from './trial.ts';

export const endingCodes = { 'to come': 0, answered: 1, 'no answer': 2 } as const;

/** The cells of one column, by row × repeats + repeat − 1. Rows are the cases in the drawn order. */
export interface EndedCells {
  /** `endingCodes` */
  endings: Uint8Array;
  /** `missingTime` where there is none. */
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

/** Undefined: the cell is yet to come. */
export function setEnded(cells: EndedCells, index: number, cell: Cell | undefined): void {
  const isAnswered = cell?.outcome === 'answered';
  cells.endings[index] = endingCodes[cell?.outcome ?? 'to come'];
  cells.firstTokenMs[index] = (isAnswered ? cell.firstTokenMs : undefined) ?? missingTime;
  cells.totalMs[index] = (isAnswered ? cell.totalMs : undefined) ?? missingTime;
}

/** How many have ended, and how many of them without an answer. */
export function countEnded(cells: EndedCells): { ended: number; missing: number } {
  let [ended, missing] = [0, 0];
  for (const ending of cells.endings) {
    if (ending !== endingCodes['to come']) ended += 1;
    if (ending === endingCodes['no answer']) missing += 1;
  }
  return { ended, missing };
}

/** The places before the first that is to come in one of these columns. */
export function countEndedPrefix(columns: readonly EndedCells[], size: number): number {
  return Math.min(
    size,
    ...columns.map((cells) => {
      const firstPending = cells.endings.indexOf(endingCodes['to come']);
      return firstPending < 0 ? size : firstPending;
    }),
  );
}

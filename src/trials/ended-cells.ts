/** What is counted of cells beside their results, as arrays: a byte for how each ended, and its times. */
import { noTime } from './latency.ts';
import type { Cell } from './trial.ts';

export const endingCodes = { 'to come': 0, answered: 1, 'no answer': 2 } as const;

/** The cells of one column, by row × repeats + repeat − 1. Rows are the cases in the drawn order. */
export interface EndedCells {
  /** `endingCodes` */
  endings: Uint8Array;
  /** `noTime` where there is none. */
  firstTokenMs: Float32Array;
  totalMs: Float32Array;
}

export function newEndedCells(size: number): EndedCells {
  return {
    endings: new Uint8Array(size),
    firstTokenMs: new Float32Array(size).fill(noTime),
    totalMs: new Float32Array(size).fill(noTime),
  };
}

/** Undefined: the cell is yet to come. */
export function setEnded(of: EndedCells, place: number, cell: Cell | undefined): void {
  const isAnswered = cell?.outcome === 'answered';
  of.endings[place] = endingCodes[cell?.outcome ?? 'to come'];
  of.firstTokenMs[place] = (isAnswered ? cell.firstTokenMs : undefined) ?? noTime;
  of.totalMs[place] = (isAnswered ? cell.totalMs : undefined) ?? noTime;
}

/** How many have ended, and how many of them without an answer. */
export function countEnded(of: EndedCells): { ended: number; missing: number } {
  let [ended, missing] = [0, 0];
  for (const ending of of.endings) {
    if (ending !== endingCodes['to come']) ended += 1;
    if (ending === endingCodes['no answer']) missing += 1;
  }
  return { ended, missing };
}

/** The places before the first that is to come in one of these columns. */
export function endedPlaces(columns: readonly EndedCells[], size: number): number {
  return Math.min(
    size,
    ...columns.map((of) => {
      const open = of.endings.indexOf(endingCodes['to come']);
      return open < 0 ? size : open;
    }),
  );
}

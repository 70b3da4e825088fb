/** How and when cells ended, independent of checks, with the times and the length of each answer. */
import { missingValue } from './latency.ts';
import { toUsageSum, type UsageSum } from './trial-cost.ts';
import type { Cell } from './trial.ts';

export const endingCodes = { 'to come': 0, answered: 1, 'no answer': 2 } as const;

/** Cells of one column, indexed by row × repeats + repeat − 1. Rows are the cases in random order. */
export interface EndedCells {
  /** Values of `endingCodes`. */
  endings: Uint8Array;
  /** Times in ms; `missingValue` if there is none. */
  firstTokenMs: Float32Array;
  totalMs: Float32Array;
  /** Output tokens, reported or estimated; `missingValue` if they are unknown. */
  tokensOut: Float32Array;
  /** Usage of each answer, from which its cost is computed. */
  usages: (UsageSum | undefined)[];
}

export function createEndedCells(size: number): EndedCells {
  return {
    endings: new Uint8Array(size),
    firstTokenMs: new Float32Array(size).fill(missingValue),
    totalMs: new Float32Array(size).fill(missingValue),
    tokensOut: new Float32Array(size).fill(missingValue),
    usages: Array.from({ length: size }, () => undefined),
  };
}

/** Sets the ending, the times and the length of a cell; `undefined` marks it as pending. */
export function setEnded(cells: EndedCells, index: number, cell: Cell | undefined): void {
  const isAnswered = cell?.outcome === 'answered';
  cells.endings[index] = endingCodes[cell?.outcome ?? 'to come'];
  const answer = isAnswered ? cell : undefined;
  const tokensOut = answer?.tokensOut;
  cells.firstTokenMs[index] = answer?.firstTokenMs ?? missingValue;
  cells.totalMs[index] = answer?.totalMs ?? missingValue;
  cells.tokensOut[index] = tokensOut && 'value' in tokensOut ? tokensOut.value : missingValue;
  cells.usages[index] = answer && toUsageSum(answer);
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

/** Returns the number of cells before the first pending cell. */
export function countEndedPrefix({ endings }: EndedCells): number {
  const firstPending = endings.indexOf(endingCodes['to come']);
  return firstPending < 0 ? endings.length : firstPending;
}

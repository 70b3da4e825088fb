/** Order in which the cells of a trial are run and counted. It depends only on the seed and the batches. */
import { groupBy } from 'es-toolkit';

import { createSeededRandom, toShuffled } from '../lib/random.ts';
import { sendsRequests, type CaseId, type CellKey, type Column, type Trial } from './trial.ts';

/**
 * Returns the IDs of the active cases in random order. Each batch is shuffled separately, retired cases included. The
 * cases of a group stay together, so that groups of every size complete in random order.
 */
export function getCaseOrder({
  seed,
  batches,
  retired,
}: Pick<Trial, 'seed' | 'batches' | 'retired'>): CaseId[] {
  const retiredIds = new Set(retired.caseIds);
  return batches
    .flatMap(({ caseIds, groups }, batchIndex) => {
      const random = createSeededRandom(batchIndex === 0 ? seed : `${seed}/${batchIndex}`);
      if (!groups) return toShuffled(caseIds, random);
      const indexesByGroup = groupBy([...caseIds.keys()], (index) => groups[index] ?? -1);
      return toShuffled(Object.values(indexesByGroup), random)
        .flat()
        .flatMap((index) => caseIds[index] ?? []);
    })
    .filter((caseId) => !retiredIds.has(caseId));
}

/** Returns the columns in the order in which this case runs in them. */
export function getColumnOrder({ seed, columns }: Pick<Trial, 'seed' | 'columns'>, caseId: CaseId): Column[] {
  return toShuffled(columns, createSeededRandom(`${seed}/${caseId}`));
}

/**
 * Yields the cells that have not ended, in running order: all cells of a case before the next case, and within a case
 * all columns of a repeat before the next repeat. Columns that send no requests are skipped.
 */
export function* listPendingCells(trial: Trial, hasEnded: (key: CellKey) => boolean): Generator<CellKey> {
  for (const caseId of getCaseOrder(trial)) {
    const columns = getColumnOrder(trial, caseId).filter(sendsRequests);
    for (let repeat = 1; repeat <= trial.repeats; repeat += 1)
      for (const { id: columnId } of columns) {
        const key = { caseId, columnId, repeat };
        if (!hasEnded(key)) yield key;
      }
  }
}

/** Returns a cell's key as a string, for maps and sets. */
export function getCellId({ caseId, columnId, repeat }: CellKey): string {
  return `${caseId} ${columnId} ${repeat}`;
}

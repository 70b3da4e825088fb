/** In which order the cells of a trial are asked and counted: a function of seed and batches. */
import { createStringSeededRandom, toShuffled } from '../lib/random.ts';
import type { CaseId, CellKey, Column, Trial } from './trial.ts';

/** The cases in the drawn order, without those that are retired. Batches are shuffled by themselves, with all in them. */
export function getCaseOrder({
  seed,
  batches,
  retired,
}: Pick<Trial, 'seed' | 'batches' | 'retired'>): CaseId[] {
  const retiredIds = new Set(retired.caseIds);
  return batches
    .flatMap(({ caseIds }, batchIndex) =>
      toShuffled(
        caseIds,
        createStringSeededRandom(batchIndex === 0 ? String(seed) : `${seed}/${batchIndex}`),
      ),
    )
    .filter((caseId) => !retiredIds.has(caseId));
}

/** The columns in the order in which this case is asked in them. */
export function getColumnOrder({ seed, columns }: Pick<Trial, 'seed' | 'columns'>, caseId: CaseId): Column[] {
  return toShuffled(columns, createStringSeededRandom(`${seed}/${caseId}`));
}

/**
 * The cells that have not ended, in the order in which they are asked: a case in all columns before the next, all of its
 * repeats before the next. Columns that have stopped are left out.
 */
export function* listPendingCells(trial: Trial, hasEnded: (key: CellKey) => boolean): Generator<CellKey> {
  for (const caseId of getCaseOrder(trial)) {
    const columns = getColumnOrder(trial, caseId).filter(({ stopped }) => stopped === undefined);
    for (let repeat = 1; repeat <= trial.repeats; repeat += 1)
      for (const { id: columnId } of columns) {
        const key = { caseId, columnId, repeat };
        if (!hasEnded(key)) yield key;
      }
  }
}

/** A cell's key as one text, for maps and sets. */
export function getCellId({ caseId, columnId, repeat }: CellKey): string {
  return `${caseId} ${columnId} ${repeat}`;
}

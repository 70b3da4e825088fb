import { expect, it } from 'vitest';

import { createSeededRandom, toShuffled } from '../lib/random.ts';
import { createTestTrial, testSavedAnswers } from '../testing/trials.ts';
import { getCellId, listPendingCells, getColumnOrder, getCaseOrder } from './case-order.ts';

const oneToTen = Array.from({ length: 10 }, (_, index) => index + 1);

it('draws the same case order for the same seed on every machine', () => {
  expect(toShuffled(oneToTen, createSeededRandom('7')).join(' ')).toBe('5 10 3 1 7 4 9 6 8 2');
  expect(toShuffled(oneToTen, createSeededRandom('2026')).join(' ')).toBe('4 1 3 6 8 9 7 5 2 10');
  expect(toShuffled(oneToTen, createSeededRandom('7/1')).join(' ')).toBe('4 8 2 3 5 7 10 1 9 6');
});

it('shuffles each batch separately, so that new cases do not change the existing order', () => {
  const [first, second] = [oneToTen.map(String), oneToTen.map((number) => `new ${number}`)];
  const trial = createTestTrial(0, {
    seed: 7,
    batches: [
      { caseIds: first, addedAt: 0 },
      { caseIds: second, addedAt: 1 },
    ],
  });
  expect(getCaseOrder(trial).slice(0, 10).join(' ')).toBe('5 10 3 1 7 4 9 6 8 2');
  expect(getCaseOrder(trial)[10]).toBe('new 4');
});

it('shuffles groups as a whole, so that small and large groups complete in the same order', () => {
  const groups = [0, 0, 0, 0, 1, 2, 2, 3, 3, 3];
  const firstGroups = Array.from({ length: 400 }, (_, seed) => {
    const trial = createTestTrial(0, {
      seed,
      batches: [{ caseIds: oneToTen.map(String), addedAt: 0, groups }],
    });
    const orderedGroups = getCaseOrder(trial).map((caseId) => groups[Number(caseId) - 1]);
    const blocks = orderedGroups.filter((group, index) => group !== orderedGroups[index - 1]);
    expect(new Set(blocks)).toEqual(new Set([0, 1, 2, 3]));
    expect(blocks).toHaveLength(4);
    return blocks[0];
  });
  for (const group of [0, 1, 2, 3])
    expect(firstGroups.filter((first) => first === group).length).toBeGreaterThan(70);
});

it('keeps the order of all other cases when a case is retired or restored', () => {
  const trial = createTestTrial(10, { seed: 7 });
  const remainingOrder = getCaseOrder({ ...trial, retired: { columns: [], caseIds: ['3', '9'] } });
  expect(remainingOrder.join(' ')).toBe('5 10 1 7 4 6 8 2');
  expect(getCaseOrder(trial).filter((id) => id !== '3' && id !== '9')).toEqual(remainingOrder);
});

it('runs all columns and repeats of a case before the next case', () => {
  const trial = createTestTrial(4, { repeats: 2 });
  const keys = [...listPendingCells(trial, () => false)];
  expect(keys).toHaveLength(4 * 3 * 2);
  expect(keys.map(({ caseId }) => caseId).join('')).toBe(
    getCaseOrder(trial)
      .map((caseId) => caseId.repeat(6))
      .join(''),
  );
  const [first = ''] = getCaseOrder(trial);
  const columns = getColumnOrder(trial, first).map(({ id }) => id);
  expect(keys.slice(0, 6).map(({ columnId, repeat }) => `${columnId}${repeat}`)).toEqual([
    ...columns.map((id) => `${id}1`),
    ...columns.map((id) => `${id}2`),
  ]);
});

it('lists pending cells in the same order, without stopped columns', () => {
  const trial = createTestTrial(6);
  const allIds = [...listPendingCells(trial, () => false)].map(getCellId);
  const endedIds = new Set(allIds.filter((_, index) => index % 3 === 0));
  expect([...listPendingCells(trial, (key) => endedIds.has(getCellId(key)))].map(getCellId)).toEqual(
    allIds.filter((name) => !endedIds.has(name)),
  );
  const report = { source: 'gateway', kind: 'invalid-request', message: 'No' } as const;
  const columns = trial.columns.map((column) =>
    column.id === 'b' ? { ...column, stopped: { at: 0, report } } : column,
  );
  const pending = [...listPendingCells({ ...trial, columns }, () => false)];
  expect(pending).toHaveLength(12);
  expect(pending.some(({ columnId }) => columnId === 'b')).toBe(false);
});

it('yields no cells of a column with copied answers, also for cases that it does not have', () => {
  const trial = createTestTrial(2);
  const columns = trial.columns.map((column) =>
    column.id === 'b' ? { ...column, savedAnswers: testSavedAnswers } : column,
  );
  const cells = [...listPendingCells({ ...trial, columns }, () => false)];
  expect(cells.map(({ columnId }) => columnId).toSorted()).toEqual(['a', 'a', 'c', 'c']);
});

import { expect, it } from 'vitest';

import { createStringSeededRandom, toShuffled } from '../lib/random.ts';
import { aTrial } from '../testing/trials.ts';
import { cellName, cellsToAsk, columnOrder, drawnOrder } from './case-order.ts';

const toTen = Array.from({ length: 10 }, (_, index) => index + 1);

it('draws the same order for the same seed on every machine', () => {
  expect(toShuffled(toTen, createStringSeededRandom('7')).join(' ')).toBe('5 10 3 1 7 4 9 6 8 2');
  expect(toShuffled(toTen, createStringSeededRandom('2026')).join(' ')).toBe('4 1 3 6 8 9 7 5 2 10');
  expect(toShuffled(toTen, createStringSeededRandom('7/1')).join(' ')).toBe('4 8 2 3 5 7 10 1 9 6');
});

it('shuffles each batch by itself, so that a new one changes nothing before it', () => {
  const [first, second] = [toTen.map(String), toTen.map((each) => `new ${each}`)];
  const trial = aTrial(0, {
    seed: 7,
    batches: [
      { caseIds: first, addedAt: 0 },
      { caseIds: second, addedAt: 1 },
    ],
  });
  expect(drawnOrder(trial).slice(0, 10).join(' ')).toBe('5 10 3 1 7 4 9 6 8 2');
  expect(drawnOrder(trial)[10]).toBe('new 4');
});

it('keeps everyone’s place when a case is retired, and when it returns', () => {
  const trial = aTrial(10, { seed: 7 });
  const without = drawnOrder({ ...trial, retired: { columns: [], caseIds: ['3', '9'] } });
  expect(without.join(' ')).toBe('5 10 1 7 4 6 8 2');
  expect(drawnOrder(trial).filter((id) => id !== '3' && id !== '9')).toEqual(without);
});

it('asks a case in all columns and all its repeats before the next', () => {
  const trial = aTrial(4, { repeats: 2 });
  const keys = [...cellsToAsk(trial, () => false)];
  expect(keys).toHaveLength(4 * 3 * 2);
  expect(keys.map(({ caseId }) => caseId).join('')).toBe(
    drawnOrder(trial)
      .map((caseId) => caseId.repeat(6))
      .join(''),
  );
  const [first = ''] = drawnOrder(trial);
  const columns = columnOrder(trial, first).map(({ id }) => id);
  expect(keys.slice(0, 6).map(({ columnId, repeat }) => `${columnId}${repeat}`)).toEqual([
    ...columns.map((id) => `${id}1`),
    ...columns.map((id) => `${id}2`),
  ]);
});

it('goes on with what has not ended, in the same order, without the columns that have stopped', () => {
  const trial = aTrial(6);
  const all = [...cellsToAsk(trial, () => false)].map(cellName);
  const ended = new Set(all.filter((_, index) => index % 3 === 0));
  expect([...cellsToAsk(trial, (key) => ended.has(cellName(key)))].map(cellName)).toEqual(
    all.filter((name) => !ended.has(name)),
  );
  const report = { source: 'gateway', kind: 'invalid-request', message: 'No' } as const;
  const columns = trial.columns.map((column) =>
    column.id === 'b' ? { ...column, stopped: { at: 0, report } } : column,
  );
  const left = [...cellsToAsk({ ...trial, columns }, () => false)];
  expect(left).toHaveLength(12);
  expect(left.some(({ columnId }) => columnId === 'b')).toBe(false);
});

import { expect, it } from 'vitest';

import { createTestTrial } from '../testing/trials.ts';
import { getCaseOrder } from './case-order.ts';
import { listShardCases } from './shards.ts';

it('takes every nth case of the random order', () => {
  const trial = createTestTrial(20);
  const order = getCaseOrder(trial);
  expect([...listShardCases(trial, { index: 3, count: 8 })]).toEqual([order[2], order[10], order[18]]);
});

it('puts each case into one shard and never splits a group, whatever the sizes of the groups', () => {
  const caseIds = Array.from({ length: 60 }, (_, index) => String(index));
  const groups = caseIds.map((_, index) => Math.floor(Math.sqrt(index)));
  const trial = createTestTrial(60, { batches: [{ caseIds, groups, addedAt: 0 }] });
  const shards = [1, 2, 3].map((index) => [...listShardCases(trial, { index, count: 3 })]);
  expect(shards.flat().toSorted()).toEqual(caseIds.toSorted());
  const groupsByShard = shards.map((ids) => new Set(ids.map((id) => groups[Number(id)])));
  expect(groupsByShard.reduce((sum, { size }) => sum + size, 0)).toBe(new Set(groups).size);
});

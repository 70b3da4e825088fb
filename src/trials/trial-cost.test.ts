import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { computeRunsCost, type ModelPrice } from '../conversation/reply/cost.ts';
import { computeMetrics } from '../conversation/reply/metrics.ts';
import type { Usage } from '../gateway/wire.ts';
import { createAnsweredRun, createColumns } from '../testing/trials.ts';
import { pickUsage } from './cell.ts';
import {
  addUsage,
  computeUsageCost,
  createUsageSum,
  estimateCellCost,
  findBudgetProblem,
  toUsageSum,
} from './trial-cost.ts';

const price: ModelPrice = {
  inputPerMillion: 3,
  outputPerMillion: 15,
  cachedInputPerMillion: 0.3,
  reasoningPerMillion: 20,
  currency: 'USD',
  source: 'listed',
};

const count = fc.nat({ max: 100_000 });
const arbitraryUsage: fc.Arbitrary<Usage> = fc.record(
  {
    promptTokens: count,
    completionTokens: count,
    totalTokens: count,
    cachedTokens: count,
    reasoningTokens: count,
    costUsd: fc.double({ min: 0, max: 1, noNaN: true }),
  },
  { requiredKeys: [] },
);

describe('costs of a trial', () => {
  it('computes the same total from summed tokens as from each answer', () => {
    fc.assert(
      fc.property(fc.array(arbitraryUsage, { maxLength: 20 }), (usages) => {
        const runs = usages.map((usage) => createAnsweredRun('One two', { usage, estimatedPromptTokens: 5 }));
        const sum = createUsageSum();
        for (const run of runs) addUsage(sum, toUsageSum(pickUsage(computeMetrics(run))));
        const expected = computeRunsCost(runs, () => price);
        const cost = computeUsageCost(sum, price);
        expect(cost?.amounts['USD'] ?? 0).toBeCloseTo(expected?.amounts['USD'] ?? 0, 9);
        expect(cost?.pricedCount).toBe(expected?.pricedCount);
        expect(cost?.isEstimated).toBe(expected?.isEstimated);
      }),
    );
  });

  it('removes a replaced answer from the sum without a trace', () => {
    const sum = createUsageSum();
    const usage = toUsageSum({
      tokensIn: { kind: 'estimated', value: 100 },
      tokensOut: { kind: 'exact', value: 50 },
      cachedTokens: 20,
      reasoningTokens: 30,
    });
    addUsage(sum, usage);
    expect(computeUsageCost(sum, price)?.amounts['USD']).toBeCloseTo(
      (80 * 3 + 20 * 0.3 + 20 * 15 + 30 * 20) / 1e6,
      12,
    );
    addUsage(sum, usage, -1);
    expect(sum).toEqual(createUsageSum());
    expect(computeUsageCost(sum, price)).toBeUndefined();
  });

  it('counts a cell of an earlier version from its tokens in and out, and one without tokens not at all', () => {
    const tokensIn = { kind: 'exact', value: 100 } as const;
    const sum = createUsageSum();
    addUsage(sum, toUsageSum({ tokensIn, tokensOut: { kind: 'exact', value: 50 } }));
    addUsage(sum, toUsageSum({ tokensIn, tokensOut: { kind: 'none', why: 'No tokens received.' } }));
    addUsage(sum, toUsageSum({}));
    expect(computeUsageCost(sum, price)).toMatchObject({ amounts: { USD: 0.00105 }, pricedCount: 1 });
    expect(computeUsageCost(sum, undefined)).toMatchObject({ amounts: {}, unpricedCount: 1 });
  });
});

describe('budget of a trial', () => {
  const columns = createColumns('north/one', 'south/two');

  it('cannot be kept while a running column has no price or currencies differ', () => {
    expect(findBudgetProblem({ columns }, [price, price])).toBeUndefined();
    expect(findBudgetProblem({ columns }, [price, undefined])).toEqual({ kind: 'no price', columns: [1] });
    const report = { source: 'gateway', kind: 'failed', message: 'No' } as const;
    const [first, second] = columns;
    if (!first || !second) throw new Error('Two columns are expected');
    const stoppedColumns = [first, { ...second, stopped: { at: 1, report } }];
    expect(findBudgetProblem({ columns: stoppedColumns }, [price, undefined])).toBeUndefined();
    const euroPrice = { ...price, currency: 'EUR' };
    expect(findBudgetProblem({ columns }, [price, euroPrice])).toEqual({
      kind: 'several currencies',
      currencies: ['USD', 'EUR'],
    });
    const budget = { amount: 1, currency: 'USD' };
    expect(findBudgetProblem({ columns, budget }, [euroPrice, euroPrice])?.kind).toBe('several currencies');
    expect(findBudgetProblem({ columns }, [euroPrice, euroPrice], { USD: 0.1 })?.kind).toBe(
      'several currencies',
    );
  });

  it('estimates a request from its limit, or from twice the mean of the answers so far', () => {
    const listPrice: ModelPrice = {
      inputPerMillion: 1,
      outputPerMillion: 2,
      currency: 'USD',
      source: 'listed',
    };
    const estimate = (
      ...args: Parameters<typeof estimateCellCost> extends [unknown, ...infer R] ? R : never
    ) => Math.round(estimateCellCost(listPrice, ...args) * 1e6);
    const empty = createUsageSum();
    expect(estimate({ promptTokens: 10, maxOutputTokens: 50 }, empty)).toBe(10 + 2 * 50);
    expect(estimate({ promptTokens: 10, maxOutputTokens: undefined }, empty)).toBe(10 + 2 * 200);
    expect(estimate({ promptTokens: 10, maxOutputTokens: undefined }, empty, 30)).toBe(10 + 2 * 60);
    const usage = { ...empty, answers: 2, uncachedTokens: 150, cachedTokens: 50, textTokens: 40 };
    expect(estimate({ promptTokens: 10, maxOutputTokens: undefined }, usage, 30)).toBe(100 + 2 * 40);
    expect(estimate({ promptTokens: 500, maxOutputTokens: 7 }, usage)).toBe(500 + 2 * 7);
    const reportedUsage = { ...empty, reportedAnswers: 2, reportedUsd: 0.004 };
    expect(estimate({ promptTokens: 1, maxOutputTokens: 1 }, reportedUsage)).toBe(4000);
  });
});

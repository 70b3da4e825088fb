import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ModelPrice } from '../../../conversation/reply/cost.ts';
import type { ModelChoice } from '../../../conversation/session/types.ts';
import { getIntervalMs } from '../../../gateway/http/request-rate.ts';
import { runToCompletion } from '../../../lib/steps.ts';
import { getCaseCount } from '../../../testing/seeds.ts';
import {
  testCheck,
  createColumnContext,
  createColumns,
  createTestTrial,
  testSavedAnswers,
} from '../../../testing/trials.ts';
import { getCellId, getCaseOrder } from '../../../trials/case-order.ts';
import { getCurrentScore, hashCheck } from '../../../trials/checks/score-answer.ts';
import { withGroups } from '../../../trials/edit-trial.ts';
import { resultCodes } from '../../../trials/result-table.ts';
import { startTrial } from '../../../trials/trial-state.ts';
import type { Case, Cell, CellKey, Mark, Result, Trial } from '../../../trials/trial.ts';
import type { TrialData } from '../repository/trial-records.ts';
import {
  createTrialResults,
  detachedContext,
  type TrialResults,
  type ResultContext,
  type ResultTotals,
} from './trial-results.ts';

const defaultContext: ResultContext = {
  ...detachedContext,
  getColumnContext: () => createColumnContext(),
};
const columns = createColumns('north/one', 'north/two');

function createTrialData(
  trial: Trial,
  values: (id: string) => Case['values'] = () => ({ team: 'billing' }),
): TrialData & { cells: Map<string, Cell>; marks: Map<string, Mark>; cases: Map<string, Case> } {
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  return {
    trial,
    cases: new Map(ids.map((id) => [id, { id, values: values(id) }])),
    cells: new Map(),
    marks: new Map(),
  };
}

/** Returns a cell with this result and a matching score of the check. */
function createCell(data: TrialData, key: CellKey, result: Result, changes: Partial<Cell> = {}): Cell {
  const values = data.cases.get(key.caseId)?.values ?? {};
  const scores = Object.fromEntries(
    data.trial.checks.map((check) => [check.id, { of: hashCheck(check, values), result }]),
  );
  return {
    ...key,
    runId: 'run',
    tries: 1,
    outcome: result === 'no answer' ? 'no answer' : 'answered',
    ...(result === 'no answer' ? { why: 'failed' as const } : {}),
    head: '',
    answerHash: '',
    scores,
    ...changes,
  };
}

const createKey = (caseId: string, columnId: string, repeat = 1): CellKey => ({ caseId, columnId, repeat });

/** Returns the totals of the data as if the trial had just been opened. */
function computeFreshTotals(data: TrialData, context = defaultContext): ResultTotals {
  const results = createTrialResults();
  results.rebuild(data);
  return runToCompletion(results.computeTotals(data, context));
}

const computeTotals = (results: TrialResults, data: TrialData, context = defaultContext): ResultTotals =>
  runToCompletion(results.computeTotals(data, context));

/** Evaluates the lazy parts of the plan, so that totals can be compared. */
const toComparable = ({ plan, ...sums }: ResultTotals) => ({ ...sums, plan: { ...plan } });

describe('a case without an expected value', () => {
  it('excludes a case in all columns and repeats in advance, and does not wait for it', () => {
    const data = createTrialData(createTestTrial(3, { columns, repeats: 2 }), (id) =>
      id === '2' ? {} : { team: 'billing' },
    );
    const { tables, order, verdict } = computeFreshTotals(data);
    const table = tables.get('check');
    if (!table) throw new Error('The table is missing');
    const excludedRow = order.indexOf('2');
    const lines = order.map((_, row) => [...table.bytes.subarray(row * 4, row * 4 + 4)]);
    for (const [row, line] of lines.entries())
      expect(line).toEqual(
        Array(4).fill(row === excludedRow ? resultCodes['left out'] : resultCodes['to come']),
      );
    expect(verdict, 'a draft has no verdict').toBeUndefined();
    for (const caseId of ['1', '3'])
      for (const columnId of ['a', 'b'])
        for (const repeat of [1, 2]) {
          const cell = createCell(data, createKey(caseId, columnId, repeat), 'passed');
          data.cells.set(getCellId(cell), cell);
        }
    expect(computeFreshTotals(data).verdict).toMatchObject({ cases: 2, counted: 2 });
  });
});

describe('near misses', () => {
  const trial = createTestTrial(3, { columns, checks: [{ ...testCheck, field: '' }] });
  const data = createTrialData(trial);
  for (const [caseId, head] of ['Billing', 'delivery', 'billing.'].entries()) {
    const key = createKey(String(caseId + 1), 'a');
    const cell = createCell(data, key, 'failed', { head });
    for (const score of Object.values(cell.scores)) score.why = `is “${head}”, expected “billing”`;
    data.cells.set(getCellId(key), cell);
  }

  it('counts failed answers that would pass with other settings of the deciding check', () => {
    const results = createTrialResults();
    results.rebuild(data);
    expect(computeTotals(results, data).nearMisses).toEqual({
      answers: 2,
      settings: ['ignoreCase', 'ignoreLastStop'],
    });
    const cells = new Map(data.cells);
    const passedKey = createKey('1', 'a');
    cells.set(getCellId(passedKey), createCell(data, passedKey, 'passed', { head: 'Billing' }));
    results.updateCells({ ...data, cells }, [passedKey]);
    expect(computeTotals(results, { ...data, cells }).nearMisses).toEqual({
      answers: 1,
      settings: ['ignoreLastStop'],
    });
  });

  it('offers no settings to trials of version 1', () => {
    const startedTrial = startTrial(trial, data.cases, 0);
    if (!startedTrial.plan) throw new Error('The trial has no plan');
    const { rules: _, ...plan } = startedTrial.plan;
    expect(computeFreshTotals({ ...data, trial: startedTrial }).nearMisses?.answers).toBe(2);
    expect(computeFreshTotals({ ...data, trial: { ...startedTrial, plan } }).nearMisses).toBeUndefined();
  });
});

describe('a baseline with copied answers', () => {
  const [copied, asked] = createColumns('north/one', 'north/two');
  if (!copied || !asked) throw new Error('Two columns are expected');
  const data = createTrialData(
    createTestTrial(4, {
      columns: [
        { ...copied, savedAnswers: testSavedAnswers, setup: { ...copied.setup, gateway: 'gone' } },
        asked,
      ],
    }),
  );
  for (const caseId of ['1', '3']) {
    const key = createKey(caseId, 'a');
    data.cells.set(
      getCellId(key),
      createCell(data, key, 'passed', {
        tokensIn: { kind: 'exact', value: 10 },
        tokensOut: { kind: 'exact', value: 10 },
      }),
    );
  }
  const price: ModelPrice = { source: 'file', inputPerMillion: 1, outputPerMillion: 1, currency: 'USD' };
  const context = {
    ...defaultContext,
    isUnknownGateway: () => true,
    // The price of the copied column is unknown.
    getColumnContext: ({ model }: ModelChoice) =>
      createColumnContext(model === 'north/two' ? { price, perMinute: 60 } : {}),
  };

  it('sends no requests, costs nothing and is no answer of this trial', () => {
    const totals = computeFreshTotals(data, context);
    expect(totals.plan).toMatchObject({
      cases: 4,
      comparedCases: 2,
      requests: 4,
      durationMs: 4 * getIntervalMs(60),
    });
    expect(totals.plan.cost).toMatchObject({ unpricedColumns: [], total: { unpricedCount: 0 } });
    expect(totals.plan.detectablePoints).toBeUndefined();
    expect(totals.progress).toMatchObject({ cases: 4, cells: 4, ended: 0, missing: 0, counted: 0 });
    expect(totals.timeLeft.ms).toBe(4 * getIntervalMs(60));
    expect(totals.costs).toEqual({
      byColumn: [undefined, undefined],
      total: undefined,
      budgetProblem: undefined,
    });
    expect(totals.unknownGateways).toEqual([]);
    expect(totals.verdict, 'a draft has no verdict').toBeUndefined();
    expect(totals.hasAnswers).toBe(false);
  });

  it('is compared on the cases that it has, while the others are asked as well', () => {
    for (const caseId of ['1', '2', '3']) {
      const key = createKey(caseId, 'b');
      data.cells.set(getCellId(key), createCell(data, key, 'failed'));
    }
    const totals = computeFreshTotals({ ...data, trial: startTrial(data.trial, data.cases, 5) }, context);
    expect(totals.hasAnswers).toBe(true);
    expect(totals.verdict?.comparisons[0]).toMatchObject({ cases: 2, missingCount: 0 });
    expect(totals.verdict?.columns[0]).toMatchObject({ missing: 0 });
    expect(totals.progress).toMatchObject({ cases: 2, cells: 4, ended: 3 });
  });
});

describe('cells outside of the tables', () => {
  it('ignores cells of retired cases and columns, and of removed repeats', () => {
    const trial = createTestTrial(4, { columns });
    const data = createTrialData({ ...trial, retired: { columns: [], caseIds: ['4'] } });
    const strayKeys = [
      createKey('4', 'a'),
      createKey('1', 'gone'),
      createKey('1', 'a', 2),
      createKey('2', 'b', 3),
    ];
    for (const key of strayKeys) data.cells.set(getCellId(key), createCell(data, key, 'passed'));
    const totals = computeFreshTotals(data);
    expect(totals.order).toHaveLength(3);
    expect([...(totals.tables.get('check')?.bytes ?? [])]).toEqual(Array(6).fill(resultCodes['to come']));
    expect(totals.progress).toMatchObject({ cells: 6, ended: 0, missing: 0, counted: 0 });
    expect(totals.hasAnswers).toBe(true);
  });
});

describe('a row of a trial', () => {
  it('counts a row once its cells and those of all earlier rows have ended, without waiting for stopped columns', () => {
    const data = createTrialData(createTestTrial(3, { columns, repeats: 2 }));
    const [first = '', second = '', third = ''] = getCaseOrder(data.trial);
    const results = createTrialResults();
    const endCells = (...keys: CellKey[]) => {
      for (const key of keys) data.cells.set(getCellId(key), createCell(data, key, 'passed'));
      results.updateCells(data, keys);
      computeTotals(results, data);
      return [first, second, third].map((id) => results.isCounted({ caseId: id, columnId: 'a' }));
    };
    results.rebuild(data);
    expect(endCells(createKey(second, 'a'), createKey(second, 'a', 2))).toEqual([false, false, false]);
    expect(endCells(createKey(first, 'a'), createKey(first, 'a', 2), createKey(first, 'b'))).toEqual([
      false,
      false,
      false,
    ]);
    expect(endCells(createKey(first, 'b', 2))).toEqual([true, false, false]);
    const [a, b] = columns;
    if (!a || !b) throw new Error('Two columns are expected');
    const report = { source: 'gateway', kind: 'failed', message: 'No' } as const;
    data.trial = { ...data.trial, columns: [a, { ...b, stopped: { at: 1, report } }] };
    results.rebuild(data);
    const totals = computeTotals(results, data);
    expect(totals.progress).toMatchObject({ cells: 6, ended: 4, counted: 2 });
    expect([first, second, third].map((id) => results.isCounted({ caseId: id, columnId: 'a' }))).toEqual([
      true,
      true,
      false,
    ]);
    expect(results.isCounted({ caseId: 'of no case', columnId: 'a' })).toBe(false);
    const { decides: _, ...undecided } = data.trial;
    data.trial = undecided;
    expect(computeTotals(results, data).progress, 'all cases count without a deciding check').toMatchObject({
      cases: 3,
      counted: 2,
    });
  });

  it("estimates the time left from the trial's answers, or from earlier answers if there are none", () => {
    const data = createTrialData(createTestTrial(3, { columns }));
    const pastStats = { meanMs: 500, tokensIn: 1, tokensOut: 1, answers: 9 };
    const pastContext = {
      ...defaultContext,
      getColumnContext: ({ model }: ModelChoice) =>
        createColumnContext(model === 'north/two' ? { pastStats } : {}),
    };
    expect(computeFreshTotals(data, pastContext).timeLeft).toEqual({ ms: 1500, isLowerBound: true });
    for (const [caseId, totalMs] of [
      ['1', 1000],
      ['2', 2000],
    ] as const)
      data.cells.set(
        getCellId(createKey(caseId, 'a')),
        createCell(data, createKey(caseId, 'a'), 'passed', { totalMs }),
      );
    data.cells.set(
      getCellId(createKey('1', 'b')),
      createCell(data, createKey('1', 'b'), 'no answer', { totalMs: 9000 }),
    );
    const totals = computeFreshTotals(data, { ...pastContext, inFlight: 2 });
    expect(totals.timeLeft).toEqual({ ms: 1500 + 2 * 500, isLowerBound: false });
    expect(totals.progress).toMatchObject({ cells: 6, ended: 3, missing: 1, inFlight: 2 });
    expect(totals.columnStats.map(({ cells, answered, missing }) => [cells, answered, missing])).toEqual([
      [2, 2, 0],
      [1, 0, 1],
    ]);
    const slowContext = { ...pastContext, getColumnContext: () => createColumnContext({ perMinute: 6 }) };
    expect(computeFreshTotals(data, slowContext).timeLeft.ms, 'slower pace').toBe(3 * getIntervalMs(6));
    expect(computeFreshTotals(data, { ...pastContext, slots: 2 }).timeLeft.ms).toBe(1250);
    const [a, b] = columns;
    if (!a || !b) throw new Error('Two columns are expected');
    const report = { source: 'gateway', kind: 'failed', message: 'No' } as const;
    data.trial = { ...data.trial, columns: [a, { ...b, stopped: { at: 1, report } }] };
    expect(computeFreshTotals(data).timeLeft, 'a stopped column takes no time').toEqual({
      ms: 1500,
      isLowerBound: false,
    });
  });
});

describe('groups of cases', () => {
  const countUnits = (
    batches: Trial['batches'],
    getOwner: (id: string) => string | undefined,
    groupField = 'owner',
  ) => {
    const data = createTrialData(createTestTrial(0, { columns, batches, groupField }), (id) => {
      const name = getOwner(id);
      return { team: 'billing', ...(name === undefined ? {} : { [groupField]: name }) };
    });
    for (const id of data.cases.keys())
      for (const columnId of ['a', 'b'])
        data.cells.set(
          getCellId(createKey(id, columnId)),
          createCell(data, createKey(id, columnId), 'passed'),
        );
    data.trial = withGroups(data.trial, data.cases);
    const { verdict, verdictContext } = computeFreshTotals(data);
    return {
      units: verdict?.comparisons[0]?.units,
      hasReturned: verdictContext.hasNewUnits,
    };
  };
  const createBatches = (...ids: string[][]) => ids.map((caseIds) => ({ caseIds, addedAt: 0 }));

  it('counts a group as one unit, and each case without a group separately', () => {
    const singleBatch = createBatches(['1', '2', '3', '4']);
    expect(countUnits(singleBatch, (id) => (id < '3' ? 'ann' : 'bob'))).toEqual({
      units: 2,
      hasReturned: false,
    });
    expect(countUnits(singleBatch, (id) => (id < '3' ? 'ann' : undefined)).units).toBe(3);
    expect(countUnits(singleBatch, (id) => (id < '3' ? 'ann' : '')).units).toBe(3);
    expect(countUnits(singleBatch, () => undefined).units).toBe(4);
    // `constructor` is a property name that every object inherits.
    expect(countUnits(singleBatch, (id) => (id < '3' ? 'ann' : undefined), 'constructor').units).toBe(3);
  });

  it('counts a group with later cases as a new unit and reports that the group has returned', () => {
    const twoBatches = createBatches(['1', '2'], ['3', '4']);
    expect(countUnits(twoBatches, () => 'ann')).toEqual({ units: 2, hasReturned: true });
    expect(countUnits(twoBatches, (id) => (id < '3' ? 'ann' : 'bob'))).toEqual({
      units: 2,
      hasReturned: false,
    });
    expect(countUnits(twoBatches, (id) => (id === '2' || id === '3' ? '' : id))).toEqual({
      units: 4,
      hasReturned: false,
    });
  });
});

describe('the current score', () => {
  it('uses the score of the current check, values and mark', () => {
    const data = createTrialData(createTestTrial(1, { columns }));
    const cell = createCell(data, createKey('1', 'a'), 'passed');
    expect(getCurrentScore(testCheck, cell, { team: 'billing' }, undefined)?.result).toBe('passed');
    expect(getCurrentScore(testCheck, cell, { team: 'delivery' }, undefined)).toBeUndefined();
    expect(
      getCurrentScore({ ...testCheck, field: 'other' }, cell, { team: 'billing' }, undefined),
    ).toBeUndefined();
    const missing = createCell(data, createKey('1', 'a'), 'no answer', { scores: {} });
    expect(getCurrentScore(testCheck, missing, { team: 'billing' }, undefined)?.result).toBe('no answer');
    const marks = { id: 'marks', name: 'mine', kind: 'marks', settings: {} } as const;
    const mark: Mark = { trialId: 'trial', key: createKey('1', 'a'), mark: 'right', at: 1 };
    expect(getCurrentScore(marks, cell, {}, mark)?.result).toBe('passed');
    expect(getCurrentScore(marks, cell, {}, { ...mark, mark: 'wrong' })?.result).toBe('failed');
    expect(getCurrentScore(marks, cell, {}, undefined)?.why).toBe('not marked');
  });
});

describe('results before all answers are loaded', () => {
  it('counts nothing and reports the cells to run', () => {
    const data = createTrialData(
      createTestTrial(3, { columns, messages: [{ role: 'user', content: '{{team}} {{gone}}' }] }),
    );
    data.cells.set(
      getCellId(createKey('1', 'a')),
      createCell(data, createKey('1', 'a'), 'passed', { totalMs: 900 }),
    );
    const results = createTrialResults();
    results.rebuild(data);
    const outline = results.computeOutline(data, defaultContext);
    expect(outline).toMatchObject({
      order: getCaseOrder(data.trial),
      progress: { cases: 3, counted: 0, cells: 0, ended: 0, inFlight: 0, missing: 0 },
      problems: { warnings: [{ kind: 'unknown field', field: 'gone' }] },
      plan: { requests: 6 },
      timeLeft: { ms: 0, isLowerBound: true },
      hasAnswers: true,
    });
    expect(outline.columnStats.map(({ cells, answered }) => [cells, answered])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect([outline.verdict, outline.tables.size, outline.endedByColumn.length]).toEqual([undefined, 0, 0]);
  });
});

describe('answers that arrived after their cases were counted', () => {
  it('updates the evidence in the order of arrival, not in the order of rows', () => {
    const data = createTrialData(createTestTrial(30, { columns }));
    const order = getCaseOrder(data.trial);
    // The baseline wins the first rows, the second column the later ones.
    const computeEvidence = (countedAt: (row: number) => number) => {
      for (const [row, caseId] of order.entries())
        for (const columnId of ['a', 'b']) {
          const isPassed = (columnId === 'a') === row < 12;
          const lateFields = columnId === 'b' ? { countedAt: countedAt(row) } : {};
          const key = createKey(caseId, columnId);
          data.cells.set(getCellId(key), createCell(data, key, isPassed ? 'passed' : 'failed', lateFields));
        }
      return computeFreshTotals(data).verdict?.comparisons[0]?.evidence;
    };
    const evidenceInOrder = computeEvidence((row) => row + 1);
    expect(evidenceInOrder).toBe(computeEvidence((row) => 10 * row + 5));
    expect(evidenceInOrder).not.toBe(computeEvidence((row) => 30 - row));
  });
});

const marksCheck = { id: 'marks', name: 'mine', kind: 'marks', settings: {} } as const;
const keys = ['1', '2', '3', '4', '5', '6'].flatMap((caseId) =>
  ['a', 'b', 'c'].flatMap((columnId) => [createKey(caseId, columnId), createKey(caseId, columnId, 2)]),
);
const outcomeArbitrary = fc.constantFrom<Result>('passed', 'failed', 'no answer');
const stepArbitrary = fc.oneof(
  fc.record({
    what: fc.constant('ends' as const),
    key: fc.constantFrom(...keys),
    result: outcomeArbitrary,
    totalMs: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
    countedAt: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  }),
  fc.record({
    what: fc.constant('is marked' as const),
    key: fc.constantFrom(...keys),
    mark: fc.constantFrom('right' as const, 'wrong' as const, undefined),
  }),
  fc.record({ what: fc.constant('is edited' as const), margin: fc.constantFrom(1, 5, 40) }),
  fc.record({
    what: fc.constant('says' as const),
    content: fc.constantFrom('{{team}}', '{{gone}}', '{{lost}}'),
  }),
);

describe('a trial updated cell by cell', () => {
  it('recomputes the plan when pace, earlier answers or storage space change', () => {
    const data = createTrialData(createTestTrial(30, { columns }));
    const results = createTrialResults();
    results.rebuild(data);
    const pastStats = { meanMs: 500, tokensIn: 1, tokensOut: 1, answers: 9 };
    const contexts: ResultContext[] = [
      defaultContext,
      { ...defaultContext, getColumnContext: () => createColumnContext({ perMinute: 6 }) },
      { ...defaultContext, getColumnContext: () => createColumnContext({ pastStats }) },
      { ...defaultContext, getColumnContext: () => createColumnContext({ pastStats }), slots: 3 },
      { ...defaultContext, quotaBytes: 1000 },
    ];
    const plans = contexts.map((context) => JSON.stringify(computeTotals(results, data, context).plan));
    expect(plans).toEqual(contexts.map((context) => JSON.stringify(computeFreshTotals(data, context).plan)));
    expect(new Set(plans).size).toBe(contexts.length);
  });

  it('counts all columns of the plan as compared, including removed columns', () => {
    const data = createTrialData(createTestTrial(3, { columns }));
    const key = createKey('1', 'a');
    data.cells.set(getCellId(key), createCell(data, key, 'passed'));
    expect(computeFreshTotals(data).verdict?.family).toBe(1);
    const plan = { at: 0, cases: 3, repeats: 1, columns: ['a', 'b', 'c'], baseline: 'a', margin: 5 };
    data.trial = { ...data.trial, plan };
    expect(computeFreshTotals(data).verdict?.family).toBe(2);
    data.cells.clear();
    expect(computeFreshTotals(data).verdict, 'the trial has started').toMatchObject({
      counted: 0,
      family: 2,
    });
  });

  it('compares the times of a column with the baseline whenever answers arrive in either', () => {
    const data = createTrialData(createTestTrial(12, { columns }));
    const results = createTrialResults();
    results.rebuild(data);
    for (const columnId of ['b', 'a', 'b'])
      for (const [index, caseId] of [...data.cases.keys()].entries()) {
        const key = createKey(caseId, columnId);
        const totalMs = (columnId === 'a' ? 100 : 200 + data.cells.size) + index;
        data.cells.set(
          getCellId(key),
          createCell(data, key, 'passed', { totalMs, firstTokenMs: totalMs / 2 }),
        );
        results.updateCells(data, [key]);
        expect(computeTotals(results, data).columnStats).toEqual(computeFreshTotals(data).columnStats);
      }
    const listRatios = () =>
      computeFreshTotals(data).columnStats.map(({ total }) => total.ratio && total.ratio.factor > 1);
    // The baseline has no ratio to itself.
    expect(listRatios()).toEqual([undefined, true]);
    data.trial = { ...data.trial, baseline: 'b' };
    expect(listRatios()).toEqual([false, undefined]);
    expect(computeTotals(results, data).columnStats).toEqual(computeFreshTotals(data).columnStats);
  });

  it('returns the same totals at each step as for a newly opened trial', () => {
    fc.assert(
      fc.property(
        fc.array(stepArbitrary, { maxLength: 12 }),
        fc.constantFrom(testCheck.id, marksCheck.id, undefined),
        (steps, decides) => {
          const { decides: _, ...draft } = createTestTrial(6, {
            repeats: 2,
            checks: [testCheck, marksCheck],
          });
          const trial: Trial = { ...draft, ...(decides === undefined ? {} : { decides }) };
          const data = createTrialData(trial, (id) => (id === '6' ? {} : { team: 'billing', owner: id }));
          const results = createTrialResults();
          results.rebuild(data);
          for (const step of steps) {
            if (step.what === 'is edited') data.trial = { ...data.trial, margin: step.margin };
            else if (step.what === 'says')
              data.trial = { ...data.trial, messages: [{ role: 'user', content: step.content }] };
            else if (step.what === 'ends') {
              const { key, result, totalMs, countedAt } = step;
              const timeFields = totalMs === undefined ? {} : { totalMs, firstTokenMs: totalMs / 3 };
              const lateFields = countedAt === undefined ? {} : { countedAt };
              data.cells.set(getCellId(key), createCell(data, key, result, { ...timeFields, ...lateFields }));
            } else if (step.mark) {
              const mark: Mark = { trialId: 'trial', key: step.key, mark: step.mark, at: 1 };
              data.marks.set(getCellId(step.key), mark);
            } else data.marks.delete(getCellId(step.key));
            if ('key' in step) results.updateCells(data, [step.key]);
            expect(toComparable(computeTotals(results, data))).toEqual(
              toComparable(computeFreshTotals(data)),
            );
          }
        },
      ),
      { numRuns: getCaseCount(30) },
    );
  });
});

import { sum } from 'es-toolkit';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';

import { getIntervalMs } from '../../gateway/http/request-rate.ts';
import { getTrialPath } from '../../state/route.ts';
import { createTickedParams } from '../../testing/builders.ts';
import {
  testCheck,
  createColumns,
  createPlanInputs,
  createTestTrial,
  testSavedAnswers,
} from '../../testing/trials.ts';
import { getCellId } from '../../trials/case-order.ts';
import { findCaseProblems } from '../../trials/cases.ts';
import { createEndedCells, setEnded } from '../../trials/ended-cells.ts';
import { createResultTable, setResult } from '../../trials/result-table.ts';
import { describeSetupChanges } from '../../trials/setup-changes.ts';
import { estimatePlan } from '../../trials/trial-plan.ts';
import type { Cell, Column, Trial } from '../../trials/trial.ts';
import { createExpectation, getWordAt } from './cell/expectation.ts';
import { describeCheck, checkKindRows, createCheck } from './checks/describe-check.ts';
import { listCheckSettings } from './checks/setting-rows.ts';
import { getColumnNames } from './format-columns.ts';
import { formatLongDuration } from './format-duration.ts';
import { formatCaseError, formatCaseWarning, formatSpace } from './format-problems.ts';
import {
  listCaseRows,
  findDecidingTable,
  listFilterChoices,
  findNextDisagreement,
  type GridInputs,
} from './grid/case-rows.ts';
import { findMainField, measureFields } from './grid/field-sizes.ts';
import { summarizeCell, formatCellLabel } from './grid/format-cell.ts';
import { formatPassedCount } from './grid/format-header.ts';
import { getNextGridCell, computeGridLayout } from './grid/grid-layout.ts';
import { describeLoading, describePace, describeTrialState } from './progress/format-progress.ts';
import { formatActionLabel, getPauseCards } from './progress/pause-card-data.ts';
import { maxTicks, buildProgressTicks } from './progress/trial-progress.tsx';
import { parseParamValues } from './setup/values-dialog.tsx';
import { getTrialId } from './trial-routes.ts';
import { getEscapeAction } from './use-trial-page.ts';
import { computePlotScale } from './verdict/difference-plot.tsx';
import {
  describePlanRuler,
  formatPlanCost,
  formatPlanDuration,
  formatPlanSize,
  formatPlanTokens,
  getPlanHints,
} from './verdict/format-plan.ts';
import { PlanRuler } from './verdict/plan-ruler.tsx';

const createCell = (caseId: string, columnId: string, change: Partial<Cell> = {}): Cell => ({
  caseId,
  columnId,
  repeat: 1,
  runId: `${caseId} ${columnId}`,
  tries: 1,
  outcome: 'answered',
  head: 'billing',
  answerHash: '0',
  totalMs: 540,
  scores: { [testCheck.id]: { of: '0', result: 'passed' } },
  ...change,
});

/** Creates cases 1 to 4 in the random order 3 1 4 2; columns disagree about case 1. */
function createGridInputs(change: Partial<Trial> = {}): GridInputs {
  const trial = createTestTrial(4, { columns: createColumns('m/one', 'm/two'), baseline: 'a', ...change });
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  const order = [2, 0, 3, 1].flatMap((index) => ids[index] ?? []);
  const table = createResultTable(4, 2, 1);
  for (let row = 0; row < 4; row += 1)
    for (let column = 0; column < 2; column += 1)
      setResult(table, { row, column, repeat: 1 }, row === 1 && column === 0 ? 'failed' : 'passed');
  return {
    trial,
    order,
    cases: new Map(ids.map((id) => [id, { id, values: { ticket: `ticket ${id}`, team: 'billing' } }])),
    cells: new Map(),
    liveCells: new Map(),
    tables: new Map([[testCheck.id, table]]),
  };
}

const unfilteredView = { filter: { name: 'all' }, searchQuery: '', order: 'in order' } as const;

describe('cases of a trial', () => {
  it('lists cases in the order of creation and keeps their numbers when filtering and searching', () => {
    const inputs = createGridInputs();
    const ids = inputs.trial.batches.flatMap(({ caseIds }) => caseIds);
    expect(listCaseRows(inputs, unfilteredView).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(listCaseRows(inputs, { ...unfilteredView, filter: { name: 'failed', column: 0 } })).toMatchObject([
      { number: 1, tableRow: 1 },
    ]);
    expect(listCaseRows(inputs, { ...unfilteredView, searchQuery: `TICKET ${ids[3]}` })).toMatchObject([
      { number: 4 },
    ]);
    const choices = listFilterChoices({ ...inputs, table: findDecidingTable(inputs) });
    expect(choices.map(({ label, count }) => [label, count])).toEqual([
      ['All', 4],
      ['Columns disagree', 1],
      ['A failed', 1],
      ['Failed in all columns', 0],
      ['No answer', 0],
    ]);
  });

  it('moves between cases with disagreement and stops at the last one', () => {
    const inputs = createGridInputs();
    const rows = listCaseRows(inputs, unfilteredView);
    const [first] = rows;
    expect(findNextDisagreement(inputs, rows, undefined, 1)).toBe(first);
    expect(findNextDisagreement(inputs, rows, first?.caseId, 1)).toBeUndefined();
    expect(findNextDisagreement(inputs, rows, rows[3]?.caseId, -1)).toBe(first);
  });

  it('describes the result, answer and expected value of a cell', () => {
    const column = createColumns('m/one')[0];
    if (!column) throw new Error('No column');
    const testCase = { id: '1', values: { team: 'legal' } };
    const state = { liveCells: new Map(), loading: undefined, trial: createTestTrial(1) };
    const withRepeats = (repeats: number) => ({ ...state, trial: createTestTrial(1, { repeats }) });
    const failedCell = createCell('1', 'a', { scores: { [testCheck.id]: { of: '0', result: 'failed' } } });
    const getLabel = (cells: Map<string, Cell>, repeats = 1) =>
      formatCellLabel(12, 2, summarizeCell({ ...withRepeats(repeats), cells }, testCase, column));
    expect(getLabel(new Map())).toBe('Case 12, column C: waiting');
    expect(getLabel(new Map([['1 a 1', createCell('1', 'a')]]))).toBe('Case 12, column C: passed, billing');
    expect(getLabel(new Map([['1 a 1', failedCell]]))).toBe(
      'Case 12, column C: failed, billing, expected legal',
    );
    const excludedCase = { id: '1', values: { team: '' } };
    expect(
      summarizeCell({ ...state, cells: new Map([['1 a 1', failedCell]]) }, excludedCase, column),
    ).toMatchObject({ status: 'unchecked', label: 'answered, billing' });
    const loading = { name: 'reading', answers: 1 } as const;
    const loadingSummary = summarizeCell(
      { ...withRepeats(2), loading, cells: new Map([['1 a 1', failedCell]]) },
      testCase,
      column,
    );
    expect(formatCellLabel(12, 2, loadingSummary)).toBe('Case 12, column C: not loaded yet');
    const copiedColumn = { ...column, savedAnswers: testSavedAnswers };
    expect(summarizeCell({ ...state, cells: new Map() }, testCase, copiedColumn).label).toBe(
      'no copied answer',
    );
    const cutCell = createCell('1', 'a', { outcome: 'no answer', why: 'cut' });
    expect(getLabel(new Map([['1 a 1', cutCell]]))).toBe(
      'Case 12, column C: no answer, incomplete, counts as failed',
    );
    const partlyCut = new Map([
      ['1 a 1', createCell('1', 'a')],
      ['1 a 2', { ...cutCell, repeat: 2 }],
    ]);
    expect(summarizeCell({ ...withRepeats(2), cells: partlyCut }, testCase, column).note).toBe('1 of 2');
    const failedAnswer = createCell('1', 'a', { outcome: 'no answer', why: 'failed', finishReason: 'abort' });
    expect(getLabel(new Map([['1 a 1', failedAnswer]]))).toBe('Case 12, column C: no answer, provider error');
    const repeatedCells = new Map([
      ['1 a 1', createCell('1', 'a')],
      ['1 a 2', { ...failedCell, repeat: 2, head: 'account' }],
      ['1 a 3', createCell('1', 'a', { repeat: 3 })],
    ]);
    expect(getLabel(repeatedCells, 3)).toBe(
      'Case 12, column C: failed, billing, expected legal, 2 of 3 passed',
    );
    expect(
      summarizeCell({ ...withRepeats(3), cells: repeatedCells }, testCase, column).answerGroups,
    ).toMatchObject([
      { text: 'billing', count: 2 },
      { text: 'account', count: 1, suffix: 'expected legal' },
    ]);
  });
});

describe('grid of a trial', () => {
  const measureReviews = (review: string) => {
    const trial = createTestTrial(2, { fields: ['id', 'review', 'label'] });
    const values = { review, label: 'very positive' };
    const cases = ['1', '2'].map((id) => [id, { id, values: { ...values, id } }] as const);
    return measureFields({ ...trial, messages: [{ role: 'user', content: '{{review}}' }] }, new Map(cases));
  };
  const fieldSizes = measureReviews('The happy customer is rare. '.repeat(5));

  it('fits the grid columns into the width and keeps a minimum width that needs scrolling', () => {
    const wideGrid = computeGridLayout(1440, fieldSizes, ['a', 'b']);
    expect(sum(wideGrid.widths)).toBeLessThanOrEqual(1440);
    const narrowGrid = computeGridLayout(800, fieldSizes, 'a b c d e f g h i j k l'.split(' '));
    expect(narrowGrid.widths.at(-1)).toBe(208);
    const resizedGrid = computeGridLayout(1440, fieldSizes, ['a', 'b'], { a: 400, 'field id': 90 });
    expect(resizedGrid.widths).toMatchObject({ 1: 90, 4: 400 });
    expect(sum(resizedGrid.widths)).toBe(1440);
  });

  it('gives the field of the prompt the most width, IDs the least, and long texts a second line', () => {
    expect(fieldSizes.map(({ isId }) => isId)).toEqual([true, false, false]);
    expect(findMainField(fieldSizes)).toBe('review');
    const [, id = 0, review = 0, label = 0] = computeGridLayout(1440, fieldSizes, ['a', 'b']).widths;
    expect(review).toBe(420);
    expect(id).toBeLessThan(label);
    expect(computeGridLayout(1440, fieldSizes, ['a']).lines).toBe(2);
    expect(computeGridLayout(1440, measureReviews('Good.'), ['a']).lines).toBe(1);
  });

  it('moves through the grid with arrows, Page keys, Home and End, and stops at the edges', () => {
    const size = { rows: 100, columns: 6, page: 20 };
    const getNextCell = (key: string, isCtrl = false, from = { row: 50, column: 3 }) =>
      getNextGridCell(from, { key, isCtrl }, size);
    expect(getNextCell('ArrowDown')).toEqual({ row: 51, column: 3 });
    expect(getNextCell('ArrowLeft', false, { row: 0, column: 0 })).toEqual({ row: 0, column: 0 });
    expect(getNextCell('PageDown', false, { row: 90, column: 3 })).toEqual({ row: 99, column: 3 });
    expect(getNextCell('Home')).toEqual({ row: 50, column: 0 });
    expect(getNextCell('End', true)).toEqual({ row: 99, column: 5 });
    expect(getNextCell('j')).toBeUndefined();
  });
});

describe('checks of a trial', () => {
  it('describes every kind of check and provides valid initial settings', () => {
    const trial = { fields: ['ticket', 'team'], checks: [] };
    for (const { kind } of checkKindRows) {
      const check = { ...createCheck(kind, trial), id: 'new' };
      expect(describeCheck(check), kind).not.toBe('has invalid settings');
      expect(listCheckSettings(check)).toBeDefined();
    }
    expect(describeCheck(testCheck)).toBe("field “team” equals the case's “team”");
    expect(describeCheck({ ...testCheck, kind: 'is JSON', field: '' })).toBe(
      'is JSON without a code fence, in cases with “team”',
    );
    expect(createCheck('equals', { fields: [], checks: [{ ...testCheck, name: 'Equals' }] }).name).toBe(
      'Equals 2',
    );
  });

  it('creates a check from a clicked word: for its JSON field, the whole answer or part of it', () => {
    const noChecks = { checks: [] };
    expect(createExpectation(noChecks, '{"a":{"team":"legal"}}', 'legal').check).toMatchObject({
      kind: 'equals',
      field: 'a.team',
    });
    expect(createExpectation(noChecks, 'legal', 'legal').check).toMatchObject({ kind: 'equals' });
    expect(createExpectation(noChecks, 'It is legal.', 'legal').check).toMatchObject({ kind: 'contains' });
    expect(createExpectation({ checks: [testCheck], decides: testCheck.id }, 'legal', 'legal')).toEqual({
      field: 'team',
      expectedText: 'legal',
    });
    expect(getWordAt('{"team": "legal aid"}', 13)).toBe('legal aid');
    expect(getWordAt('It is 41.5 % of all.', 7)).toBe('41.5');
  });
});

describe('paused trial', () => {
  it('describes the reason for a pause, what is kept and the next actions on cards', () => {
    const [column, otherColumn] = createColumns('m/one', 'm/two');
    if (!column || !otherColumn) throw new Error('No columns');
    const report = {
      status: 400,
      message: 'Unknown field thinking_budget',
      kind: 'rejected',
      source: 'gateway',
    } as const;
    const stoppedColumn = {
      ...column,
      setup: { ...column.setup, params: { thinking_budget: { sent: true, text: '2048' } } },
      stopped: { at: 1, report: { ...report, kind: 'invalid-request' as const } },
    };
    const state = {
      trial: createTestTrial(1, {
        columns: [stoppedColumn, otherColumn],
        baseline: otherColumn?.id ?? '',
        state: { name: 'paused', at: 1, why: 'storage' },
      }),
      progress: { cases: 120, counted: 60, cells: 360, ended: 214, inFlight: 0, missing: 0 },
      runnerStatus: { name: 'nobody' as const },
      timeLeft: { ms: 60_000, isLowerBound: false },
      costs: { byColumn: [], total: undefined, budgetProblem: undefined },
      loading: undefined,
    };
    const cardTexts = getPauseCards(state).map(({ title, text }) => `${title} ${text}`);
    expect(cardTexts[0]).toMatch(
      /^This browser's storage is full\. Saved 214 of 360 answers\. Export this trial/,
    );
    expect(cardTexts[1]).toBe(
      'Column A does not support thinking_budget. 400: “Unknown field thinking_budget”. B continues. No more requests are sent for A.',
    );
    const finishedTrial = { ...state.trial, state: { name: 'finished', at: 1 } as const };
    const finishedState = { ...state, trial: finishedTrial, progress: { ...state.progress, missing: 2 } };
    const finishedTexts = getPauseCards(finishedState).map(({ title, text }) => `${title} ${text}`);
    expect(finishedTexts.join(' ')).not.toContain('continues');
    expect(finishedTexts).toContain(
      '2 answers are missing. Timeouts and answers that were cut off count as failed, the others as missing. They are retried only on request.',
    );
    const renamedColumn = {
      ...stoppedColumn,
      stopped: {
        at: 1,
        report: {
          ...stoppedColumn.stopped.report,
          message: "Use 'thinking_tokens' instead of 'thinking_budget'.",
        },
      },
    };
    const renamedState = { ...state, trial: { ...state.trial, columns: [renamedColumn, otherColumn] } };
    const [action] = getPauseCards(renamedState)[1]?.actions ?? [];
    expect(action && formatActionLabel(action, renamedState)).toBe('Send as thinking_tokens');
    expect(getPauseCards({ ...state, runnerStatus: { name: 'another tab' } })[0]?.title).toBe(
      'Running in another tab.',
    );
    const loading = { name: 'reading', answers: 2048 } as const;
    expect(getPauseCards({ ...state, loading })).toEqual([]);
    expect(describeTrialState({ ...state, loading })).toBe('Loading answers');
    expect(describeLoading(loading)).toBe('Loading answers: 2,048 so far');
  });

  it('states what a trial within a budget has spent, what is left and what the next request may cost', () => {
    const trial = createTestTrial(1, {
      budget: { amount: 0.05, currency: 'USD' },
      state: { name: 'paused', at: 1, why: 'budget', nextCost: 0.012 },
    });
    const total = {
      amounts: { USD: 0.04 },
      isEstimated: false,
      pricedCount: 12,
      unpricedCount: 0,
      source: 'listed' as const,
    };
    const state = {
      trial,
      progress: { cases: 120, counted: 12, cells: 360, ended: 12, inFlight: 0, missing: 0 },
      runnerStatus: { name: 'nobody' as const },
      timeLeft: { ms: 60_000, isLowerBound: false },
      costs: { byColumn: [total], total, budgetProblem: undefined },
      loading: undefined,
    };
    const [budgetCard] = getPauseCards(state);
    expect(budgetCard?.text).toBe(
      'Spent $0.040 of $0.050, $0.010 left. The next request may cost $0.012. Saved 12 of 360 answers.',
    );
    expect(budgetCard?.actions.map((action) => formatActionLabel(action, state))).toEqual([
      'Raise the budget',
      'Stop',
    ]);
    const budgetProblem = { kind: 'no price', columns: [1] } as const;
    expect(getPauseCards({ ...state, costs: { ...state.costs, budgetProblem } })[0]?.text).toMatch(
      /^Column B has no price, so no budget can be kept\./,
    );
    expect(describeTrialState({ ...state, trial: { ...trial, state: { name: 'finished', at: 1 } } })).toMatch(
      /, 12 answers, \$0\.040$/,
    );
  });

  it('closes open panels on Escape before pausing the trial', () => {
    const runningState = {
      trial: createTestTrial(1, { state: { name: 'running', since: 1 } }),
      runnerStatus: { name: 'here' as const },
    };
    const closedView = { pane: 'cases' as const };
    expect(getEscapeAction({ ...closedView, disclosure: 'method' }, runningState)).toBe('close disclosure');
    expect(getEscapeAction({ ...closedView, panel: { name: 'check', id: 'x' } }, runningState)).toBe(
      'close panel',
    );
    expect(getEscapeAction(closedView, runningState)).toBe('pause');
    expect(
      getEscapeAction(closedView, { ...runningState, runnerStatus: { name: 'another tab' } }),
    ).toBeUndefined();
  });
});

describe('helpers of the trial screen', () => {
  it('parses the trial ID from the path of a trial', () => {
    const path = getTrialPath('a/b c');
    expect(getTrialId({ screen: 'page', path })).toBe('a/b c');
    expect(getTrialId({ screen: 'page', path: '/trials' })).toBeUndefined();
  });

  it('parses a list of parameter values and describes invalid ones', () => {
    expect(parseParamValues('temperature', '0, 0.7,0.7', 1)).toEqual({ values: ['0', '0.7'] });
    expect(parseParamValues('temperature', '3', 1).problem).toMatch(/^3: Must be between 0 and 2/);
    expect(parseParamValues('temperature', '0,0.1,0.2', 10).problem).toMatch(/^At most 12 columns/);
  });

  it('limits the number of progress ticks and shows the most important state in each tick', () => {
    const inputs = createGridInputs();
    const trial = createTestTrial(1000, { columns: inputs.trial.columns });
    const order = trial.batches.flatMap(({ caseIds }) => caseIds);
    const endedByColumn = trial.columns.map(() => createEndedCells(1000));
    if (endedByColumn[0]) setEnded(endedByColumn[0], 0, createCell('1', 'a', { outcome: 'no answer' }));
    const key = { caseId: order[999] ?? '', columnId: 'b', repeat: 1 };
    const liveCells = new Map([[getCellId(key), { ...key, runId: 'run', status: 'waiting' as const }]]);
    const { ticks, answersPerTick } = buildProgressTicks({ trial, order, endedByColumn, liveCells });
    expect(ticks.length).toBeLessThanOrEqual(maxTicks);
    expect(answersPerTick).toBe(3);
    expect(ticks[0]).toBe('x');
    expect(ticks.at(-1)).toBe('r');
  });

  it('calls the passed answers answers if a case has several of them', () => {
    expect(formatPassedCount({ answers: { passed: 66, count: 80 }, answered: 40 })).toBe('66 of 80 answers');
    expect(formatPassedCount({ answers: { passed: 33, count: 40 }, answered: 40 })).toBe('33 of 40');
  });

  it('computes a plot axis that includes every interval', () => {
    const comparison = { column: 1, interval: [-0.19, 0.27] as const, difference: 0.1 };
    const scale = computePlotScale([comparison], 5);
    expect(scale.maxPoints).toBe(30);
    expect(scale.toShare(0)).toBe(0.5);
    expect(scale.ticks).toContain(-30);
  });
});

describe('texts before a run', () => {
  const inputs = createPlanInputs(3, { perMinute: 50 });
  const describeSize = (...args: Parameters<typeof estimatePlan>) => {
    const plan = estimatePlan(...args);
    return `${formatPlanSize(plan)}, ${formatPlanDuration(plan)}`;
  };

  it('states the number of requests and the time', () => {
    expect(describeSize(createTestTrial(120), inputs)).toBe(
      '120 cases × 3 columns = 360 requests, 7 min 16 s',
    );
    expect(
      describeSize(
        createTestTrial(1, { repeats: 2, columns: createColumns('m') }),
        createPlanInputs(1, { perMinute: 50 }),
      ),
    ).toBe('1 case × 1 column × 2 repeats = 2 requests, 2 s');
    expect(describeSize(createTestTrial(10), createPlanInputs(3))).toBe(
      '10 cases × 3 columns = 30 requests, time unknown',
    );
  });

  it('counts the requests of the columns that are asked, and names cases without a copied answer', () => {
    const [copied, ...asked] = createTestTrial(9).columns;
    if (!copied) throw new Error('No column');
    const trial = createTestTrial(9, { columns: [{ ...copied, savedAnswers: testSavedAnswers }, ...asked] });
    const plan = estimatePlan(trial, { ...inputs, comparedCases: 7 });
    expect(formatPlanSize(plan)).toBe('9 cases × 2 columns = 18 requests');
    expect(describePlanRuler({ trial, plan })).toContain('With 7 cases');
    const state = {
      trial,
      plan,
      paces: [],
      problems: { errors: [], warnings: [] },
      unknownGateways: [],
      costs: { byColumn: [], total: undefined, budgetProblem: undefined },
      verdictContext: {
        trial,
        limits: [],
        slots: 3,
        hasAnswers: false,
        hasNewUnits: false,
        absentCases: [[2, 5], [], []],
      },
    };
    expect(getPlanHints(state)).toEqual([
      'Column A has no answers to cases 2 and 5, which are not compared with it.',
      'Both columns get the first case first, so a mistake shows after 2 requests.',
    ]);
  });

  it('formats the time for 360 requests at 50 per minute as 7 min 16 s', () => {
    expect(formatLongDuration(360 * getIntervalMs(50))).toBe('7 min 16 s');
    expect([45_000, 120_000, 3_600_000, 3_900_000].map(formatLongDuration)).toEqual([
      '45 s',
      '2 min',
      '1 h',
      '1 h 5 min',
    ]);
  });

  it('states the tokens and the storage', () => {
    expect(formatPlanTokens({ in: 34_560, out: 7920, answers: 20 })).toBe(
      'About 34,600 tokens in and 7,920 out, estimated from 20 earlier answers of these models, also to other prompts.',
    );
    const formatTrialSpace = (quotaBytes: number) =>
      formatSpace(estimatePlan(createTestTrial(120), { ...inputs, quotaBytes }));
    expect([1e9, 5e6, 1.3e6].map(formatTrialSpace)).toEqual([
      'About 1.3 MB in this browser.',
      'Needs about 1.3 MB of the 5.0 MB this browser allows.',
      'Too large to run: needs about 1.3 MB of the 1.3 MB this browser allows.',
    ]);
  });

  it('states the estimated cost with its basis and the columns without a price', () => {
    const price = { inputPerMillion: 1, outputPerMillion: 10, currency: 'USD', source: 'listed' } as const;
    const pastStats = { meanMs: 1, tokensIn: 1, tokensOut: 100, answers: 30 };
    const describeCost = (...contexts: Parameters<typeof createPlanInputs>[1][]) => {
      const inputs = createPlanInputs(3, ...contexts);
      const { cost } = estimatePlan(createTestTrial(10), { ...inputs, promptTokens: [1000, 1000, 1000] });
      return cost && formatPlanCost(cost);
    };
    expect(describeCost({ price, pastStats })).toBe(
      'Cost ~$0.033, estimated from the length of the prompts and 30 earlier answers.',
    );
    expect(describeCost({ price }, {})).toBe(
      'Cost ≥ ~$0.021, estimated from the length of the prompts and 200 tokens per answer. Columns B and C without a price not included.',
    );
    expect(describeCost({})).toBe('Cost unknown: no price.');
    const limitedTrial = createTestTrial(10, {
      columns: createColumns('m').map((column) => ({
        ...column,
        setup: { ...column.setup, params: createTickedParams({ max_tokens: '50' }) },
      })),
    });
    const { cost } = estimatePlan(limitedTrial, createPlanInputs(1, { price }));
    expect(cost && formatPlanCost(cost)).toBe(
      'Cost ~$0.0050, estimated from the length of the prompts and the longest answers allowed.',
    );
  });

  it('states what the detectable difference assumes, and shows it also near the end of the ruler', () => {
    const trial = createTestTrial(40, { reverseShare: 0.1 });
    const plan = { ...estimatePlan(trial, inputs), detectablePoints: 39 };
    expect(describePlanRuler({ trial, plan })).toBe(
      'With 40 cases you would spot a difference of 39 points 4 times in 5, if A alone passes 10 of 100',
    );
    expect(renderToStaticMarkup(PlanRuler({ trial, plan }))).toContain('>39 points or more</text>');
    const pastReverseShare = { share: 0.07, pairs: 240 };
    const estimatedPlan = { ...plan, reverseShare: 0.07, pastReverseShare };
    expect(describePlanRuler({ trial: createTestTrial(40), plan: estimatedPlan })).toMatch(
      /if A alone passes 7 of 100 \(from 240 pairs of earlier trials\)$/,
    );
    expect(describePlanRuler({ trial, plan: estimatedPlan })).not.toContain('earlier trials');
  });

  it('names each gateway with its pace if the columns use several', () => {
    const pace = { isSlowed: false, blockedUntil: 0, slots: 3 };
    const north = { ...pace, label: 'North', perMinute: 50 };
    const south = { ...pace, label: 'South', perMinute: 0 };
    expect(describePace({ paces: [north] })).toBe('One request every 1.2 s, 50 per minute.');
    expect(describePace({ paces: [{ ...north, isSlowed: true }, south] })).toBe(
      'North 50 per minute (slowed down), South without a limit.',
    );
  });

  it('names columns with the same model by their gateway, and says which gateway differs', () => {
    const [a, b, c] = createColumns('m/one', 'm/one', 'm/two');
    if (!a || !b || !c) throw new Error('Three columns are expected');
    const southColumn = { ...b, setup: { ...b.setup, gateway: 'south' } };
    const limits = [{ gateway: 'north' }, { gateway: 'south' }, { gateway: 'south' }];
    const listNames = (columns: readonly Column[]) =>
      getColumnNames(columns, limits.slice(0, columns.length)).map(({ name }) => name);
    expect(listNames([a, southColumn])).toEqual(['north', 'south']);
    expect(listNames([a, southColumn, c])).toEqual(['one, north', 'one, south', 'two, south']);
    expect(describeSetupChanges(southColumn, a)).toEqual(['gateway south']);
    expect(describeSetupChanges(a, southColumn)).toEqual(['first gateway']);
  });

  it('describes problems of cases', () => {
    const values = { ticket: 'Where is it?', team: 'delivery' };
    const trial = createTestTrial(2, { messages: [{ role: 'user', content: '{{tiket}}' }] });
    const cases = [
      { id: '1', values },
      { id: '2', values: { ticket: 'x', team: '' } },
    ];
    expect(findCaseProblems(trial, cases).warnings.map(formatCaseWarning)).toEqual([
      'No case has a value for {{tiket}}.',
      '1 case has no value for team and is not counted by the deciding check.',
    ]);
    const largeCase = { id: '3', values: { ticket: 'x'.repeat(100_000) }, line: 7 };
    expect(findCaseProblems({ ...trial, repeats: 21 }, [largeCase]).errors.map(formatCaseError)).toEqual([
      'Too many repeats: 21. The limit is 20.',
      'Case 7 is larger than 100 KB.',
    ]);
    expect(formatCaseError({ kind: 'limit', counted: 'answer', count: 360_000, max: 250_000 })).toBe(
      'Too many answers: 360,000. The limit is 250,000.',
    );
  });
});

/** Trials for tests and benchmarks: small ones written by hand and large, reproducible generated ones. */
import type { Run } from '../conversation/session/types.ts';
import { createSeededRandom } from '../lib/random.ts';
import {
  createResultTable,
  setResult,
  type CountInputs,
  type resultCodes,
  type ResultTable,
} from '../trials/result-table.ts';
import type { ColumnContext, PlanInputs } from '../trials/trial-plan.ts';
import type { Case, Cell, Check, Column, Result, SavedAnswers, Trial } from '../trials/trial.ts';
import type { VerdictPlan } from '../trials/verdict.ts';
import { createTextChoices, createTestSetup, createTickedParams } from './builders.ts';

export const testCheck: Check = {
  id: 'check',
  name: 'right team',
  kind: 'equals',
  field: 'team',
  expected: { value: 'team' },
  settings: {},
};

/** Origin of the answers of a column that were copied from another trial. */
export const testSavedAnswers: SavedAnswers = {
  title: 'June',
  letter: 'B',
  firstAt: 1,
  lastAt: 2,
  unmatchedCases: 3,
};

/** Returns columns with these models and the IDs `a`, `b` and so on. */
export function createColumns(...models: string[]): Column[] {
  return models.map((model, index) => ({
    id: String.fromCharCode(97 + index),
    setup: createTestSetup({ model, params: createTickedParams({}) }),
  }));
}

/** Returns what the page knows about a model and its gateway: by default no limit, earlier answers or price. */
export function createColumnContext(changes: Partial<ColumnContext> = {}): ColumnContext {
  return { gateway: 'default', perMinute: 0, pastStats: undefined, price: undefined, ...changes };
}

/** Returns the inputs of a plan whose columns have these contexts; the last one is that of all further columns. */
export function createPlanInputs(
  columnCount: number,
  ...contexts: readonly Partial<ColumnContext>[]
): PlanInputs {
  const columns = Array.from({ length: columnCount }, (_, index) =>
    createColumnContext(contexts[index] ?? contexts.at(-1)),
  );
  return { slots: 3, columns, promptTokens: columns.map(() => 0) };
}

/** Returns a draft with the given number of cases and a deciding check. */
export function createTestTrial(caseCount: number, changes: Partial<Trial> = {}): Trial {
  const columns =
    changes.columns ?? createColumns('maker/heron-32b', 'other/sextant-70b-think', 'third/plover-8b');
  return {
    id: 'trial',
    title: 'Ticket routing',
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    messages: [{ role: 'user', content: '{{ticket}}' }],
    columns,
    retired: { columns: [], caseIds: [] },
    fields: ['ticket', 'team'],
    repeats: 1,
    checks: [testCheck],
    decides: testCheck.id,
    baseline: 'a',
    margin: 5,
    seed: 2026,
    giveUpAfterMs: 600_000,
    stopWhenDecided: false,
    batches: [{ caseIds: Array.from({ length: caseCount }, (_, index) => String(index + 1)), addedAt: 0 }],
    state: { name: 'draft' },
    ...changes,
  };
}

/** Returns a run with this answer. */
export function createAnsweredRun(text: string, changes: Partial<Run> = {}): Run {
  return {
    id: 'run',
    sessionId: 'trial',
    setup: createTestSetup(),
    phase: { name: 'complete' },
    notes: [],
    sentAt: 1_700_000_000_000,
    firstTokenMs: 300,
    endedMs: 900,
    ...createTextChoices(text),
    ...changes,
  };
}

/**
 * Parses results from characters: + passed, - failed, ? no answer, . pending, 0 excluded, x absent. Each string is a
 * column, with the cases in random order.
 */
export function parseResultTable(...columns: string[]): ResultTable {
  const table = createResultTable(columns[0]?.length ?? 0, columns.length, 1);
  columns.forEach((letters, column) =>
    Array.from(letters, (letter, row) => setResult(table, { row, column, repeat: 1 }, parseResult(letter))),
  );
  return table;
}

function parseResult(letter: string): keyof typeof resultCodes {
  if (letter === '+') return 'passed';
  if (letter === '-') return 'failed';
  if (letter === '?') return 'no answer';
  if (letter === 'x') return 'absent';
  return letter === '.' ? 'to come' : 'left out';
}

/** Returns seeded random results; one in a hundred has no answer. */
export function createLargeTable(rowCount: number, columnCount: number): ResultTable {
  const random = createSeededRandom(`table/${rowCount}/${columnCount}`);
  const table = createResultTable(rowCount, columnCount, 1);
  for (let row = 0; row < rowCount; row += 1) {
    const ease = random();
    for (let column = 0; column < columnCount; column += 1) {
      const isCorrect = 0.5 * ease + 0.5 * random() < 0.7 + 0.02 * column;
      const result = random() < 0.01 ? 'no answer' : isCorrect ? 'passed' : 'failed';
      setResult(table, { row, column, repeat: 1 }, result);
    }
  }
  return table;
}

/** Returns a finished trial of the given size with all its cells, from a seed. */
export function createLargeTrial(
  caseCount: number,
  columnCount: number,
): { trial: Trial; cases: Case[]; cells: Cell[] } {
  const random = createSeededRandom(`large/${caseCount}/${columnCount}`);
  const teams = ['billing', 'delivery', 'account', 'product', 'legal'];
  const getTeam = (fraction: number): string => teams[Math.floor(fraction * teams.length)] ?? '';
  const ids = Array.from({ length: caseCount }, (_, index) => (index + 1).toString(16).padStart(16, '0'));
  const trial = createTestTrial(0, {
    columns: createColumns(...Array.from({ length: columnCount }, (_, index) => `maker/model-${index + 1}`)),
    batches: [{ caseIds: ids, addedAt: 0 }],
    state: { name: 'finished', at: 1_700_000_000_000 },
  });
  const caseList = ids.map((id, index): Case => {
    const words = Array.from({ length: 5 + Math.floor(random() * 40) }, () => getTeam(random()));
    return {
      id,
      values: { ticket: `${index + 1} ${words.join(' ')}`, team: getTeam(random()) },
      line: index + 2,
    };
  });
  const cells = caseList.flatMap(({ id: caseId, values: { team = '' } }) => {
    const ease = random();
    return trial.columns.map(({ id: columnId }, index): Cell => {
      const key = { caseId, columnId, repeat: 1, runId: `${caseId}${columnId}`, tries: 1 };
      const times = { firstTokenMs: 200 + 400 * random(), totalMs: 900 + 3000 * random() };
      if (random() < 0.01)
        return { ...key, outcome: 'no answer', why: 'timed out', head: '', answerHash: '', scores: {} };
      const isCorrect = 0.5 * ease + 0.5 * random() < 0.7 + 0.02 * index;
      const head = isCorrect ? team : getTeam(random());
      const result: Result = head === team ? 'passed' : 'failed';
      return {
        ...key,
        ...times,
        outcome: 'answered',
        head,
        answerHash: head,
        finishReason: 'stop',
        tokensOut: { kind: 'exact', value: 20 },
        scores: { [testCheck.id]: { of: 'generated', result } },
      };
    });
  });
  return { trial, cases: caseList, cells };
}

/** Returns the inputs of a count of this table: no stopped columns, the first column is the baseline. */
export function createCountInputs(table: ResultTable, changes: Partial<CountInputs> = {}): CountInputs {
  return { table, stopped: Array.from({ length: table.columns }, () => false), baseline: 0, ...changes };
}

/** Returns what a plan fixes for the verdict on this table: by default all its columns, under the current rules. */
export function createVerdictPlan(
  { columns }: Pick<ResultTable, 'columns'>,
  changes: Partial<VerdictPlan> = {},
): VerdictPlan {
  return { rules: 2, margin: 5, family: columns - 1, laterFamilies: [], hasPlannedRepeats: true, ...changes };
}

/**
 * Returns the signs of a baseline and a column whose differences match the fixture: + only the column passes, - only
 * the baseline passes.
 */
export function createColumnPair(signs: string): [string, string] {
  return [
    Array.from(signs, (sign) => (sign === '+' ? '-' : '+')).join(''),
    Array.from(signs, (sign) => (sign === '-' ? '-' : '+')).join(''),
  ];
}

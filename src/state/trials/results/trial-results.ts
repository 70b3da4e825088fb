/** How a trial stands: result tables that follow its cells one by one, and all that is counted from them. */
import type { Steps } from '../../../lib/steps.ts';
import { cellName, drawnOrder } from '../../../trials/case-order.ts';
import { caseProblems, type CaseProblems } from '../../../trials/cases.ts';
import { checkHash, isLeftOut, scoreOf, type Answer } from '../../../trials/checks/score-answer.ts';
import {
  columnNames,
  verdictWords,
  type ColumnName,
  type VerdictWords,
} from '../../../trials/describe-verdict.ts';
import {
  countEnded,
  endedPlaces,
  newEndedCells,
  setEnded,
  type EndedCells,
} from '../../../trials/ended-cells.ts';
import { knownTimes, latencyFigure, latencyRatio } from '../../../trials/latency.ts';
import {
  newResultTable,
  placeOf,
  setResult,
  type Counting,
  type ResultTable,
} from '../../../trials/result-table.ts';
import { timeLeft, type TimeLeft } from '../../../trials/trial-pace.ts';
import { planOf, type EarlierAnswers, type TrialPlan } from '../../../trials/trial-plan.ts';
import type {
  Case,
  CaseId,
  Cell,
  CellKey,
  Check,
  CheckId,
  ColumnId,
  Mark,
  Result,
  Score,
  Trial,
} from '../../../trials/trial.ts';
import { verdictSteps, type Verdict, type Watches } from '../../../trials/verdict.ts';
import type { ColumnFacts, LatencyFacts, Progress } from '../open-trial.ts';

/** What a standing is made from. */
export interface Standings {
  trial: Trial;
  cases: ReadonlyMap<CaseId, Case>;
  cells: ReadonlyMap<string, Cell>;
  marks: ReadonlyMap<string, Mark>;
}

/** What the page knows beside the trial. */
export interface StandingFacts {
  /** Requests per minute; 0: no limit. */
  perMinute: number;
  places: number;
  underWay: number;
  /** Of a model, before this trial. */
  earlierOf: (model: string) => EarlierAnswers | undefined;
  granted: number | undefined;
}

export interface StandingSums {
  order: readonly CaseId[];
  tables: ReadonlyMap<CheckId, ResultTable>;
  ended: readonly EndedCells[];
  verdict: Verdict | undefined;
  words: VerdictWords;
  names: readonly ColumnName[];
  columns: readonly ColumnFacts[];
  plan: TrialPlan;
  problems: CaseProblems;
  progress: Progress;
  timeLeft: TimeLeft;
  hasAnswers: boolean;
}

export interface Standing {
  /** Makes the tables again: cases, columns, repeats or checks have changed. */
  rebuild: (of: Standings) => void;
  /** These cells have ended, were scored again, or were marked. */
  take: (of: Standings, keys: readonly CellKey[]) => void;
  /** The row of a case is counted: all of its cells have ended, and those of all cases before it. */
  isCounted: (caseId: CaseId) => boolean;
  sums: (of: Standings, facts: StandingFacts) => Steps<StandingSums>;
  /** What can be said before all cells have been read: nothing is counted. */
  outline: (of: Standings, facts: StandingFacts) => StandingSums;
}

/** What a mark looks at: nothing of the answer. */
const noAnswer: Answer = { text: '', toolCalls: [], tokensOut: { kind: 'not yet' } };

/** The score of a cell by this check, if it is of the check as it stands; marks are read where they are kept. */
export function currentScore(
  check: Check,
  cell: Cell,
  values: Case['values'],
  mark: Mark | undefined,
): Score | undefined {
  if (cell.outcome === 'no answer' || check.kind === 'marks')
    return scoreOf(check, values, cell, { answer: noAnswer, ...(mark ? { mark: mark.mark } : {}) });
  const score = cell.scores[check.id];
  return score?.of === checkHash(check, values) ? score : undefined;
}

export function createStanding(): Standing {
  let order: CaseId[] = [];
  let rowOf = new Map<CaseId, number>();
  let columnOf = new Map<ColumnId, number>();
  let tables = new Map<CheckId, ResultTable>();
  let watches: Watches = new Map();
  /** By place of the column. */
  let ended: EndedCells[] = [];
  /** `Cell.countedAt` by place in the tables. */
  let lateAt = new Map<number, number>();
  let countedRows = 0;
  let found: { of: readonly unknown[]; verdict: Verdict } | undefined;
  /** What takes long to work out, and follows from little. */
  let planned: { of: string; plan: TrialPlan } | undefined;
  let problems: { of: readonly unknown[]; said: CaseProblems } | undefined;
  /** Of columns whose cells have not changed since. */
  const columnsKnown = new Map<ColumnId, { baseline: ColumnId; facts: ColumnFacts }>();

  function resultOf(
    { cases, marks }: Standings,
    check: Check,
    key: CellKey,
    cell: Cell | undefined,
  ): Result | 'to come' | 'left out' {
    const values = cases.get(key.caseId)?.values ?? {};
    if (isLeftOut(check, values)) return 'left out';
    return (cell && currentScore(check, cell, values, marks.get(cellName(key)))?.result) ?? 'to come';
  }

  function take(of: Standings, keys: Iterable<CellKey>): void {
    for (const key of keys) takeOne(of, key);
    // The same bytes in another object: whoever compares sees that something has changed.
    for (const [id, table] of tables) tables.set(id, { ...table });
  }

  function takeOne(of: Standings, key: CellKey): void {
    // All columns are compared with the baseline.
    if (key.columnId === of.trial.baseline) columnsKnown.clear();
    else columnsKnown.delete(key.columnId);
    const row = rowOf.get(key.caseId);
    const column = columnOf.get(key.columnId);
    const { columns, repeats } = of.trial;
    if (row === undefined || column === undefined || key.repeat > repeats) return;
    const cell = of.cells.get(cellName(key));
    const own = ended[column];
    if (own) setEnded(own, row * repeats + key.repeat - 1, cell);
    const place = (row * columns.length + column) * repeats + key.repeat - 1;
    if (cell?.countedAt === undefined) lateAt.delete(place);
    else lateAt.set(place, cell.countedAt);
    for (const check of of.trial.checks) {
      const table = tables.get(check.id);
      if (table) setResult(table, { row, column, repeat: key.repeat }, resultOf(of, check, key, cell));
    }
  }

  function rebuild(of: Standings): void {
    const { trial } = of;
    order = drawnOrder(trial);
    rowOf = new Map(order.map((id, row) => [id, row]));
    columnOf = new Map(trial.columns.map(({ id }, column) => [id, column]));
    tables = new Map(
      trial.checks.map((check) => [
        check.id,
        newResultTable(order.length, trial.columns.length, trial.repeats),
      ]),
    );
    ended = trial.columns.map(() => newEndedCells(order.length * trial.repeats));
    lateAt = new Map();
    watches = new Map();
    found = undefined;
    problems = undefined;
    columnsKnown.clear();
    for (const check of trial.checks) {
      const table = tables.get(check.id);
      if (!table) continue;
      order.forEach((caseId, row) => {
        if (!isLeftOut(check, of.cases.get(caseId)?.values ?? {})) return;
        for (let column = 0; column < table.columns; column += 1)
          for (let repeat = 1; repeat <= table.repeats; repeat += 1)
            setResult(table, { row, column, repeat }, 'left out');
      });
    }
    take(of, of.cells.values());
  }

  /** A copy: counting it may take a while. */
  function countingOf({ trial, cases, marks }: Standings, known: ResultTable, check: Check): Counting {
    const table = { ...known, bytes: known.bytes.slice() };
    const markedAt = new Map<number, number>();
    if (check.kind === 'marks')
      for (const { key, at } of marks.values()) {
        const row = rowOf.get(key.caseId);
        const column = columnOf.get(key.columnId);
        if (row !== undefined && column !== undefined && key.repeat <= table.repeats)
          markedAt.set(placeOf(table, row, column, key.repeat), at);
      }
    const groups = groupsOf(trial, cases, order);
    return {
      table,
      stopped: trial.columns.map(({ stopped }) => stopped !== undefined),
      baseline: Math.max(0, columnOf.get(trial.baseline) ?? 0),
      ...(groups ? { groups } : {}),
      ...(lateAt.size > 0 ? { lateAt: new Map(lateAt) } : {}),
      ...(check.kind === 'marks' ? { markedAt } : {}),
    };
  }

  /** The one before where nothing has changed that it is made from. */
  function* verdictFor(of: Standings): Steps<Verdict | undefined> {
    const { trial, cells } = of;
    const check = trial.checks.find(({ id }) => id === trial.decides);
    const table = check && tables.get(check.id);
    if (!table || (cells.size === 0 && !trial.plan)) return undefined;
    const family = (trial.plan?.columns.length ?? trial.columns.length) - 1;
    const stopped = trial.columns.map((column) => column.stopped !== undefined).join();
    const from = [table, check.kind, trial.margin, family, trial.baseline, trial.groupField, stopped];
    if (found && from.every((each, index) => each === found?.of[index])) return found.verdict;
    const counting = countingOf(of, table, check);
    const verdict = yield* verdictSteps(counting, { margin: trial.margin, family }, watches);
    found = { of: from, verdict };
    return verdict;
  }

  function problemsOf({ trial, cases }: Standings): CaseProblems {
    const { messages, columns, checks, decides, repeats, fields } = trial;
    const from = [messages, columns, checks, decides, repeats, fields];
    if (problems && from.every((each, index) => each === problems?.of[index])) return problems.said;
    const said = caseProblems(
      trial,
      order.flatMap((id) => cases.get(id) ?? []),
    );
    problems = { of: from, said };
    return said;
  }

  function planFor(trial: Trial, { perMinute, places, earlierOf, granted }: StandingFacts): TrialPlan {
    const earlier = trial.columns.map(({ setup }) => earlierOf(setup.model));
    const name = JSON.stringify([order.length, trial.repeats, earlier, perMinute, places, granted]);
    if (planned?.of === name) return planned.plan;
    const facts = { perMinute, places, earlier, ...(granted === undefined ? {} : { granted }) };
    planned = { of: name, plan: planOf(trial, facts) };
    return planned.plan;
  }

  function factsOf(column: number, { columns, baseline }: Trial, all: readonly EndedCells[]): ColumnFacts {
    const id = columns[column]?.id ?? '';
    const known = columnsKnown.get(id);
    if (known?.baseline === baseline) return known.facts;
    const base = columns.findIndex((each) => each.id === baseline);
    const facts = columnFacts(all[column] ?? newEndedCells(0), base === column ? undefined : all[base]);
    // Of what was counted while other tables were made, nothing is kept.
    if (all === ended) columnsKnown.set(id, { baseline, facts });
    return facts;
  }

  function said(of: Standings, facts: StandingFacts): Pick<StandingSums, 'names' | 'plan' | 'problems'> {
    return { names: columnNames(of.trial.columns), plan: planFor(of.trial, facts), problems: problemsOf(of) };
  }

  function* sums(of: Standings, facts: StandingFacts): Steps<StandingSums> {
    const { trial, cases, cells } = of;
    const hasAnswers = cells.size > 0;
    const [rows, shown, all] = [order, new Map(tables), ended];
    const verdict = yield* verdictFor(of);
    const columns: ColumnFacts[] = [];
    for (const column of trial.columns.keys()) {
      yield;
      columns.push(factsOf(column, trial, all));
    }
    yield;
    const live = all.filter((_, column) => trial.columns[column]?.stopped === undefined);
    const counts = live.map(countEnded);
    countedRows = Math.floor(endedPlaces(live, rows.length * trial.repeats) / trial.repeats);
    const perColumn = trial.columns.map(({ stopped, setup }, column) => ({
      requests: stopped ? 0 : rows.length * trial.repeats - (columns[column]?.cells ?? 0),
      meanMs: meanTime(all[column]) ?? facts.earlierOf(setup.model)?.meanMs,
    }));
    return {
      order: rows,
      tables: shown,
      ended: all,
      verdict,
      words: verdictWords(verdict, {
        trial,
        perMinute: facts.perMinute,
        hasAnswers,
        hasNewUnits: hasNewUnits(trial, cases),
      }),
      ...said(of, facts),
      columns,
      progress: {
        cases: verdict?.cases ?? rows.length,
        counted: verdict?.counted ?? countedRows,
        cells: rows.length * live.length * trial.repeats,
        ended: counts.reduce((sum, each) => sum + each.ended, 0),
        underWay: facts.underWay,
        missing: counts.reduce((sum, each) => sum + each.missing, 0),
      },
      timeLeft: timeLeft(perColumn, facts.perMinute, facts.places),
      hasAnswers,
    };
  }

  function outline(of: Standings, facts: StandingFacts): StandingSums {
    const none = columnFacts(newEndedCells(0), undefined);
    return {
      order,
      tables: new Map(),
      ended: [],
      verdict: undefined,
      words: { first: [], below: [], method: '' },
      ...said(of, facts),
      columns: of.trial.columns.map(() => none),
      progress: { cases: order.length, counted: 0, cells: 0, ended: 0, underWay: 0, missing: 0 },
      timeLeft: { ms: 0, isAtLeast: true },
      hasAnswers: true,
    };
  }

  return {
    rebuild,
    take,
    sums,
    outline,
    isCounted: (caseId) => (rowOf.get(caseId) ?? countedRows) < countedRows,
  };
}

/** The cases of a batch that share a value of the group's field; undefined where cases are independent. */
function groupsOf(
  { groupField, batches }: Trial,
  cases: ReadonlyMap<CaseId, Case>,
  order: readonly CaseId[],
): (string | undefined)[] | undefined {
  if (groupField === undefined) return undefined;
  const batchOf = new Map(batches.flatMap(({ caseIds }, batch) => caseIds.map((id) => [id, batch])));
  return order.map((id) => {
    const value = valueOf(cases.get(id), groupField);
    return value === '' ? undefined : `${batchOf.get(id) ?? 0}/${value}`;
  });
}

function valueOf(each: Case | undefined, field: string): string {
  return each && Object.hasOwn(each.values, field) ? (each.values[field] ?? '') : '';
}

/** A group has cases in two batches: the later ones begin a new unit. */
function hasNewUnits({ groupField, batches }: Trial, cases: ReadonlyMap<CaseId, Case>): boolean {
  if (groupField === undefined || batches.length < 2) return false;
  const seen = new Set<string>();
  return batches.some(({ caseIds }) => {
    const own = new Set(caseIds.map((id) => valueOf(cases.get(id), groupField)));
    own.delete('');
    const isBack = [...own].some((value) => seen.has(value));
    for (const value of own) seen.add(value);
    return isBack;
  });
}

function meanTime(column: EndedCells | undefined): number | undefined {
  const times = knownTimes(column?.totalMs ?? new Float32Array());
  return times.length === 0 ? undefined : times.reduce((all, ms) => all + ms, 0) / times.length;
}

function columnFacts(own: EndedCells, baseline: EndedCells | undefined): ColumnFacts {
  const { ended, missing } = countEnded(own);
  return {
    cells: ended,
    answered: ended - missing,
    noAnswer: missing,
    firstToken: latencyFacts(own.firstTokenMs, baseline?.firstTokenMs),
    whole: latencyFacts(own.totalMs, baseline?.totalMs),
  };
}

function latencyFacts(own: Float32Array, baseline: Float32Array | undefined): LatencyFacts {
  const times = knownTimes(own).toSorted();
  const ratio = baseline && latencyRatio(own, baseline);
  return {
    median: latencyFigure(times, 0.5),
    p90: latencyFigure(times, 0.9),
    p95: latencyFigure(times, 0.95),
    ...(ratio ? { ratio } : {}),
  };
}

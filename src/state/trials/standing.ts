/** How a trial stands: result tables that follow its cells one by one, and all that is counted from them. */
import { caseProblems, type CaseProblems } from '../../trials/cases.ts';
import { checkHash, isLeftOut, scoreOf, type Answer } from '../../trials/checks/score-answer.ts';
import { latencyFigure, latencyRatio, timesOf, type LatencyTime } from '../../trials/latency.ts';
import { cellName, drawnOrder } from '../../trials/order.ts';
import { timeLeft, type TimeLeft } from '../../trials/pace.ts';
import { planOf, type EarlierAnswers, type TrialPlan } from '../../trials/plan.ts';
import { newResultTable, placeOf, setResult, type Counting, type ResultTable } from '../../trials/results.ts';
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
} from '../../trials/trial.ts';
import { columnNames, verdictWords, type ColumnName, type VerdictWords } from '../../trials/verdict-words.ts';
import { verdictOf, type Verdict, type Watches } from '../../trials/verdict.ts';
import type { ColumnFacts, LatencyFacts, Progress } from './open-trial.ts';

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
  /** A cell has ended, was scored again, or was marked. */
  take: (of: Standings, key: CellKey) => void;
  /** The row of a case is counted: all of its cells have ended, and those of all cases before it. */
  isCounted: (caseId: CaseId) => boolean;
  sums: (of: Standings, facts: StandingFacts) => StandingSums;
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
  let counted = new Set<number>();
  /** What takes long to work out, and follows from little. */
  let planned: { of: string; plan: TrialPlan } | undefined;
  let problems: { of: readonly unknown[]; found: CaseProblems } | undefined;
  /** Of columns whose cells have not changed since. */
  const columnsKnown = new Map<ColumnId, { baseline: ColumnId; facts: ColumnFacts }>();

  function resultOf(
    { cases, cells, marks }: Standings,
    check: Check,
    key: CellKey,
  ): Result | 'to come' | 'left out' {
    const values = cases.get(key.caseId)?.values ?? {};
    if (isLeftOut(check, values)) return 'left out';
    const name = cellName(key);
    const cell = cells.get(name);
    return (cell && currentScore(check, cell, values, marks.get(name))?.result) ?? 'to come';
  }

  function take(of: Standings, key: CellKey): void {
    // All columns are compared with the baseline.
    if (key.columnId === of.trial.baseline) columnsKnown.clear();
    else columnsKnown.delete(key.columnId);
    const row = rowOf.get(key.caseId);
    const column = columnOf.get(key.columnId);
    if (row === undefined || column === undefined || key.repeat > of.trial.repeats) return;
    for (const check of of.trial.checks) {
      const table = tables.get(check.id);
      if (!table) continue;
      setResult(table, { row, column, repeat: key.repeat }, resultOf(of, check, key));
      // The same bytes in another object: whoever compares sees that something has changed.
      tables.set(check.id, { ...table });
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
    watches = new Map();
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
    for (const cell of of.cells.values()) take(of, cell);
  }

  function countingOf(of: Standings, table: ResultTable, check: Check): Counting {
    const { trial, cases, cells, marks } = of;
    const lateAt = new Map<number, number>();
    const markedAt = new Map<number, number>();
    const at = (key: CellKey): number | undefined => {
      const row = rowOf.get(key.caseId);
      const column = columnOf.get(key.columnId);
      if (row === undefined || column === undefined || key.repeat > table.repeats) return undefined;
      return placeOf(table, row, column, key.repeat);
    };
    for (const cell of cells.values()) {
      if (cell.countedAt === undefined) continue;
      const place = at(cell);
      if (place !== undefined) lateAt.set(place, cell.countedAt);
    }
    if (check.kind === 'marks')
      for (const mark of marks.values()) {
        const place = at(mark.key);
        if (place !== undefined) markedAt.set(place, mark.at);
      }
    const groups = groupsOf(trial, cases, order);
    return {
      table,
      stopped: trial.columns.map(({ stopped }) => stopped !== undefined),
      baseline: Math.max(0, columnOf.get(trial.baseline) ?? 0),
      ...(groups ? { groups } : {}),
      ...(lateAt.size > 0 ? { lateAt } : {}),
      ...(check.kind === 'marks' ? { markedAt } : {}),
    };
  }

  function problemsOf({ trial, cases }: Standings): CaseProblems {
    const { messages, columns, checks, decides, repeats, fields } = trial;
    const from = [messages, columns, checks, decides, repeats, fields];
    if (problems && from.every((each, index) => each === problems?.of[index])) return problems.found;
    const found = caseProblems(
      trial,
      order.flatMap((id) => cases.get(id) ?? []),
    );
    problems = { of: from, found };
    return found;
  }

  function planFor(trial: Trial, { perMinute, places, earlierOf, granted }: StandingFacts): TrialPlan {
    const earlier = trial.columns.map(({ setup }) => earlierOf(setup.model));
    const name = JSON.stringify([order.length, trial.repeats, earlier, perMinute, places, granted]);
    if (planned?.of === name) return planned.plan;
    const facts = { perMinute, places, earlier, ...(granted === undefined ? {} : { granted }) };
    planned = { of: name, plan: planOf(trial, facts) };
    return planned.plan;
  }

  function factsOf(
    id: ColumnId,
    baseline: ColumnId,
    cellsBy: (id: ColumnId) => readonly Cell[],
  ): ColumnFacts {
    const known = columnsKnown.get(id);
    if (known?.baseline === baseline) return known.facts;
    const facts = columnFacts(cellsBy(id), id === baseline ? undefined : cellsBy(baseline));
    columnsKnown.set(id, { baseline, facts });
    return facts;
  }

  function sums(of: Standings, facts: StandingFacts): StandingSums {
    const { trial, cases, cells } = of;
    const check = trial.checks.find(({ id }) => id === trial.decides);
    const table = check && tables.get(check.id);
    const family = (trial.plan?.columns.length ?? trial.columns.length) - 1;
    const counting = check && table && countingOf(of, table, check);
    const hasAnswers = cells.size > 0;
    const verdict =
      counting && (hasAnswers || trial.plan)
        ? verdictOf(counting, { margin: trial.margin, family }, watches)
        : undefined;
    const ended = endedIn(of, order);
    const countedRows = rowsEnded(trial, order, cells);
    counted = new Set(countedRows);
    const byColumn = trial.columns.map(({ id }) => cellsOf(cells, id, rowOf));
    const cellsBy = (id: ColumnId) => byColumn[columnOf.get(id) ?? 0] ?? [];
    const live = trial.columns.filter(({ stopped }) => stopped === undefined);
    const perColumn = trial.columns.map(({ stopped }, column) => {
      const own = byColumn[column] ?? [];
      const times = timesOf(own, 'totalMs');
      const sum = times.reduce((all, ms) => all + ms, 0);
      const known = facts.earlierOf(trial.columns[column]?.setup.model ?? '');
      return {
        requests: stopped ? 0 : order.length * trial.repeats - own.length,
        meanMs: times.length > 0 ? sum / times.length : known?.meanMs,
      };
    });
    return {
      order,
      tables: new Map(tables),
      verdict,
      words: verdictWords(verdict, {
        trial,
        perMinute: facts.perMinute,
        hasAnswers,
        hasNewUnits: hasNewUnits(trial, cases),
      }),
      names: columnNames(trial.columns),
      columns: trial.columns.map(({ id }) => factsOf(id, trial.baseline, cellsBy)),
      plan: planFor(trial, facts),
      problems: problemsOf(of),
      progress: {
        cases: verdict?.cases ?? order.length,
        counted: verdict?.counted ?? countedRows.length,
        cells: order.length * live.length * trial.repeats,
        ended: ended.all,
        underWay: facts.underWay,
        missing: ended.missing,
      },
      timeLeft: timeLeft(perColumn, facts.perMinute, facts.places),
      hasAnswers,
    };
  }

  return {
    rebuild,
    take,
    sums,
    isCounted: (caseId) => counted.has(rowOf.get(caseId) ?? -1),
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

/** Ended cells of the columns that have not stopped, and those of them without an answer. */
function endedIn({ trial, cells }: Standings, order: readonly CaseId[]): { all: number; missing: number } {
  const live = new Set(trial.columns.flatMap(({ id, stopped }) => (stopped ? [] : [id])));
  const shown = new Set(order);
  let [all, missing] = [0, 0];
  for (const { caseId, columnId, repeat, outcome } of cells.values()) {
    if (!live.has(columnId) || !shown.has(caseId) || repeat > trial.repeats) continue;
    all += 1;
    if (outcome === 'no answer') missing += 1;
  }
  return { all, missing };
}

/** The rows before the first that has a cell to come. */
function rowsEnded(
  { columns, repeats }: Trial,
  order: readonly CaseId[],
  cells: ReadonlyMap<string, Cell>,
): number[] {
  const live = columns.filter(({ stopped }) => stopped === undefined);
  const rows: number[] = [];
  for (const [row, caseId] of order.entries()) {
    for (const { id: columnId } of live)
      for (let repeat = 1; repeat <= repeats; repeat += 1)
        if (!cells.has(cellName({ caseId, columnId, repeat }))) return rows;
    rows.push(row);
  }
  return rows;
}

function cellsOf(
  cells: ReadonlyMap<string, Cell>,
  columnId: ColumnId,
  rowOf: ReadonlyMap<CaseId, number>,
): Cell[] {
  const own: Cell[] = [];
  for (const cell of cells.values()) if (cell.columnId === columnId && rowOf.has(cell.caseId)) own.push(cell);
  return own;
}

function columnFacts(cells: readonly Cell[], baseline: readonly Cell[] | undefined): ColumnFacts {
  const answered = cells.filter(({ outcome }) => outcome === 'answered').length;
  return {
    cells: cells.length,
    answered,
    noAnswer: cells.length - answered,
    firstToken: latencyFacts(cells, baseline, 'firstTokenMs'),
    whole: latencyFacts(cells, baseline, 'totalMs'),
  };
}

function latencyFacts(
  cells: readonly Cell[],
  baseline: readonly Cell[] | undefined,
  time: LatencyTime,
): LatencyFacts {
  const times = timesOf(cells, time);
  const ratio = baseline && latencyRatio(cells, baseline, time);
  return {
    median: latencyFigure(times, 0.5),
    p90: latencyFigure(times, 0.9),
    p95: latencyFigure(times, 0.95),
    ...(ratio ? { ratio } : {}),
  };
}

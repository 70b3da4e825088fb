/**
 * What one check says of all cells, and what follows from it: which cases are counted, values, rates, pairs
 * (trials.md, sections 2, 6 and 8). Every number of a trial on screen and in files comes from here.
 */
import { rateRange, type RateRange } from './statistics/intervals.ts';
import type { Result } from './trial.ts';

/** What a check says of a cell, as a byte. `left out`: the case has no expected value for it. */
export const codes = { 'to come': 0, passed: 1, failed: 2, 'no answer': 3, 'left out': 4 } as const;
type Code = (typeof codes)[keyof typeof codes];

/** One byte a cell. Rows are the cases in the drawn order, columns those shown. */
export interface ResultTable {
  rows: number;
  columns: number;
  repeats: number;
  bytes: Uint8Array;
}

export function newResultTable(rows: number, columns: number, repeats: number): ResultTable {
  return { rows, columns, repeats, bytes: new Uint8Array(rows * columns * repeats) };
}

/** The place of a cell in the bytes; `repeat` counts from 1. */
export function placeOf(
  { columns, repeats }: ResultTable,
  row: number,
  column: number,
  repeat: number,
): number {
  return (row * columns + column) * repeats + repeat - 1;
}

export function setResult(
  table: ResultTable,
  cell: { row: number; column: number; repeat: number },
  result: Result | 'to come' | 'left out',
): void {
  table.bytes[placeOf(table, cell.row, cell.column, cell.repeat)] = codes[result];
}

interface Answers {
  passed: number;
  answered: number;
  /** Ended without an answer. */
  missing: number;
  toCome: number;
  isLeftOut: boolean;
}

/** The repeats of a case in a column. */
function answersAt(table: ResultTable, row: number, column: number): Answers {
  const counts = [0, 0, 0, 0, 0];
  const start = placeOf(table, row, column, 1);
  for (let place = start; place < start + table.repeats; place += 1) {
    const code = table.bytes[place] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  const of = (code: Code): number => counts[code] ?? 0;
  return {
    passed: of(codes.passed),
    answered: of(codes.passed) + of(codes.failed),
    missing: of(codes['no answer']),
    toCome: of(codes['to come']),
    isLeftOut: of(codes['left out']) > 0,
  };
}

/** Passed repeats ÷ answered repeats; undefined where none answered. */
export function valueOf(table: ResultTable, row: number, column: number): number | undefined {
  const { passed, answered } = answersAt(table, row, column);
  return answered === 0 ? undefined : passed / answered;
}

export interface Counting {
  table: ResultTable;
  /** By place of the column. */
  stopped: readonly boolean[];
  baseline: number;
  /** Of each row what it is not independent of others by: its batch and group; undefined: a unit of its own. */
  groups?: readonly (string | undefined)[];
  /** `Cell.countedAt` by place: answers that came after their case was counted without one. */
  lateAt?: ReadonlyMap<number, number>;
  /** Where marks decide: when each cell was marked, by place. Unmarked ones are no answer. */
  markedAt?: ReadonlyMap<number, number>;
}

export interface ColumnCounts {
  /** Cases with a value. */
  answered: number;
  /** The sum of the values: of one repeat the cases that passed. */
  passed: number;
  rate?: RateRange;
  /** Of the counted cells: without an answer, and all. */
  missing: number;
  cells: number;
  /** The rate if all that is missing had failed, and if all had passed. */
  between: readonly [low: number, high: number];
}

/** What is independent: a case, or the cases of a group in a batch. */
export interface Unit {
  rows: number[];
  /** The column's value minus the baseline's, case by case. */
  differences: number[];
}

/** Comparison of a column with the baseline, over the counted cases in which both answered. */
export interface Pairs {
  column: number;
  /** In the order in which they became complete (8). */
  units: Unit[];
  /** Where all values are 0 or 1. */
  counts?: { both: number; onlyColumn: number; onlyBaseline: number; neither: number };
  /** Counted cases in which one of the two has no value. */
  noAnswer: number;
}

export interface Counts {
  /** Cases for this check: all but those that are left out. */
  cases: number;
  /** The counted rows, in order. */
  rows: number[];
  columns: ColumnCounts[];
  pairs: Pairs[];
}

export function countResults(counting: Counting): Counts {
  const { table, stopped, baseline } = counting;
  const places = Array.from({ length: table.columns }, (_, column) => column);
  const running = places.filter((column) => stopped[column] !== true);
  const all = Array.from({ length: table.rows }, (_, row) => row).filter(
    (row) => !running.some((column) => answersAt(table, row, column).isLeftOut),
  );
  const rows = countedRows(counting, all, running);
  return {
    cases: all.length,
    rows,
    columns: places.map((column) => columnCounts(counting, rows, column)),
    pairs: running
      .filter((column) => column !== baseline)
      .map((column) => pairsOf(counting, all, rows, column)),
  };
}

/** A prefix of the drawn order: a case that ends early waits for those before it. Marked ones count as they are marked. */
function countedRows(
  { table, markedAt }: Counting,
  all: readonly number[],
  running: readonly number[],
): number[] {
  const isEnded = (row: number): boolean =>
    running.every((column) => answersAt(table, row, column).toCome === 0);
  if (!markedAt) {
    const open = all.findIndex((row) => !isEnded(row));
    return all.slice(0, open < 0 ? undefined : open);
  }
  return all.filter((row) => running.some((column) => valueOf(table, row, column) !== undefined));
}

function columnCounts({ table, groups }: Counting, rows: readonly number[], column: number): ColumnCounts {
  const byGroup = new Map<string | number, number[]>();
  let [answered, sum, missing, low, high] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    const found = answersAt(table, row, column);
    missing += found.missing;
    low += found.passed / table.repeats;
    high += (found.passed + found.missing) / table.repeats;
    if (found.answered === 0) continue;
    const value = found.passed / found.answered;
    answered += 1;
    sum += value;
    const group = groups?.[row] ?? row;
    const known = byGroup.get(group);
    if (known) known.push(value);
    else byGroup.set(group, [value]);
  }
  const rate = rateRange([...byGroup.values()], table.repeats);
  const cases = Math.max(1, rows.length);
  return {
    answered,
    passed: sum,
    ...(rate ? { rate } : {}),
    missing,
    cells: rows.length * table.repeats,
    between: [low / cases, high / cases],
  };
}

function pairsOf(counting: Counting, all: readonly number[], rows: readonly number[], column: number): Pairs {
  const { table, baseline, groups } = counting;
  const sizes = new Map<string, number>();
  for (const row of all) {
    const group = groups?.[row];
    if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  const counted = new Map<string, number>();
  for (const row of rows) {
    const group = groups?.[row];
    if (group !== undefined) counted.set(group, (counted.get(group) ?? 0) + 1);
  }
  const units = new Map<string | number, Unit & { late: number; last: number }>();
  const counts = { both: 0, onlyColumn: 0, onlyBaseline: 0, neither: 0 };
  let isPlain = true;
  let noAnswer = 0;
  for (const row of rows) {
    const [own, base] = [valueOf(table, row, column), valueOf(table, row, baseline)];
    if (own === undefined || base === undefined) {
      noAnswer += 1;
      continue;
    }
    isPlain &&= (own === 0 || own === 1) && (base === 0 || base === 1);
    if (own === base) counts[own === 1 ? 'both' : 'neither'] += 1;
    else counts[own > base ? 'onlyColumn' : 'onlyBaseline'] += 1;
    const group = groups?.[row];
    // What of a group is known so far would change with each of its cases: it counts when all of it is counted.
    if (group !== undefined && counted.get(group) !== sizes.get(group)) continue;
    const late = completedAt(counting, row, column);
    // A late answer begins a unit of its own: the group that was watched stays as it was.
    const name = group === undefined || (late > 0 && !counting.markedAt) ? row : group;
    const unit = units.get(name) ?? { rows: [], differences: [], late, last: row };
    unit.rows.push(row);
    unit.differences.push(own - base);
    unit.late = Math.max(unit.late, late);
    unit.last = row;
    units.set(name, unit);
  }
  return {
    column,
    units: [...units.values()]
      .toSorted((one, other) => one.late - other.late || one.last - other.last)
      .map(({ rows: unitRows, differences }) => ({ rows: unitRows, differences })),
    ...(isPlain ? { counts } : {}),
    noAnswer,
  };
}

/** When the pair of this case became complete, beside the drawn order: 0 for most. */
function completedAt({ table, baseline, lateAt, markedAt }: Counting, row: number, column: number): number {
  const timesOf = (side: number, times: ReadonlyMap<number, number> | undefined): number[] =>
    Array.from({ length: table.repeats }, (_, index) =>
      times?.get(placeOf(table, row, side, index + 1)),
    ).filter((time) => time !== undefined);
  if (!markedAt) return Math.max(0, ...timesOf(column, lateAt), ...timesOf(baseline, lateAt));
  // The first mark of each side gave it its value.
  return Math.max(Math.min(...timesOf(column, markedAt)), Math.min(...timesOf(baseline, markedAt)));
}

/**
 * The differences of a pair's counted cases if every missing answer of the better column had failed and every one of
 * the other had passed, unit by unit.
 */
export function differencesIfMissing(
  { table, baseline, groups }: Counting,
  rows: readonly number[],
  column: number,
  isBetter: boolean,
): number[] {
  const valueIf = (row: number, place: number, passes: boolean): number => {
    const { passed, missing } = answersAt(table, row, place);
    return (passed + (passes ? missing : 0)) / table.repeats;
  };
  const units = new Map<string | number, number[]>();
  for (const row of rows) {
    const difference = valueIf(row, column, !isBetter) - valueIf(row, baseline, isBetter);
    const name = groups?.[row] ?? row;
    units.set(name, [...(units.get(name) ?? []), difference]);
  }
  return [...units.values()].map(meanOf);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Which cases are shown; each is one filter of the screen. */
export type CaseFilter =
  | { name: 'all' | 'columns disagree' | 'nobody passed' | 'no answer' | 'repeats differ' }
  | { name: 'failed'; column: number };

/** Whether a row is shown under this filter. A case of which the columns disagree is what tints it. */
export function isShown(table: ResultTable, row: number, filter: CaseFilter): boolean {
  const all = Array.from({ length: table.columns }, (_, column) => answersAt(table, row, column));
  const values = all.filter(({ answered }) => answered > 0).map(({ passed, answered }) => passed / answered);
  switch (filter.name) {
    case 'all':
      return true;
    case 'columns disagree':
      return values.some((value) => value !== values[0]);
    case 'failed':
      return (all[filter.column]?.answered ?? 0) > (all[filter.column]?.passed ?? 0);
    case 'nobody passed':
      return values.length > 0 && values.every((value) => value === 0);
    case 'no answer':
      return all.some(({ missing }) => missing > 0);
    case 'repeats differ':
      return all.some(({ passed, answered }) => passed > 0 && passed < answered);
  }
}

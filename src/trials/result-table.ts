/**
 * What one check says of all cells, and what follows from it: which cases are counted, values, rates, pairs.
 * Every number of a trial on screen and in files comes from here.
 */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import { rateRange, type RateRange } from './statistics/intervals.ts';
import type { Result } from './trial.ts';

/** What a check says of a cell, as a byte. `left out`: the case has no expected value for it. */
export const codes = { 'to come': 0, passed: 1, failed: 2, 'no answer': 3, 'left out': 4 } as const;

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

/** The repeats of each case in each column, counted once: by row × columns + column. */
interface Tally {
  passed: Uint8Array;
  answered: Uint8Array;
  /** Ended without an answer. */
  missing: Uint8Array;
  toCome: Uint8Array;
  leftOut: Uint8Array;
}

function tallyOf({ rows, columns, repeats, bytes }: ResultTable): Tally {
  const size = rows * columns;
  const passed = new Uint8Array(size);
  const answered = new Uint8Array(size);
  const missing = new Uint8Array(size);
  const toCome = new Uint8Array(size);
  const leftOut = new Uint8Array(size);
  const add = (counts: Uint8Array, at: number): void => {
    counts[at] = (counts[at] ?? 0) + 1;
  };
  for (let place = 0; place < bytes.length; place += 1) {
    const at = Math.floor(place / repeats);
    const code = bytes[place];
    if (code === codes.passed) add(passed, at);
    if (code === codes.passed || code === codes.failed) add(answered, at);
    if (code === codes['no answer']) add(missing, at);
    if (code === codes['to come']) add(toCome, at);
    if (code === codes['left out']) add(leftOut, at);
  }
  return { passed, answered, missing, toCome, leftOut };
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
  /** Where marks decide: when each cell was marked, by place. Unmarked ones have no answer. */
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
  return runToCompletion(countSteps(counting));
}

/** The same in steps; what it is made from stays as it is until the last. */
export function* countSteps(counting: Counting): Steps<Counts> {
  const { table, stopped, baseline } = counting;
  const tally = tallyOf(table);
  yield;
  const places = Array.from({ length: table.columns }, (_, column) => column);
  const running = places.filter((column) => stopped[column] !== true);
  const all = rowsWhere(table, (row) =>
    running.every((column) => tally.leftOut[row * table.columns + column] === 0),
  );
  yield;
  const rows = countedRows(counting, tally, all, running);
  const columns: ColumnCounts[] = [];
  for (const column of places) {
    yield;
    columns.push(columnCounts(counting, tally, rows, column));
  }
  const pairs: Pairs[] = [];
  for (const column of running) {
    yield;
    if (column !== baseline) pairs.push(pairsOf(counting, tally, { all, rows }, column));
  }
  return { cases: all.length, rows, columns, pairs };
}

function rowsWhere({ rows }: ResultTable, holds: (row: number) => boolean): number[] {
  const found: number[] = [];
  for (let row = 0; row < rows; row += 1) if (holds(row)) found.push(row);
  return found;
}

/** A prefix of the drawn order: a case that ends early waits for those before it. Marked ones count as they are marked. */
function countedRows(
  { table: { columns }, markedAt }: Counting,
  { toCome, answered }: Tally,
  all: readonly number[],
  running: readonly number[],
): number[] {
  if (markedAt)
    return all.filter((row) => running.some((column) => (answered[row * columns + column] ?? 0) > 0));
  const open = all.findIndex((row) => running.some((column) => (toCome[row * columns + column] ?? 0) > 0));
  return all.slice(0, open < 0 ? undefined : open);
}

function columnCounts(
  { table, groups }: Counting,
  tally: Tally,
  rows: readonly number[],
  column: number,
): ColumnCounts {
  const { columns, repeats } = table;
  const values: number[][] = [];
  const byGroup = new Map<string, number[]>();
  let [answered, sum, missing, low, high] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    const at = row * columns + column;
    const [right, absent, count] = [tally.passed[at] ?? 0, tally.missing[at] ?? 0, tally.answered[at] ?? 0];
    missing += absent;
    low += right / repeats;
    high += (right + absent) / repeats;
    if (count === 0) continue;
    const value = right / count;
    answered += 1;
    sum += value;
    listFor(values, byGroup, groups?.[row]).push(value);
  }
  const rate = rateRange(values, repeats);
  const cases = Math.max(1, rows.length);
  return {
    answered,
    passed: sum,
    ...(rate ? { rate } : {}),
    missing,
    cells: rows.length * repeats,
    between: [low / cases, high / cases],
  };
}

/** The list of this group, or a new one for a case without. */
function listFor(lists: number[][], byGroup: Map<string, number[]>, group: string | undefined): number[] {
  const known = group === undefined ? undefined : byGroup.get(group);
  if (known) return known;
  const list: number[] = [];
  lists.push(list);
  if (group !== undefined) byGroup.set(group, list);
  return list;
}

function pairsOf(
  counting: Counting,
  { passed, answered }: Tally,
  { all, rows }: { all: readonly number[]; rows: readonly number[] },
  column: number,
): Pairs {
  const { table, baseline, groups, lateAt, markedAt } = counting;
  const valueAt = (row: number, of: number): number => {
    const at = row * table.columns + of;
    return (passed[at] ?? 0) / (answered[at] ?? 0);
  };
  const [sizes, counted] = [groupSizes(groups, all), groupSizes(groups, rows)];
  const byGroup = new Map<string, TimedUnit>();
  const units: TimedUnit[] = [];
  const counts = { both: 0, onlyColumn: 0, onlyBaseline: 0, neither: 0 };
  let [isPlain, noAnswer] = [true, 0];
  for (const row of rows) {
    const [own, base] = [valueAt(row, column), valueAt(row, baseline)];
    // Nothing answered is 0 of 0.
    if (Number.isNaN(own) || Number.isNaN(base)) {
      noAnswer += 1;
      continue;
    }
    isPlain &&= (own === 0 || own === 1) && (base === 0 || base === 1);
    if (own === base) counts[own === 1 ? 'both' : 'neither'] += 1;
    else counts[own > base ? 'onlyColumn' : 'onlyBaseline'] += 1;
    const group = groups?.[row];
    // What of a group is known so far would change with each of its cases: it counts when all of it is counted.
    if (group !== undefined && counted.get(group) !== sizes.get(group)) continue;
    const time = lateAt || markedAt ? completedAt(counting, row, column) : 0;
    // A late answer begins a unit of its own: the group that was watched stays as it was.
    const name = time > 0 && !markedAt ? undefined : group;
    const known = name === undefined ? undefined : byGroup.get(name);
    if (known) {
      known.rows.push(row);
      known.differences.push(own - base);
      known.time = Math.max(known.time, time);
      known.last = row;
      continue;
    }
    const unit = { rows: [row], differences: [own - base], time, last: row };
    units.push(unit);
    if (name !== undefined) byGroup.set(name, unit);
  }
  units.sort((one, other) => one.time - other.time || one.last - other.last);
  return { column, units, ...(isPlain ? { counts } : {}), noAnswer };
}

/** `time`: when it became complete, beside the drawn order; `last`: the last of its rows. */
interface TimedUnit extends Unit {
  time: number;
  last: number;
}

function groupSizes(groups: Counting['groups'], rows: readonly number[]): Map<string, number> {
  const sizes = new Map<string, number>();
  if (!groups) return sizes;
  for (const row of rows) {
    const group = groups[row];
    if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  return sizes;
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
  const { passed, missing } = tallyOf(table);
  const valueIf = (row: number, of: number, passes: boolean): number => {
    const at = row * table.columns + of;
    return ((passed[at] ?? 0) + (passes ? (missing[at] ?? 0) : 0)) / table.repeats;
  };
  const units: number[][] = [];
  const byGroup = new Map<string, number[]>();
  for (const row of rows)
    listFor(units, byGroup, groups?.[row]).push(
      valueIf(row, column, !isBetter) - valueIf(row, baseline, isBetter),
    );
  return units.map(meanOf);
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Which cases are shown; each is one filter of the screen. */
export type CaseFilter =
  | { name: 'all' | 'columns disagree' | 'nobody passed' | 'no answer' | 'repeats differ' }
  | { name: 'failed'; column: number };

/** The rows under this filter. Cases of which the columns disagree are those that are tinted. */
export function shownRows(table: ResultTable, filter: CaseFilter): number[] {
  return filterOf(table)(filter);
}

/** The same for several filters of one table. */
export function filterOf(table: ResultTable): (filter: CaseFilter) => number[] {
  const tally = tallyOf(table);
  return (filter) => filteredRows(table, tally, filter);
}

function filteredRows(
  table: ResultTable,
  { passed, answered, missing }: Tally,
  filter: CaseFilter,
): number[] {
  const { columns } = table;
  const some = (row: number, holds: (at: number) => boolean): boolean => {
    for (let at = row * columns; at < (row + 1) * columns; at += 1) if (holds(at)) return true;
    return false;
  };
  const hasAnswer = (at: number): boolean => (answered[at] ?? 0) > 0;
  const hasPassed = (at: number): boolean => (passed[at] ?? 0) > 0;
  const hasFailed = (at: number): boolean => (answered[at] ?? 0) > (passed[at] ?? 0);
  switch (filter.name) {
    case 'all':
      return rowsWhere(table, () => true);
    case 'columns disagree':
      return rowsWhere(table, (row) => {
        let value: number | undefined;
        return some(row, (at) => {
          if (!hasAnswer(at)) return false;
          const own = (passed[at] ?? 0) / (answered[at] ?? 0);
          value ??= own;
          return own !== value;
        });
      });
    case 'failed':
      return rowsWhere(table, (row) => hasFailed(row * columns + filter.column));
    case 'nobody passed':
      return rowsWhere(table, (row) => some(row, hasAnswer) && !some(row, hasPassed));
    case 'no answer':
      return rowsWhere(table, (row) => some(row, (at) => (missing[at] ?? 0) > 0));
    case 'repeats differ':
      return rowsWhere(table, (row) => some(row, (at) => hasPassed(at) && hasFailed(at)));
  }
}

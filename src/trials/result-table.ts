/**
 * What one check says of all cells, and what follows from it: which cases are counted, values, rates, pairs.
 * Every number of a trial on screen and in files comes from here.
 */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import { estimateRate, type RateEstimate } from './statistics/intervals.ts';
import type { Result } from './trial.ts';

/** What a check says of a cell, as a byte. `left out`: the case has no expected value for it. */
export const resultCodes = { 'to come': 0, passed: 1, failed: 2, 'no answer': 3, 'left out': 4 } as const;

/** One byte a cell. Rows are the cases in the drawn order, columns those shown. */
export interface ResultTable {
  rows: number;
  columns: number;
  repeats: number;
  bytes: Uint8Array;
}

export function createResultTable(rows: number, columns: number, repeats: number): ResultTable {
  return { rows, columns, repeats, bytes: new Uint8Array(rows * columns * repeats) };
}

/** The place of a cell in the bytes; `repeat` counts from 1. */
export function getCellIndex(
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
  table.bytes[getCellIndex(table, cell.row, cell.column, cell.repeat)] = resultCodes[result];
}

/** The repeats of each case in each column, counted once: by row × columns + column. */
interface Tally {
  passed: Uint8Array;
  answered: Uint8Array;
  /** Ended without an answer. */
  missing: Uint8Array;
  pending: Uint8Array;
  excluded: Uint8Array;
}

function createTally({ rows, columns, repeats, bytes }: ResultTable): Tally {
  const size = rows * columns;
  const passed = new Uint8Array(size);
  const answered = new Uint8Array(size);
  const missing = new Uint8Array(size);
  const pending = new Uint8Array(size);
  const excluded = new Uint8Array(size);
  const increment = (counts: Uint8Array, index: number): void => {
    counts[index] = (counts[index] ?? 0) + 1;
  };
  for (let cellIndex = 0; cellIndex < bytes.length; cellIndex += 1) {
    const tallyIndex = Math.floor(cellIndex / repeats);
    const code = bytes[cellIndex];
    if (code === resultCodes.passed) increment(passed, tallyIndex);
    if (code === resultCodes.passed || code === resultCodes.failed) increment(answered, tallyIndex);
    if (code === resultCodes['no answer']) increment(missing, tallyIndex);
    if (code === resultCodes['to come']) increment(pending, tallyIndex);
    if (code === resultCodes['left out']) increment(excluded, tallyIndex);
  }
  return { passed, answered, missing, pending, excluded };
}

export interface CountInputs {
  table: ResultTable;
  /** By place of the column. */
  stopped: readonly boolean[];
  baseline: number;
  /** Of each row what it is not independent of others by: its batch and group; undefined: a unit of its own. */
  groups?: readonly (string | undefined)[];
  /** `Cell.countedAt` by place: answers that came after their case was counted without one. */
  lateOrder?: ReadonlyMap<number, number>;
  /** Where marks decide: when each cell was marked, by place. Unmarked ones have no answer. */
  markedAt?: ReadonlyMap<number, number>;
}

export interface ColumnCounts {
  /** Cases with a value. */
  answered: number;
  /** The sum of the values: of one repeat the cases that passed. */
  passed: number;
  rate?: RateEstimate;
  /** Of the counted cells: without an answer, and all. */
  missing: number;
  cells: number;
  /** The rate if all that is missing had failed, and if all had passed. */
  rateBounds: readonly [low: number, high: number];
}

/** What is independent: a case, or the cases of a group in a batch. */
export interface IndependentUnit {
  rows: number[];
  /** The column's value minus the baseline's, case by case. */
  differences: number[];
}

/** Comparison of a column with the baseline, over the counted cases in which both answered. */
export interface PairedResults {
  column: number;
  /** In the order in which they became complete (8). */
  units: IndependentUnit[];
  /** Where all values are 0 or 1. */
  counts?: { both: number; onlyColumn: number; onlyBaseline: number; neither: number };
  /** Counted cases in which one of the two has no value. */
  missingCount: number;
}

export interface Counts {
  /** Cases for this check: all but those that are left out. */
  cases: number;
  /** The counted rows, in order. */
  rows: number[];
  columns: ColumnCounts[];
  pairs: PairedResults[];
}

export function countResults(countInputs: CountInputs): Counts {
  return runToCompletion(countResultsStepwise(countInputs));
}

/** The same in steps; what it is made from stays as it is until the last. */
export function* countResultsStepwise(countInputs: CountInputs): Steps<Counts> {
  const { table, stopped, baseline } = countInputs;
  const tally = createTally(table);
  yield;
  const columnIndexes = Array.from({ length: table.columns }, (_, column) => column);
  const activeColumns = columnIndexes.filter((column) => stopped[column] !== true);
  const includedRows = findRows(table, (row) =>
    activeColumns.every((column) => tally.excluded[row * table.columns + column] === 0),
  );
  yield;
  const rows = findCountedRows(countInputs, tally, includedRows, activeColumns);
  const columns: ColumnCounts[] = [];
  for (const column of columnIndexes) {
    yield;
    columns.push(countColumn(countInputs, tally, rows, column));
  }
  const pairs: PairedResults[] = [];
  for (const column of activeColumns) {
    yield;
    if (column !== baseline) pairs.push(pairResults(countInputs, tally, { includedRows, rows }, column));
  }
  return { cases: includedRows.length, rows, columns, pairs };
}

function findRows({ rows }: ResultTable, predicate: (row: number) => boolean): number[] {
  const matches: number[] = [];
  for (let row = 0; row < rows; row += 1) if (predicate(row)) matches.push(row);
  return matches;
}

/** A prefix of the drawn order: a case that ends early waits for those before it. Marked ones count as they are marked. */
function findCountedRows(
  { table: { columns }, markedAt }: CountInputs,
  { pending, answered }: Tally,
  includedRows: readonly number[],
  activeColumns: readonly number[],
): number[] {
  if (markedAt)
    return includedRows.filter((row) =>
      activeColumns.some((column) => (answered[row * columns + column] ?? 0) > 0),
    );
  const firstPending = includedRows.findIndex((row) =>
    activeColumns.some((column) => (pending[row * columns + column] ?? 0) > 0),
  );
  return includedRows.slice(0, firstPending < 0 ? undefined : firstPending);
}

function countColumn(
  { table, groups }: CountInputs,
  tally: Tally,
  rows: readonly number[],
  column: number,
): ColumnCounts {
  const { columns, repeats } = table;
  const values: number[][] = [];
  const listsByGroup = new Map<string, number[]>();
  let [answered, sum, missing, low, high] = [0, 0, 0, 0, 0];
  for (const row of rows) {
    const index = row * columns + column;
    const [passedCount, missingCount, count] = [
      tally.passed[index] ?? 0,
      tally.missing[index] ?? 0,
      tally.answered[index] ?? 0,
    ];
    missing += missingCount;
    low += passedCount / repeats;
    high += (passedCount + missingCount) / repeats;
    if (count === 0) continue;
    const value = passedCount / count;
    answered += 1;
    sum += value;
    getGroupList(values, listsByGroup, groups?.[row]).push(value);
  }
  const rate = estimateRate(values, repeats);
  const cases = Math.max(1, rows.length);
  return {
    answered,
    passed: sum,
    ...(rate ? { rate } : {}),
    missing,
    cells: rows.length * repeats,
    rateBounds: [low / cases, high / cases],
  };
}

/** The list of this group, or a new one for a case without. */
function getGroupList(
  lists: number[][],
  listsByGroup: Map<string, number[]>,
  group: string | undefined,
): number[] {
  const existingList = group === undefined ? undefined : listsByGroup.get(group);
  if (existingList) return existingList;
  const list: number[] = [];
  lists.push(list);
  if (group !== undefined) listsByGroup.set(group, list);
  return list;
}

function pairResults(
  countInputs: CountInputs,
  { passed, answered }: Tally,
  { includedRows, rows }: { includedRows: readonly number[]; rows: readonly number[] },
  column: number,
): PairedResults {
  const { table, baseline, groups, lateOrder, markedAt } = countInputs;
  const getValue = (row: number, columnIndex: number): number => {
    const index = row * table.columns + columnIndex;
    return (passed[index] ?? 0) / (answered[index] ?? 0);
  };
  const [groupSizes, countedSizes] = [countGroupRows(groups, includedRows), countGroupRows(groups, rows)];
  const unitsByGroup = new Map<string, TimedUnit>();
  const units: TimedUnit[] = [];
  const counts = { both: 0, onlyColumn: 0, onlyBaseline: 0, neither: 0 };
  let [isBinary, missingCount] = [true, 0];
  for (const row of rows) {
    const [columnValue, baselineValue] = [getValue(row, column), getValue(row, baseline)];
    // Nothing answered is 0 of 0.
    if (Number.isNaN(columnValue) || Number.isNaN(baselineValue)) {
      missingCount += 1;
      continue;
    }
    isBinary &&= (columnValue === 0 || columnValue === 1) && (baselineValue === 0 || baselineValue === 1);
    if (columnValue === baselineValue) counts[columnValue === 1 ? 'both' : 'neither'] += 1;
    else counts[columnValue > baselineValue ? 'onlyColumn' : 'onlyBaseline'] += 1;
    const group = groups?.[row];
    // What of a group is known so far would change with each of its cases: it counts when all of it is counted.
    if (group !== undefined && countedSizes.get(group) !== groupSizes.get(group)) continue;
    const time = lateOrder || markedAt ? getCompletionTime(countInputs, row, column) : 0;
    // A late answer begins a unit of its own: the group that was watched stays as it was.
    const groupKey = time > 0 && !markedAt ? undefined : group;
    const existingUnit = groupKey === undefined ? undefined : unitsByGroup.get(groupKey);
    if (existingUnit) {
      existingUnit.rows.push(row);
      existingUnit.differences.push(columnValue - baselineValue);
      existingUnit.time = Math.max(existingUnit.time, time);
      existingUnit.lastRow = row;
      continue;
    }
    const unit = { rows: [row], differences: [columnValue - baselineValue], time, lastRow: row };
    units.push(unit);
    if (groupKey !== undefined) unitsByGroup.set(groupKey, unit);
  }
  units.sort((a, b) => a.time - b.time || a.lastRow - b.lastRow);
  return { column, units, ...(isBinary ? { counts } : {}), missingCount };
}

/** `time`: when it became complete, beside the drawn order; `lastRow`: the last of its rows. */
interface TimedUnit extends IndependentUnit {
  time: number;
  lastRow: number;
}

function countGroupRows(groups: CountInputs['groups'], rows: readonly number[]): Map<string, number> {
  const sizes = new Map<string, number>();
  if (!groups) return sizes;
  for (const row of rows) {
    const group = groups[row];
    if (group !== undefined) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  return sizes;
}

/** When the pair of this case became complete, beside the drawn order: 0 for most. */
function getCompletionTime(
  { table, baseline, lateOrder, markedAt }: CountInputs,
  row: number,
  column: number,
): number {
  const listTimes = (columnIndex: number, times: ReadonlyMap<number, number> | undefined): number[] =>
    Array.from({ length: table.repeats }, (_, index) =>
      times?.get(getCellIndex(table, row, columnIndex, index + 1)),
    ).filter((time) => time !== undefined);
  if (!markedAt) return Math.max(0, ...listTimes(column, lateOrder), ...listTimes(baseline, lateOrder));
  // The first mark of each side gave it its value.
  return Math.max(Math.min(...listTimes(column, markedAt)), Math.min(...listTimes(baseline, markedAt)));
}

/**
 * The differences of a pair's counted cases if every missing answer of the better column had failed and every one of
 * the other had passed, unit by unit.
 */
export function computeWorstCaseDifferences(
  { table, baseline, groups }: CountInputs,
  rows: readonly number[],
  column: number,
  isBetter: boolean,
): number[] {
  const { passed, missing } = createTally(table);
  const getAssumedValue = (row: number, columnIndex: number, shouldPass: boolean): number => {
    const index = row * table.columns + columnIndex;
    return ((passed[index] ?? 0) + (shouldPass ? (missing[index] ?? 0) : 0)) / table.repeats;
  };
  const units: number[][] = [];
  const listsByGroup = new Map<string, number[]>();
  for (const row of rows)
    getGroupList(units, listsByGroup, groups?.[row]).push(
      getAssumedValue(row, column, !isBetter) - getAssumedValue(row, baseline, isBetter),
    );
  return units.map(computeMean);
}

export function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Which cases are shown; each is one filter of the screen. */
export type CaseFilter =
  | { name: 'all' | 'columns disagree' | 'nobody passed' | 'no answer' | 'repeats differ' }
  | { name: 'failed'; column: number };

/** The rows under this filter. Cases of which the columns disagree are those that are tinted. */
export function filterRows(table: ResultTable, filter: CaseFilter): number[] {
  return createRowFilter(table)(filter);
}

/** The same for several filters of one table. */
export function createRowFilter(table: ResultTable): (filter: CaseFilter) => number[] {
  const tally = createTally(table);
  return (filter) => applyRowFilter(table, tally, filter);
}

function applyRowFilter(
  table: ResultTable,
  { passed, answered, missing }: Tally,
  filter: CaseFilter,
): number[] {
  const { columns } = table;
  const hasCell = (row: number, predicate: (index: number) => boolean): boolean => {
    for (let index = row * columns; index < (row + 1) * columns; index += 1)
      if (predicate(index)) return true;
    return false;
  };
  const hasAnswer = (index: number): boolean => (answered[index] ?? 0) > 0;
  const hasPassed = (index: number): boolean => (passed[index] ?? 0) > 0;
  const hasFailed = (index: number): boolean => (answered[index] ?? 0) > (passed[index] ?? 0);
  switch (filter.name) {
    case 'all':
      return findRows(table, () => true);
    case 'columns disagree':
      return findRows(table, (row) => {
        let value: number | undefined;
        return hasCell(row, (index) => {
          if (!hasAnswer(index)) return false;
          const cellValue = (passed[index] ?? 0) / (answered[index] ?? 0);
          value ??= cellValue;
          return cellValue !== value;
        });
      });
    case 'failed':
      return findRows(table, (row) => hasFailed(row * columns + filter.column));
    case 'nobody passed':
      return findRows(table, (row) => hasCell(row, hasAnswer) && !hasCell(row, hasPassed));
    case 'no answer':
      return findRows(table, (row) => hasCell(row, (index) => (missing[index] ?? 0) > 0));
    case 'repeats differ':
      return findRows(table, (row) => hasCell(row, (index) => hasPassed(index) && hasFailed(index)));
  }
}

/**
 * Results of one check for all cells, and everything derived from them: counted cases, values, rates and pairs. Every
 * number of a trial on screen and in files comes from here.
 */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import { estimateRate, type RateEstimate } from './statistics/intervals.ts';
import type { Result } from './trial.ts';

/** Result of a check for a cell, as a byte. `left out`: the case has no expected value for the check. */
export const resultCodes = { 'to come': 0, passed: 1, failed: 2, 'no answer': 3, 'left out': 4 } as const;

/** One byte per cell. Rows are the cases in random order; columns are those of the trial, without retired ones. */
export interface ResultTable {
  rows: number;
  columns: number;
  repeats: number;
  bytes: Uint8Array;
}

export function createResultTable(rows: number, columns: number, repeats: number): ResultTable {
  return { rows, columns, repeats, bytes: new Uint8Array(rows * columns * repeats) };
}

/** Returns the index of a cell in `bytes`; `repeat` counts from 1. */
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

/** Counts over the repeats of each case in each column, indexed by row × columns + column. */
interface Tally {
  passed: Uint8Array;
  answered: Uint8Array;
  /** Cells that ended without an answer. */
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
  /** Indexed by column. */
  stopped: readonly boolean[];
  baseline: number;
  /** Batch and group of each row, within which rows are not independent; `undefined` for an independent row. */
  groups?: readonly (string | undefined)[];
  /** `Cell.countedAt` by cell index, for answers that arrived after their case had been counted without one. */
  lateOrder?: ReadonlyMap<number, number>;
  /** Time of each mark by cell index, present if marks decide. Unmarked cells have no answer. */
  markedAt?: ReadonlyMap<number, number>;
}

export interface ColumnCounts {
  /** Number of cases with a value. */
  answered: number;
  /** Sum of the values; with one repeat, the number of cases that passed. */
  passed: number;
  rate?: RateEstimate;
  /** Counted cells without an answer; `cells` is the number of all counted cells. */
  missing: number;
  cells: number;
  /** Rates if all missing answers had failed, and if all had passed. */
  rateBounds: readonly [low: number, high: number];
}

/** An independent unit: a case, or the cases of a group within a batch. */
export interface IndependentUnit {
  rows: number[];
  /** Column value minus baseline value, one entry per case. */
  differences: number[];
}

/** Comparison of a column with the baseline over the counted cases that both answered. */
export interface PairedResults {
  column: number;
  /** Units in the order of their completion. */
  units: IndependentUnit[];
  /** Present if all values are 0 or 1. */
  counts?: { both: number; onlyColumn: number; onlyBaseline: number; neither: number };
  /** Number of counted cases in which either column has no value. */
  missingCount: number;
}

export interface Counts {
  /** Number of cases for this check, without excluded ones. */
  cases: number;
  /** Counted rows, in order. */
  rows: number[];
  columns: ColumnCounts[];
  pairs: PairedResults[];
}

export function countResults(countInputs: CountInputs): Counts {
  return runToCompletion(countResultsStepwise(countInputs));
}

/** Counts the results in steps. The inputs must not change until the last step. */
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

/**
 * Returns the counted rows: a prefix of the random order, so a case that ends early counts only after those before it. If marks
 * decide, every marked row counts.
 */
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

/** Returns the list of this group, or a new list for a case without a group. */
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
    // The value is 0 / 0 if nothing was answered.
    if (Number.isNaN(columnValue) || Number.isNaN(baselineValue)) {
      missingCount += 1;
      continue;
    }
    isBinary &&= (columnValue === 0 || columnValue === 1) && (baselineValue === 0 || baselineValue === 1);
    if (columnValue === baselineValue) counts[columnValue === 1 ? 'both' : 'neither'] += 1;
    else counts[columnValue > baselineValue ? 'onlyColumn' : 'onlyBaseline'] += 1;
    const group = groups?.[row];
    // The mean of a group changes with each of its cases, so the group counts only once all of its cases are counted.
    if (group !== undefined && countedSizes.get(group) !== groupSizes.get(group)) continue;
    const time = lateOrder || markedAt ? getCompletionTime(countInputs, row, column) : 0;
    // A late answer starts a separate unit, so the group that was already counted does not change.
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

/** `time`: completion time if it differs from the random order; `lastRow`: index of its last row. */
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

/** Returns the completion time of this case's pair if it deviates from the random order; otherwise 0. */
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
  // A column has a value for the case as soon as one of its answers is marked.
  return Math.max(Math.min(...listTimes(column, markedAt)), Math.min(...listTimes(baseline, markedAt)));
}

/**
 * Returns the mean differences per unit if every missing answer of the better column had failed and every missing
 * answer of the other had passed.
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

/** Filters of the case list. */
export type CaseFilter =
  | { name: 'all' | 'columns disagree' | 'nobody passed' | 'no answer' | 'repeats differ' }
  | { name: 'failed'; column: number };

/** Returns the rows that match the filter. Rows with disagreeing columns are tinted on screen. */
export function filterRows(table: ResultTable, filter: CaseFilter): number[] {
  return createRowFilter(table)(filter);
}

/** Returns a function that applies several filters to one table. */
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

/**
 * Results of one check for all cells, and everything derived from them: counted cases, values, rates and pairs. Every
 * number of a trial on screen and in files comes from here.
 */
import { runToCompletion, type Steps } from '../lib/steps.ts';
import { estimateRate, type RateEstimate } from './statistics/intervals.ts';

/**
 * Result of a check for a cell, as a byte. `left out`: the case has no expected value for the check. `absent`: the cell
 * was not among the answers copied from another trial, and there will never be one.
 */
export const resultCodes = {
  'to come': 0,
  passed: 1,
  failed: 2,
  'no answer': 3,
  'left out': 4,
  absent: 5,
} as const;

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
  result: keyof typeof resultCodes,
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
  absent: Uint8Array;
  /** Cells of cases that the check leaves out, or that are all absent. */
  excluded: Uint8Array;
  /** Columns with absent cells. */
  incompleteColumns: Set<number>;
}

function createTally({ rows, columns, repeats, bytes }: ResultTable): Tally {
  const size = rows * columns;
  const passed = new Uint8Array(size);
  const answered = new Uint8Array(size);
  const missing = new Uint8Array(size);
  const pending = new Uint8Array(size);
  const absent = new Uint8Array(size);
  const excluded = new Uint8Array(size);
  const incompleteColumns = new Set<number>();
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
    if (code !== resultCodes.absent) continue;
    increment(absent, tallyIndex);
    incompleteColumns.add(tallyIndex % columns);
    if (absent[tallyIndex] === repeats) excluded[tallyIndex] = repeats;
  }
  return { passed, answered, missing, pending, absent, excluded, incompleteColumns };
}

export interface CountInputs {
  table: ResultTable;
  /** Indexed by column. */
  stopped: readonly boolean[];
  baseline: number;
  /** Batch and group of each row, within which rows are not independent; `undefined` for an independent row. */
  groups?: readonly (string | undefined)[];
  /** True if rates are means over groups, as the differences are; otherwise they are means over cases. */
  countsRatesByGroup?: boolean;
  /** Number of rows that the plan contains; rows after them were added later. Absent without a planned end. */
  plannedRows?: number;
  /** `Cell.countedAt` by cell index, for answers that arrived after their case had been counted without one. */
  lateOrder?: ReadonlyMap<number, number>;
  /** Time of each mark by cell index, present if marks decide. Unmarked cells have no answer. */
  markedAt?: ReadonlyMap<number, number>;
}

export interface ColumnCounts {
  /** Counted rows, in order. */
  rows: readonly number[];
  /** Number of cases with a value, or of groups if rates are counted by group. */
  answered: number;
  /** Sum of the values; with one repeat, the number of cases that passed. */
  passed: number;
  rate?: RateEstimate;
  /** Number of answers in the counted cases, over all repeats, and how many of them passed. */
  answers: { count: number; passed: number };
  /** Counted cells without an answer; `cells` is the number of all counted cells that have ended. */
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
  /** Rows whose cells have ended in both columns, up to the first pending one. */
  rows: readonly number[];
  /** Number of cases for this check that both columns have or will have. */
  cases: number;
  /** Units in the order of their completion. */
  units: IndependentUnit[];
  /** Number of cases for this check that the plan contains. */
  plannedCases: number;
  /** Number of first units that belong to the plan, without answers that came late. */
  plannedUnits: number;
  /** True once all planned rows are counted. */
  hasReachedPlannedEnd: boolean;
  /** Present if all values are 0 or 1. */
  counts?: { both: number; onlyColumn: number; onlyBaseline: number; neither: number };
  /** Numbers of counted cases in which the column's value is higher, lower or equal. */
  signs: { better: number; worse: number; equal: number };
  /** Number of counted cases in which either column has no value. */
  missingCount: number;
}

export interface Counts {
  /** Number of cases for this check, without excluded ones and those that a baseline with copied answers does not have. */
  cases: number;
  /**
   * Rows that are counted in all columns that have not stopped, in order. Apart from the baseline, columns that lack
   * copied answers are not waited for.
   */
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
  const completeColumns = activeColumns.filter(
    (column) => column === baseline || !tally.incompleteColumns.has(column),
  );
  const { included, counted } = findCountedRows(countInputs, tally, completeColumns);
  yield;
  const pairs: PairedResults[] = [];
  for (const column of activeColumns) {
    yield;
    if (column !== baseline) pairs.push(pairResults(countInputs, tally, column));
  }
  const columns: ColumnCounts[] = [];
  for (const column of columnIndexes) {
    yield;
    columns.push(countColumn(countInputs, tally, findColumnRows(countInputs, tally, pairs, column), column));
  }
  return { cases: included.length, rows: counted, columns, pairs };
}

/** Returns a function that counts the answers of a column in some of its counted rows. */
export function createColumnCounter(
  countInputs: CountInputs,
): (rows: readonly number[], column: number) => ColumnCounts {
  const tally = createTally(countInputs.table);
  return (rows, column) => countColumn(countInputs, tally, rows, column);
}

function findRows({ rows }: ResultTable, predicate: (row: number) => boolean): number[] {
  const matches: number[] = [];
  for (let row = 0; row < rows; row += 1) if (predicate(row)) matches.push(row);
  return matches;
}

/**
 * Returns the rows that the check applies to in all of these columns, and those of them that are counted: a prefix of
 * the random order, so a case that ends early counts only after those before it. Rows that a stopped column was never
 * asked are not counted. If marks decide, every marked row counts.
 */
function findCountedRows(
  { table, markedAt, stopped }: CountInputs,
  { pending, answered, excluded }: Tally,
  columnIndexes: readonly number[],
): { included: number[]; counted: number[] } {
  const hasCell = (row: number, counts: Uint8Array, columns: readonly number[]): boolean =>
    columns.some((column) => (counts[row * table.columns + column] ?? 0) > 0);
  const included = findRows(table, (row) => !hasCell(row, excluded, columnIndexes));
  if (markedAt) return { included, counted: included.filter((row) => hasCell(row, answered, columnIndexes)) };
  const activeColumns = columnIndexes.filter((column) => stopped[column] !== true);
  const stoppedColumns = columnIndexes.filter((column) => stopped[column] === true);
  const firstPending = included.findIndex((row) => hasCell(row, pending, activeColumns));
  const counted = included
    .slice(0, firstPending < 0 ? undefined : firstPending)
    .filter((row) => !hasCell(row, pending, stoppedColumns));
  return { included, counted };
}

/** Returns the rows of a column's rate: those of its comparison, or of the longest comparison for the baseline. */
function findColumnRows(
  countInputs: CountInputs,
  tally: Tally,
  pairs: readonly PairedResults[],
  column: number,
): readonly number[] {
  const ownPairs = column === countInputs.baseline ? pairs : pairs.filter((pair) => pair.column === column);
  const [longest] = ownPairs.map(({ rows }) => rows).toSorted((a, b) => b.length - a.length);
  if (longest && (longest.length > 0 || column !== countInputs.baseline)) return longest;
  return findCountedRows(countInputs, tally, [column]).counted;
}

function countColumn(
  { table, groups, countsRatesByGroup = false }: CountInputs,
  tally: Tally,
  rows: readonly number[],
  column: number,
): ColumnCounts {
  const { columns, repeats } = table;
  const values: number[][] = [];
  const listsByGroup = new Map<string, number[]>();
  const answers = { count: 0, passed: 0 };
  let [missing, cells, low, high] = [0, 0, 0, 0];
  for (const row of rows) {
    const index = row * columns + column;
    const cellCount = repeats - (tally.absent[index] ?? 0);
    const [passedCount, missingCount, count] = [
      tally.passed[index] ?? 0,
      tally.missing[index] ?? 0,
      tally.answered[index] ?? 0,
    ];
    missing += missingCount;
    cells += cellCount;
    low += passedCount / cellCount;
    high += (passedCount + missingCount) / cellCount;
    answers.count += count;
    answers.passed += passedCount;
    if (count === 0) continue;
    getGroupList(values, listsByGroup, groups?.[row]).push(passedCount / count);
  }
  const countedValues = countsRatesByGroup ? values.map((group) => [computeMean(group)]) : values;
  const rate = estimateRate(values, repeats, countsRatesByGroup);
  const cases = Math.max(1, rows.length);
  return {
    rows,
    answered: countedValues.flat().length,
    passed: countedValues.flat().reduce((sum, value) => sum + value, 0),
    ...(rate ? { rate } : {}),
    answers,
    missing,
    cells,
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

function pairResults(countInputs: CountInputs, tally: Tally, column: number): PairedResults {
  const { table, baseline, groups, lateOrder, markedAt, plannedRows = 0 } = countInputs;
  const { passed, answered } = tally;
  const { included: includedRows, counted: rows } = findCountedRows(countInputs, tally, [baseline, column]);
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
  const hasPlan = plannedRows > 0 && !markedAt;
  const plannedCases = countBefore(includedRows, plannedRows);
  return {
    column,
    rows,
    cases: includedRows.length,
    units,
    plannedCases,
    plannedUnits: hasPlan
      ? units.filter(({ time, lastRow }) => time === 0 && lastRow < plannedRows).length
      : 0,
    hasReachedPlannedEnd: hasPlan && countBefore(rows, plannedRows) === plannedCases,
    ...(isBinary ? { counts } : {}),
    signs: { better: counts.onlyColumn, worse: counts.onlyBaseline, equal: counts.both + counts.neither },
    missingCount,
  };
}

/** Counts the rows before this one; `rows` is in order. */
function countBefore(rows: readonly number[], limit: number): number {
  return rows.filter((row) => row < limit).length;
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
 * Returns the units of a comparison if every missing answer had gone in favour of one side: those of the column passed
 * and those of the baseline failed if `isColumnFavoured`, otherwise the reverse.
 */
export function fillMissingAnswers(
  { table, baseline, groups, plannedRows = 0 }: CountInputs,
  rows: readonly number[],
  column: number,
  isColumnFavoured: boolean,
): { units: IndependentUnit[]; plannedUnits: number } {
  const { passed, missing, absent } = createTally(table);
  const getAssumedValue = (row: number, columnIndex: number, shouldPass: boolean): number => {
    const index = row * table.columns + columnIndex;
    const cellCount = table.repeats - (absent[index] ?? 0);
    return ((passed[index] ?? 0) + (shouldPass ? (missing[index] ?? 0) : 0)) / cellCount;
  };
  const units = toUnits(groups, rows, (row) => [
    getAssumedValue(row, column, isColumnFavoured) - getAssumedValue(row, baseline, !isColumnFavoured),
  ]);
  return { units, plannedUnits: units.filter((unit) => unit.rows.every((row) => row < plannedRows)).length };
}

/** Joins the differences of rows that belong to the same group. */
function toUnits(
  groups: CountInputs['groups'],
  rows: readonly number[],
  getDifferences: (row: number) => number[],
): IndependentUnit[] {
  const units: IndependentUnit[] = [];
  const unitsByGroup = new Map<string, IndependentUnit>();
  for (const row of rows) {
    const group = groups?.[row];
    const existingUnit = group === undefined ? undefined : unitsByGroup.get(group);
    if (existingUnit) {
      existingUnit.rows.push(row);
      existingUnit.differences.push(...getDifferences(row));
      continue;
    }
    const unit = { rows: [row], differences: getDifferences(row) };
    units.push(unit);
    if (group !== undefined) unitsByGroup.set(group, unit);
  }
  return units;
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

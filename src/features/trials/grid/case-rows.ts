/** Filters and sorts the cases of the grid. */
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import {
  createRowFilter,
  filterRows,
  type CaseFilter,
  type ResultTable,
} from '../../../trials/result-table.ts';
import { getColumnLetter, type Case, type CaseId } from '../../../trials/trial.ts';
import type { TrialView, ValueFilter } from '../trial-view.ts';

export interface CaseRow {
  caseId: CaseId;
  /** Permanent number of the case, from 1, in the order of creation. */
  number: number;
  /** Row in the result tables. */
  tableRow: number;
}

export type GridInputs = Pick<OpenTrialState, 'trial' | 'order' | 'cases' | 'cells' | 'liveCells' | 'tables'>;

/** Returns the result table of the deciding check, if there is one. */
export function findDecidingTable({
  trial,
  tables,
}: Pick<GridInputs, 'trial' | 'tables'>): ResultTable | undefined {
  return trial.decides === undefined ? undefined : tables.get(trial.decides);
}

/** Lists all cases that are not retired, in the order of creation. */
export function listAllRows({ trial, order }: Pick<GridInputs, 'trial' | 'order'>): CaseRow[] {
  const tableRows = new Map(order.map((caseId, index) => [caseId, index]));
  return trial.batches
    .flatMap(({ caseIds }) => caseIds)
    .flatMap((caseId, index) => {
      const tableRow = tableRows.get(caseId);
      return tableRow === undefined ? [] : [{ caseId, number: index + 1, tableRow }];
    });
}

/** Lists the rows after filter, search and sorting. */
export function listCaseRows(
  inputs: GridInputs,
  {
    filter,
    valueFilter,
    searchQuery,
    order,
  }: Pick<TrialView, 'filter' | 'valueFilter' | 'searchQuery' | 'order'>,
): CaseRow[] {
  const table = findDecidingTable(inputs);
  const matchingRows = table && filter.name !== 'all' ? new Set(filterRows(table, filter)) : undefined;
  const query = searchQuery.trim().toLowerCase();
  const rows = listAllRows(inputs).filter(
    ({ tableRow, caseId }) =>
      (matchingRows?.has(tableRow) ?? true) &&
      hasValue(inputs.cases.get(caseId), valueFilter) &&
      (query === '' || matchesQuery(inputs, caseId, query)),
  );
  return order === 'newest first' ? sortNewestFirst(inputs, rows) : rows;
}

function hasValue(testCase: Case | undefined, filter: ValueFilter | undefined): boolean {
  return filter === undefined || getCaseValue(testCase, filter.field) === filter.value;
}

/** Sorts cases by their last request, newest first; cases not yet run follow in the order of the queue. */
function sortNewestFirst(inputs: GridInputs, rows: readonly CaseRow[]): CaseRow[] {
  const { trial, cells, liveCells } = inputs;
  const isRequested = ({ caseId }: CaseRow) =>
    trial.columns.some(({ id: columnId }) => {
      const cellId = getCellId({ caseId, columnId, repeat: 1 });
      return cells.has(cellId) || liveCells.has(cellId);
    });
  const inRunOrder = rows.toSorted((a, b) => a.tableRow - b.tableRow);
  const requestedRows = inRunOrder.filter(isRequested);
  const requestedSet = new Set(requestedRows);
  return [...requestedRows.toReversed(), ...inRunOrder.filter((row) => !requestedSet.has(row))];
}

function matchesQuery({ trial, cases, cells }: GridInputs, caseId: CaseId, query: string): boolean {
  const testCase = cases.get(caseId);
  if (testCase && Object.values(testCase.values).some((value) => value.toLowerCase().includes(query)))
    return true;
  return trial.columns.some(({ id: columnId }) =>
    Array.from({ length: trial.repeats }, (_, index) => index + 1).some(
      (repeat) =>
        cells.get(getCellId({ caseId, columnId, repeat }))?.head.toLowerCase().includes(query) === true,
    ),
  );
}

export interface FilterChoice {
  filter: CaseFilter;
  /** Label such as "Columns disagree". */
  label: string;
  count: number;
}

/** Lists the filters that apply now, with the number of matching cases that have the value. */
export function listFilterChoices(
  {
    trial,
    order,
    cases,
    table,
  }: Pick<GridInputs, 'trial' | 'order' | 'cases'> & { table: ResultTable | undefined },
  valueFilter?: ValueFilter,
): FilterChoice[] {
  const rowMatches = order.map((caseId) => hasValue(cases.get(caseId), valueFilter));
  const allChoice: FilterChoice = {
    filter: { name: 'all' },
    label: 'All',
    count: rowMatches.filter(Boolean).length,
  };
  if (!table) return [allChoice];
  const baseline = Math.max(
    0,
    trial.columns.findIndex(({ id }) => id === trial.baseline),
  );
  const filters: { filter: CaseFilter; label: string }[] = [
    ...(trial.columns.length > 1
      ? [{ filter: { name: 'columns disagree' as const }, label: 'Columns disagree' }]
      : []),
    { filter: { name: 'failed', column: baseline }, label: `${getColumnLetter(baseline)} failed` },
    { filter: { name: 'nobody passed' }, label: 'Failed in all columns' },
    { filter: { name: 'no answer' }, label: 'No answer' },
    ...(trial.repeats > 1 ? [{ filter: { name: 'repeats differ' as const }, label: 'Repeats differ' }] : []),
  ];
  const getRows = createRowFilter(table);
  return [
    allChoice,
    ...filters.map(({ filter, label }) => ({
      filter,
      label,
      count: getRows(filter).filter((row) => rowMatches[row]).length,
    })),
  ];
}

/** Returns the rows whose columns or repeats disagree; these are tinted. */
export function findDisagreeingRows(table: ResultTable | undefined): Set<number> {
  if (!table) return new Set();
  const { columns, repeats } = table;
  const getRows = createRowFilter(table);
  return new Set([
    ...(columns > 1 ? getRows({ name: 'columns disagree' }) : []),
    ...(repeats > 1 ? getRows({ name: 'repeats differ' }) : []),
  ]);
}

/** Returns the next case in this direction whose columns disagree, or `undefined`. */
export function findNextDisagreement(
  inputs: GridInputs,
  rows: readonly CaseRow[],
  fromCaseId: CaseId | undefined,
  step: 1 | -1,
): CaseRow | undefined {
  const table = findDecidingTable(inputs);
  const disagreeingRows = new Set(table ? filterRows(table, { name: 'columns disagree' }) : []);
  const fromIndex = rows.findIndex(({ caseId }) => caseId === fromCaseId);
  const start = fromIndex < 0 ? (step > 0 ? 0 : rows.length - 1) : fromIndex + step;
  for (let next = start; next >= 0 && next < rows.length; next += step) {
    const row = rows[next];
    if (row && disagreeingRows.has(row.tableRow)) return row;
  }
  return undefined;
}

/** Returns the value of a case for a field of the trial. */
export function getCaseValue(testCase: Case | undefined, field: string): string {
  return testCase && Object.hasOwn(testCase.values, field) ? (testCase.values[field] ?? '') : '';
}

/** Which cases the grid shows, and in which order. */
import type { OpenTrialState } from '../../../state/trials/open-trial.ts';
import { cellName } from '../../../trials/case-order.ts';
import { filterOf, shownRows, type CaseFilter, type ResultTable } from '../../../trials/result-table.ts';
import { letterAt, type Case, type CaseId } from '../../../trials/trial.ts';
import type { TrialView } from '../trial-view.ts';

export interface CaseRow {
  caseId: CaseId;
  /** From 1, in the order in which cases were added; it never changes. */
  number: number;
  /** The row of the result tables. */
  at: number;
}

export type GridFacts = Pick<OpenTrialState, 'trial' | 'order' | 'cases' | 'cells' | 'live' | 'tables'>;

/** The table of the check that decides; undefined where none does. */
export function decidingTable({
  trial,
  tables,
}: Pick<GridFacts, 'trial' | 'tables'>): ResultTable | undefined {
  return trial.decides === undefined ? undefined : tables.get(trial.decides);
}

/** All cases that are not retired, in the order in which they were added. */
export function allRows({ trial, order }: Pick<GridFacts, 'trial' | 'order'>): CaseRow[] {
  const places = new Map(order.map((caseId, at) => [caseId, at]));
  return trial.batches
    .flatMap(({ caseIds }) => caseIds)
    .flatMap((caseId, index) => {
      const at = places.get(caseId);
      return at === undefined ? [] : [{ caseId, number: index + 1, at }];
    });
}

/** The rows under filter, search and order. */
export function caseRows(
  facts: GridFacts,
  { filter, find, order }: Pick<TrialView, 'filter' | 'find' | 'order'>,
): CaseRow[] {
  const table = decidingTable(facts);
  const kept = table && filter.name !== 'all' ? new Set(shownRows(table, filter)) : undefined;
  const words = find.trim().toLowerCase();
  const rows = allRows(facts).filter(
    ({ at, caseId }) => (kept?.has(at) ?? true) && (words === '' || holds(facts, caseId, words)),
  );
  return order === 'newest first' ? newestFirst(facts, rows) : rows;
}

/** What was asked last comes first; what has not been asked comes at the end, as it will be asked. */
function newestFirst(facts: GridFacts, rows: readonly CaseRow[]): CaseRow[] {
  const { trial, cells, live } = facts;
  const isAsked = ({ caseId }: CaseRow) =>
    trial.columns.some(({ id: columnId }) => {
      const name = cellName({ caseId, columnId, repeat: 1 });
      return cells.has(name) || live.has(name);
    });
  const byAsking = rows.toSorted((one, other) => one.at - other.at);
  const asked = byAsking.filter(isAsked);
  const others = new Set(asked);
  return [...asked.toReversed(), ...byAsking.filter((row) => !others.has(row))];
}

function holds({ trial, cases, cells }: GridFacts, caseId: CaseId, words: string): boolean {
  const own = cases.get(caseId);
  if (own && Object.values(own.values).some((value) => value.toLowerCase().includes(words))) return true;
  return trial.columns.some(({ id: columnId }) =>
    Array.from({ length: trial.repeats }, (_, index) => index + 1).some(
      (repeat) =>
        cells.get(cellName({ caseId, columnId, repeat }))?.head.toLowerCase().includes(words) === true,
    ),
  );
}

export interface FilterChoice {
  filter: CaseFilter;
  /** "Columns disagree". */
  label: string;
  count: number;
}

/** The filters that mean something now, each with how many cases it shows. */
export function filterChoices({
  trial,
  order,
  table,
}: Pick<GridFacts, 'trial' | 'order'> & { table: ResultTable | undefined }): FilterChoice[] {
  const all: FilterChoice = { filter: { name: 'all' }, label: 'All', count: order.length };
  if (!table) return [all];
  const baseline = Math.max(
    0,
    trial.columns.findIndex(({ id }) => id === trial.baseline),
  );
  const filters: { filter: CaseFilter; label: string }[] = [
    ...(trial.columns.length > 1
      ? [{ filter: { name: 'columns disagree' as const }, label: 'Columns disagree' }]
      : []),
    { filter: { name: 'failed', column: baseline }, label: `${letterAt(baseline)} failed` },
    { filter: { name: 'nobody passed' }, label: 'Nobody passed' },
    { filter: { name: 'no answer' }, label: 'No answer' },
    ...(trial.repeats > 1 ? [{ filter: { name: 'repeats differ' as const }, label: 'Repeats differ' }] : []),
  ];
  const rowsOf = filterOf(table);
  return [all, ...filters.map(({ filter, label }) => ({ filter, label, count: rowsOf(filter).length }))];
}

/** Rows of which columns, or repeats, disagree: they are tinted. */
export function tintedRows(table: ResultTable | undefined): Set<number> {
  if (!table) return new Set();
  const { columns, repeats } = table;
  const rowsOf = filterOf(table);
  return new Set([
    ...(columns > 1 ? rowsOf({ name: 'columns disagree' }) : []),
    ...(repeats > 1 ? rowsOf({ name: 'repeats differ' }) : []),
  ]);
}

/** The next case in this direction, after the one given, of which the columns disagree; undefined where there is none. */
export function nextDisagreement(
  facts: GridFacts,
  rows: readonly CaseRow[],
  from: CaseId | undefined,
  step: 1 | -1,
): CaseRow | undefined {
  const table = decidingTable(facts);
  const disagree = new Set(table ? shownRows(table, { name: 'columns disagree' }) : []);
  const at = rows.findIndex(({ caseId }) => caseId === from);
  const start = at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step;
  for (let next = start; next >= 0 && next < rows.length; next += step) {
    const row = rows[next];
    if (row && disagree.has(row.at)) return row;
  }
  return undefined;
}

/** The values of a case by the fields of the trial. */
export function valueOf(own: Case | undefined, field: string): string {
  return own && Object.hasOwn(own.values, field) ? (own.values[field] ?? '') : '';
}

/** A trial as CSV, one line a cell: RFC 4180 in UTF-8 with its mark, read by spreadsheets. */
import type { Metric } from '../../conversation/reply/metrics.ts';
import { formatCsvField, escapeCsvFormula } from '../../lib/text/safe-text.ts';
import { changedFrom } from '../describe-verdict.ts';
import { letterAt, type Case, type Cell, type Column, type Mark, type Trial } from '../trial.ts';

/** A cell with what only its run holds. */
export interface CsvCell {
  cell: Cell;
  case: Case;
  answer: string;
  requestId?: string;
  mark?: Mark['mark'];
}

const cellHeads = [
  'column',
  'model',
  'changed',
  'repeat',
  'tries',
  'outcome',
  'why',
  'finish_reason',
  'first_token_ms',
  'total_ms',
  'tokens_in',
  'tokens_out',
  'answer',
];

/**
 * The file line by line; every piece ends with a line break. Where `isGuarded`, texts that a spreadsheet would compute
 * have an apostrophe before them, which `unguarded` takes off again.
 */
export function* trialCsv(trial: Trial, cells: Iterable<CsvCell>, isGuarded = true): Generator<string> {
  const line = (fields: readonly (string | number | undefined)[]): string =>
    `${fields
      .map((field) => {
        if (typeof field !== 'string') return field === undefined ? '' : String(field);
        return formatCsvField(isGuarded ? escapeCsvFormula(field) : field);
      })
      .join(',')}\r\n`;
  const { fields, checks } = trial;
  yield `\uFEFF${line([
    'trial',
    'case',
    'line',
    ...fields,
    ...cellHeads,
    ...checks.map(({ name }) => name),
    ...checks.map(({ name }) => `${name}.why`),
    'mark',
    'retired',
    'run_id',
    'request_id',
  ])}`;
  const columns = columnFacts(trial);
  const retiredCases = new Set(trial.retired.caseIds);
  for (const { cell, case: own, answer, requestId, mark } of cells) {
    const column = columns.get(cell.columnId);
    const isRetired = column?.isRetired === true || retiredCases.has(cell.caseId);
    yield line([
      trial.title,
      own.id,
      own.line,
      ...fields.map((name) => (Object.hasOwn(own.values, name) ? own.values[name] : '')),
      column?.letter ?? '',
      column?.model ?? '',
      column?.changed ?? '',
      cell.repeat,
      cell.tries,
      cell.outcome,
      cell.why,
      cell.finishReason,
      cell.firstTokenMs,
      cell.totalMs,
      tokenCount(cell.tokensIn),
      tokenCount(cell.tokensOut),
      answer,
      ...checks.map(({ id }) => cell.scores[id]?.result),
      ...checks.map(({ id }) => cell.scores[id]?.why),
      mark,
      isRetired ? 'retired' : '',
      cell.runId,
      requestId,
    ]);
  }
}

interface ColumnFacts {
  letter: string;
  model: string;
  changed: string;
  isRetired: boolean;
}

/** Retired columns have no letter: another column stands in their place. */
function columnFacts({ columns, retired, baseline }: Trial): Map<string, ColumnFacts> {
  const all = [...columns, ...retired.columns];
  const base = all.find(({ id }) => id === baseline);
  const factsOf = (column: Column, index: number): ColumnFacts => ({
    letter: index < columns.length ? letterAt(index) : '',
    model: column.setup.model,
    changed: base && base !== column ? changedFrom(column, base).join('; ') : '',
    isRetired: index >= columns.length,
  });
  return new Map(all.map((column, index) => [column.id, factsOf(column, index)]));
}

function tokenCount(figure: Metric | undefined): number | undefined {
  return figure && 'value' in figure ? figure.value : undefined;
}

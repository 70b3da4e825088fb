/** Exports a trial as CSV with one line per cell: RFC 4180, UTF-8 with a byte order mark for spreadsheets. */
import type { Metric } from '../../conversation/reply/metrics.ts';
import { formatCsvField, escapeCsvFormula } from '../../lib/text/safe-text.ts';
import { describeSetupChanges } from '../setup-changes.ts';
import { getColumnLetter, type Case, type Cell, type Column, type Mark, type Trial } from '../trial.ts';

/** Cell with fields that are stored only in its run, case or mark. */
export interface CsvCell {
  cell: Cell;
  case: Case;
  answer: string;
  requestId?: string;
  mark?: Mark['mark'];
  /** Name of the gateway that the request was sent to. */
  gateway?: string;
  cost?: { amount: number; currency: string };
}

const cellHeaders = [
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
 * Yields the file line by line, each with its line break. `escapeFormulas` puts an apostrophe before texts that a
 * spreadsheet would evaluate; `unescapeCsvFormula` removes it.
 */
export function* buildTrialCsv(
  trial: Trial,
  cells: Iterable<CsvCell>,
  escapeFormulas = true,
): Generator<string> {
  const formatLine = (fields: readonly (string | number | undefined)[]): string =>
    `${fields
      .map((field) => {
        if (typeof field !== 'string') return field === undefined ? '' : String(field);
        return formatCsvField(escapeFormulas ? escapeCsvFormula(field) : field);
      })
      .join(',')}\r\n`;
  const { fields, checks } = trial;
  yield `\uFEFF${formatLine([
    'trial',
    'case',
    'line',
    ...fields,
    ...cellHeaders,
    ...checks.map(({ name }) => name),
    ...checks.map(({ name }) => `${name}.why`),
    'mark',
    'retired',
    'run_id',
    'request_id',
    'gateway',
    'cost',
    'currency',
  ])}`;
  const columns = listCsvColumns(trial);
  const retiredCases = new Set(trial.retired.caseIds);
  for (const { cell, case: testCase, answer, requestId, mark, gateway, cost } of cells) {
    const column = columns.get(cell.columnId);
    const isRetired = column?.isRetired === true || retiredCases.has(cell.caseId);
    yield formatLine([
      trial.title,
      testCase.id,
      testCase.line,
      ...fields.map((name) => (Object.hasOwn(testCase.values, name) ? testCase.values[name] : '')),
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
      getTokenCount(cell.tokensIn),
      getTokenCount(cell.tokensOut),
      answer,
      ...checks.map(({ id }) => cell.scores[id]?.result),
      ...checks.map(({ id }) => cell.scores[id]?.why),
      mark,
      isRetired ? 'retired' : '',
      cell.runId,
      requestId,
      gateway ?? column?.gateway,
      cost?.amount,
      cost?.currency,
    ]);
  }
}

interface CsvColumn {
  letter: string;
  model: string;
  gateway: string | undefined;
  changed: string;
  isRetired: boolean;
}

/** Retired columns have no letter, because their positions belong to other columns now. */
function listCsvColumns({ columns, retired, baseline }: Trial): Map<string, CsvColumn> {
  const allColumns = [...columns, ...retired.columns];
  const baselineColumn = allColumns.find(({ id }) => id === baseline);
  const toCsvColumn = (column: Column, index: number): CsvColumn => ({
    letter: index < columns.length ? getColumnLetter(index) : '',
    model: column.setup.model,
    gateway: column.setup.gateway,
    changed:
      baselineColumn && baselineColumn !== column
        ? describeSetupChanges(column, baselineColumn).join('; ')
        : '',
    isRetired: index >= columns.length,
  });
  return new Map(allColumns.map((column, index) => [column.id, toCsvColumn(column, index)]));
}

function getTokenCount(metric: Metric | undefined): number | undefined {
  return metric && 'value' in metric ? metric.value : undefined;
}

/** Exports a trial as CSV with one line per cell: RFC 4180, UTF-8 with a byte order mark for spreadsheets. */
import type { Metric } from '../../conversation/reply/metrics.ts';
import { formatCsvField, escapeCsvFormula } from '../../lib/text/safe-text.ts';
import { getCountedResult, isExcluded } from '../checks/score-answer.ts';
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
  /** States if the case counts for the deciding check. Absent without such a check and for retired cells. */
  counted?: 'yes' | 'no' | 'left out';
}

const caseHeaders = ['trial', 'case', 'line'];
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
const endHeaders = [
  'mark',
  'retired',
  'copied_from',
  'counted',
  'run_id',
  'request_id',
  'gateway',
  'cost',
  'currency',
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
  yield `\uFEFF${formatLine(listHeaders(trial))}`;
  const columns = listCsvColumns(trial);
  const retiredCases = new Set(trial.retired.caseIds);
  for (const { cell, case: testCase, answer, requestId, mark, counted, gateway, cost } of cells) {
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
      ...checks.map((check) =>
        isExcluded(check, testCase.values)
          ? 'left out'
          : getCountedResult(trial, check, cell, cell.scores[check.id]),
      ),
      ...checks.map(({ id }) => cell.scores[id]?.why),
      mark,
      isRetired ? 'retired' : '',
      column?.copiedFrom,
      isRetired ? undefined : counted,
      cell.runId,
      requestId,
      gateway ?? column?.gateway,
      cost?.amount,
      cost?.currency,
    ]);
  }
}

/** Returns the headers, each of them once: a value or a check named like another column gets a prefix. */
function listHeaders({ fields, checks }: Pick<Trial, 'fields' | 'checks'>): string[] {
  const usedNames = new Set([...caseHeaders, ...cellHeaders, ...endHeaders]);
  const toUniqueName = (prefix: string, name: string): string => {
    let uniqueName = name;
    while (usedNames.has(uniqueName)) uniqueName = `${prefix}.${uniqueName}`;
    usedNames.add(uniqueName);
    return uniqueName;
  };
  return [
    ...caseHeaders,
    ...fields.map((name) => toUniqueName('value', name)),
    ...cellHeaders,
    ...checks.map(({ name }) => toUniqueName('check', name)),
    ...checks.map(({ name }) => toUniqueName('check', `${name}.why`)),
    ...endHeaders,
  ];
}

interface CsvColumn {
  letter: string;
  model: string;
  gateway: string | undefined;
  changed: string;
  /** Trial and column that the answers were copied from. */
  copiedFrom: string | undefined;
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
    copiedFrom: column.savedAnswers && `${column.savedAnswers.title}, column ${column.savedAnswers.letter}`,
    isRetired: index >= columns.length,
  });
  return new Map(allColumns.map((column, index) => [column.id, toCsvColumn(column, index)]));
}

function getTokenCount(metric: Metric | undefined): number | undefined {
  return metric && 'value' in metric ? metric.value : undefined;
}

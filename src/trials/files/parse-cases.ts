/**
 * Parses cases from a file or from pasted text: the rows of a table, with messages as history. Unreadable lines are
 * listed and skipped; guessed choices can be changed.
 */
import { getContentText } from '../../conversation/request/request.ts';
import type { Message } from '../../gateway/wire.ts';
import { parseExactJson } from '../../lib/exact-json.ts';
import { readTable, type InvalidLine } from '../../lib/table/read-table.ts';
import { trialLimits, type Case } from '../trial.ts';
import type { CaseChoices, CaseFileResult } from './case-file-result.ts';
import { guessExpectedField } from './expected-field.ts';
import { parseHistoryMessages } from './parse-history-messages.ts';

/** Name of the value that holds the last assistant message. */
const lastAnswerField = 'expected';

/** Parses cases and guesses the choices that are not given. */
export function parseCases(
  source: string | Uint8Array,
  {
    history: requestedHistory,
    expectsLast: requestedExpectsLast,
    ...tableChoices
  }: CaseChoices & { name?: string } = {},
): CaseFileResult {
  const { columns, rows, invalidLines, ...table } = readTable(source, tableChoices);
  const historyColumns = columns.filter(
    (name, index) =>
      (name === 'messages' && table.choices.format === 'json') ||
      isHistoryColumn(rows.map(({ cells }) => cells[index])),
  );
  const history =
    requestedHistory ?? (historyColumns.includes('messages') ? 'messages' : (historyColumns[0] ?? ''));
  const historyIndex = columns.indexOf(history);
  const fields = columns.filter((_, index) => index !== historyIndex);
  const skipLine = (line: number, reason: string, text = '') =>
    invalidLines.push({ line, reason: `Line ${line} ${reason}`, text });

  const cases = rows.flatMap(({ line, cells }): Omit<Case, 'id'>[] => {
    const entries = columns.flatMap((name, index) => {
      const cell = cells[index];
      return index === historyIndex || cell === undefined ? [] : [[name, cell] as const];
    });
    const values = Object.fromEntries(entries);
    const messages = historyIndex < 0 ? '' : (cells[historyIndex] ?? '');
    if (messages.trim() === '') return [{ values, line }];
    const caseHistory = parseMessages(messages);
    if (caseHistory) return [{ values, history: caseHistory, line }];
    skipLine(line, 'has messages that cannot be read.', messages.slice(0, 80));
    return [];
  });

  const answeredCount = cases.filter(
    ({ history: caseHistory }) => findLastAnswer(caseHistory) !== undefined,
  ).length;
  const canExpectLast = answeredCount > 0;
  const isUnambiguous = answeredCount === cases.length && guessExpectedField(fields) === undefined;
  const expectsLast = canExpectLast && (requestedExpectsLast ?? isUnambiguous);
  const expectedField = fields.includes(lastAnswerField) ? `${lastAnswerField}_2` : lastAnswerField;
  const allCases = expectsLast ? cases.map((testCase) => withLastAnswer(testCase, expectedField)) : cases;
  return {
    ...table,
    choices: {
      ...table.choices,
      ...(historyColumns.length > 0 ? { history } : {}),
      ...(canExpectLast ? { expectsLast } : {}),
    },
    historyColumns,
    fields: expectsLast ? [...fields, expectedField] : fields,
    cases: allCases.filter(({ values, history: caseHistory, line = 0 }) => {
      const sizeError = getSizeError(values, caseHistory);
      if (sizeError !== undefined) skipLine(line, sizeError);
      return sizeError === undefined;
    }),
    invalidLines: invalidLines.toSorted((a: InvalidLine, b: InvalidLine) => a.line - b.line),
  };
}

const maxSampleCells = 20;

/** Returns true if the first values of the column are all lists of messages. */
function isHistoryColumn(cells: readonly (string | undefined)[]): boolean {
  const sample = cells
    .flatMap((cell) => (cell === undefined || cell.trim() === '' ? [] : [cell]))
    .slice(0, maxSampleCells);
  return (
    sample.length > 0 &&
    sample.every((cell) => cell.trimStart().startsWith('[') && parseMessages(cell) !== undefined)
  );
}

function parseMessages(cell: string): Message[] | undefined {
  const parsed = parseExactJson(cell);
  return parsed.ok ? parseHistoryMessages(parsed.value) : undefined;
}

/** Returns the text of the last message if it is from the assistant and has no tool calls. */
function findLastAnswer(messages: readonly Message[] = []): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.tool_calls || !last.content) return undefined;
  return getContentText(last.content);
}

function withLastAnswer({ values, history, ...rest }: Omit<Case, 'id'>, field: string): Omit<Case, 'id'> {
  const answer = findLastAnswer(history);
  const remainingHistory = answer === undefined ? history : history?.slice(0, -1);
  return {
    ...rest,
    values: { ...values, [field]: answer ?? '' },
    ...(remainingHistory && remainingHistory.length > 0 ? { history: remainingHistory } : {}),
  };
}

function getSizeError(values: Case['values'], history: Case['history']): string | undefined {
  const valueCount = Object.keys(values).length;
  if (valueCount > trialLimits.values) return `has ${valueCount} values; the limit is ${trialLimits.values}.`;
  const charCount = Object.values(values).reduce((sum, value) => sum + value.length, 0);
  const size = charCount + (history ? JSON.stringify(history).length : 0);
  return size > trialLimits.caseBytes ? 'is larger than 100 KB.' : undefined;
}

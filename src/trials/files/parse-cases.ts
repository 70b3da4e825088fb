/**
 * Cases from a file or from pasted text: the rows of a table, with messages as history. Lines that cannot be read are
 * listed and left out; guesses can be changed.
 */
import { getContentText } from '../../conversation/request/request.ts';
import type { Message } from '../../gateway/wire.ts';
import { parseExactJson } from '../../lib/exact-json.ts';
import { readTable, type InvalidLine } from '../../lib/table/read-table.ts';
import { limits, type Case } from '../trial.ts';
import type { CaseChoices, CaseReading } from './case-file-result.ts';
import { guessExpectedField } from './expected-field.ts';
import { readMessages } from './parse-history-messages.ts';

/** Name of the value that the last assistant message becomes. */
const lastAnswerField = 'expected';

/** Reads cases and guesses choices that are not given. */
export function readCases(
  source: string | Uint8Array,
  { history: givenHistory, expectsLast: givenExpects, ...given }: CaseChoices & { name?: string } = {},
): CaseReading {
  const { columns, rows, odd, ...table } = readTable(source, given);
  const histories = columns.filter(
    (name, at) =>
      (name === 'messages' && table.choices.format === 'json') ||
      isHistory(rows.map(({ cells }) => cells[at])),
  );
  const history = givenHistory ?? (histories.includes('messages') ? 'messages' : (histories[0] ?? ''));
  const historyAt = columns.indexOf(history);
  const fields = columns.filter((_, at) => at !== historyAt);
  const leaveOut = (line: number, why: string, text = '') =>
    odd.push({ line, reason: `Line ${line} ${why}`, text });

  const cases = rows.flatMap(({ line, cells }): Omit<Case, 'id'>[] => {
    const entries = columns.flatMap((name, at) => {
      const cell = cells[at];
      return at === historyAt || cell === undefined ? [] : [[name, cell] as const];
    });
    const values = Object.fromEntries(entries);
    const messages = historyAt < 0 ? '' : (cells[historyAt] ?? '');
    if (messages.trim() === '') return [{ values, line }];
    const earlier = parseMessages(messages);
    if (earlier) return [{ values, history: earlier, line }];
    leaveOut(line, 'has messages that cannot be read.', messages.slice(0, 80));
    return [];
  });

  const answered = cases.filter(({ history: earlier }) => findLastAnswer(earlier) !== undefined).length;
  const canExpectLast = answered > 0;
  const isClear = answered === cases.length && guessExpectedField(fields) === undefined;
  const expectsLast = canExpectLast && (givenExpects ?? isClear);
  const expected = fields.includes(lastAnswerField) ? `${lastAnswerField}_2` : lastAnswerField;
  const all = expectsLast ? cases.map((each) => withLastAnswer(each, expected)) : cases;
  return {
    ...table,
    choices: {
      ...table.choices,
      ...(histories.length > 0 ? { history } : {}),
      ...(canExpectLast ? { expectsLast } : {}),
    },
    histories,
    fields: expectsLast ? [...fields, expected] : fields,
    cases: all.filter(({ values, history: earlier, line = 0 }) => {
      const why = tooMuch(values, earlier);
      if (why !== undefined) leaveOut(line, why);
      return why === undefined;
    }),
    odd: odd.toSorted((one: InvalidLine, other: InvalidLine) => one.line - other.line),
  };
}

const maxSampleCells = 20;

/** True for a column of messages, by its first values. */
function isHistory(cells: readonly (string | undefined)[]): boolean {
  const sample = cells
    .flatMap((cell) => (cell === undefined || cell.trim() === '' ? [] : [cell]))
    .slice(0, maxSampleCells);
  return (
    sample.length > 0 &&
    sample.every((cell) => cell.trimStart().startsWith('[') && parseMessages(cell) !== undefined)
  );
}

function parseMessages(cell: string): Message[] | undefined {
  const reading = parseExactJson(cell);
  return reading.ok ? readMessages(reading.value) : undefined;
}

/** Returns the text of the last message if it is from the assistant and has no calls. */
function findLastAnswer(messages: readonly Message[] = []): string | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.tool_calls || !last.content) return undefined;
  return getContentText(last.content);
}

function withLastAnswer({ values, history, ...rest }: Omit<Case, 'id'>, field: string): Omit<Case, 'id'> {
  const answer = findLastAnswer(history);
  const earlier = answer === undefined ? history : history?.slice(0, -1);
  return {
    ...rest,
    values: { ...values, [field]: answer ?? '' },
    ...(earlier && earlier.length > 0 ? { history: earlier } : {}),
  };
}

function tooMuch(values: Case['values'], history: Case['history']): string | undefined {
  const names = Object.keys(values).length;
  if (names > limits.values) return `has ${names} values; the limit is ${limits.values}.`;
  const letters = Object.values(values).reduce((sum, value) => sum + value.length, 0);
  const size = letters + (history ? JSON.stringify(history).length : 0);
  return size > limits.caseBytes ? 'is larger than 100 KB.' : undefined;
}

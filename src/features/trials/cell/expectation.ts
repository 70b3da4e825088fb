/** Implements "Set as expected answer": turns a word of an answer into a check and the expected value of its case. */
import { parseJsonReply } from '../../../conversation/reply/json-reply-text.ts';
import { parseExactJson } from '../../../lib/exact-json.ts';
import { isJsonObject, JsonSource, type Json } from '../../../lib/json.ts';
import type { Check, Trial } from '../../../trials/trial.ts';

export interface Expectation {
  /** Field of the case that is filled in. */
  field: string;
  expectedText: string;
  /** New check; absent if a check already uses this field. */
  check?: Omit<Check, 'id'>;
}

const expectedField = 'expected';

/** Returns the changes to the trial that make this word of the answer the expected one. */
export function createExpectation(
  { checks, decides }: Pick<Trial, 'checks' | 'decides'>,
  answer: string,
  word: string,
): Expectation {
  const trimmedText = word.trim();
  const decidingCheck = checks.find(({ id }) => id === decides);
  const valueCheck = [decidingCheck, ...checks].find((check) => check?.expected && 'value' in check.expected);
  if (valueCheck?.expected && 'value' in valueCheck.expected)
    return { field: valueCheck.expected.value, expectedText: trimmedText };
  const path = findPath(answer, trimmedText);
  const isWholeAnswer = answer.trim() === trimmedText;
  return {
    field: expectedField,
    expectedText: trimmedText,
    check: {
      name: path === undefined ? (isWholeAnswer ? 'as expected' : 'holds the expected') : `right ${path}`,
      kind: path !== undefined || isWholeAnswer ? 'equals' : 'contains',
      ...(path === undefined ? {} : { field: path }),
      expected: { value: expectedField },
      settings: {},
    },
  };
}

/** Returns the path of the word if it is a value in the answer's JSON, otherwise `undefined`. */
function findPath(answer: string, word: string): string | undefined {
  const parsed = parseExactJson(parseJsonReply(answer, false, true)?.text ?? answer);
  return parsed.ok ? findValuePath(parsed.value, word, '', 0) : undefined;
}

const maxDepth = 6;

function findValuePath(value: Json, word: string, path: string, depth: number): string | undefined {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) {
      const match = findValuePath(child, word, `${path}[${index}]`, depth + 1);
      if (match !== undefined) return match;
    }
    return undefined;
  }
  if (isJsonObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const match = findValuePath(child, word, path === '' ? key : `${path}.${key}`, depth + 1);
      if (match !== undefined) return match;
    }
    return undefined;
  }
  return path !== '' && (value instanceof JsonSource ? value.text : String(value)) === word
    ? path
    : undefined;
}

/** Returns the word at this offset or, inside quotes, the complete quoted text. */
export function getWordAt(text: string, offset: number): string {
  const quoted = findQuotedText(text, offset);
  if (quoted !== undefined) return quoted;
  const isWordChar = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_.%-]/u.test(char);
  let [from, to] = [offset, offset];
  while (from > 0 && isWordChar(text[from - 1])) from -= 1;
  while (isWordChar(text[to])) to += 1;
  return text.slice(from, to).replace(/\.$/, '');
}

/** Returns the text between the quotes around this offset, on the same line; `undefined` if there are none. */
function findQuotedText(text: string, offset: number): string | undefined {
  const lineEnd = text.indexOf('\n', offset);
  const end = lineEnd === -1 ? text.length : lineEnd;
  let openIndex: number | undefined;
  for (let index = text.lastIndexOf('\n', offset - 1) + 1; index < end; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') {
      if (openIndex === undefined) {
        if (index > offset) return undefined;
        openIndex = index;
      } else if (offset <= index + 1) return text.slice(openIndex + 1, index);
      else openIndex = undefined;
    }
  }
  return undefined;
}

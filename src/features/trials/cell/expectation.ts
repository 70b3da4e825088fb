/** "Expect this": from a word of an answer to the check that looks for it and the value of the case that holds it. */
import { parseJsonReply } from '../../../conversation/reply/json-reply-text.ts';
import { parseExactJson } from '../../../lib/exact-json.ts';
import { isJsonObject, JsonSource, type Json } from '../../../lib/json.ts';
import type { Check, Trial } from '../../../trials/trial.ts';

export interface Expectation {
  /** The value of the case that is filled. */
  field: string;
  word: string;
  /** Made where no check looks at this value yet. */
  check?: Omit<Check, 'id'>;
}

const expectedField = 'expected';

/** What expecting this word of this answer means for the trial. */
export function expectationOf(
  { checks, decides }: Pick<Trial, 'checks' | 'decides'>,
  answer: string,
  word: string,
): Expectation {
  const wanted = word.trim();
  const deciding = checks.find(({ id }) => id === decides);
  const looking = [deciding, ...checks].find((check) => check?.expected && 'value' in check.expected);
  if (looking?.expected && 'value' in looking.expected)
    return { field: looking.expected.value, word: wanted };
  const path = pathTo(answer, wanted);
  const isWhole = answer.trim() === wanted;
  return {
    field: expectedField,
    word: wanted,
    check: {
      name: path === undefined ? (isWhole ? 'as expected' : 'holds the expected') : `right ${path}`,
      kind: path !== undefined || isWhole ? 'equals' : 'contains',
      ...(path === undefined ? {} : { field: path }),
      expected: { value: expectedField },
      settings: {},
    },
  };
}

/** Where the word is a value of the answer's JSON. */
function pathTo(answer: string, word: string): string | undefined {
  const reading = parseExactJson(parseJsonReply(answer, false, true)?.text ?? answer);
  return reading.ok ? search(reading.value, word, '', 0) : undefined;
}

const deepest = 6;

function search(value: Json, word: string, path: string, depth: number): string | undefined {
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      const found = search(inner, word, `${path}[${index}]`, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isJsonObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const found = search(inner, word, path === '' ? key : `${path}.${key}`, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return path !== '' && (value instanceof JsonSource ? value.text : String(value)) === word
    ? path
    : undefined;
}

/** The word around this place of the text; in quotes all that they hold. */
export function wordAt(text: string, at: number): string {
  const quoted = quotedAt(text, at);
  if (quoted !== undefined) return quoted;
  const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_.%-]/u.test(letter);
  let [from, to] = [at, at];
  while (from > 0 && isWord(text[from - 1])) from -= 1;
  while (isWord(text[to])) to += 1;
  return text.slice(from, to).replace(/\.$/, '');
}

/** What the quotes around this place hold, both on its line. Undefined where there are none. */
function quotedAt(text: string, at: number): string | undefined {
  const lineEnd = text.indexOf('\n', at);
  const end = lineEnd === -1 ? text.length : lineEnd;
  let open: number | undefined;
  for (let index = text.lastIndexOf('\n', at - 1) + 1; index < end; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === '"') {
      if (open === undefined) {
        if (index > at) return undefined;
        open = index;
      } else if (at <= index + 1) return text.slice(open + 1, index);
      else open = undefined;
    }
  }
  return undefined;
}

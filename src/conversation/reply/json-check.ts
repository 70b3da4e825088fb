/** Whether a text is JSON, as far as it has come: also while it streams, and where it stops being JSON. */
import { findToken, type JsonToken } from '../../lib/json-scan.ts';

/** open: JSON so far, not yet at its end. `at` is the offset of the first letter that cannot stand there. */
export type JsonCheck =
  | { state: 'empty' | 'open' | 'whole' }
  | { state: 'broken'; at: number; expected: string };

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const words: Record<Exclude<Expected, 'comma or end'>, string> = {
  value: 'a value',
  'value or end': 'a value or ]',
  name: 'a name in quotes',
  'name or end': 'a name in quotes or }',
  colon: ': after the name',
  nothing: 'nothing after the end',
};

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const cutNumber = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?$/;
const literals = ['true', 'false', 'null'];

/** So much of a text that streams is read and drawn with every event: what that costs must not grow with the text. */
export const mostLiveLetters = 20_000;

/** The same of a text that still streams, from its first 20,000 letters. */
export function checkLiveJson(text: string): JsonCheck {
  const check = checkJson(text.slice(0, mostLiveLetters));
  // What comes after the end of a whole text is not JSON any more, unless it is blank.
  return check.state === 'whole' && text.length > mostLiveLetters ? checkJson(text) : check;
}

/** Builds nothing: only tells whether each token may stand where it does. */
export function checkJson(text: string): JsonCheck {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  const broken = (at: number): JsonCheck => {
    const orEnd = open.at(-1) === '{' ? ', or }' : ', or ]';
    return { state: 'broken', at, expected: expected === 'comma or end' ? orEnd : words[expected] };
  };
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');

  for (let token = findToken(text, 0); token; token = findToken(text, token.end)) {
    const { kind, start, end } = token;
    const isName: boolean = expected === 'name' || expected === 'name or end';
    const isValue: boolean = expected === 'value' || expected === 'value or end';
    const top = open.at(-1);
    if (expected === 'colon' && kind === ':') {
      expected = 'value';
    } else if (expected === 'comma or end' && kind === ',') {
      expected = top === '{' ? 'name' : 'value';
    } else if (kind === (top === '{' ? '}' : ']') && expected.endsWith('end')) {
      open.pop();
      expected = afterValue();
    } else if ((isName || isValue) && (kind === 'string' || kind === 'open string')) {
      const fault = faultIn(text, token);
      if (fault) return { state: 'broken', ...fault };
      if (kind === 'open string') return { state: 'open' };
      expected = isName ? 'colon' : afterValue();
    } else if (isValue && (kind === '{' || kind === '[')) {
      open.push(kind);
      expected = kind === '{' ? 'name or end' : 'value or end';
    } else if (isValue && kind === 'word') {
      scalar.lastIndex = start;
      const scalarEnd = scalar.test(text) ? scalar.lastIndex : start;
      if (scalarEnd < end && end === text.length && mayBecomeScalar(text.slice(start)))
        return { state: 'open' };
      if (scalarEnd > start) expected = afterValue();
      if (scalarEnd < end) return broken(scalarEnd);
    } else return broken(start);
  }
  if (expected === 'nothing') return { state: 'whole' };
  return { state: open.length === 0 ? 'empty' : 'open' };
}

function mayBecomeScalar(word: string): boolean {
  return cutNumber.test(word) || literals.some((literal) => literal.startsWith(word));
}

/** The first letter that makes a string invalid. An escape that the end of the text cuts off does not. */
function faultIn(text: string, { start, end }: JsonToken): { at: number; expected: string } | undefined {
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20) return { at, expected: 'no line break or control character inside a string' };
    if (code !== 0x5c) continue;
    const escape = text.slice(at + 1, at + 6);
    if (escape.startsWith('u')) {
      if (!/^u[0-9a-fA-F]*$/.test(escape)) return { at, expected: '4 hexadecimal digits after \\u' };
      at += 5;
    } else if (/^(?:["\\/bfnrt]|$)/.test(escape)) at += 1;
    else return { at, expected: 'one of the letters "\\/bfnrtu after \\' };
  }
  return undefined;
}

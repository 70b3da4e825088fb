/** Checks incrementally whether a text is JSON, also while it streams, and finds the first invalid character. */
import { findToken, type JsonToken } from '../../lib/json-scan.ts';

/** Result of the check. `open`: valid so far but incomplete. `offset`: position of the first invalid character. */
export type JsonCheck =
  | { state: 'empty' | 'open' | 'whole' }
  | { state: 'broken'; offset: number; expected: string };

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const expectationLabels: Record<Exclude<Expected, 'comma or end'>, string> = {
  value: 'a value',
  'value or end': 'a value or ]',
  name: 'a name in quotes',
  'name or end': 'a name in quotes or }',
  colon: ': after the name',
  nothing: 'nothing after the end of the JSON',
};

const scalarPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const partialNumberPattern = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?$/;
const literals = ['true', 'false', 'null'];

/**
 * Maximum number of characters that are checked and rendered per event, so that the cost does not grow with the text.
 */
export const maxLiveChars = 20_000;

/** Checks the first 20,000 characters of a streaming text. */
export function checkLiveJson(text: string): JsonCheck {
  const check = checkJson(text.slice(0, maxLiveChars));
  // If the prefix is complete JSON, the rest may contain only white space, so the whole text is checked.
  return check.state === 'whole' && text.length > maxLiveChars ? checkJson(text) : check;
}

/** Checks the order of tokens without building a value. */
export function checkJson(text: string): JsonCheck {
  const openBrackets: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  const createBroken = (offset: number): JsonCheck => {
    const separatorLabel = openBrackets.at(-1) === '{' ? ', or }' : ', or ]';
    return {
      state: 'broken',
      offset,
      expected: expected === 'comma or end' ? separatorLabel : expectationLabels[expected],
    };
  };
  const getExpectedAfterValue = (): Expected => (openBrackets.length === 0 ? 'nothing' : 'comma or end');

  for (let token = findToken(text, 0); token; token = findToken(text, token.end)) {
    const { kind, start, end } = token;
    const isNameExpected: boolean = expected === 'name' || expected === 'name or end';
    const isValueExpected: boolean = expected === 'value' || expected === 'value or end';
    const top = openBrackets.at(-1);
    if (expected === 'colon' && kind === ':') {
      expected = 'value';
    } else if (expected === 'comma or end' && kind === ',') {
      expected = top === '{' ? 'name' : 'value';
    } else if (kind === (top === '{' ? '}' : ']') && expected.endsWith('end')) {
      openBrackets.pop();
      expected = getExpectedAfterValue();
    } else if ((isNameExpected || isValueExpected) && (kind === 'string' || kind === 'open string')) {
      const fault = findStringFault(text, token);
      if (fault) return { state: 'broken', ...fault };
      if (kind === 'open string') return { state: 'open' };
      expected = isNameExpected ? 'colon' : getExpectedAfterValue();
    } else if (isValueExpected && (kind === '{' || kind === '[')) {
      openBrackets.push(kind);
      expected = kind === '{' ? 'name or end' : 'value or end';
    } else if (isValueExpected && kind === 'word') {
      scalarPattern.lastIndex = start;
      const scalarEnd = scalarPattern.test(text) ? scalarPattern.lastIndex : start;
      if (scalarEnd < end && end === text.length && canBecomeScalar(text.slice(start)))
        return { state: 'open' };
      if (scalarEnd > start) expected = getExpectedAfterValue();
      if (scalarEnd < end) return createBroken(scalarEnd);
    } else return createBroken(start);
  }
  if (expected === 'nothing') return { state: 'whole' };
  return { state: openBrackets.length === 0 ? 'empty' : 'open' };
}

function canBecomeScalar(word: string): boolean {
  return partialNumberPattern.test(word) || literals.some((literal) => literal.startsWith(word));
}

/** Returns the offset of the first invalid character in a string. An escape cut off by the end of the text is valid. */
function findStringFault(
  text: string,
  { start, end }: JsonToken,
): { offset: number; expected: string } | undefined {
  for (let offset = start + 1; offset < end; offset += 1) {
    const code = text.charCodeAt(offset);
    if (code < 0x20) return { offset, expected: 'no line break or control character inside a string' };
    if (code !== 0x5c) continue;
    const escape = text.slice(offset + 1, offset + 6);
    if (escape.startsWith('u')) {
      if (!/^u[0-9a-fA-F]*$/.test(escape)) return { offset, expected: '4 hexadecimal digits after \\u' };
      offset += 5;
    } else if (/^(?:["\\/bfnrt]|$)/.test(escape)) offset += 1;
    else return { offset, expected: 'one of the letters "\\/bfnrtu after \\' };
  }
  return undefined;
}

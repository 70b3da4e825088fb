/** Whether a text is JSON, as far as it has come: also while it streams, and where it stops being JSON. */

/** open: JSON so far, not yet at its end. `at` is the offset of the first letter that cannot stand there. */
export type JsonCheck =
  | { state: 'empty' | 'open' | 'whole' }
  | { state: 'broken'; at: number; expected: string };

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

const words: Record<Expected, string> = {
  value: 'a value',
  'value or end': 'a value or ]',
  name: 'a name in quotes',
  'name or end': 'a name in quotes or }',
  colon: ': after the name',
  'comma or end': ', or the end of the list or object',
  nothing: 'nothing after the end',
};

const literals = ['true', 'false', 'null'];
const wholeNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const cutNumber = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?)?$/y;

/** Looks at every letter once and builds nothing. */
export function checkJson(text: string): JsonCheck {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const broken = (place = at, what = words[expected]): JsonCheck => ({
    state: 'broken',
    at: place,
    expected: what,
  });
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');

  while (at < text.length) {
    const letter = text.charAt(at);
    if (letter === ' ' || letter === '\n' || letter === '\r' || letter === '\t') {
      at += 1;
      continue;
    }
    const top = open.at(-1);
    if (expected === 'nothing') return broken();
    if (expected === 'colon') {
      if (letter !== ':') return broken();
      expected = 'value';
      at += 1;
      continue;
    }
    if (expected === 'comma or end') {
      if (letter === ',') expected = top === '{' ? 'name' : 'value';
      else if (letter === (top === '{' ? '}' : ']')) {
        open.pop();
        expected = afterValue();
      } else return broken(at, top === '{' ? ', or }' : ', or ]');
      at += 1;
      continue;
    }
    if ((expected === 'name or end' && letter === '}') || (expected === 'value or end' && letter === ']')) {
      open.pop();
      expected = afterValue();
      at += 1;
      continue;
    }
    if (letter === '"') {
      const end = endOfString(text, at);
      if (end === 'open') return { state: 'open' };
      if (typeof end === 'object') return broken(end.at, end.expected);
      expected = expected === 'name' || expected === 'name or end' ? 'colon' : afterValue();
      at = end;
      continue;
    }
    if (expected === 'name' || expected === 'name or end') return broken();
    if (letter === '{' || letter === '[') {
      open.push(letter);
      expected = letter === '{' ? 'name or end' : 'value or end';
      at += 1;
      continue;
    }
    const end = endOfScalar(text, at);
    if (end === 'open') return { state: 'open' };
    if (end === undefined) return broken();
    expected = afterValue();
    at = end;
  }
  if (expected === 'nothing') return { state: 'whole' };
  return { state: open.length === 0 ? 'empty' : 'open' };
}

/** The offset after the closing quote. */
function endOfString(text: string, start: number): number | 'open' | { at: number; expected: string } {
  for (let at = start + 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (letter === '"') return at + 1;
    if (letter < ' ') return { at, expected: 'no line break or control character inside a string' };
    if (letter !== '\\') continue;
    const rest = text.slice(at + 1, at + 6);
    if (rest === '') return 'open';
    if (rest.startsWith('u')) {
      const hex = /^u[0-9a-f]*/i.exec(rest)?.[0] ?? '';
      if (hex.length < 5)
        return rest.length === hex.length ? 'open' : { at, expected: '4 hexadecimal digits after \\u' };
      at += 5;
    } else if (/^["\\/bfnrt]/.test(rest)) at += 1;
    else return { at, expected: 'one of the letters "\\/bfnrtu after \\' };
  }
  return 'open';
}

/** The offset after a number or keyword; `open` where the text ends inside it. */
function endOfScalar(text: string, at: number): number | 'open' | undefined {
  const literal = literals.find((each) => each.startsWith(text.charAt(at)));
  if (literal) {
    const found = text.slice(at, at + literal.length);
    if (found === literal) return at + literal.length;
    return literal.startsWith(found) && at + found.length === text.length ? 'open' : undefined;
  }
  cutNumber.lastIndex = at;
  wholeNumber.lastIndex = at;
  const whole = wholeNumber.exec(text)?.[0];
  const isCut = cutNumber.test(text);
  if (whole !== undefined && (!isCut || at + whole.length === text.length)) return at + whole.length;
  return isCut ? 'open' : undefined;
}

/** Line and column of an offset, from 1. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: at - lineStart + 1 };
}

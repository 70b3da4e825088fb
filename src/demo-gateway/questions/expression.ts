/** Reads arithmetic from text: numbers, signs and words such as "times" or "percent of". */
import { rationalOf, type Rational } from './rational.ts';

export type Operator = '+' | '-' | '×' | '÷' | 'mod' | '^';

export type Expression =
  | { type: 'number'; value: Rational }
  | { type: 'negative'; of: Expression }
  | { type: 'percent'; of: Expression }
  | { type: 'root'; of: Expression; degree: 2 | 3 }
  | { type: 'factorial'; of: Expression }
  | { type: 'parentheses'; of: Expression }
  | { type: 'operation'; operator: Operator; left: Expression; right: Expression };

type Sign = Operator | '(' | ')' | '%' | '!' | 'of' | 'square root' | 'cube root';
type Token = { type: 'number'; value: Rational } | { type: 'sign'; sign: Sign };

/** Words and signs in the spelling that the tokens have. Longer ones first, as they are tried in this order. */
const spellings: readonly [RegExp, string][] = [
  [/(?:the )?square root of|sqrt|√/giu, ' square_root '],
  [/(?:the )?(?:cube|cubic|third) root of|cbrt|∛/giu, ' cube_root '],
  [/(?:raised )?to the power (?:of)?|\*\*/giu, ' ^ '],
  [/\bmultiplied (?:by|with)\b|\btimes\b/giu, ' × '],
  [/\bdivided by\b|\bover\b/giu, ' ÷ '],
  [/\bplus\b|\badded to\b/giu, ' + '],
  [/\bminus\b|\bless\b/giu, ' - '],
  [/\bmod(?:ulo)?\b/giu, ' mod '],
  [/\bper ?cent\b|％/giu, ' % '],
  [/\bfactorial\b/giu, ' ! '],
  [/\bsquared\b|²/giu, ' ^2 '],
  [/\bcubed\b|³/giu, ' ^3 '],
  [/\bhalf of\b/giu, ' 0.5 of '],
  [/\ba quarter of\b/giu, ' 0.25 of '],
  [/\b(?:double|twice)\b/giu, ' 2 × '],
  [/[*·⋅∙]|(?<=[\d)]\s{0,9})[x](?=\s{0,9}[\d(.])/giu, ' × '],
  [/[/∕](?=\s{0,9}[-\d(.√])|÷/gu, ' ÷ '],
  [/[−–]/gu, '-'],
  [/[$€£]/gu, ''],
];

const smallNumbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const numberWord = new RegExp(
  `\\b(?:(${tens.join('|')})(?:[- ](${smallNumbers.slice(1, 10).join('|')}))?|(${smallNumbers.join('|')}))\\b`,
  'giu',
);

function withNumbers(text: string): string {
  return text.replace(numberWord, (_, ten?: string, one?: string, small?: string) => {
    const value =
      small === undefined
        ? (tens.indexOf(ten?.toLowerCase() ?? '') + 2) * 10 +
          Math.max(0, smallNumbers.indexOf(one?.toLowerCase() ?? ''))
        : smallNumbers.indexOf(small.toLowerCase());
    return String(value);
  });
}

/** "the sum of 3, 4 and 5" as "(3 + 4 + 5)", and the other ways to name an operation before its numbers. */
function withNamedOperations(text: string): string {
  const number = String.raw`(-?[\d.]+ ?%?)`;
  const list = String.raw`((?:-?[\d.]+,? (?:and )?)*-?[\d.]*\d)`;
  const joined = (operator: string) => (_: string, numbers: string) =>
    `(${numbers
      .split(/,? and |, ?| /)
      .filter(Boolean)
      .join(` ${operator} `)})`;
  return text
    .replace(new RegExp(`(?:the )?sum of ${list}`, 'giu'), joined('+'))
    .replace(new RegExp(`(?:the )?product of ${list}`, 'giu'), joined('×'))
    .replace(new RegExp(`(?:the )?difference (?:between|of) ${number} and ${number}`, 'giu'), '($1 - $2)')
    .replace(new RegExp(`(?:the )?quotient of ${number} and ${number}`, 'giu'), '($1 ÷ $2)')
    .replace(new RegExp(`\\badd ${number} (?:and|to) ${number}`, 'giu'), '($1 + $2)')
    .replace(new RegExp(`\\bsubtract ${number} from ${number}`, 'giu'), '($2 - $1)')
    .replace(
      new RegExp(`\\b(?:multiply|divide) ${number} by ${number}`, 'giu'),
      (whole, left: string, right: string) => `(${left} ${/^m/iu.test(whole) ? '×' : '÷'} ${right})`,
    )
    .replace(new RegExp(`\\bincrease ${number} by ${number}`, 'giu'), '($1 + $2)')
    .replace(new RegExp(`\\b(?:decrease|reduce) ${number} by ${number}`, 'giu'), '($1 - $2)')
    .replace(new RegExp(`\\bwhat (?:%|percentage) of ${number} is ${number}`, 'giu'), '($2 ÷ $1 × 100)')
    .replace(new RegExp(`${number} is what (?:%|percentage) of ${number}`, 'giu'), '($1 ÷ $2 × 100)')
    .replace(new RegExp(`${number} as (?:a )?(?:%|percentage) of ${number}`, 'giu'), '($1 ÷ $2 × 100)');
}

/**
 * The expressions in a text, in order: each a run of numbers and signs with at least one operation.
 * A run that does not read as an expression is left out.
 */
export function expressionsIn(text: string): Expression[] {
  const plain = withNumbers(text)
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replace(/\bper ?cent\b/giu, '%')
    .replace(/\s+/g, ' ');
  let spelled = withNamedOperations(plain);
  for (const [spelling, sign] of spellings) spelled = spelled.replace(spelling, sign);
  return runsOf(spelled).flatMap((tokens) => {
    const expression = readTokens(tokens);
    return expression === undefined || !hasOperation(expression) ? [] : [expression];
  });
}

const tokenPattern = /(\d+(?:\.\d+)?|\.\d+)|(square_root|cube_root|\bmod\b|\bof\b|[-+×÷^()%!])|\S/giu;

/** Numbers and signs in one expression: bounds how deep the reader calls itself. */
const longestRun = 600;

/** The text cut at everything that is neither number nor sign. */
function runsOf(text: string): Token[][] {
  const runs: Token[][] = [[]];
  for (const [, number, written] of text.matchAll(tokenPattern)) {
    const run = runs.at(-1) ?? [];
    const sign = signs.get(written?.toLowerCase() ?? '');
    if (number !== undefined) run.push({ type: 'number', value: rationalOf(number) });
    else if (sign !== undefined) run.push({ type: 'sign', sign });
    else if (run.length > 0) runs.push([]);
  }
  return runs.map(trimmed).filter((run) => run.length > 0 && run.length <= longestRun);
}

const signs = new Map<string, Sign>([
  ['square_root', 'square root'],
  ['cube_root', 'cube root'],
  ...(['mod', 'of', '+', '-', '×', '÷', '^', '(', ')', '%', '!'] as const).map((sign): [string, Sign] => [
    sign,
    sign,
  ]),
]);

/** Without signs at the ends that belong to the sentence: "of", and marks that nothing follows. */
function trimmed(run: readonly Token[]): Token[] {
  const isEdge = (token: Token | undefined, edges: readonly string[]) =>
    token?.type === 'sign' && edges.includes(token.sign);
  let start = 0;
  let end = run.length;
  while (isEdge(run[start], ['of', ')', '%', '!', '×', '÷', '^', 'mod'])) start += 1;
  while (end > start && isEdge(run[end - 1], ['of', '(', '+', '-', '×', '÷', '^', 'mod'])) end -= 1;
  return run.slice(start, end);
}

function hasOperation(expression: Expression): boolean {
  if (expression.type === 'number') return false;
  if (expression.type === 'parentheses' || expression.type === 'negative') return hasOperation(expression.of);
  return true;
}

/** Powers bind tightest and to the right, then a sign before a number, then × ÷ mod, then + and -. */
function readTokens(tokens: readonly Token[]): Expression | undefined {
  let at = 0;
  const isAt = (...wanted: string[]) => {
    const token = tokens[at];
    return token?.type === 'sign' && wanted.includes(token.sign) ? token.sign : undefined;
  };
  const startsOperand = () =>
    tokens[at]?.type === 'number' || isAt('(', 'square root', 'cube root') !== undefined;

  function readSum(): Expression | undefined {
    let left = readProduct();
    for (let sign = isAt('+', '-'); sign !== undefined && left; sign = isAt('+', '-')) {
      at += 1;
      const right = readProduct();
      left = right && { type: 'operation', operator: sign === '+' ? '+' : '-', left, right };
    }
    return left;
  }

  function readProduct(): Expression | undefined {
    let left = readSigned();
    while (left) {
      const sign = isAt('×', '÷', 'mod', 'of');
      // "2(3 + 4)" multiplies without a sign.
      if (sign === undefined && isAt('(', 'square root', 'cube root') === undefined) return left;
      if (sign !== undefined) at += 1;
      const operator: Operator = sign === '÷' ? '÷' : sign === 'mod' ? 'mod' : '×';
      const right = readSigned();
      left = right && { type: 'operation', operator, left, right };
    }
    return left;
  }

  function readSigned(): Expression | undefined {
    const sign = isAt('-', '+');
    if (sign === undefined) return readPower();
    at += 1;
    const of = readSigned();
    return of && (sign === '-' ? { type: 'negative', of } : of);
  }

  function readPower(): Expression | undefined {
    const left = readMarked();
    if (!left || isAt('^') === undefined) return left;
    at += 1;
    const right = readSigned();
    return right && { type: 'operation', operator: '^', left, right };
  }

  function readMarked(): Expression | undefined {
    let operand = readOperand();
    while (operand) {
      if (isAt('!') !== undefined) operand = { type: 'factorial', of: operand };
      else if (isAt('%') !== undefined) {
        at += 1;
        // "17 % 5" asks for the remainder, "17% of 5" and "17% + 5" do not.
        if (startsOperand()) {
          const right = readMarked();
          return right && { type: 'operation', operator: 'mod', left: operand, right };
        }
        operand = { type: 'percent', of: operand };
        continue;
      } else return operand;
      at += 1;
    }
    return operand;
  }

  function readOperand(): Expression | undefined {
    const token = tokens[at];
    at += 1;
    if (token === undefined) return undefined;
    if (token.type === 'number') return { type: 'number', value: token.value };
    if (token.sign === 'square root' || token.sign === 'cube root') {
      const of = isAt('-') === undefined ? readMarked() : readSigned();
      return of && { type: 'root', of, degree: token.sign === 'square root' ? 2 : 3 };
    }
    if (token.sign !== '(') return undefined;
    const of = readSum();
    if (!of || isAt(')') === undefined) return undefined;
    at += 1;
    return { type: 'parentheses', of };
  }

  const expression = readSum();
  return at === tokens.length ? expression : undefined;
}

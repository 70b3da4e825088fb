/** Works an expression out exactly and writes down each step. */
import type { Expression, Operator } from './expression.ts';
import {
  dividedBy,
  floorOf,
  grouped,
  isWhole,
  minus,
  negative,
  plus,
  rational,
  rootOf,
  rounded,
  times,
  toThePower,
  written,
  type Rational,
} from './rational.ts';

/** The steps as far as they went, and the value or the sentence that says why there is none. */
export type Working = { steps: string[] } & ({ value: Rational } | { problem: string });

/** Bounds that keep numbers readable and the work short. */
const longestPower = 10_000n;
const mostDigits = 2000;
const largestFactorial = 500n;

/** Each operation as one step, innermost first. */
export function workOut(expression: Expression): Working {
  const steps: string[] = [];
  const result = valueOf(expression, steps);
  return typeof result === 'string' ? { steps, problem: result } : { steps, value: result };
}

/** A value, or the sentence that says why there is none. */
type Result = Rational | string;

function valueOf(expression: Expression, steps: string[]): Result {
  if (expression.type === 'number') return expression.value;
  if (expression.type === 'operation') return operationValue(expression, steps);
  const of = valueOf(expression.of, steps);
  if (typeof of === 'string' || expression.type === 'parentheses') return of;
  if (expression.type === 'negative') return negative(of);
  if (expression.type === 'root') return rootValue(of, expression.degree, steps);
  if (expression.type === 'factorial') return factorialValue(of, steps);
  const share = dividedBy(of, rational(100n));
  steps.push(`${written(of)}% is ${written(of)} ÷ 100 = ${written(share)}`);
  return share;
}

function operationValue(
  { operator, left, right }: Extract<Expression, { type: 'operation' }>,
  steps: string[],
): Result {
  const leftValue = valueOf(left, steps);
  if (typeof leftValue === 'string') return leftValue;
  // "200 - 10%" takes 10% of the 200 away.
  if (right.type === 'percent' && (operator === '+' || operator === '-')) {
    const percent = valueOf(right.of, steps);
    if (typeof percent === 'string') return percent;
    const part = dividedBy(times(leftValue, percent), rational(100n));
    steps.push(`${written(percent)}% of ${written(leftValue)} = ${written(part)}`);
    return calculated(operator, leftValue, part, steps);
  }
  const rightValue = valueOf(right, steps);
  return typeof rightValue === 'string' ? rightValue : calculated(operator, leftValue, rightValue, steps);
}

function calculated(operator: Operator, left: Rational, right: Rational, steps: string[]): Result {
  const value = resultOf(operator, left, right);
  if (typeof value === 'string') return value;
  if (operator === '×') steps.push(...partialProducts(left, right));
  const sign = operator === '^' ? '^' : ` ${operator} `;
  steps.push(`${operand(left)}${sign}${operand(right)} = ${written(value)}`);
  return value;
}

function resultOf(operator: Operator, left: Rational, right: Rational): Result {
  switch (operator) {
    case '+':
      return plus(left, right);
    case '-':
      return minus(left, right);
    case '×':
      return times(left, right);
    case '÷':
      return right.over === 0n ? 'Division by zero has no result.' : dividedBy(left, right);
    case 'mod':
      if (right.over === 0n) return 'A remainder of a division by zero does not exist.';
      return minus(left, times(right, rational(floorOf(dividedBy(left, right)))));
    case '^':
      return powerOf(left, right);
  }
}

function powerOf(base: Rational, exponent: Rational): Result {
  if (!isWhole(exponent)) {
    const root = exponent.under <= 16n ? rootOf(base, Number(exponent.under)) : undefined;
    return root === undefined
      ? notAFraction(`${operand(base)}^${operand(exponent)}`, approximatePower(base, exponent))
      : powerOf(root, rational(exponent.over));
  }
  const size = exponent.over < 0n ? -exponent.over : exponent.over;
  const digits = Math.max(String(base.over).length, String(base.under).length);
  const isSmall = base.under === 1n && base.over >= -1n && base.over <= 1n;
  if (!isSmall && (size > longestPower || Number(size) * digits > 4 * mostDigits)) {
    return `${operand(base)}^${operand(exponent)} has too many digits to write down.`;
  }
  return (
    toThePower(base, isSmall ? (exponent.over % 2n) + (exponent.over === 0n ? 0n : 2n) : exponent.over) ??
    'Zero to a negative power has no result.'
  );
}

function approximatePower(base: Rational, exponent: Rational): number {
  return numberOf(base) ** numberOf(exponent);
}

function numberOf(value: Rational): number {
  return Number(rounded(value, 20).replaceAll(',', ''));
}

function notAFraction(what: string, about: number): string {
  const hint = Number.isFinite(about) ? ` It is about ${Number(about.toPrecision(12))}.` : '';
  return `${what} is not a fraction, and I calculate with fractions only.${hint}`;
}

function rootValue(of: Rational, degree: 2 | 3, steps: string[]): Result {
  const name = degree === 2 ? 'square root' : 'cube root';
  if (of.over < 0n && degree === 2) return `The square root of ${written(of)} is not a real number.`;
  const root = of.over < 0n ? rootOf(negative(of), degree) : rootOf(of, degree);
  if (root === undefined) {
    return notAFraction(
      `The ${name} of ${written(of)}`,
      degree === 2 ? Math.sqrt(numberOf(of)) : Math.cbrt(numberOf(of)),
    );
  }
  const value = of.over < 0n ? negative(root) : root;
  steps.push(
    `${operand(value)}^${degree} = ${written(of)}, so the ${name} of ${written(of)} is ${written(value)}`,
  );
  return value;
}

function factorialValue(of: Rational, steps: string[]): Result {
  if (!isWhole(of) || of.over < 0n)
    return `${written(of)}! does not exist: factorials are for whole numbers from 0 up.`;
  if (of.over > largestFactorial) return `${written(of)}! has too many digits to write down.`;
  let product = 1n;
  for (let factor = 2n; factor <= of.over; factor += 1n) {
    product *= factor;
    steps.push(`${grouped(factor)}! = ${grouped(product)}`);
  }
  return rational(product);
}

/** A product of two whole numbers of several digits, place by place, as one would on paper. */
function partialProducts(left: Rational, right: Rational): string[] {
  if (!isWhole(left) || !isWhole(right) || left.over < 10n || right.over < 10n || right.over > 99_999n)
    return [];
  const places = Array.from(String(right.over)).map(
    (digit, index, all) => BigInt(digit) * 10n ** BigInt(all.length - 1 - index),
  );
  const parts = places.filter((place) => place !== 0n);
  if (parts.length < 2) return [];
  const products = parts.map((part) => left.over * part);
  return [
    ...parts.map(
      (part, index) => `${grouped(left.over)} × ${grouped(part)} = ${grouped(products[index] ?? 0n)}`,
    ),
    `${products.map(grouped).join(' + ')} = ${grouped(left.over * right.over)}`,
  ];
}

/** A value as written in an operation: negative numbers and fractions in parentheses. */
function operand(value: Rational): string {
  const text = written(value);
  return value.over < 0n || text.includes('/') ? `(${text})` : text;
}

/** The expression as it was understood. */
export function expressionText(expression: Expression): string {
  switch (expression.type) {
    case 'number':
      return written(expression.value);
    case 'parentheses':
      return `(${expressionText(expression.of)})`;
    case 'negative':
      return `-${expressionText(expression.of)}`;
    case 'percent':
      return `${expressionText(expression.of)}%`;
    case 'factorial':
      return `${expressionText(expression.of)}!`;
    case 'root':
      return `${expression.degree === 2 ? '√' : '∛'}${expressionText(expression.of)}`;
    case 'operation': {
      const { operator, left, right } = expression;
      const sign = operator === '×' && left.type === 'percent' ? 'of' : operator;
      const between = operator === '^' ? '^' : ` ${sign} `;
      return `${expressionText(left)}${between}${expressionText(right)}`;
    }
  }
}

/** The value for people: decimals where they end, else the fraction, the mixed number and the rounded decimal. */
export function valueText(value: Rational): string {
  const text = written(value);
  if (!text.includes('/')) return text;
  const whole = value.over / value.under;
  const rest = {
    over: value.over < 0n ? -(value.over % value.under) : value.over % value.under,
    under: value.under,
  };
  const mixed = whole === 0n ? '' : ` = ${grouped(whole)} ${written(rest)}`;
  return `${text}${mixed}, about ${rounded(value, 10)}`;
}

import { withoutEnd } from '../../lib/trim.ts';

/** Exact numbers: a whole number over a whole number, in lowest terms, the sign above. */
export interface Rational {
  over: bigint;
  under: bigint;
}

/** Exactly over / under. `under` must not be 0. */
export function rational(over: bigint, under = 1n): Rational {
  const sign = under < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(over < 0n ? -over : over, under < 0n ? -under : under);
  return { over: (sign * over) / divisor, under: (sign * under) / divisor };
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [larger, smaller] = [left, right];
  while (smaller > 0n) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

/** A decimal such as 12.50 or .5, exactly. */
export function rationalOf(decimal: string): Rational {
  const [whole = '', fraction = ''] = decimal.split('.');
  return rational(BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length));
}

export function plus(left: Rational, right: Rational): Rational {
  return rational(left.over * right.under + right.over * left.under, left.under * right.under);
}

export function minus(left: Rational, right: Rational): Rational {
  return plus(left, negative(right));
}

export function times(left: Rational, right: Rational): Rational {
  return rational(left.over * right.over, left.under * right.under);
}

/** `right` must not be 0. */
export function dividedBy(left: Rational, right: Rational): Rational {
  return rational(left.over * right.under, left.under * right.over);
}

export function negative({ over, under }: Rational): Rational {
  return { over: -over, under };
}

export function isWhole({ under }: Rational): boolean {
  return under === 1n;
}

/** The largest whole number that is not above the value. */
export function floorOf({ over, under }: Rational): bigint {
  return over < 0n ? (over - under + 1n) / under : over / under;
}

/** The value to a whole power; 0 to a negative power has no value. */
export function toThePower(base: Rational, exponent: bigint): Rational | undefined {
  if (exponent >= 0n) return { over: base.over ** exponent, under: base.under ** exponent };
  return base.over === 0n ? undefined : rational(base.under ** -exponent, base.over ** -exponent);
}

/** The exact root of this degree, if it is a fraction. */
export function rootOf({ over, under }: Rational, degree: number): Rational | undefined {
  if (over < 0n) return undefined;
  const above = wholeRoot(over, degree);
  const below = wholeRoot(under, degree);
  return above === undefined || below === undefined ? undefined : rational(above, below);
}

function wholeRoot(value: bigint, degree: number): bigint | undefined {
  if (value < 2n) return value;
  const power = BigInt(degree);
  let low = 1n;
  let high = 1n << BigInt(Math.ceil(value.toString(2).length / degree));
  while (low <= high) {
    const middle = (low + high) / 2n;
    const raised = middle ** power;
    if (raised === value) return middle;
    if (raised < value) low = middle + 1n;
    else high = middle - 1n;
  }
  return undefined;
}

const longestDecimal = 30;

/** 1,234.5 where the decimals end within 30 places, else a fraction such as 10/3. */
export function written(value: Rational): string {
  return decimalOf(value) ?? `${grouped(value.over)}/${grouped(value.under)}`;
}

function decimalOf({ over, under }: Rational): string | undefined {
  let places = 0;
  let power = 1n;
  while (power % under !== 0n) {
    if (places === longestDecimal) return undefined;
    places += 1;
    power *= 10n;
  }
  return pointed(over * (power / under), places);
}

/** The value rounded to this many decimal places, half away from zero. */
export function rounded({ over, under }: Rational, places: number): string {
  const scaled = (over < 0n ? -over : over) * 10n ** BigInt(places) * 2n + under;
  const digits = scaled / (2n * under);
  return pointed(over < 0n ? -digits : digits, places);
}

function pointed(digits: bigint, places: number): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0');
  const whole = text.slice(0, text.length - places);
  const fraction = withoutEnd(text.slice(text.length - places), '0');
  return `${sign}${grouped(BigInt(whole))}${fraction === '' ? '' : `.${fraction}`}`;
}

/** A whole number with a comma between thousands. */
export function grouped(value: bigint): string {
  return value.toLocaleString('en');
}

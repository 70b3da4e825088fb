/** Numbers as the digits they are written with: compared without rounding, at any length and exponent. */
import { withoutEnd, withoutStart } from './trim.ts';

interface Decimal {
  sign: -1 | 0 | 1;
  /** Without zeros at either end. */
  digits: string;
  /** Digits before the point; negative for zeros behind it. */
  exponent: number;
}

const decimal = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

/** Compares two numbers of JSON or of text by value: 1.0 equals 1, and 9007199254740993 exceeds 9007199254740992. */
export function compareDecimals(one: string, other: string): number {
  const [a, b] = [parseDecimal(one), parseDecimal(other)];
  if (a.sign !== b.sign) return Math.sign(a.sign - b.sign);
  if (a.exponent !== b.exponent) return a.sign * Math.sign(a.exponent - b.exponent);
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}

/** Computes the distance between two numbers, rounded once; from doubles if one has more than 10,000 digits. */
export function computeDistance(one: string, other: string): number {
  if (compareDecimals(one, other) === 0) return 0;
  const both = [parseDecimal(one), parseDecimal(other)];
  const places = Math.max(0, ...both.map(({ digits, exponent }) => digits.length - exponent));
  if (places > maxPlaces || both.some(({ exponent }) => exponent > maxPlaces)) {
    const distance = Math.abs(Number(one) - Number(other));
    return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
  }
  const [a = 0n, b = 0n] = both.map(({ sign, digits, exponent }) =>
    sign === 0 ? 0n : BigInt(sign) * BigInt(digits.padEnd(exponent + places, '0')),
  );
  return Number(`${a > b ? a - b : b - a}e-${places}`);
}

const maxPlaces = 10_000;

function parseDecimal(text: string): Decimal {
  const [, minus, whole = '', fraction = '', power = '0'] = decimal.exec(text) ?? [];
  const all = `${whole}${fraction}`;
  const significant = withoutStart(all, '0');
  const digits = withoutEnd(significant, '0');
  if (digits === '') return { sign: 0, digits, exponent: 0 };
  const exponent = Number(power) + whole.length - (all.length - significant.length);
  return { sign: minus === '-' ? -1 : 1, digits, exponent };
}

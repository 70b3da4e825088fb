/** Compares decimal numbers as text without rounding, at any length and exponent. */
import { trimEndChars, trimStartChars } from './trim.ts';

interface Decimal {
  sign: -1 | 0 | 1;
  /** Digits without leading and trailing zeros. */
  digits: string;
  /** Number of digits before the decimal point; negative for leading zeros after it. */
  exponent: number;
}

const decimalPattern = /^([-+]?)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i;

/** Compares two numbers from JSON or text by value: 1.0 equals 1, and 9007199254740993 exceeds 9007199254740992. */
export function compareDecimals(left: string, right: string): number {
  const [a, b] = [parseDecimal(left), parseDecimal(right)];
  if (a.sign !== b.sign) return Math.sign(a.sign - b.sign);
  if (a.exponent !== b.exponent) return a.sign * Math.sign(a.exponent - b.exponent);
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -a.sign : a.sign;
}

/**
 * Computes the distance between two numbers, rounded once. Numbers with more than 10,000 digits are compared as
 * doubles.
 */
export function computeDistance(left: string, right: string): number {
  if (compareDecimals(left, right) === 0) return 0;
  const decimals = [parseDecimal(left), parseDecimal(right)];
  const fractionDigits = Math.max(0, ...decimals.map(({ digits, exponent }) => digits.length - exponent));
  if (fractionDigits > maxDigits || decimals.some(({ exponent }) => exponent > maxDigits)) {
    const distance = Math.abs(Number(left) - Number(right));
    return Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
  }
  const [a = 0n, b = 0n] = decimals.map(({ sign, digits, exponent }) =>
    sign === 0 ? 0n : BigInt(sign) * BigInt(digits.padEnd(exponent + fractionDigits, '0')),
  );
  return Number(`${a > b ? a - b : b - a}e-${fractionDigits}`);
}

const maxDigits = 10_000;

function parseDecimal(text: string): Decimal {
  const [, signText, integerPart = '', fraction = '', power = '0'] = decimalPattern.exec(text) ?? [];
  const allDigits = `${integerPart}${fraction}`;
  const significant = trimStartChars(allDigits, '0');
  const digits = trimEndChars(significant, '0');
  if (digits === '') return { sign: 0, digits, exponent: 0 };
  const exponent = Number(power) + integerPart.length - (allDigits.length - significant.length);
  return { sign: signText === '-' ? -1 : 1, digits, exponent };
}

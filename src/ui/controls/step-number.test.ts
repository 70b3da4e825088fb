import { expect, it } from 'vitest';

import { stepNumber } from './step-number.ts';

const tenths = { step: 0.1, min: 0, max: 2 };

it('steps numbers without binary rounding errors', () => {
  expect(stepNumber(0.2, 'ArrowUp', false, tenths)).toBe(0.3);
  expect(stepNumber(0.3, 'ArrowDown', false, tenths)).toBe(0.2);
  expect(stepNumber(0.7, 'ArrowUp', false, tenths)).toBe(0.8);
});

it('steps numbers by ten steps with Shift and in large steps with the Page keys', () => {
  expect(stepNumber(0.5, 'ArrowUp', true, tenths)).toBe(1.5);
  expect(stepNumber(0.5, 'PageUp', false, tenths)).toBe(1.5);
  expect(stepNumber(0.5, 'PageUp', false, { ...tenths, largeStep: 0.2 })).toBe(0.7);
});

it('keeps a number within its range when stepping', () => {
  expect(stepNumber(1.95, 'ArrowUp', false, tenths)).toBe(2);
  expect(stepNumber(0.4, 'PageDown', false, tenths)).toBe(0);
  expect(stepNumber(64, 'ArrowUp', false, { step: 128, min: 128 })).toBe(192);
});

it('keeps every digit of whole numbers and does not step numbers that doubles cannot represent exactly', () => {
  expect(stepNumber(1234567890123456, 'ArrowUp', false, { step: 1 })).toBe(1234567890123457);
  expect(stepNumber(Number('12345678901234567890'), 'ArrowUp', false, { step: 1 })).toBeUndefined();
});

it('returns undefined for keys that do not step a number', () => {
  expect(stepNumber(1, '5', false, tenths)).toBeUndefined();
  expect(stepNumber(1, 'ArrowLeft', false, tenths)).toBeUndefined();
});

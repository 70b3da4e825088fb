import { expect, it } from 'vitest';

import { carelessReading } from './careless-client.ts';

const base64 = (numbers: Float32Array | Float64Array) => Buffer.from(numbers.buffer).toString('base64');

it('is right about float32 in base64', () => {
  expect(carelessReading(base64(Float32Array.of(0.5, -0.25)))).toEqual({
    numbers: 2,
    head: [0.5, -0.25],
    areZero: false,
    areWild: false,
  });
});

it('makes zeros of a list, a quarter as many, and says nothing', () => {
  const list = Array.from({ length: 768 }, (_, index) => Math.sin(index) / 28);
  expect(carelessReading(list)).toMatchObject({ numbers: 192, head: [0, 0, 0, 0], areZero: true });
});

it('takes each number of a list for a byte', () => {
  const bytes = [...new Uint8Array(Float32Array.of(0.5, -3e6).buffer)];
  const list = bytes.map((byte, at) => (at % 2 === 0 ? byte + 0.9 : byte - 256));
  expect(carelessReading(list)).toEqual({ numbers: 2, head: [0.5, -3e6], areZero: false, areWild: true });
  expect(carelessReading([])).toEqual({ numbers: 0, head: [], areZero: false, areWild: false });
});

it('takes a vector with some zeros for a vector', () => {
  expect(carelessReading(base64(Float32Array.of(0, 0.5, 0)))).toMatchObject({ numbers: 3, areZero: false });
});

it('makes twice as many wild numbers of float64', () => {
  const wide = Float64Array.from({ length: 64 }, (_, index) => Math.sin(index + 1) / 8);
  expect(carelessReading(base64(wide))).toMatchObject({ numbers: 128, areWild: true });
});

it('breaks on anything else', () => {
  expect(carelessReading('%%%')).toEqual({ throws: expect.stringContaining('base64') });
  expect(carelessReading(undefined)).toEqual({ throws: expect.stringContaining('no text') });
});

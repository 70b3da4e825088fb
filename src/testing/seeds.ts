/**
 * Sets the random seed and the number of cases of property tests. `npm test` draws the same cases every time, a quarter
 * of the number in each test; `npm run soak` draws different cases, five times the number. Vitest loads this file
 * before each test file.
 */
import { configureGlobal } from 'fast-check';

function readEnvNumber(name: string, fallback: number): number {
  const text = process.env[name] ?? '';
  const value = text === '' ? fallback : Number(text);
  if (!Number.isFinite(value)) throw new Error(`${name} is "${text}", which is not a number`);
  return value;
}

const caseFactor = readEnvNumber('BENCH_CASES', 0.25);

/** Returns the number of cases to draw: `count` times the factor of this run, but at least `min`. */
export const getCaseCount = (count: number, min = 1): number => Math.max(min, Math.round(count * caseFactor));

configureGlobal({ seed: readEnvNumber('BENCH_SEED', 42), numRuns: getCaseCount(100) });

/**
 * Sets the random seed and the number of cases of property tests. `npm test` draws the same cases every time; `npm run
 * soak` draws different and more cases. Vitest loads this file before each test file.
 */
import { configureGlobal } from 'fast-check';

function readEnvNumber(name: string, fallback: number): number {
  const text = process.env[name] ?? '';
  const value = text === '' ? fallback : Number(text);
  if (!Number.isFinite(value)) throw new Error(`${name} is "${text}", which is not a number`);
  return value;
}

const caseFactor = readEnvNumber('BENCH_CASES', 1);

/** Returns the number of cases to draw, which is `count` in `npm test`. */
export const getCaseCount = (count: number): number => Math.max(1, Math.round(count * caseFactor));

configureGlobal({ seed: readEnvNumber('BENCH_SEED', 42), numRuns: getCaseCount(100) });

// npm run soak [-- --minutes N] [-- --only NAME] [-- --seed N]: runs the property tests of npm test with fresh seeds
// and more cases, and long-running tests. Repeats until the time is up; with a seed, runs once.
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { ensureBuilt } from './ensure-built.mjs';
import { requirePackage, root } from './packages.mjs';
import { findChromium } from './test-run/find-browser.mjs';
import { runStep } from './test-run/steps.mjs';

requirePackage('vitest');
const vitest = 'node_modules/vitest/vitest.mjs';
/** Factor on the number of cases in each property test, 20 times that of npm test. One round fits into 30 minutes. */
const CASE_FACTOR = 5;

const { only, ...options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    only: { type: 'string' },
    seed: { type: 'string' },
  },
}).values;
const requestedSeed = options.seed === undefined ? undefined : parseWholeNumber('seed', options.seed);
const endsAt = Date.now() + parseWholeNumber('minutes', options.minutes) * 60_000;

/** Creates the step for each part from a seed. */
const PARTS = {
  properties: (seed) => ({
    script: vitest,
    args: ['run', ...listPropertyTests(), `--sequence.seed=${seed}`],
    env: { BENCH_SEED: String(seed), BENCH_CASES: String(CASE_FACTOR) },
  }),
  // Simulates many trials to verify the rates of wrong decisions that the verdicts promise.
  simulations: (seed) => ({
    script: vitest,
    args: ['run', '--project', 'simulations'],
    env: { BENCH_SEED: String(seed), BENCH_CASES: String(CASE_FACTOR), BENCH_SOAK: '1' },
  }),
  // Finds regular expressions that become slow on long texts.
  patterns: () => ({ script: 'src/scripts/slow-patterns.mjs' }),
  // Runs e2e/soak: crashes, long sessions, large answers and uploads, and screenshots of all sizes.
  browser: (seed) => ({
    script: 'node_modules/playwright/cli.js',
    args: ['test', '--config', 'e2e/playwright.config.ts', '--pass-with-no-tests'],
    env: { BENCH_SEED: String(seed), BENCH_SOAK: '1' },
  }),
};
if (only !== undefined && !Object.hasOwn(PARTS, only)) {
  console.error(`Unknown part: ${only}. Use --only with one of ${Object.keys(PARTS).join(', ')}.`);
  process.exit(2);
}
const parts = Object.entries(PARTS).filter(([name]) => only === undefined || name === only);

const env = { ...process.env };
if (only === undefined || only === 'browser') {
  const chromium = await findChromium();
  if (chromium === undefined) process.exit(1);
  env.CHROMIUM_PATH = chromium;
  ensureBuilt();
}

const failures = [];
let round = 0;
do {
  round += 1;
  const seed = requestedSeed ?? randomInt(2 ** 31);
  console.log(`\nRound ${round}, seed ${seed}`);
  for (const [name, createStep] of parts) {
    const step = createStep(seed);
    const { code, seconds } = await runStep({ name, ...step, env: { ...env, ...step.env } });
    console.log(`${name}: ${code === 0 ? 'passed' : 'FAILED'} in ${Math.round(seconds)} s, seed ${seed}`);
    if (code !== 0) failures.push(`npm run soak -- --only ${name} --seed ${seed}`);
  }
} while (requestedSeed === undefined && Date.now() < endsAt);

console.log(`\n${round} round${round === 1 ? '' : 's'}, ${failures.length} failed.`);
for (const command of failures) console.log(`Run again: ${command}`);
if (failures.length > 0) process.exit(1);

/** Lists the test files that draw random cases. */
function listPropertyTests() {
  const source = path.join(root, 'src');
  return readdirSync(source, { recursive: true })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .filter((name) => /testing\/seeds\.ts|'fast-check'/.test(readFileSync(path.join(source, name), 'utf8')))
    .map((name) => path.posix.join('src', name.split(path.sep).join('/')));
}

function parseWholeNumber(name, text) {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`--${name} must be a whole number, not ${text}.`);
  process.exit(2);
}

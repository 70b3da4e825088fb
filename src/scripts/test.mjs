// npm test: every check. `npm test -- unit` and `-- e2e` run one part, `-- --changed [REF]` what a change can reach.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { cleanCommit, rememberPassed, selectionSince } from './test-run/changed.mjs';
import { findChromium, findFirefox } from './test-run/find-browser.mjs';
import { runBeside, runStep } from './test-run/steps.mjs';
import { browserTests, summary, unitTests } from './test-run/test-report.mjs';

const root = path.resolve(import.meta.dirname, '../..');

const build = {
  name: 'build',
  script: 'node_modules/vite/bin/vite.js',
  args: ['build', '--app', '--logLevel', 'warn'],
  // It has nothing to say but warnings.
  isSilent: true,
};
const checks = [
  {
    name: 'lint',
    script: 'node_modules/oxlint/bin/oxlint',
    args: ['--type-aware', '--deny-warnings', 'src', 'e2e', 'vite.config.ts'],
  },
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'unused code', script: 'node_modules/knip/bin/knip.js' },
];
const unit = { name: 'unit', script: 'node_modules/vitest/vitest.mjs', args: ['run'] };
const browser = {
  name: 'browser',
  script: 'node_modules/playwright/cli.js',
  args: ['test', '--config', 'e2e/playwright.config.ts'],
};

/** Whatever this machine's gateway is, the tests know nothing of it. An empty value hides the one of a .env file. */
const BLANKED = [
  'DEMO_GATEWAY_KEY',
  'DEMO_GATEWAY_TOKENS_PER_SECOND',
  'DEMO_QUIRKS',
  'GATEWAY_API_KEY',
  'GATEWAY_BASE_URL',
  'GATEWAY_CONNECT_TIMEOUT_MS',
  'GATEWAY_EXTRA_HEADERS',
  'GATEWAY_HEADERS_TIMEOUT_MS',
  'GATEWAY_IDLE_TIMEOUT_MS',
  'GATEWAY_RPM',
  'HOST',
  'PLAYGROUND_ALLOWED_HOSTS',
  'PLAYGROUND_PASSWORD',
  'PORT',
];

const reports = path.join(root, '.bench/test');
const unitReport = path.join(reports, 'unit.json');
const browserReport = path.join(reports, 'browser.json');

const [part, ...extra] = process.argv.slice(2);
const plan = planFor(part, extra);
if (plan === undefined) process.exit(2);
const startedAt = part === undefined ? cleanCommit() : undefined;

const env = {
  ...process.env,
  ...Object.fromEntries(BLANKED.map((name) => [name, ''])),
  BENCH_BUILT: path.join(root, 'dist'),
  PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport,
};
// First of all, so that nobody waits for minutes to hear that a browser is missing.
if (plan.browser !== undefined) {
  const chromium = await findChromium();
  if (chromium === undefined) process.exit(1);
  env.CHROMIUM_PATH = chromium;
  env.FIREFOX_PATH = findFirefox() ?? '';
}
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const results = await runBeside(plan.first.map((step) => ({ ...step, env })));
// What does not build or does not fit together says nothing about the rest.
if (results.every(({ code }) => code === 0)) {
  if (plan.unit !== undefined)
    results.push({ ...(await runStep({ ...unit, args: plan.unit, env })), tests: unitTests(unitReport) });
  if (plan.browser !== undefined)
    results.push({
      ...(await runStep({ ...browser, args: plan.browser, env: { ...env, ...plan.browserEnv } })),
      tests: browserTests(browserReport),
    });
}
console.log(summary(results).join('\n'));
if (results.some(({ code }) => code !== 0)) process.exit(1);
// What changed meanwhile was not tested.
if (startedAt !== undefined && cleanCommit() === startedAt) rememberPassed(startedAt);

/** What to run; undefined after saying why nothing. */
function planFor(name, args) {
  const unitArgs = [...unit.args, '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`];
  const browserArgs = [...browser.args, '--reporter=list,json'];
  switch (name) {
    case undefined:
      return { first: [build, ...checks], unit: unitArgs, browser: browserArgs };
    case 'unit':
      return { first: [build, ...checks], unit: [...unitArgs, ...args] };
    case 'e2e':
      return { first: [build], browser: [...browserArgs, ...args] };
    case '--changed': {
      const selection = selectionSince(args[0]);
      if (selection === undefined) return undefined;
      const { ref, files, specs } = selection;
      console.error(`${files.length} files changed since ${ref}.`);
      return {
        first: [build, ...checks],
        ...(selection.unit.length === 0 ? {} : { unit: [...unitArgs, ...selection.unit] }),
        // Also the long ones, which the whole leaves to `npm run soak`.
        ...(specs.length === 0
          ? {}
          : { browser: [...browserArgs, ...specs], browserEnv: { BENCH_OF_CHANGE: '1' } }),
      };
    }
    default:
      console.error(
        `There is no part named ${name}: npm test -- unit, -- e2e or -- --changed [REF], or npm test for all.`,
      );
      return undefined;
  }
}

// npm test: all checks. `npm test -- unit` and `npm test -- e2e` run one part and pass any other arguments to Vitest or
// Playwright.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

import { root } from './packages.mjs';
import { findChromium, findFirefox } from './test-run/find-browser.mjs';
import { runInParallel, runStep } from './test-run/steps.mjs';
import { readBrowserTests, formatSummary, readUnitTests } from './test-run/test-report.mjs';

const buildStep = {
  name: 'build',
  script: 'node_modules/vite/bin/vite.js',
  args: ['build', '--app', '--logLevel', 'warn'],
  // Its output consists of warnings only.
  isSilent: true,
};
const checkSteps = [
  {
    name: 'lint',
    script: 'node_modules/oxlint/bin/oxlint',
    args: ['--type-aware', '--deny-warnings', 'src', 'e2e', 'vite.config.ts'],
  },
  { name: 'types', script: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'unused code', script: 'node_modules/knip/bin/knip.js' },
];
const unitStep = { name: 'unit', script: 'node_modules/vitest/vitest.mjs', args: ['run'] };
const browserStep = {
  name: 'browser',
  script: 'node_modules/playwright/cli.js',
  args: ['test', '--config', 'e2e/playwright.config.ts'],
};

/** Hides the gateway settings of this machine from the tests. An empty value overrides a .env file. */
const BLANKED_VARIABLES = [
  'DEMO_GATEWAY_KEY',
  'DEMO_GATEWAY_TOKENS_PER_SECOND',
  'DEMO_QUIRKS',
  'GATEWAYS',
  'GATEWAY_API_KEY',
  'GATEWAY_BASE_URL',
  'GATEWAY_CONNECT_TIMEOUT_MS',
  'GATEWAY_EXTRA_HEADERS',
  'GATEWAY_HEADERS_TIMEOUT_MS',
  'GATEWAY_IDLE_TIMEOUT_MS',
  'GATEWAY_LABEL',
  'GATEWAY_RPM',
  'HOST',
  'PLAYGROUND_ALLOWED_HOSTS',
  'PLAYGROUND_PASSWORD',
  'PORT',
];

const reports = path.join(root, '.bench/test');
const unitReport = path.join(reports, 'unit.json');
const browserReport = path.join(reports, 'browser.json');

const [part, ...extraArgs] = process.argv.slice(2);
const plan = createPlan(part, extraArgs);
if (plan === undefined) process.exit(2);

const env = {
  ...process.env,
  ...Object.fromEntries(BLANKED_VARIABLES.map((name) => [name, ''])),
  BENCH_BUILT: path.join(root, 'dist'),
  PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport,
};
// Checked first, so that a missing browser is reported immediately and not after minutes.
if (plan.browser !== undefined) {
  const chromium = await findChromium();
  if (chromium === undefined) process.exit(1);
  env.CHROMIUM_PATH = chromium;
  env.FIREFOX_PATH = findFirefox() ?? '';
}
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const results = await runInParallel(plan.first.map((step) => ({ ...step, env })));
// Without a successful build and valid types, further results would be meaningless.
if (results.every(({ code }) => code === 0)) {
  if (plan.unit !== undefined)
    results.push({
      ...(await runStep({ ...unitStep, args: plan.unit, env })),
      tests: readUnitTests(unitReport),
    });
  if (plan.browser !== undefined)
    results.push({
      ...(await runStep({ ...browserStep, args: plan.browser, env })),
      tests: readBrowserTests(browserReport),
    });
}
console.log(formatSummary(results).join('\n'));
if (results.some(({ code }) => code !== 0)) process.exit(1);

/** Returns the steps to run; `undefined` after printing why there are none. */
function createPlan(name, args) {
  const unitArgs = [
    ...unitStep.args,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${unitReport}`,
  ];
  const browserArgs = [...browserStep.args, '--reporter=list,json'];
  switch (name) {
    case undefined:
      return { first: [buildStep, ...checkSteps], unit: unitArgs, browser: browserArgs };
    case 'unit':
      return { first: [buildStep, ...checkSteps], unit: [...unitArgs, ...args] };
    case 'e2e':
      return { first: [buildStep], browser: [...browserArgs, ...args] };
    default:
      console.error(`Unknown part: ${name}. Run npm test, npm test -- unit or npm test -- e2e.`);
      return undefined;
  }
}

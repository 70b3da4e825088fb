// npm test: every check in order, stopping at the first that fails. `npm test -- unit` and `-- e2e` run one part.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

import { findChromium, findFirefox } from './find-browser.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const tool = (name) => path.join(root, 'node_modules', name);

const PARTS = {
  unit: [
    ['types', tool('typescript/bin/tsc'), '--noEmit'],
    ['lint', tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', 'src', 'e2e', 'vite.config.ts'],
    ['unused code', tool('knip/bin/knip.js')],
    ['unit and integration', tool('vitest/vitest.mjs'), 'run'],
  ],
  e2e: [
    ['build', tool('vite/bin/vite.js'), 'build', '--app', '--logLevel', 'warn'],
    ['browser', tool('playwright/cli.js'), 'test', '--config', 'e2e/playwright.config.ts'],
  ],
};

/** Whatever this machine's gateway is, the tests know nothing of it. An empty value hides the one of a .env file. */
const BLANKED = [
  'DEMO_GATEWAY_KEY',
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

const [part, ...extra] = process.argv.slice(2);
if (part !== undefined && !Object.hasOwn(PARTS, part)) {
  console.error(`There is no part named ${part}: npm test -- unit, npm test -- e2e, or npm test for all.`);
  process.exit(2);
}

const env = { ...process.env, ...Object.fromEntries(BLANKED.map((name) => [name, ''])) };
const steps = part === undefined ? [...PARTS.unit, ...PARTS.e2e] : PARTS[part];

// First of all, so that nobody waits for minutes to hear that a browser is missing.
if (part !== 'unit') {
  const chromium = await findChromium();
  if (chromium === undefined) process.exit(1);
  env.CHROMIUM_PATH = chromium;
  env.FIREFOX_PATH = findFirefox() ?? '';
}

for (const [index, [name, script, ...args]] of steps.entries()) {
  const all = index === steps.length - 1 ? [...args, ...extra] : args;
  console.error(`\n> ${name}: ${path.basename(script)} ${all.join(' ')}`);
  const { status } = spawnSync(process.execPath, [script, ...all], { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`\nFailed: ${name}.`);
    process.exit(status ?? 1);
  }
}
console.error('\nAll checks passed.');

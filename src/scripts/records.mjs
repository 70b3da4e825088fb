// node src/scripts/records.mjs REF: builds that commit with the packages that are installed, uses it for all that Bench
// keeps, and writes what it kept to e2e/records/earlier-records.json, which later builds must open.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { findChromium } from './test-run/find-browser.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const [ref = 'HEAD'] = process.argv.slice(2);
const commit = execFileSync('git', ['rev-parse', ref], { cwd: root, encoding: 'utf8' }).trim();
const chromium = await findChromium();
if (chromium === undefined) process.exit(1);

const checkout = mkdtempSync(path.join(tmpdir(), 'bench-records-'));
const run = (cwd, script, args, env = {}) =>
  execFileSync(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
try {
  const packed = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 29 });
  execFileSync('tar', ['-xf', '-', '-C', checkout], { input: packed });
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'), 'junction');
  run(checkout, 'vite/bin/vite.js', ['build', '--app', '--logLevel', 'warn']);
  run(root, 'playwright/cli.js', ['test', '--config', 'e2e/playwright.config.ts', 'records/write-records'], {
    BENCH_CHECKOUT: checkout,
    BENCH_COMMIT: commit,
    CHROMIUM_PATH: chromium,
  });
} finally {
  rmSync(checkout, { recursive: true, force: true });
}

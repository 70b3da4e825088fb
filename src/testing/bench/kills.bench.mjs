// npm run benchmark -- kills [--count 200]: L18 of faults.md section 4: kills of the tab, the browser and the proxy at random moments.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import path from 'node:path';

import { ensureBuilt } from '../../scripts/built.mjs';
import { findChromium } from '../../scripts/test-run/find-browser.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

export async function run(args) {
  const at = args.indexOf('--count');
  const count = at === -1 ? '200' : (args[at + 1] ?? '200');
  const chromium = await findChromium();
  if (chromium === undefined) return 1;
  ensureBuilt();
  const playwright = path.join(root, 'node_modules/playwright/cli.js');
  const { status } = spawnSync(
    process.execPath,
    [playwright, 'test', '--config', 'e2e/playwright.config.ts', '--project=chromium', 'kills'],
    {
      cwd: root,
      env: {
        BENCH_SEED: String(randomInt(2 ** 31)),
        ...process.env,
        BENCH_SOAK: '1',
        CHROMIUM_PATH: chromium,
        FIREFOX_PATH: '',
        BENCH_KILLS: count,
      },
      stdio: 'inherit',
    },
  );
  return status ?? 1;
}

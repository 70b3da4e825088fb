// npm run benchmark [-- NAME] [--against DIR] [--quick]: measures the built app, prints a table per benchmark and
// writes .bench/NAME.json. --against also measures the build of another checkout in the same run.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { ensureBuilt } from './ensure-built.mjs';
import { root } from './packages.mjs';
import { findChromium } from './test-run/find-browser.mjs';

const benchmarks = {
  streaming: () => import('../testing/benchmarks/streaming.mjs'),
  proxy: () => import('../testing/benchmarks/proxy.mjs'),
  'trial-grid': () => import('../testing/benchmarks/trial-grid.mjs'),
  'generated-texts': () => import('../testing/benchmarks/generated-texts.mjs'),
};
const names = Object.keys(benchmarks);

const { values: options, positionals } = parseArgs({
  options: { against: { type: 'string' }, quick: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const unknownName = positionals.find((name) => !names.includes(name));
if (unknownName !== undefined) {
  console.error(`Unknown benchmark: ${unknownName}. Available: ${names.join(', ')}.`);
  process.exit(2);
}
const builds = [{ name: 'this build', root }];
if (options.against !== undefined) {
  const otherRoot = path.resolve(options.against);
  if (!existsSync(path.join(otherRoot, 'dist/server/main.js'))) {
    console.error(`${otherRoot} has no dist/server/main.js. Run npm run build there first.`);
    process.exit(2);
  }
  builds.push({ name: options.against, root: otherRoot });
}
const executablePath = await findChromium();
if (executablePath === undefined) process.exit(1);
ensureBuilt();

const { chromium } = await import('playwright');
const { buildReport, printReport } = await import('../testing/benchmarks/report.mjs');
const browser = await chromium.launch({ executablePath, args: ['--disable-background-timer-throttling'] });
try {
  for (const name of positionals.length > 0 ? positionals : names) {
    const { measure } = await benchmarks[name]();
    const measurements = await measure({ browser, builds, isQuick: options.quick });
    const report = buildReport(measurements, builds);
    printReport(report);
    mkdirSync(path.join(root, '.bench'), { recursive: true });
    const environment = { at: new Date().toISOString(), node: process.version, browser: browser.version() };
    writeFileSync(
      path.join(root, `.bench/${name}.json`),
      `${JSON.stringify({ ...environment, isQuick: options.quick, ...report }, undefined, 2)}\n`,
    );
    console.log(`\nWritten to .bench/${name}.json`);
  }
} finally {
  await browser.close();
}

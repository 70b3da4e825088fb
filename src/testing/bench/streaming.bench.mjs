// npm run benchmark -- streaming [--quick] [--runs N] [--sizes 2,8,32] [--only app,floor] [--parts cost,shapes,lanes,six,session,decoding,inspector]
// Main-thread cost of streaming markdown in the built app, against plain text and what others use. All of it takes more
// than an hour; --parts, --sizes and --only measure a slice, which is put beside what .bench/streaming.json has already.
// --fresh begins again.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { chromium } from 'playwright';

import { ensureBuilt } from '../../scripts/built.mjs';
import { findChromium } from '../../scripts/test-run/find-browser.mjs';
import { startBuiltBench } from './streaming/bench-server.mjs';
import { buildPages } from './streaming/build-pages.mjs';
import { measureCost, measureShapes } from './streaming/cost.mjs';
import { measureDecoding } from './streaming/decoding.mjs';
import { measureInspector } from './streaming/inspector.mjs';
import { measureLanes, measureSix } from './streaming/lanes.mjs';
import { openPage } from './streaming/measure.mjs';
import { merged } from './streaming/merge.mjs';
import { servePages } from './streaming/serve-pages.mjs';
import { measureSession } from './streaming/session.mjs';
import { SUBJECTS } from './streaming/subjects.mjs';
import { printVerdicts } from './streaming/verdicts.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const PARTS = {
  cost: measureCost,
  shapes: measureShapes,
  lanes: measureLanes,
  six: measureSix,
  session: measureSession,
  decoding: measureDecoding,
  inspector: measureInspector,
};

export async function run(args) {
  const option = (name) => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1];
  };
  const quick = args.includes('--quick');
  const only = option('only')?.split(',');
  const parts = option('parts')?.split(',') ?? Object.keys(PARTS);
  const sizes = (option('sizes') ?? (quick ? '2,8' : '2,8,32,128'))
    .split(',')
    .map((size) => Number(size) * 1_000);
  const runs = Number(option('runs') ?? (quick ? 1 : 3));

  mkdirSync(path.join(root, '.bench'), { recursive: true });
  const executablePath = await findChromium();
  if (executablePath === undefined) return 1;
  ensureBuilt();
  const pages = await servePages(await buildPages());
  const bench = await startBuiltBench();
  const browser = await chromium.launch({ executablePath, args: ['--disable-background-timer-throttling'] });
  const setting = {
    browser,
    subjects: SUBJECTS.filter(({ name }) => only === undefined || only.includes(name)),
    sizes,
    runs,
    quick,
    pagesUrl: pages.url,
    benchUrl: bench.url,
    open: (url) => openPage(browser, url),
  };
  const file = path.join(root, '.bench/streaming.json');
  const isSlice = existsSync(file) && !args.includes('--fresh');
  let results = isSlice ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const about = { at: new Date().toISOString(), browser: browser.version(), runs };
  try {
    for (const part of parts) {
      results = merged(results, { ...about, [part]: await PARTS[part](setting) });
      // After each part: what was measured is kept if the rest is cut off.
      writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
    }
  } finally {
    await browser.close();
    bench.stop();
    pages.stop();
  }
  results.goals = printVerdicts(results);
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
  console.log('\nWritten to .bench/streaming.json');
  return 0;
}

// npm run benchmark -- bombs [--quick] [--only PLACE,PLACE] [--kinds WORDS] [--sizes 1,5]
// Texts that could freeze the page, through every place where a text comes in, in headless Chromium against the built
// app: the longest task of the main thread, and how the whole cost grows with the text. --quick leaves out the 5 MB. A task of known cost is measured before each case, since a busy machine is slow everywhere.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { chromium } from 'playwright';

import { ensureBuilt } from '../../scripts/built.mjs';
import { findChromium } from '../../scripts/test-run/find-browser.mjs';
import { startAnsweringGateway } from './bombs/gateway.mjs';
import { PLACES } from './bombs/places.mjs';
import { TEXTS } from './bombs/texts.mjs';
import { startBuiltBench } from './streaming/bench-server.mjs';
import { countersOf, difference, median, tasksDuring, TASKS_ALONE } from './streaming/measure.mjs';
import { printTable } from './streaming/table.mjs';

const root = path.resolve(import.meta.dirname, '../../..');
const megabyte = 1_000_000;
/** What a link (share.ts) or a field (field-limit.ts) may hold of it: more is refused, which takes no time. */
const mostLettersOf = {
  'share link with stop': 20_000,
  'share link with a system prompt': 95_000,
  'paste put back to be edited': 95_000,
};
const patienceMs = 90_000;

/** Every text goes through an answer; the others get those that a field or a parser of their own could mind. */
const inFields = [
  'one word',
  'lines of words',
  'short lines',
  'lines that all differ',
  'words in one line',
  'letters without spaces in Chinese',
  'one letter with marks',
];
const inJson = [
  'one word',
  'a JSON list of lists',
  'a JSON object',
  'a JSON object in one line',
  'a JSON string',
];
const KINDS_OF = {
  answer: Object.keys(TEXTS),
  thinking: ['one word', 'quotes', 'lines of words'],
  'tool arguments': inJson,
  'model that answers': ['one word'],
  paste: inFields,
  'paste put back to be edited': ['one word', 'lines of words'],
  prompt: [...inFields, 'directions that change'],
  'system prompt': inFields,
  'embeddings text': inFields,
  'model field': ['one word', 'words in one line'],
  'JSON schema': inJson,
  'share link with stop': ['one word', 'short lines'],
  'share link with a system prompt': ['one word', 'lines of words', 'short lines'],
  'import with stop and title': ['one word', 'short lines'],
  import: ['one word', 'lines of words', 'quotes', 'letters with many marks'],
};

export async function run(args) {
  const option = (name) => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? undefined : args[at + 1]?.split(',');
  };
  const quick = args.includes('--quick');
  const sizes = (option('sizes') ?? (quick ? ['1'] : ['1', '5'])).map(Number);
  const places = option('only') ?? Object.keys(PLACES);
  const kinds = option('kinds');
  const executablePath = await findChromium();
  if (executablePath === undefined) return 1;
  ensureBuilt();
  const gateway = await startAnsweringGateway();
  const bench = await startBuiltBench(gateway.url);
  const browser = await chromium.launch({ executablePath, args: ['--disable-background-timer-throttling'] });
  const results = [];
  try {
    for (const place of places) {
      for (const kind of KINDS_OF[place].filter((each) => kinds?.includes(each) ?? true)) {
        const rows = await grown({ browser, url: bench.url, gateway }, place, kind, sizes);
        results.push(...rows);
      }
    }
  } finally {
    await browser.close();
    bench.stop();
    gateway.stop();
  }
  report(results, browser.version());
  return 0;
}

/** The case at each size, as long as the size before it ended in time. */
async function grown(parts, place, kind, sizes) {
  const rows = [];
  for (const size of sizes) {
    const most = mostLettersOf[place];
    const length =
      most === undefined ? size * megabyte : Math.round(most * Math.sqrt(size / Math.max(...sizes)));
    const text = TEXTS[kind](length);
    const row = { place, kind, length, ...(await measured(parts, place, text)) };
    const before = rows.at(-1);
    if (before?.taskMs !== undefined && row.taskMs !== undefined)
      row.growth = Math.log(row.taskMs / before.taskMs) / Math.log(row.length / before.length);
    rows.push(row);
    console.error(`  ${place}, ${kind}, ${(length / megabyte).toFixed(2)} MB: ${wordsOf(row)}`);
    if (row.problem !== undefined) break;
  }
  return rows;
}

const wordsOf = ({ problem, longestTaskMs, longestTaskCpuMs, taskMs, growth, baselineMs }) =>
  problem ??
  `longest task ${longestTaskMs.toFixed(0)} ms (CPU ${longestTaskCpuMs.toFixed(0)}), all ${taskMs.toFixed(0)} ms, baseline ${baselineMs.toFixed(0)} ms${growth === undefined ? '' : `, growth ${growth.toFixed(2)}`}`;

async function measured({ browser, url, gateway }, place, text) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => console.error(`  page: ${error.message}`));
  const session = await context.newCDPSession(page);
  // CPU time of the thread, not time on the wall: a busy neighbour does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  try {
    await page.goto(url);
    await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
    const model = page.getByRole('combobox', { name: 'Model' }).first();
    await model.fill('m');
    await model.press('Enter');
    // What is fetched when the page is idle.
    await page.waitForTimeout(1_000);
    const baselineMs = median(await page.evaluate(knownTask));
    const act = await PLACES[place]({ page, url, text, gateway });
    await settled(page);
    const before = await countersOf(session);
    const acted = () => act().then(() => settled(page));
    const tasks = await tasksDuring(browser, page, () => inTime(acted()), TASKS_ALONE);
    const { taskMs, layoutMs, scriptMs } = difference(before, await countersOf(session));
    return { ...tasks, taskMs, layoutMs, scriptMs, baselineMs };
  } catch (error) {
    return { problem: String(error.message).split('\n')[0] };
  } finally {
    await context.close();
  }
}

/** Until two frames in a row came soon and nothing is under way any more. */
async function settled(page) {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        let quiet = 0;
        let last = performance.now();
        const look = () => {
          const now = performance.now();
          quiet = now - last < 80 ? quiet + 1 : 0;
          last = now;
          if (quiet >= 12) resolve();
          else setTimeout(look, 40);
        };
        look();
      }),
  );
}

function inTime(work) {
  // What comes too late is told by nobody.
  work.catch(() => undefined);
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`more than ${patienceMs / 1_000} s`)), patienceMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Runs in the page: five times the same sorting of the same numbers. */
function knownTask() {
  return Array.from({ length: 5 }, () => {
    const began = performance.now();
    let state = 1;
    const numbers = Array.from({ length: 200_000 }, () => (state = (state * 48_271) % 2_147_483_647));
    numbers.sort((one, other) => one - other);
    return performance.now() - began;
  });
}

const allowedMs = (length) => (length <= 1.1 * megabyte ? 200 : 1_000);

function report(results, version) {
  const worst = results.toSorted((one, other) => scoreOf(other) - scoreOf(one)).slice(0, 10);
  const cell = (value, digits = 0) => (value === undefined ? '' : value.toFixed(digits));
  printTable(
    `Texts that could freeze the page, Chromium ${version}: the ten worst of ${results.length}`,
    ['place', 'text', 'MB', 'longest task ms', 'of it CPU', 'allowed', 'all ms', 'growth', 'baseline ms'],
    worst.map((row) => [
      row.place,
      row.kind,
      (row.length / megabyte).toFixed(2),
      row.problem ?? cell(row.longestTaskMs),
      cell(row.longestTaskCpuMs),
      allowedMs(row.length),
      cell(row.taskMs),
      cell(row.growth, 2),
      cell(row.baselineMs),
    ]),
  );
  const baselines = results.flatMap(({ baselineMs }) => baselineMs ?? []);
  const over = results.filter((row) => scoreOf(row) > 1).length;
  console.log(
    `\n${over} of ${results.length} are over what is allowed by CPU. The baseline (a sort of 200,000 numbers) took ${cell(Math.min(...baselines))} to ${cell(Math.max(...baselines))} ms, median ${cell(median(baselines))} ms.`,
  );
  mkdirSync(path.join(root, '.bench'), { recursive: true });
  writeFileSync(
    path.join(root, '.bench/bombs.json'),
    `${JSON.stringify({ at: new Date().toISOString(), browser: version, results }, undefined, 2)}\n`,
  );
  console.log('Written to .bench/bombs.json');
}

/** The longest task in parts of what is allowed; what did not end counts most. */
function scoreOf(row) {
  return row.problem === undefined ? row.longestTaskCpuMs / allowedMs(row.length) : Number.POSITIVE_INFINITY;
}

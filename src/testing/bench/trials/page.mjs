// A generated trial in the built page: how soon it opens, how it scrolls beside a bare virtual list, what it holds.
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { chromium } from 'playwright';

import { ensureBuilt } from '../../../scripts/built.mjs';
import { findChromium } from '../../../scripts/test-run/find-browser.mjs';
import { startBuiltBench } from '../streaming/bench-server.mjs';

const scrollMs = 4000;
const recordsAtATime = 100;

/** Rows of what was measured. `modules` load what makes the records. */
export async function measurePage(modules, { cases, columns }) {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium.');
  ensureBuilt();
  const bench = await startBuiltBench();
  const paced = await startBuiltBench('', { perMinute: 50 });
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(new URL('/trials', bench.url).href);
    await page.getByRole('button', { name: 'New trial' }).waitFor();
    await store(page, recordsOf(modules, { cases, columns }));
    await page.reload();
    const link = page.getByRole('link', { name: 'Ticket routing' });
    await link.waitFor();
    // The list makes its verdict first: opening is measured alone.
    await page
      .getByRole('row')
      .filter({ has: link })
      .getByText(/better|worse|same|Not decided/)
      .waitFor();
    const openedMs = await page.evaluate(timeToCells);
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    // At once: the rest of the answers is loaded and counted meanwhile.
    const ours = await page.evaluate(scroll, { ms: scrollMs, isBare: false });
    await page.getByRole('radio', { name: 'Columns disagree' }).waitFor();
    const memory = await heapOf(page);
    const still = await page.evaluate(scroll, { ms: scrollMs, isBare: false });
    const most = await page.evaluate(() => document.querySelectorAll('*').length);
    const filterMs = await page.evaluate(timeToFilter);
    const bare = await page.evaluate(scroll, {
      ms: scrollMs,
      isBare: true,
      rows: cases,
      columns: columns + 3,
    });
    const keysFast = await keysWhileItFills(page, modules, { cases, columns, url: bench.url });
    const keys = await keysWhileItFills(page, modules, { cases, columns, url: paced.url });
    const csv = await importOfLargeCsv(page, bench.url);
    return {
      openedMs,
      elements: Math.max(elements, most),
      memory,
      ours,
      still,
      bare,
      filterMs,
      keys,
      keysFast,
      csv,
    };
  } finally {
    await browser.close();
    bench.stop();
    paced.stop();
  }
}

/**
 * The worst and the median of the milliseconds from a key in the prompt to its paint, while the last cases of a large
 * trial are asked on the demo gateway; `still`: the same before anything is asked.
 */
async function keysWhileItFills(page, modules, { cases, columns, url }) {
  const asked = 300;
  await page.goto(new URL('/trials', url).href);
  await page.getByRole('button', { name: 'New trial' }).waitFor();
  const [trials, ...others] = recordsOf(modules, { cases, columns, without: asked, id: 'filling' });
  await store(page, [trials, ...others]);
  await page.goto(new URL('/trials/filling', url).href);
  await page.getByRole('radio', { name: 'Columns disagree' }).waitFor();
  await page.getByRole('button', { name: 'Setup', exact: true }).click();
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  await prompt.waitFor();
  await prompt.focus();
  await page.evaluate(() => {
    window.keys = [];
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => window.keys.push(performance.now() - timeStamp);
          channel.port2.postMessage(undefined);
        }),
      { capture: true },
    );
  });
  const still = await keyTimes(page);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await prompt.focus();
  const filling = await keyTimes(page);
  const isFilling = await page.getByRole('button', { name: 'Pause' }).isVisible();
  if (!isFilling) throw new Error('The trial ended before all keys were pressed.');
  return { ...filling, still };
}

async function keyTimes(page) {
  await page.evaluate(() => window.keys.splice(0));
  for (let key = 0; key < 40; key += 1) {
    await page.keyboard.press('a');
    await page.waitForTimeout(120);
  }
  const keys = (await page.evaluate(() => window.keys)).toSorted((one, other) => one - other);
  return { median: keys[Math.floor(keys.length / 2)], worst: keys.at(-1) };
}

/** The longest time between two frames while a CSV of 50 MB is read, and while its 10,000 cases are added. */
async function importOfLargeCsv(page, url) {
  const words = 'word '.repeat(1040);
  const lines = Array.from({ length: 10_000 }, (_, row) =>
    row % 100 === 99 ? 'odd,line,here' : `"${row} ${words}",billing`,
  );
  const buffer = Buffer.from(['ticket,team', ...lines].join('\n'));
  const file = path.join(tmpdir(), 'bench-cases-50-mb.csv');
  writeFileSync(file, buffer.subarray(0, 50_000_000 - 1));
  await page.goto(new URL('/trials', url).href);
  await page.getByRole('button', { name: 'New trial' }).click();
  await page.getByRole('complementary', { name: 'Setup' }).waitFor();
  await page.getByRole('button', { name: 'Import cases' }).first().click();
  await page.evaluate(() => {
    window.gaps = [];
    let last = performance.now();
    const step = (now) => {
      window.gaps.push(now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
  const worst = () => page.evaluate(() => Math.max(...window.gaps.splice(0)));
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).click();
  const begunAt = Date.now();
  await worst();
  await (await chooser).setFiles(file);
  const use = page.getByRole('button', { name: /^Use these [\d,]+ cases$/ });
  await use.waitFor({ timeout: 120_000 });
  const readMs = Date.now() - begunAt;
  const readWorst = await worst();
  await use.click();
  await use.waitFor({ state: 'detached', timeout: 120_000 });
  await page.locator('html[data-saved=yes]').waitFor({ timeout: 120_000 });
  const addWorst = await worst();
  rmSync(file);
  return { readMs, readWorst, addWorst };
}

/**
 * What the database holds of the trial, runs and recordings aside: they are read when a cell is opened. `without`: so
 * many cases at the end have no answers, and the trial is paused, with the demo model in all columns.
 */
function recordsOf({ testing, records, checks }, { cases, columns, without = 0, id }) {
  const made = testing.aLargeTrial(cases, columns);
  const large = without === 0 ? made : unfinished(made, without, id);
  const { baseline, decides, margin, repeats } = large.trial;
  const plan = {
    at: 0,
    cases,
    repeats,
    columns: large.trial.columns.map(({ id }) => id),
    decides,
    baseline,
    margin,
  };
  const trial = { ...large.trial, plan };
  const values = new Map(large.cases.map((each) => [each.id, each.values]));
  const [check] = trial.checks;
  for (const cell of large.cells)
    for (const score of Object.values(cell.scores))
      score.of = checks.checkHash(check, values.get(cell.caseId));
  const places = new Map(large.cases.map(({ id }, place) => [id, place]));
  return [
    ['trials', [trial]],
    ['cases', records.caseBlocks(trial.id, large.cases)],
    ['cells', records.cellBlocks(trial.id, large.cells, (id) => places.get(id))],
  ];
}

/** The same trial under another id, paused before its last cases in the drawn order. */
function unfinished({ trial, cases, cells }, without, id) {
  const gone = new Set(cases.slice(-without).map((each) => each.id));
  const model = 'demo/quiz';
  return {
    trial: {
      ...trial,
      id,
      columns: trial.columns.map((column) => ({ ...column, setup: { ...column.setup, model } })),
      state: { name: 'paused', at: 0, why: 'person' },
    },
    cases,
    cells: cells.filter(({ caseId }) => !gone.has(caseId)),
  };
}

async function store(page, stores) {
  for (const [name, all] of stores)
    for (let at = 0; at < all.length; at += recordsAtATime)
      await page.evaluate(
        ({ name: into, some }) =>
          new Promise((resolve, reject) => {
            const opening = indexedDB.open('bench');
            opening.onerror = () => reject(opening.error);
            opening.onsuccess = () => {
              const change = opening.result.transaction(into, 'readwrite');
              for (const record of some) change.objectStore(into).put(record);
              change.oncomplete = () => resolve(opening.result.close());
              change.onerror = () => reject(change.error);
            };
          }),
        { name, some: all.slice(at, at + recordsAtATime) },
      );
}

/** From the click on its link in the list to the frame after the first cells are there. */
function timeToCells() {
  return new Promise((resolve) => {
    const link = [...document.querySelectorAll('a')].find(
      ({ textContent }) => textContent === 'Ticket routing',
    );
    const begunAt = performance.now();
    const look = () =>
      document.querySelector('[role=gridcell]')
        ? requestAnimationFrame(() => resolve(performance.now() - begunAt))
        : requestAnimationFrame(look);
    link.click();
    look();
  });
}

function timeToFilter() {
  return new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]');
    const before = grid.getAttribute('aria-rowcount');
    const radio = [...document.querySelectorAll('[role=radio], input[type=radio]')].find((each) =>
      /disagree/.test(
        `${each.getAttribute('aria-label')} ${each.closest('label')?.textContent ?? each.textContent}`,
      ),
    );
    const begunAt = performance.now();
    const look = () =>
      grid.getAttribute('aria-rowcount') === before
        ? requestAnimationFrame(look)
        : resolve(performance.now() - begunAt);
    radio.click();
    look();
  });
}

/** Frames while a list scrolls by 140 px each. `isBare`: one that puts words into absolute rows and nothing else. */
function scroll({ ms, isBare, rows, columns }) {
  let scroller = document.querySelector('[role=grid]');
  if (isBare) {
    const rowPx = 28;
    scroller = document.createElement('div');
    scroller.style.cssText = 'position:fixed;inset:0;overflow:auto;background:white;z-index:99';
    const body = document.createElement('div');
    body.style.cssText = `position:relative;height:${rows * rowPx}px`;
    scroller.append(body);
    document.body.append(scroller);
    const count = Math.ceil(innerHeight / rowPx) + 8;
    const own = Array.from({ length: count }, () => {
      const row = document.createElement('div');
      row.style.cssText = `position:absolute;left:0;right:0;height:${rowPx}px;display:grid;grid-template-columns:repeat(${columns},1fr)`;
      for (let column = 0; column < columns; column += 1) row.append(document.createElement('span'));
      body.append(row);
      return row;
    });
    const draw = () => {
      const first = Math.floor(scroller.scrollTop / rowPx);
      own.forEach((row, index) => {
        row.style.transform = `translateY(${(first + index) * rowPx}px)`;
        for (const span of row.children) span.textContent = `row ${first + index}`;
      });
    };
    scroller.addEventListener('scroll', draw, { passive: true });
    draw();
  }
  return new Promise((resolve) => {
    const times = [];
    const begunAt = performance.now();
    const step = (now) => {
      times.push(now);
      if (now - begunAt > ms) {
        const gaps = times.slice(1).map((time, index) => time - times[index]);
        if (isBare) scroller.remove();
        else scroller.scrollTop = 0;
        return resolve({
          frames: gaps.length,
          worstMs: Math.max(...gaps),
          over50: gaps.filter((gap) => gap > 50).length,
        });
      }
      scroller.scrollTop += 140;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
}

/** Megabytes of script after a collection. */
async function heapOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

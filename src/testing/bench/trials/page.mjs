// A generated trial in the built page: how soon it opens, how it scrolls beside a bare virtual list, what it holds.
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
    return { openedMs, elements: Math.max(elements, most), memory, ours, still, bare, filterMs };
  } finally {
    await browser.close();
    bench.stop();
  }
}

/** What the database holds of the trial, runs and recordings aside: they are read when a cell is opened. */
function recordsOf({ testing, records, checks }, { cases, columns }) {
  const large = testing.aLargeTrial(cases, columns);
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

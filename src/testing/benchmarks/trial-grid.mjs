// Compares a trial of 10,000 cases and 8 columns in the built app with a bare virtual list of as many rows.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { runnerImport } from 'vite';

import { root } from '../../scripts/packages.mjs';
import { startServer } from './built-server.mjs';
import { createRow, measureCpu, measureInRounds, openPage } from './measure.mjs';

const caseCount = 10_000;
const columnCount = 8;
const scrolledFrames = 200;
const recordsPerTransaction = 100;

const bareList = {
  name: 'bare list',
  url: pathToFileURL(path.join(import.meta.dirname, 'bare-list.html')).href,
};

export async function measure({ browser, builds, isQuick }) {
  const stores = await createRecords();
  const servers = await Promise.all(builds.map((build) => startServer(build)));
  const apps = builds.map(({ name }, index) => ({ name, url: servers[index].url, isApp: true }));
  const rounds = isQuick ? 1 : 3;
  try {
    const results = await measureInRounds([bareList, ...apps], rounds, (subject) =>
      measureGrid(browser, subject, stores),
    );
    return {
      title: `A trial of ${caseCount.toLocaleString('en')} cases × ${columnCount} columns (medians of ${rounds})`,
      baselineName: bareList.name,
      rows: [
        createRow('open, from the click to the painted cells, ms', results, 'openMs', {
          goal: { max: 1_000 },
        }),
        createRow('scroll: mean time between frames, ms', results, 'frameMs', { goal: { maxRatio: 1.1 } }),
        createRow('scroll: worst time between frames, ms', results, 'worstFrameMs'),
        createRow('scroll: CPU of a frame, ms', results, 'frameCpuMs'),
        createRow('filter, from the click to the painted rows, ms', results, 'filterMs', {
          goal: { max: 100 },
        }),
      ],
    };
  } finally {
    servers.forEach((server) => server.stop());
  }
}

async function measureGrid(browser, { url, isApp = false }, stores) {
  const opened = await openPage(browser, isApp ? new URL('/trials', url).href : url);
  const { page } = opened;
  try {
    let link = page.getByRole('button', { name: 'Open' });
    if (isApp) {
      await page.getByRole('button', { name: 'New trial' }).waitFor();
      for (const [name, records] of stores)
        for (let offset = 0; offset < records.length; offset += recordsPerTransaction)
          await page.evaluate(storeRecords, [name, records.slice(offset, offset + recordsPerTransaction)]);
      await page.reload();
      link = page.getByRole('link', { name: 'Ticket routing' });
      // Waits until the list has computed its verdict, so that only the opening is measured.
      const verdict = /better|worse|same|No verdict/;
      await page.getByRole('row').filter({ has: link }).getByText(verdict).waitFor();
    }
    const openMs = await link.evaluate(measureOpening);
    const filter = page.getByRole('radio', { name: 'Columns disagree' });
    await filter.waitFor();
    await page.waitForTimeout(1_000);
    let frames;
    const scrollCpuMs = await measureCpu(opened, async () => {
      frames = await page.evaluate(scroll, scrolledFrames);
    });
    const filterMs = await filter.evaluate(measureFilter);
    return { openMs, ...frames, frameCpuMs: scrollCpuMs / scrolledFrames, filterMs };
  } finally {
    await opened.close();
  }
}

/**
 * Returns the records of a generated trial by store. Runs and tapes are omitted, because they are read only when a cell
 * is opened.
 */
async function createRecords() {
  const loadModule = async (file) => {
    const options = { root, configFile: false, logLevel: 'error' };
    return (await runnerImport(path.join(root, 'src', file), options)).module;
  };
  const { createLargeTrial } = await loadModule('testing/trials.ts');
  const { buildCaseBlocks, buildCellBlocks } = await loadModule('trials/trial-schemas.ts');
  const { hashCheck } = await loadModule('trials/checks/score-answer.ts');
  const largeTrial = createLargeTrial(caseCount, columnCount);
  const { baseline, decides, margin, repeats, checks } = largeTrial.trial;
  const columnIds = largeTrial.trial.columns.map(({ id }) => id);
  const trial = {
    ...largeTrial.trial,
    plan: { at: 0, cases: caseCount, repeats, columns: columnIds, decides, baseline, margin },
  };
  const values = new Map(largeTrial.cases.map((testCase) => [testCase.id, testCase.values]));
  for (const cell of largeTrial.cells)
    for (const score of Object.values(cell.scores)) score.of = hashCheck(checks[0], values.get(cell.caseId));
  const positions = new Map(largeTrial.cases.map(({ id }, position) => [id, position]));
  return [
    ['trials', [trial]],
    ['cases', buildCaseBlocks(trial.id, largeTrial.cases)],
    ['cells', buildCellBlocks(trial.id, largeTrial.cells, (id) => positions.get(id))],
  ];
}

/** Runs in the page. */
function storeRecords([name, records]) {
  return new Promise((resolve, reject) => {
    const openRequest = indexedDB.open('bench');
    openRequest.onerror = () => reject(openRequest.error);
    openRequest.onsuccess = () => {
      const transaction = openRequest.result.transaction(name, 'readwrite');
      for (const record of records) transaction.objectStore(name).put(record);
      transaction.oncomplete = () => resolve(openRequest.result.close());
      transaction.onerror = () => reject(transaction.error);
    };
  });
}

/** Runs in the page: returns the ms from the click to the frame after the first cells have appeared. */
function measureOpening(link) {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const check = () =>
      requestAnimationFrame(
        document.querySelector('[role=gridcell]') ? () => resolve(performance.now() - startedAt) : check,
      );
    link.click();
    check();
  });
}

/** Runs in the page: returns the ms from the click to the frame after the number of rows has changed. */
function measureFilter(filter) {
  return new Promise((resolve) => {
    const grid = document.querySelector('[role=grid]');
    const rowCountBefore = grid.ariaRowCount;
    const startedAt = performance.now();
    const check = () =>
      requestAnimationFrame(
        grid.ariaRowCount === rowCountBefore ? check : () => resolve(performance.now() - startedAt),
      );
    filter.click();
    check();
  });
}

/** Runs in the page: scrolls the grid by 140 px per frame. */
function scroll(frames) {
  const grid = document.querySelector('[role=grid]');
  return new Promise((resolve) => {
    const times = [];
    const recordFrame = (timestampMs) => {
      times.push(timestampMs);
      grid.scrollTop += 140;
      if (times.length <= frames) return requestAnimationFrame(recordFrame);
      const gaps = times.slice(1).map((time, index) => time - times[index]);
      grid.scrollTop = 0;
      return resolve({ frameMs: (timestampMs - times[0]) / gaps.length, worstFrameMs: Math.max(...gaps) });
    };
    requestAnimationFrame(recordFrame);
  });
}

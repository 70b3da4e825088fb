/** Tests that a backup of 500 MB of recordings is written and imported without holding it in memory. */
import type { Page } from 'playwright/test';

import { getNumberProperty, getOwnProperty } from '../../src/lib/json.ts';
import { chooseFile, createExport } from '../files.ts';
import { expect, test } from '../fixtures.ts';

test.describe.configure({ timeout: 1_800_000 });
const expectLong = expect.configure({ timeout: 900_000 });
test.use({ trace: 'off' });

const sessionCount = 50;
const megabytesPerSession = 10;
/** Maximum growth of the JavaScript heaps of the page and its worker, which hold one session at a time. */
const maxHeapGrowthBytes = 200_000_000;

/** Stores a recording of the given size for each run. */
async function seedTapes(page: Page, megabytes: number): Promise<void> {
  await page.evaluate(async (segmentCount) => {
    const opening = indexedDB.open('bench');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const db = opening.result;
    const reading = db.transaction('runs').objectStore('runs').getAllKeys();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    for (const runId of reading.result.filter((key) => typeof key === 'string')) {
      const transaction = db.transaction('tapes', 'readwrite');
      for (let segment = 0; segment < segmentCount; segment += 1) {
        const entries = Array.from({ length: 20 }, (_, index) => ({
          at: index,
          data: `${runId} ${segment} ${index} `.repeat(2500).slice(0, 50_000),
        }));
        transaction.objectStore('tapes').put({ runId, firstSeq: segment * 20, entries });
      }
      await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    }
    db.close();
  }, megabytes);
}

/** Returns a hash of the recording of each run. */
function hashTapes(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('bench');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const db = opening.result;
    const reading = db.transaction('runs').objectStore('runs').getAllKeys();
    await new Promise((resolve) => reading.addEventListener('success', resolve));
    const hashes: string[] = [];
    for (const runId of reading.result.filter((key) => typeof key === 'string')) {
      const tape = db
        .transaction('tapes')
        .objectStore('tapes')
        .getAll(IDBKeyRange.bound([runId], [runId, []]));
      await new Promise((resolve) => tape.addEventListener('success', resolve));
      const digest = await crypto.subtle.digest(
        'SHA-256',
        new TextEncoder().encode(JSON.stringify(tape.result)),
      );
      hashes.push(`${runId} ${tape.result.length} ${new Uint8Array(digest).join(' ')}`);
    }
    db.close();
    return hashes;
  });
}

/** Samples the heap of the page at each frame while `action` runs, and returns the largest growth in bytes. */
async function measureHeapGrowth(page: Page, action: () => Promise<void>): Promise<number> {
  const readHeap = () =>
    page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const memory: unknown = Reflect.get(performance, 'memory');
      const bytes: unknown =
        typeof memory === 'object' && memory !== null ? Reflect.get(memory, 'usedJSHeapSize') : undefined;
      return typeof bytes === 'number' ? bytes : 0;
    });
  await page.requestGC();
  const initialBytes = await readHeap();
  expect(initialBytes).toBeGreaterThan(0);
  let maxBytes = initialBytes;
  const ending = new AbortController();
  const sample = async (): Promise<void> => {
    maxBytes = Math.max(maxBytes, await readHeap());
    if (ending.signal.aborted) return;
    await sample();
  };
  const sampling = sample();
  await action();
  ending.abort();
  await sampling;
  return maxBytes - initialBytes;
}

/**
 * Reads the heap of each worker that the page starts, again after each reading, because workers have no
 * `performance.memory`. Returns a function that returns the largest reading in bytes.
 */
async function observeWorkerHeaps(page: Page): Promise<() => number> {
  const session = await page.context().newCDPSession(page);
  let maxBytes = 0;
  const requestReading = (sessionId: string) => {
    const message = JSON.stringify({ id: 1, method: 'Runtime.getHeapUsage' });
    // Fails once the worker has ended.
    session.send('Target.sendMessageToTarget', { sessionId, message }).catch(() => undefined);
  };
  session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type === 'worker') requestReading(sessionId);
  });
  session.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => {
    const usedSize = getNumberProperty(getOwnProperty(JSON.parse(message), 'result'), 'usedSize');
    if (usedSize === undefined) return;
    maxBytes = Math.max(maxBytes, usedSize);
    requestReading(sessionId);
  });
  await session.send('Target.setAutoAttach', {
    autoAttach: true,
    waitForDebuggerOnStart: false,
    flatten: false,
  });
  return () => maxBytes;
}

test('writes and imports a backup of 500 MB of recordings in little memory', async ({
  server,
  page,
  browser,
}, testInfo) => {
  const historyUrl = new URL('/history', server.url).href;
  await page.goto(historyUrl);
  const titles = Array.from({ length: sessionCount }, (_, index) => `Seed ${index}`);
  const openImport = () => page.getByRole('button', { name: 'Import', exact: true }).click();
  await chooseFile(page, openImport, 'seed.json', createExport(titles, 1));
  await expectLong(page.getByText(`${sessionCount} sessions`, { exact: true })).toBeVisible();
  await seedTapes(page, megabytesPerSession);
  const hashes = await hashTapes(page);
  expect(hashes).toHaveLength(sessionCount);

  const file = testInfo.outputPath('backup.jsonl');
  const exportGrowth = await measureHeapGrowth(page, async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 0 }),
      page.getByRole('button', { name: 'Export all' }).click(),
    ]);
    await download.saveAs(file);
  });
  expect(exportGrowth).toBeLessThan(maxHeapGrowthBytes);

  const context = await browser.newContext();
  const otherPage = await context.newPage();
  await otherPage.goto(historyUrl);
  const [chooser] = await Promise.all([
    otherPage.waitForEvent('filechooser'),
    otherPage.getByRole('button', { name: 'Import', exact: true }).click(),
  ]);
  await chooser.setFiles(file);
  const getMaxWorkerBytes = await observeWorkerHeaps(otherPage);
  const importGrowth = await measureHeapGrowth(otherPage, async () => {
    await otherPage.getByRole('button', { name: `Import ${sessionCount} sessions` }).click();
    await expectLong(
      otherPage.getByRole('status').filter({ hasText: `Imported ${sessionCount} sessions` }),
    ).toBeVisible();
  });
  expect(importGrowth).toBeLessThan(maxHeapGrowthBytes);
  const workerBytes = getMaxWorkerBytes();
  expect(workerBytes).toBeGreaterThan(0);
  expect(workerBytes).toBeLessThan(maxHeapGrowthBytes);
  expect(await hashTapes(otherPage)).toEqual(hashes);
  testInfo.annotations.push({
    type: 'heap growth',
    description: JSON.stringify({ exportGrowth, importGrowth, workerBytes }),
  });
  await context.close();
});

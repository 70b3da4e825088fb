import { readFile } from 'node:fs/promises';

import type { Locator, Page } from 'playwright/test';

import type { ChatScript } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { canaryKey, expect, test } from './fixtures.ts';

test.use({ isPreloadEnabled: true });

const answerText = 'Every word of this answer comes at its own time, and later it comes again just so.';
const words = answerText.match(/\S+\s*/g) ?? [];
/** Counts the events for the role, the words, the finish reason, the usage and the end mark. */
const eventCount = words.length + 4;

const streamAnswer: ChatScript = (answer) => {
  answer.sendDelta({ role: 'assistant', content: '' });
  for (const word of words) answer.sendText(word);
  answer.sendFinishReason();
  answer.sendUsage(8, words.length);
  answer.sendDone();
};

/**
 * Returns a function that resolves when the recording modules, fetched while the page is idle, have loaded. Call it
 * before opening the page.
 */
function watchRecordingModules(page: Page): () => Promise<void> {
  const fetchedUrls: string[] = [];
  page.on('requestfinished', (request) => fetchedUrls.push(request.url()));
  return () =>
    expect
      .poll(() => fetchedUrls.join())
      .toMatch(/replay-overlay(?=[^]*library-import)|library-import(?=[^]*replay-overlay)/);
}

class RecordingDriver {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Replay' });
  }
  get replies(): Locator {
    return this.dialog.getByRole('article', { name: /^Recorded message/ });
  }
  get moment(): Locator {
    return this.dialog.getByRole('slider', { name: 'Position in the recording' });
  }
  getSpeed(name: string): Locator {
    return this.dialog.getByRole('radio', { name, exact: true });
  }
}

test('replays a turn of two lanes without the network, with the same text, events and numbers', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  const recording = new RecordingDriver(page);
  gateway.setChatScript(streamAnswer);
  const waitForModules = watchRecordingModules(page);
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  await bench.send('Tell me');
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
  const metrics = await bench.getMetrics(1).locator('dd').allInnerTexts();

  await waitForModules();
  await context.setOffline(true);
  const requestPaths: string[] = [];
  page.on('request', (request) => requestPaths.push(new URL(request.url()).pathname));
  await bench.getButton('Inspect').first().click();
  await bench.getButton('Recording').click();
  await page.getByRole('menuitem', { name: 'Replay this turn in 2 lanes' }).click();
  await expect(recording.replies).toHaveCount(2);
  await recording.getSpeed('Instant').click();
  for (const reply of await recording.replies.all()) {
    await expect(reply).toHaveAttribute('data-status', 'complete');
    await expect(reply).toContainText(answerText);
    await expect(reply).toContainText('Recorded');
  }
  await expect(recording.dialog).toContainText(`${2 * eventCount} of ${2 * eventCount} events`);
  expect(await recording.replies.first().locator('dl dd').allInnerTexts()).toEqual(metrics);

  await test.step('pauses at the beginning after seeking to it, and leaves the session unchanged', async () => {
    await recording.moment.fill('0');
    await expect(recording.replies.first()).toHaveAttribute('data-status', 'waiting');
    await page.keyboard.press('Escape');
    await expect(recording.dialog).toHaveCount(0);
    await bench.getButton('Close inspector').click();
    await expect(bench.replies).toHaveCount(2);
    expect(requestPaths.filter((path) => path.startsWith('/gateway/v1/chat'))).toEqual([]);
  });
});

test(
  'opens a session saved with recordings in another browser and plays it without the network',
  { tag: '@soak' },
  async ({ bench, server, demo, gateway, page, browser }) => {
    gateway.setChatScript(streamAnswer);
    await bench.open(server.url);
    await bench.sendAndWait('Tell me');
    const downloadPromise = page.waitForEvent('download');
    await bench.chooseSessionAction('Save recordings');
    const download = await downloadPromise;
    expect(download.suggestedFilename()).toBe('bench-Tell-me.tapes.jsonl');
    const path = await download.path();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const records = lines.map((line): unknown => JSON.parse(line));
    expect(records[0]).toMatchObject({ format: 'bench-tapes', version: 2 });
    expect(records[1]).toMatchObject({ format: 'bench-sessions' });
    expect(records[2]).toMatchObject({ at: 0, request: { model: 'north/one' } });
    expect(records.at(-1)).toMatchObject({ end: 'closed' });
    // Expects two header lines, the request, the status, the events and the end.
    expect(lines).toHaveLength(2 + 3 + eventCount);
    expect(lines.join()).not.toContain(canaryKey);
    expect(lines.join()).not.toContain(gateway.url);

    const otherContext = await browser.newContext();
    const otherBench = new BenchPage(await otherContext.newPage());
    const waitForModules = watchRecordingModules(otherBench.page);
    await otherBench.open(demo.url);
    await waitForModules();
    await otherContext.setOffline(true);
    const chooserPromise = otherBench.page.waitForEvent('filechooser');
    await otherBench.chooseSessionAction('Import');
    const buffer = await readFile(path);
    await (await chooserPromise).setFiles({ name: 'tapes.jsonl', mimeType: 'application/jsonl', buffer });
    await expect(otherBench.prompts).toHaveText(/Tell me/);
    await expect(otherBench.lastReply).toContainText(answerText);
    const recording = new RecordingDriver(otherBench.page);
    await otherBench.lastReply.getByRole('button', { name: 'Inspect' }).click();
    await otherBench.getButton('Replay').click();
    await recording.getSpeed('Instant').click();
    await expect(recording.replies).toHaveAttribute('data-status', 'complete');
    await expect(recording.replies).toContainText(answerText);
    await expect(recording.dialog).toContainText(`${eventCount} of ${eventCount} events`);
    await otherContext.close();
  },
);

import { readFile } from 'node:fs/promises';

import type { Locator, Page } from 'playwright/test';

import type { ChatScript } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { canaryKey, expect, test } from './fixtures.ts';

test.use({ fetchesInAdvance: true });

const text = 'Every word of this answer comes at its own time, and later it comes again just so.';
const words = text.match(/\S+\s*/g) ?? [];
/** A role, the words, a finish reason, usage and the end mark. */
const eventCount = words.length + 4;

const tell: ChatScript = (answer) => {
  answer.sendDelta({ role: 'assistant', content: '' });
  for (const word of words) answer.sendText(word);
  answer.sendFinishReason();
  answer.sendUsage(8, words.length);
  answer.sendDone();
};

/** What a recording needs is fetched when the page is idle: resolves once it is here. To be called before the page is opened. */
function recordingsFetched(page: Page): () => Promise<void> {
  const scripts: string[] = [];
  page.on('requestfinished', (request) => scripts.push(request.url()));
  return () =>
    expect
      .poll(() => scripts.join())
      .toMatch(/replay-overlay(?=[^]*library-import)|library-import(?=[^]*replay-overlay)/);
}

class RecordingPage {
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
  speed(name: string): Locator {
    return this.dialog.getByRole('radio', { name, exact: true });
  }
}

test('replays a turn of two lanes without the network: the same text, events and numbers', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  const recording = new RecordingPage(page);
  gateway.setChatScript(tell);
  const fetched = recordingsFetched(page);
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await bench.send('Tell me');
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
  const metrics = await bench.metrics(1).locator('dd').allInnerTexts();

  await fetched();
  await context.setOffline(true);
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await bench.button('Inspect').first().click();
  await bench.button('Recording').click();
  await page.getByRole('menuitem', { name: 'Replay all 2 lanes of this turn' }).click();
  await expect(recording.replies).toHaveCount(2);
  await recording.speed('Instant').click();
  for (const reply of await recording.replies.all()) {
    await expect(reply).toHaveAttribute('data-status', 'complete');
    await expect(reply).toContainText(text);
    await expect(reply).toContainText('Recorded');
  }
  await expect(recording.dialog).toContainText(`${2 * eventCount} of ${2 * eventCount} events`);
  expect(await recording.replies.first().locator('dl dd').allInnerTexts()).toEqual(metrics);

  await test.step('moved back to its beginning it waits, and the session stays as it was', async () => {
    await recording.moment.fill('0');
    await expect(recording.replies.first()).toHaveAttribute('data-status', 'waiting');
    await page.keyboard.press('Escape');
    await expect(recording.dialog).toHaveCount(0);
    await bench.button('Close inspector').click();
    await expect(bench.replies).toHaveCount(2);
    expect(requests.filter((path) => path.startsWith('/gateway/v1/chat'))).toEqual([]);
  });
});

test(
  'a session saved with its tapes opens elsewhere and plays with the network blocked',
  { tag: '@soak' },
  async ({ bench, server, demo, gateway, page, browser }) => {
    gateway.setChatScript(tell);
    await bench.open(server.url);
    await bench.ask('Tell me');
    const saving = page.waitForEvent('download');
    await bench.button('Session menu').click();
    await page.getByRole('menuitem', { name: 'Save recordings' }).click();
    const download = await saving;
    expect(download.suggestedFilename()).toBe('bench-Tell-me.tapes.jsonl');
    const path = await download.path();
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    const kinds = lines.map((line): unknown => JSON.parse(line));
    expect(kinds[0]).toMatchObject({ format: 'bench-tapes', version: 1 });
    expect(kinds[1]).toMatchObject({ format: 'bench-sessions' });
    expect(kinds[2]).toMatchObject({ at: 0, request: { model: 'north/one' } });
    expect(kinds.at(-1)).toMatchObject({ end: 'closed' });
    // Two heads, the request, the status, the events and the end.
    expect(lines).toHaveLength(2 + 3 + eventCount);
    expect(lines.join()).not.toContain(canaryKey);
    expect(lines.join()).not.toContain(gateway.url);

    const elsewhere = await browser.newContext();
    const other = new BenchPage(await elsewhere.newPage());
    const fetched = recordingsFetched(other.page);
    await other.open(demo.url);
    await fetched();
    await elsewhere.setOffline(true);
    const choosing = other.page.waitForEvent('filechooser');
    await other.button('Session menu').click();
    await other.page.getByRole('menuitem', { name: 'Import' }).click();
    const buffer = await readFile(path);
    await (await choosing).setFiles({ name: 'tapes.jsonl', mimeType: 'application/jsonl', buffer });
    await expect(other.prompts).toHaveText(/Tell me/);
    await expect(other.lastReply).toContainText(text);
    const recording = new RecordingPage(other.page);
    await other.lastReply.getByRole('button', { name: 'Inspect' }).click();
    await other.button('Replay').click();
    await recording.speed('Instant').click();
    await expect(recording.replies).toHaveAttribute('data-status', 'complete');
    await expect(recording.replies).toContainText(text);
    await expect(recording.dialog).toContainText(`${eventCount} of ${eventCount} events`);
    await elsewhere.close();
  },
);

import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { canaryKey, expect, test } from './fixtures.ts';
import type { ChatScript } from '../src/testing/scripted-gateway.ts';

const words =
  'Every word of this answer comes at its own time, and later it comes again just so.'.match(/\S+\s*/g) ?? [];

const tell: ChatScript = async (answer, request) => {
  await sleep(request.body['model'] === 'north/two' ? 900 : 700);
  answer.delta({ role: 'assistant', content: '' });
  for (const [index, word] of words.entries()) {
    answer.text(word);
    await sleep(index % 5 === 4 ? 120 : 25);
  }
  answer.finish();
  answer.usage(8, words.length);
  answer.done();
};

const text = words.join('').trim();

/** The scripts that the page has fetched. */
function loadedScripts(page: Page): Promise<string> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => entry.name)
      .join(),
  );
}

class RecordingPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }
  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Recorded' });
  }
  get replies(): Locator {
    return this.dialog.getByRole('article', { name: /^Recorded message/ });
  }
  async open(bench: BenchPage): Promise<void> {
    await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
    await this.page.getByRole('button', { name: 'Replay', exact: true }).click();
    await expect(this.dialog).toBeVisible();
  }
  speed(name: string): Locator {
    return this.dialog.getByRole('radio', { name, exact: true });
  }
}

test('record, cut the network, replay: the same text, as many events, and the same gaps', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  gateway.onChat(tell);
  const recording = new RecordingPage(page);
  await bench.open(server.url);
  const live = await (await bench.ask('Tell me')).innerText();
  expect(live).toContain(text);
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  const events = words.length + 4;
  await expect(page.getByRole('heading', { name: `${events} events` })).toBeVisible();
  const metrics = await bench.metrics(1).locator('dd').allInnerTexts();

  // What a recording needs is fetched when the page is idle; from here on nothing is let through.
  await expect
    .poll(() => loadedScripts(page))
    .toMatch(/replay-overlay(?=[^]*revive)|revive(?=[^]*replay-overlay)/);
  await context.setOffline(true);
  const requests: string[] = [];
  await page.getByRole('button', { name: 'Replay', exact: true }).click();
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await expect(recording.replies).toContainText('Recorded');
  await expect(recording.replies).toHaveAttribute('data-status', 'complete', { timeout: 15_000 });
  await expect(recording.replies).toContainText(text);
  await expect(recording.dialog).toContainText(`${events} of ${events} events`);
  const accuracy = /Gaps within ([\d.]+) ms/.exec((await recording.dialog.innerText()).replaceAll(',', ''));
  expect(
    Number(accuracy?.[1] ?? Number.NaN),
    'the middle difference of a gap from the recorded one, ms',
  ).toBeLessThanOrEqual(25);
  expect(await recording.replies.locator('dl.mx dd').allInnerTexts()).toEqual(metrics);
  expect(requests.filter((path) => path.startsWith('/gateway/v1/chat'))).toEqual([]);

  // It was shown, not run: the session is as it was.
  await page.keyboard.press('Escape');
  await expect(recording.dialog).toHaveCount(0);
  await expect(bench.replies).toHaveCount(1);
  expect(gateway.posts).toHaveLength(1);
});

test('while it plays the times are those of the recording, and they stand while it stands', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(tell);
  const recording = new RecordingPage(page);
  await bench.open(server.url);
  await bench.ask('Tell me');
  await recording.open(bench);
  const reply = recording.replies.first();
  const moment = recording.dialog.getByRole('slider', { name: 'Moment of the recording' });
  await moment.fill('300');
  await expect(reply).toContainText('Waiting for the first token, 0.3 s.');
  // Before the last words, whenever the first came.
  const atMs = Math.floor((Number(await moment.getAttribute('max')) - 50) / 100) * 100;
  const played = new RegExp(`${(atMs / 1000).toFixed(2).replace('.', '[.]')}\\s?s`);
  await moment.fill(String(atMs));
  await expect(reply).toHaveAttribute('data-status', 'streaming');
  await expect(reply.getByRole('group', { name: /^Metrics/ })).toContainText(played);
  // Longer than any clock of the page takes to move on.
  await sleep(400);
  await expect(reply.getByRole('group', { name: /^Metrics/ })).toContainText(played);
  await expect(recording.dialog).toContainText(`${(atMs / 1000).toFixed(1)} s of`);
});

test('a whole turn plays with all its lanes, faster or at once, and can be stopped and moved', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(tell);
  const recording = new RecordingPage(page);
  await bench.open(server.url);
  await bench.button('Add lane').click();
  const second = page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' });
  await second.fill('north/two');
  await second.press('Enter');
  await bench.send('Tell me');
  for (const reply of await bench.replies.all())
    await expect(reply).toHaveAttribute('data-status', 'complete');
  await bench.button('Inspect').first().click();
  await bench.button('Recording').click();
  await page.getByRole('menuitem', { name: 'Replay all 2 lanes of this turn' }).click();
  await expect(recording.replies).toHaveCount(2);

  await recording.speed('At once').click();
  for (const reply of await recording.replies.all()) {
    await expect(reply).toHaveAttribute('data-status', 'complete');
    await expect(reply).toContainText(text);
  }
  await recording.speed('16x').click();
  await expect(recording.dialog).toContainText('Gaps within');
  const moment = recording.dialog.getByRole('slider', { name: 'Moment of the recording' });
  await moment.fill('0');
  await expect(recording.replies.first()).toHaveAttribute('data-status', 'waiting');
  await moment.fill('1100');
  await expect(recording.replies.first()).toHaveAttribute('data-status', 'streaming');
  await expect(recording.replies.first()).toContainText('Every word of this');
  await expect(recording.replies.first()).not.toContainText('just so');
  await recording.dialog.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(recording.replies.first()).toHaveAttribute('data-status', 'complete');
});

test('a session saved with its tapes opens elsewhere and plays with the network blocked', async ({
  bench,
  server,
  demo,
  gateway,
  page,
  browser,
}) => {
  gateway.onChat(tell);
  await bench.open(server.url);
  await bench.ask('Tell me');
  const saving = page.waitForEvent('download');
  await bench.button('Session menu').click();
  await page.getByRole('menuitem', { name: 'Save tapes' }).click();
  const download = await saving;
  expect(download.suggestedFilename()).toBe('bench-Tell-me.tapes.jsonl');
  const path = await download.path();
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const kinds = lines.map((line): unknown => JSON.parse(line));
  expect(kinds[0]).toMatchObject({ format: 'bench-tapes', version: 1 });
  expect(kinds[1]).toMatchObject({ format: 'bench-sessions' });
  expect(kinds[2]).toMatchObject({ at: 0, request: { model: 'north/one' } });
  expect(kinds.at(-1)).toMatchObject({ end: 'closed' });
  // request, status, end, and the events themselves.
  expect(lines).toHaveLength(2 + 3 + words.length + 4);
  expect(lines.join()).not.toContain(canaryKey);
  expect(lines.join()).not.toContain(gateway.url);

  const elsewhere = await browser.newContext();
  const { BenchPage: Elsewhere } = await import('./bench-page.ts');
  const other = new Elsewhere(await elsewhere.newPage());
  await other.open(demo.url);
  await expect
    .poll(() => loadedScripts(other.page))
    .toMatch(/replay-overlay(?=[^]*revive)|revive(?=[^]*replay-overlay)/);
  await elsewhere.setOffline(true);
  const choosing = other.page.waitForEvent('filechooser');
  await other.button('Session menu').click();
  await other.page.getByRole('menuitem', { name: 'Import' }).click();
  await (
    await choosing
  ).setFiles({ name: 'tapes.jsonl', mimeType: 'application/jsonl', buffer: await readFile(path) });
  await expect(other.prompts).toHaveText(/Tell me/);
  await expect(other.lastReply).toContainText(text);
  const recording = new RecordingPage(other.page);
  await recording.open(other);
  await recording.speed('At once').click();
  await expect(recording.replies).toHaveAttribute('data-status', 'complete');
  await expect(recording.replies).toContainText(text);
  await expect(recording.dialog).toContainText(`${words.length + 4} of ${words.length + 4} events`);
  await elsewhere.close();
});

test('a damaged file of tapes is refused with its line, and nothing of it is taken in', async ({
  bench,
  demo,
  page,
}) => {
  await bench.open(demo.url);
  await bench.ask('Hello');
  const choosing = page.waitForEvent('filechooser');
  await bench.button('Session menu').click();
  await page.getByRole('menuitem', { name: 'Import' }).click();
  const buffer = Buffer.from(
    '{"format":"bench-tapes","version":1}\n{"format":"bench-sessions","version":1,"sessions":[]}\n{"run":"x","at":1}\n',
  );
  await (await choosing).setFiles({ name: 'broken.jsonl', mimeType: 'application/jsonl', buffer });
  await expect(page.getByRole('alert').filter({ hasText: 'broken.jsonl' })).toContainText('Line 3');
  await expect(bench.replies).toHaveCount(1);
});

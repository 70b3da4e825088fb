
import type { Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';
import type { ChatScript } from '../src/testing/scripted-gateway.ts';

/** Says these words and then holds the stream open until it is let go. */
function sayAndHold(words: string): { script: ChatScript; letGo: () => void } {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const script: ChatScript = async (answer) => {
    for (const word of words.split(/(?<= )/)) answer.text(word);
    await held;
    answer.text(', and the rest');
    answer.finish();
    answer.done();
  };
  return { script, letGo };
}

test('a reload in the middle of an answer shows what had arrived, marked interrupted', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat(sayAndHold('One two three').script);
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('One two three');
  await bench.reload();
  await gateway.posts[0]?.left;
  for (const visit of ['first', 'second']) {
    await expect(bench.prompts, visit).toHaveText(/Count/);
    await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
    await expect(bench.lastReply).toContainText('One two three');
    await expect(bench.lastReply).toContainText('3 tokens had arrived and are kept');
    await bench.reload();
  }
  expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(1);

  gateway.onChat((answer) => answer.whole('One two three four'));
  await bench.lastReply.getByRole('button', { name: 'Ask again' }).click();
  await expect(bench.lastReply).toContainText('four');
  await bench.ended();
  await bench.lastReply.getByRole('button', { name: 'Previous version' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
});

test('a page that is gone at once leaves an interrupted answer, never one that looks ended', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(sayAndHold('One two three').script);
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('One two three');
  await page.reload();
  await expect(bench.prompts).toHaveText(/Count/);
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
});

test('a tab that crashes while the gateway thinks loses no prompt', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(sayAndHold('').script);
  await bench.open(server.url);
  await bench.ask('First').catch(() => undefined);
  await bench.message.fill('x');
  await crash(page);
  const again = await bench.inNewTab(server.url);
  await expect(again.prompts).toHaveText(/First/);
  await expect(again.lastReply).toHaveAttribute('data-status', 'interrupted');
  await expect(again.lastReply).toContainText('Nothing had arrived yet');
});

/** The renderer is killed: no handler of the page runs. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  await page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

test('a request leaves only once its prompt is on the disk', async ({ bench, server, gateway, page }) => {
  await bench.open(server.url);
  await bench.ask('First');
  // Another tab holds the store of prompts, so that nothing can be written to it.
  const holder = await page.context().newPage();
  await holder.goto(new URL('/robots.txt', server.url).href);
  await holder.evaluate(holdPrompts);
  await bench.send('Second');
  await expect(page.locator('html')).toHaveAttribute('data-saved', 'no');
  expect(gateway.posts).toHaveLength(1);
  await holder.close();
  await expect.poll(() => gateway.posts.length).toBe(2);
  await bench.ended();
});

/** Runs in the page: a transaction that asks again and again, and so never ends. */
function holdPrompts(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('bench');
    opening.addEventListener('error', () => reject(new Error('The database did not open')));
    opening.addEventListener('success', () => {
      const store = opening.result.transaction('prompts', 'readwrite').objectStore('prompts');
      const ask = (): void => store.count().addEventListener('success', ask);
      store.count().addEventListener('success', () => {
        ask();
        resolve();
      });
    });
  });
}

test('what was typed and not sent is back after a reload, and gone once it was sent', async ({
  bench,
  server,
}) => {
  await bench.open(server.url);
  await bench.message.fill('A thought,\nnot finished');
  await bench.reload();
  await expect(bench.message).toHaveValue('A thought,\nnot finished');
  await bench.message.press('Enter');
  await bench.ended();
  await expect(bench.message).toHaveValue('');
  await bench.reload();
  await expect(bench.prompts).toHaveText(/A thought/);
  await expect(bench.message).toHaveValue('');
});

test('parameters, system prompt and model are as they were after a reload', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await bench.useModel('north/two');
  await bench.system.fill('Answer in verse.');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.3');
  await bench.parameters.getByRole('spinbutton', { name: 'max_tokens' }).fill('99');
  await bench.sendParameter('max_tokens', false);
  await bench.reload();
  await expect(bench.model).toHaveValue('north/two');
  await expect(bench.system).toHaveValue('Answer in verse.');
  await expect(bench.parameters.getByRole('spinbutton', { name: 'temperature' })).toHaveValue('0.3');
  await bench.ask('Go');
  expect(gateway.posts[0]?.body).toEqual({
    model: 'north/two',
    messages: [
      { role: 'system', content: 'Answer in verse.' },
      { role: 'user', content: 'Go' },
    ],
    stream: true,
    temperature: 0.3,
  });
  await bench.reload();
  await bench.sendParameter('max_tokens');
  await expect(bench.parameters.getByRole('spinbutton', { name: 'max_tokens' }), 'remembered').toHaveValue(
    '99',
  );
});

test('a second tab shows a running answer as running, and as whole once it is', async ({
  bench,
  server,
  gateway,
}) => {
  const { script, letGo } = sayAndHold('One two');
  gateway.onChat(script);
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('One two');
  await bench.saved();
  const other = await bench.inNewTab(bench.page.url());
  await expect(other.lastReply).toHaveAttribute('data-status', /queued|waiting|streaming/);
  await bench.saved();
  await expect(other.lastReply).toHaveAttribute('data-status', /queued|waiting|streaming/);
  letGo();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(other.lastReply).toHaveAttribute('data-status', 'complete', { timeout: 5000 });
  await expect(other.lastReply).toContainText('One two, and the rest');
});

test('a second tab marks the answer interrupted when the tab that streams it dies', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(sayAndHold('One two').script);
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('One two');
  await bench.saved();
  const other = await bench.inNewTab(page.url());
  await expect(other.lastReply).toHaveAttribute('data-status', /queued|waiting|streaming/);
  await page.close();
  await expect(other.lastReply).toHaveAttribute('data-status', 'interrupted', { timeout: 5000 });
  await expect(other.lastReply).toContainText('One two');
});

test('two tabs in one session lose none of what the other finished', async ({ bench, server, gateway }) => {
  gateway.onChat((answer) => answer.whole(`Answer ${gateway.posts.length}`));
  await bench.open(server.url);
  await bench.ask('From the first tab');
  const other = await bench.inNewTab(bench.page.url());
  await expect(other.lastReply).toContainText('Answer 1');
  await bench.ask('Again from the first');
  // What the first one asked may come in at any moment, so messages are not counted here.
  await other.message.fill('From the second tab');
  await other.message.press('Enter');
  await expect(other.prompts.filter({ hasText: 'From the second tab' })).toBeVisible();
  await other.ended();

  const third: BenchPage = await bench.inNewTab(bench.page.url());
  await expect(third.prompts.first()).toContainText('From the first tab');
  const shown = new Set<string>();
  for (const step of ['Previous', 'Next'] as const) {
    const last = third.prompts.last();
    const button = last.getByRole('button', { name: `${step} version` });
    if ((await button.count()) > 0 && (await button.isEnabled())) await button.click();
    for (const text of await third.page.getByRole('article').allInnerTexts()) shown.add(text);
  }
  const all = [...shown].join('\n');
  for (const text of ['Again from the first', 'Answer 2', 'From the second tab', 'Answer 3'])
    expect(all).toContain(text);
});

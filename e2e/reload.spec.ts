import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

test('a reload in the middle of an answer, at once or later, shows what had arrived, marked interrupted', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer) => {
    for (const word of ['One ', 'two ', 'three']) answer.sendText(word);
  });
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('One two three');
  await page.reload();
  await expect(bench.prompts).toHaveText(/Count/);
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');

  await bench.send('Count again');
  await expect(bench.lastReply).toContainText('One two three');
  await bench.reload();
  await gateway.posts[1]?.left;
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
  await expect(bench.lastReply).toContainText('One two three');
  await expect(bench.lastReply).toContainText('3 tokens received and kept');
  expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(2);

  gateway.setChatScript((answer) => answer.sendAnswer('One two three four'));
  await bench.lastReply.getByRole('button', { name: 'Ask again' }).click();
  await expect(bench.lastReply).toContainText('four');
  await bench.ended();
  await bench.lastReply.getByRole('button', { name: 'Previous version' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
});

test(
  'a tab that crashes while the gateway thinks loses no prompt',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript(() => undefined);
    await bench.open(server.url);
    await bench.send('First');
    await expect.poll(() => gateway.posts.length).toBe(1);
    await bench.saved();
    await crash(page);
    const again = await bench.inNewTab(server.url);
    await expect(again.prompts).toHaveText(/First/);
    await expect(again.lastReply).toHaveAttribute('data-status', 'interrupted');
    await expect(again.lastReply).toContainText('Nothing had been received yet');
  },
);

/** The renderer is killed: no handler of the page runs. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash');
  await page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

test(
  'a request leaves only once its prompt is on the disk',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
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
  },
);

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

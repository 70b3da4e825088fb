import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

test('shows the received text as interrupted after a reload during an answer', async ({
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
  await gateway.posts[1]?.disconnection;
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
  await expect(bench.lastReply).toContainText('One two three');
  await expect(bench.lastReply).toContainText('3 tokens were saved');
  expect(gateway.posts, 'nothing is retried automatically').toHaveLength(2);

  gateway.setChatScript((answer) => answer.sendAnswer('One two three four'));
  await bench.lastReply.getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toContainText('four');
  await bench.waitUntilEnded();
  await bench.lastReply.getByRole('button', { name: 'Previous version' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
});

test(
  'keeps the prompt if the tab crashes before the first byte',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.setChatScript(() => undefined);
    await bench.open(server.url);
    await bench.send('First');
    await expect.poll(() => gateway.posts.length).toBe(1);
    await bench.waitUntilSaved();
    await crashTab(page);
    const newTab = await bench.openInNewTab(server.url);
    await expect(newTab.prompts).toHaveText(/First/);
    await expect(newTab.lastReply).toHaveAttribute('data-status', 'interrupted');
    await expect(newTab.lastReply).toContainText('Nothing was received');
  },
);

/** Kills the renderer, so that no event handler of the page runs. */
async function crashTab(page: Page): Promise<void> {
  const crashEvent = page.waitForEvent('crash');
  await page.goto('chrome://crash').catch(() => undefined);
  await crashEvent;
}

test(
  'sends a request only after its prompt is stored',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await bench.open(server.url);
    await bench.sendAndWait('First');
    // Another tab blocks the prompt store, so that nothing can be written to it.
    const blockingTab = await page.context().newPage();
    await blockingTab.goto(new URL('/robots.txt', server.url).href);
    await blockingTab.evaluate(blockPromptStore);
    await bench.send('Second');
    await expect(page.locator('html')).toHaveAttribute('data-saved', 'no');
    expect(gateway.posts).toHaveLength(1);
    await blockingTab.close();
    await expect.poll(() => gateway.posts.length).toBe(2);
    await bench.waitUntilEnded();
  },
);

/** Runs in the page: keeps a transaction open forever by repeating its request. */
function blockPromptStore(): Promise<void> {
  return new Promise((resolve, reject) => {
    const openRequest = indexedDB.open('bench');
    openRequest.addEventListener('error', () => reject(new Error('The database did not open')));
    openRequest.addEventListener('success', () => {
      const store = openRequest.result.transaction('prompts', 'readwrite').objectStore('prompts');
      const countAgain = (): void => store.count().addEventListener('success', countAgain);
      store.count().addEventListener('success', () => {
        countAgain();
        resolve();
      });
    });
  });
}

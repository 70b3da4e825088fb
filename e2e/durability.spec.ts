/** Tests that messages and answers survive page and storage failures. */
import { randomBytes } from 'node:crypto';

import type { Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import { expect, test } from './fixtures.ts';
import { readStoredRecords } from './stored-records.ts';

test(
  'reports full storage during an answer, continues it and stores everything when there is space',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    // Chromium drops the quota override when the page that set it navigates, so a second page sets it and stays open.
    // Chromium rarely recomputes the free space, so the quota is set before Bench opens its database.
    const quotaPage = await context.newPage();
    await quotaPage.goto(new URL('/robots.txt', server.url).href);
    const cdpSession = await context.newCDPSession(quotaPage);
    const limitStorage = (quotaSize: number) =>
      cdpSession.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize });
    await limitStorage(1_000_000);
    const notice = page.getByRole('status').filter({ hasText: 'Changes could not be saved' });
    gateway.setChatScript((answer) => answer.sendAnswer('Kept from before'));
    await bench.open(server.url);
    await bench.sendAndWait('First');
    gateway.setChatScript(async (answer) => {
      for (let piece = 0; piece < 28; piece += 1) {
        // The database compresses its data, so only random text fills the quota.
        answer.sendText(randomBytes(25_000).toString('hex').replaceAll(/.{8}/g, '$& '));
      }
      answer.sendText('end');
      answer.sendFinishReason();
      answer.sendDone();
    });
    await bench.message.fill('Second');
    await bench.message.press('Enter');
    await expect(notice).toBeVisible();
    await expect(notice).toContainText('QuotaExceededError');
    await expect(notice.getByRole('button', { name: 'Save now' })).toBeEnabled();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await expect(bench.lastReply).toContainText('end');
    await limitStorage(500_000_000);
    await expect(notice, 'saving is retried automatically').toHaveCount(0);
    await bench.reload();
    await expect(bench.getReply(1)).toContainText('Kept from before');
    await expect(bench.getReply(2)).toHaveAttribute('data-status', 'complete');
    await expect(bench.getReply(2)).toContainText('end');
  },
);

test(
  'works without a database and reports that it is missing',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException('The user denied permission to access the database.', 'SecurityError');
      };
    });
    gateway.setChatScript((answer) => answer.sendAnswer('Works'));
    await bench.open(server.url);
    await expect(
      page.getByRole('status').filter({ hasText: 'Storage is blocked in this browser' }),
    ).toBeVisible();
    await bench.sendAndWait('Anything');
    await expect(bench.lastReply).toContainText('Works');
    await bench.sendAndWait('And more');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  },
);

test(
  'receives and stores a whole answer while its tab is hidden',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.addInitScript(() => {
      let hidden = false;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
      Object.defineProperty(Document.prototype, 'visibilityState', {
        get: () => (hidden ? 'hidden' : 'visible'),
      });
      // Browsers do not run animation frames in hidden pages.
      const requestFrame = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.requestAnimationFrame = (callback) => (hidden ? 0 : requestFrame(callback));
      Object.assign(globalThis, {
        hideTab: (next: boolean) => {
          hidden = next;
          document.dispatchEvent(new Event('visibilitychange'));
        },
      });
    });
    const gates = [createGate(), createGate()];
    gateway.setChatScript(async (answer) => {
      answer.sendText('Seen, ');
      await gates[0]?.opened;
      answer.sendText('unseen ');
      await gates[1]?.opened;
      answer.sendAnswer('and ended');
    });
    await bench.open(server.url);
    await bench.send('Count');
    await expect(bench.lastReply).toContainText('Seen, ');
    await page.evaluate('hideTab(true)');
    gates[0]?.open();
    await expect
      .poll(async () => JSON.stringify(await readStoredRecords(page, 'tapes')), 'stored while hidden')
      .toContain('unseen');
    gates[1]?.open();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await page.evaluate('hideTab(false)');
    await expect(bench.lastReply).toContainText('Seen, unseen and ended');
  },
);

test(
  'shows a message that fails to render as text and keeps the rest of the page working',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, pageErrors }) => {
    await page.addInitScript(() => {
      const createElement = document.createElement.bind(document);
      document.createElement = (name: string, options?: ElementCreationOptions) => {
        if (name === 'blockquote') throw new Error('quotes failed on purpose');
        return createElement(name, options);
      };
    });
    gateway.setChatScript((answer) =>
      answer.sendAnswer(
        gateway.posts.length === 2 ? '> Broken\n\nwith its words' : `Fine ${gateway.posts.length}`,
      ),
    );
    await bench.open(server.url);
    for (const prompt of ['First', 'Second', 'Third']) await bench.sendAndWait(prompt);
    for (const moment of ['immediately', 'after a reload']) {
      const brokenReply = bench.getReply(2);
      await expect(brokenReply, moment).toContainText('This message could not be displayed');
      await expect(brokenReply).toContainText('> Broken');
      await expect(brokenReply).toContainText('with its words');
      await expect(bench.getReply(1)).toContainText('Fine 1');
      await expect(bench.getReply(3)).toContainText('Fine 3');
      await bench.reload();
    }
    await bench.sendAndWait('Fourth');
    await expect(bench.lastReply).toContainText('Fine 4');
    // React logs errors caught by the boundary; no other error may have been logged.
    expect(pageErrors.every((pageError) => pageError.includes('quotes failed on purpose'))).toBe(true);
    pageErrors.length = 0;
  },
);

test('reports that a newer Bench has taken over the database, and loses nothing', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Kept'));
  await bench.open(server.url);
  await bench.sendAndWait('First');
  await bench.waitUntilSaved();
  const newerTab = await context.newPage();
  await newerTab.goto(new URL('/robots.txt', server.url).href);
  await upgradeDatabase(newerTab);
  await expect(
    page.getByRole('status').filter({ hasText: 'A newer version of Bench is open in another tab' }),
  ).toBeVisible();
  await expect(bench.lastReply).toContainText('Kept');
  await newerTab.close();
  await page.reload();
  await expect(bench.getReply(1), 'readable although stored by a newer version').toContainText('Kept');
});

/** Opens the database under a higher version number, as a later build would. */
function upgradeDatabase(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const openRequest = indexedDB.open('bench', 1000);
        openRequest.addEventListener('error', () =>
          reject(new Error('The newer version could not open the database')),
        );
        openRequest.addEventListener('success', () => {
          openRequest.result.close();
          resolve();
        });
      }),
  );
}

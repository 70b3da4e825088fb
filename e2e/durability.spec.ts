/** Messages and answers survive whatever happens to the page and its storage. */
import { randomBytes } from 'node:crypto';

import type { Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import { expect, test } from './fixtures.ts';
import { storedRecords } from './stored-records.ts';

test(
  'storage runs full in the middle: it is said, the answer goes on, and all is stored once there is room',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    // The limit is forgotten when the page that it was set through goes to another: it is set through one that stays, and
    // before Bench opens its database, since Chromium counts what is free rarely.
    const beside = await context.newPage();
    await beside.goto(new URL('/robots.txt', server.url).href);
    const session = await context.newCDPSession(beside);
    const limitStorage = (quotaSize: number) =>
      session.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize });
    await limitStorage(1_000_000);
    const notice = page.getByRole('status').filter({ hasText: 'Changes could not be saved' });
    gateway.setChatScript((answer) => answer.sendAnswer('Kept from before'));
    await bench.open(server.url);
    await bench.ask('First');
    gateway.setChatScript(async (answer) => {
      for (let piece = 0; piece < 28; piece += 1) {
        // The database packs what it stores: only text without a pattern fills it.
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
    await expect(notice, 'it is tried again by itself').toHaveCount(0);
    await bench.reload();
    await expect(bench.reply(1)).toContainText('Kept from before');
    await expect(bench.reply(2)).toHaveAttribute('data-status', 'complete');
    await expect(bench.reply(2)).toContainText('end');
  },
);

test(
  'without a database everything works, and it is said',
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
    await bench.ask('Anything');
    await expect(bench.lastReply).toContainText('Works');
    await bench.ask('And more');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  },
);

test(
  'an answer that comes while its tab is hidden is whole, and stored on the way',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    await page.addInitScript(() => {
      let hidden = false;
      Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
      Object.defineProperty(Document.prototype, 'visibilityState', {
        get: () => (hidden ? 'hidden' : 'visible'),
      });
      // A hidden page gets no frames.
      const frame = globalThis.requestAnimationFrame.bind(globalThis);
      globalThis.requestAnimationFrame = (run) => (hidden ? 0 : frame(run));
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
      .poll(async () => JSON.stringify(await storedRecords(page, 'tapes')), 'stored while hidden')
      .toContain('unseen');
    gates[1]?.open();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await page.evaluate('hideTab(false)');
    await expect(bench.lastReply).toContainText('Seen, unseen and ended');
  },
);

test(
  'a message that cannot be drawn is shown as text, and everything else goes on',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, complaints }) => {
    await page.addInitScript(() => {
      const create = document.createElement.bind(document);
      document.createElement = (name: string, options?: ElementCreationOptions) => {
        if (name === 'blockquote') throw new Error('no quotes today');
        return create(name, options);
      };
    });
    gateway.setChatScript((answer) =>
      answer.sendAnswer(
        gateway.posts.length === 2 ? '> Broken\n\nwith its words' : `Fine ${gateway.posts.length}`,
      ),
    );
    await bench.open(server.url);
    for (const prompt of ['First', 'Second', 'Third']) await bench.ask(prompt);
    for (const visit of ['at once', 'after a reload']) {
      const broken = bench.reply(2);
      await expect(broken, visit).toContainText('This message could not be displayed');
      await expect(broken).toContainText('> Broken');
      await expect(broken).toContainText('with its words');
      await expect(bench.reply(1)).toContainText('Fine 1');
      await expect(bench.reply(3)).toContainText('Fine 3');
      await bench.reload();
    }
    await bench.ask('Fourth');
    await expect(bench.lastReply).toContainText('Fine 4');
    // React tells the console of what the boundary caught; nothing else may have been said.
    expect(complaints.every((complaint) => complaint.includes('no quotes today'))).toBe(true);
    complaints.length = 0;
  },
);

test('a newer Bench takes the database over: the old tab says so and loses nothing', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Kept'));
  await bench.open(server.url);
  await bench.ask('First');
  await bench.saved();
  const newer = await context.newPage();
  await newer.goto(new URL('/robots.txt', server.url).href);
  await upgrade(newer);
  await expect(
    page.getByRole('status').filter({ hasText: 'A newer version of Bench is open in another tab' }),
  ).toBeVisible();
  await expect(bench.lastReply).toContainText('Kept');
  await newer.close();
  await page.reload();
  await expect(bench.reply(1), 'read, though it is of a newer version').toContainText('Kept');
});

/** Runs what a later version would: opens the database under a higher number. */
function upgrade(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('bench', 1000);
        opening.addEventListener('error', () => reject(new Error('The newer version could not open it')));
        opening.addEventListener('success', () => {
          opening.result.close();
          resolve();
        });
      }),
  );
}

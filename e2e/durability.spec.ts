/** What is said is kept, whatever happens to the page and its storage (faults.md F103 to F117; F104 is in kills.spec.ts). */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright/test';

import { count, countedTo, words } from './counting.ts';
import { saidBy, storedRecords, storedRuns } from './faults/stored-runs.ts';
import { expect, test } from './fixtures.ts';

test.describe.configure({ timeout: 90_000 });
test.use({ trace: 'off' });

test('F103: a reload at any moment keeps the prompt and what was shown half a second before', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(count);
  await bench.open(server.url);
  for (let round = 1; round <= 6; round += 1) {
    await bench.send(`Round ${round}`);
    await expect(bench.lastReply).toContainText('1 2 3');
    await sleep(600 + 130 * round);
    const shown = countedTo(await words(bench));
    await sleep(500);
    await page.reload();
    await expect(bench.prompts.last()).toContainText(`Round ${round}`);
    await expect(bench.lastReply).toHaveAttribute('data-status', 'interrupted');
    const [run] = (await storedRuns(page)).slice(-1);
    expect(countedTo((run && saidBy(run, 'text')[0]) ?? '')).toBeGreaterThanOrEqual(shown);
  }
  await expect(bench.replies).toHaveCount(6);
  expect(gateway.posts, 'nothing is sent again by itself').toHaveLength(6);
});

test('F108: storage runs full in the middle: it is said, the answer goes on, and all is stored once there is room', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  // The limit is forgotten when the page that it was set through goes to another: it is set through one that stays, and
  // before Bench opens its database, since Chromium counts what is free rarely.
  const beside = await context.newPage();
  await beside.goto(new URL('/robots.txt', server.url).href);
  const session = await context.newCDPSession(beside);
  const limitStorage = (quotaSize: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin: new URL(server.url).origin, quotaSize });
  await limitStorage(1_000_000);
  const notice = page.getByRole('status').filter({ hasText: 'Saving does not work' });
  gateway.onChat((answer) => answer.whole('Kept from before'));
  await bench.open(server.url);
  await bench.ask('First');
  gateway.onChat(async (answer) => {
    for (let piece = 0; piece < 28; piece += 1) {
      // The database packs what it stores: only text without a pattern fills it.
      answer.text(randomBytes(25_000).toString('hex').replaceAll(/.{8}/g, '$& '));
      await sleep(20);
    }
    answer.text('end');
    answer.finish();
    answer.done();
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
});

test('F109: without a database everything works, and it is said', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError');
    };
  });
  gateway.onChat((answer) => answer.whole('Works'));
  await bench.open(server.url);
  await expect(
    page.getByRole('status').filter({ hasText: 'This browser gives Bench no storage' }),
  ).toBeVisible();
  await bench.ask('Anything');
  await expect(bench.lastReply).toContainText('Works');
  await bench.ask('And more');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test('F110: the browser closes the database in the middle: it is opened again, without a gap', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.addInitScript(() => {
    const opened: IDBDatabase[] = [];
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (name, version) {
      const request = version === undefined ? open.call(this, name) : open.call(this, name, version);
      request.addEventListener('success', () => opened.push(request.result));
      return request;
    };
    Object.assign(globalThis, {
      closeDatabases: () => opened.splice(0).forEach((database) => database.close()),
    });
  });
  gateway.onChat(count);
  await bench.open(server.url);
  await bench.send('Count');
  for (const reached of ['20 ', '60 ', '100 ']) {
    await expect(bench.lastReply).toContainText(reached);
    await page.evaluate('closeDatabases()');
  }
  await expect(bench.lastReply).toContainText('150 ');
  await expect(page.getByRole('status').filter({ hasText: 'Saving does not work' })).toHaveCount(0);
  await bench.message.press('Escape');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  await bench.reload();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  const [run] = await storedRuns(page);
  expect(countedTo((run && saidBy(run, 'text')[0]) ?? '')).toBeGreaterThanOrEqual(150);
  const segments = (await storedRecords(page, 'tapes')).toSorted(
    (one, other) => Number(one['firstSeq']) - Number(other['firstSeq']),
  );
  let next = 0;
  for (const { firstSeq, entries } of segments) {
    expect(firstSeq, 'the tape has no gap and no overlap').toBe(next);
    next += Array.isArray(entries) ? entries.length : 0;
  }
});

test('F111: one damaged record hurts nothing else', async ({ bench, server, gateway, page }) => {
  gateway.onChat((answer) => answer.whole(`Answer ${gateway.posts.length}`));
  await bench.open(server.url);
  for (const words of ['One', 'Two', 'Three']) await bench.ask(words);
  await bench.reload();
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('bench');
        opening.addEventListener('success', () => {
          const change = opening.result.transaction(['runs', 'sessions'], 'readwrite');
          const asking = change.objectStore('runs').getAll();
          asking.addEventListener('success', () => {
            const second: unknown = asking.result[1];
            if (typeof second === 'object')
              change.objectStore('runs').put({ ...second, choices: 'not a list', phase: 7 });
          });
          change.objectStore('sessions').put({ id: 'broken', title: 5, laneIds: 'x' });
          change.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
  );
  await page.reload();
  await expect(bench.prompts).toHaveCount(3);
  await expect(page.getByText('Answer 1')).toBeVisible();
  await expect(page.getByText('Answer 3')).toBeVisible();
  await bench.ask('Four');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  const runs = await storedRecords(page, 'runs');
  expect(
    runs.filter((run) => run['choices'] === 'not a list'),
    'the damaged record stays, raw',
  ).toHaveLength(1);
});

test('F112: a clock that jumps leaves the order as it was, and no time negative', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.addInitScript(() => {
    const now = Date.now.bind(Date);
    Object.assign(globalThis, { clockOffsetMs: 0 });
    Date.now = () => now() + Number(Reflect.get(globalThis, 'clockOffsetMs'));
  });
  gateway.onChat(async (answer) => {
    answer.text('Some ');
    await sleep(400);
    answer.whole(`words ${gateway.posts.length}`);
  });
  await bench.open(server.url);
  await bench.send('First');
  await expect(bench.lastReply).toContainText('Some');
  await page.evaluate('clockOffsetMs = -3_600_000');
  await bench.ended();
  await bench.ask('Second');
  await page.evaluate('clockOffsetMs = -Date.now() + clockOffsetMs + 86_400_000');
  await bench.ask('Third');
  await page.evaluate('clockOffsetMs = 0');
  for (const visit of ['before', 'after a reload']) {
    await expect(bench.prompts, visit).toHaveText([/First/, /Second/, /Third/]);
    await expect(bench.replies).toHaveText([/words 1/, /words 2/, /words 3/]);
    await expect(bench.page.locator('body')).not.toContainText(/[-−]\d+(?:\.\d+)? ?(?:ms|s)\b/);
    await bench.reload();
  }
  for (const run of await storedRecords(page, 'runs')) {
    for (const name of ['firstTokenMs', 'firstTextMs', 'lastEventMs', 'endedMs'])
      expect(Number(run[name])).toBeGreaterThanOrEqual(0);
  }
});

test('F113: an answer that comes while its tab is hidden is whole, and was stored on the way', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await page.addInitScript(() => {
    let hidden = false;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => hidden });
    Object.defineProperty(Document.prototype, 'visibilityState', {
      get: () => (hidden ? 'hidden' : 'visible'),
    });
    Object.assign(globalThis, {
      hideTab: (next: boolean) => {
        hidden = next;
        document.dispatchEvent(new Event('visibilitychange'));
      },
    });
  });
  gateway.onChat(async (answer) => {
    for (let number = 1; number <= 200; number += 1) {
      answer.text(`${number} `);
      await sleep(15);
    }
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('5 ');
  await page.evaluate('hideTab(true)');
  await sleep(1500);
  const tapes = await storedRecords(page, 'tapes');
  expect(tapes.length, 'stored while hidden').toBeGreaterThan(2);
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete', { timeout: 20_000 });
  await page.evaluate('hideTab(false)');
  await expect(bench.lastReply).toContainText('199 200');
  expect(countedTo(await words(bench))).toBe(200);
});

test('F115: what is stored in the middle of an answer is whole in itself', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat(count);
  await bench.open(server.url);
  await bench.send('Count');
  await expect(bench.lastReply).toContainText('50 ');
  await bench.button('Session menu').click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export', exact: true }).click();
  const stream = await (await download).createReadStream();
  let file = '';
  for await (const piece of stream) file += String(piece);
  expect(JSON.parse(file)).toMatchObject({
    sessions: [{ partial: true, runs: [{ status: 'streaming', partial: true }] }],
  });
  const text = /"text": "((?:\d+ )+)"/.exec(file)?.[1] ?? '';
  expect(countedTo(text)).toBeGreaterThanOrEqual(40);
  const at = countedTo(await words(bench));
  await expect(bench.lastReply).toContainText(`${at + 50} `);
  await bench.message.press('Escape');
});

test('F116: a session of a thousand messages opens, scrolls and is written to', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => answer.whole('Newest'));
  await bench.open(server.url);
  await bench.ask('Zero');
  await bench.reload();
  await page.evaluate(growSession, 500);
  await page.reload();
  await expect(bench.prompts).toHaveCount(501, { timeout: 30_000 });
  await bench.ask('One more');
  await expect(bench.lastReply).toContainText('Newest');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test('F116: an answer of 20 MB is kept whole and drawn up to a bound, and Bench can be written to', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const paragraphs = Array.from(
    { length: 200 },
    (_, index) =>
      `Line ${index} of a **very** long answer with \`code\` and a [link](https://example.org).\n\n`,
  ).join('');
  const times = Math.ceil((20 * 1024 * 1024) / paragraphs.length);
  gateway.onChat(async (answer) => {
    for (let sent = 0; sent < times; sent += 1) {
      answer.text(paragraphs);
      if (answer.response.writableNeedDrain)
        await new Promise((resolve) => answer.response.once('drain', resolve));
    }
    answer.whole('The end.');
  });
  await bench.open(server.url);
  await bench.send('Write much');
  await bench.message.fill('Written meanwhile');
  await expect(bench.message).toHaveValue('Written meanwhile');
  // Asked of the page itself: Playwright's own search by role takes seconds in so large a one.
  const drawn = () =>
    page.evaluate(() => {
      const reply = document.querySelector('article[data-status]');
      const text = reply?.textContent ?? '';
      return {
        status: reply?.getAttribute('data-status'),
        elements: document.getElementsByTagName('*').length,
        note: reply?.querySelector('.md-note')?.textContent,
        hasBeginning: text.includes('Line 0 of a very long answer with code and a link.'),
        hasEnd: text.includes('The end.'),
        isAsCame: text.includes('Line 199 of a **very** long'),
      };
    });
  const whole = {
    status: 'complete',
    note: 'The rest of this message is shown as plain text: it is too long for all of it to be drawn as markdown.',
    hasBeginning: true,
    hasEnd: true,
    isAsCame: true,
  };
  await expect.poll(drawn, { timeout: 60_000 }).toMatchObject(whole);
  expect((await drawn()).elements).toBeLessThan(150_000);
  await bench.saved();
  await page.reload();
  await expect.poll(drawn, { timeout: 60_000 }).toMatchObject(whole);
  const [run] = await storedRuns(page);
  expect((run && saidBy(run, 'text')[0]) === `${paragraphs.repeat(times)}The end.`).toBe(true);
});

/** Runs in the page: makes the one turn that is there into a long conversation. */
function growSession(turns: number): Promise<void> {
  return new Promise((resolve) => {
    const opening = indexedDB.open('bench');
    opening.addEventListener('success', () => {
      const change = opening.result.transaction(['lanes', 'prompts', 'turns', 'runs'], 'readwrite');
      const first = (name: string): Promise<Record<string, unknown>> =>
        new Promise((found) => {
          const asking = change.objectStore(name).getAll();
          asking.addEventListener('success', () => found(Object(asking.result[0])));
        });
      void Promise.all([first('lanes'), first('prompts'), first('turns'), first('runs')]).then(
        ([lane, prompt, turn, run]) => {
          let parent = turn['id'];
          for (let number = 1; number <= turns; number += 1) {
            const [promptId, turnId, runId] = [`p${number}`, `t${number}`, `r${number}`];
            change.objectStore('prompts').put({
              ...prompt,
              id: promptId,
              seq: number + 1,
              messages: [{ role: 'user', content: `Prompt ${number}` }],
            });
            change.objectStore('runs').put({ ...run, id: runId });
            change.objectStore('turns').put({
              ...turn,
              id: turnId,
              seq: number + 1,
              promptId,
              parent: { turnId: parent, choice: 0 },
              reply: { runId },
            });
            parent = turnId;
          }
          change.objectStore('lanes').put({ ...lane, tip: parent });
        },
      );
      change.addEventListener('complete', () => {
        opening.result.close();
        resolve();
      });
    });
  });
}

test('F117: a message that can not be drawn is shown as text, and everything else goes on', async ({
  bench,
  server,
  gateway,
  page,
  complaints,
}) => {
  await page.addInitScript(() => {
    const create = document.createElement.bind(document);
    document.createElement = (name: string, options?: ElementCreationOptions) => {
      if (name === 'blockquote') throw new Error('no quotes today');
      return create(name, options);
    };
  });
  gateway.onChat((answer) =>
    answer.whole(gateway.posts.length === 2 ? '> Broken\n\nwith its words' : `Fine ${gateway.posts.length}`),
  );
  await bench.open(server.url);
  for (const prompt of ['First', 'Second', 'Third']) await bench.ask(prompt);
  for (const visit of ['at once', 'after a reload']) {
    const broken = bench.reply(2);
    await expect(broken, visit).toContainText('This message could not be drawn');
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
});

test('F107: a newer Bench takes the database over: the old tab says so and loses nothing', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  gateway.onChat((answer) => answer.whole('Kept'));
  await bench.open(server.url);
  await bench.ask('First');
  await bench.message.fill('x');
  await sleep(700);
  const newer = await context.newPage();
  await newer.goto(new URL('/robots.txt', server.url).href);
  await upgrade(newer);
  await expect(
    page.getByRole('status').filter({ hasText: 'A newer Bench is open in another tab' }),
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

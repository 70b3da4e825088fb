import type { Locator, Page } from 'playwright/test';

import { startBench } from './bench-server.ts';
import { expect, test } from './fixtures.ts';
import { listen } from './live-region.ts';

function panel(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Settings' });
}

test('theme and density show at once and are there at the next visit', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => answer.whole('Words to measure.'));
  await bench.open(server.url);
  await bench.ask('Say something');
  const words = bench.lastReply.getByText('Words to measure.');
  const before = await words.evaluate((element) => getComputedStyle(element).fontSize);
  await bench.button('Settings').click();
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole('radio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await panel(page).getByRole('radio', { name: 'Comfortable' }).click();
  const after = await words.evaluate((element) => getComputedStyle(element).fontSize);
  expect(Number.parseFloat(after)).toBeGreaterThan(Number.parseFloat(before));
  await page.keyboard.press('Escape');
  await expect(panel(page)).toBeHidden();
  await expect(bench.button('Settings')).toBeFocused();
  await bench.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable');
});

test('the button opens and closes the panel, and so does its key', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.button('Settings').click();
  await expect(panel(page)).toBeVisible();
  await bench.button('Settings').click();
  await expect(panel(page)).toBeHidden();
  await page.keyboard.press('ControlOrMeta+,');
  await expect(panel(page)).toBeVisible();
  await page.mouse.click(200, 500);
  await expect(panel(page)).toBeHidden();
});

test('Escape closes the settings, nothing else, and the focus is back on their button', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.button('Settings').click();
  await expect(panel(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(bench.button('Settings')).toBeFocused();
  await expect(bench.message).toBeVisible();
});

test('requests a minute can be lowered, never raised above the server, and what is wrong changes nothing', async ({
  bench,
  gateway,
  page,
}) => {
  const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '50' });
  await bench.open(server.url);
  await expect(page.getByText('of 50 this min')).toBeVisible();
  await bench.button('Settings').click();
  const field = panel(page).getByRole('spinbutton', { name: 'Requests a minute' });
  await field.fill('12');
  await expect(page.getByText('of 12 this min')).toBeVisible();
  await field.fill('80');
  await expect(panel(page)).toContainText('The server sends at most 50');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText('of 12 this min')).toBeVisible();
  await field.fill('many');
  await expect(panel(page)).toContainText('Use a whole number');
  await field.fill('');
  await expect(page.getByText('of 50 this min')).toBeVisible();
  await server.stop();
});

test('what was sent in this minute counts after a reload, and what had waited says that it was not sent', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.button('Settings').click();
  await panel(page).getByRole('spinbutton', { name: 'Requests a minute' }).fill('1');
  await page.keyboard.press('Escape');
  await bench.button('Add lane').click();
  await bench.send('One of you has to wait');
  await expect(page.getByText('1 of 1 this min')).toBeVisible();
  const held = bench.replies.and(page.locator('[data-status=queued]'));
  await expect(held).toContainText('The one request for this minute is used.');
  await expect(bench.replies.and(page.locator('[data-status=complete]'))).toHaveCount(1);
  await bench.reload();
  await expect(page.getByText('1 of 1 this min')).toBeVisible();
  await expect(bench.replies.and(page.locator('[data-status=interrupted]'))).toContainText(
    'It was waiting for its turn and was not sent.',
  );
  await bench.message.fill('And now');
  await bench.message.press('Enter');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'queued');
  expect(gateway.posts).toHaveLength(1);
});

test('replies are read by sentence, whole sentences only, once that is asked for', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  let go: () => void = () => undefined;
  const steps: (() => void)[] = [];
  const next = () => new Promise<void>((resolve) => steps.push(resolve));
  go = () => steps.shift()?.();
  gateway.onChat(async (answer) => {
    answer.text('The first sentence is here. The second is');
    await next();
    answer.text(' not **long** either. And the third');
    answer.finish('stop');
    answer.done();
  });
  await bench.open(server.url);
  await bench.button('Settings').click();
  await panel(page).getByRole('switch', { name: 'Read replies by sentence' }).click();
  await page.keyboard.press('Escape');
  const heard = await listen(bench);
  await bench.send('Read to me');
  await expect.poll(() => heard.join(' ')).toContain('The first sentence is here.');
  expect(heard.join(' ')).not.toContain('The second');
  go();
  await expect.poll(() => heard.join(' ')).toContain('The second is not long either.');
  await expect.poll(() => heard.join(' ')).toContain('And the third');
  expect(heard.join(' ').match(/The first sentence/g)).toHaveLength(1);
});

test('everything is erased only after a question, and what went is said', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => answer.whole('Yes.'));
  await bench.open(server.url);
  await bench.ask('Something to be erased');
  await bench.button('New session').click();
  await bench.ask('Another thing');
  const other = await bench.inNewTab(server.url);
  await expect(other.prompts).toHaveCount(1);
  await bench.button('Settings').click();
  await panel(page).getByRole('radio', { name: 'Dark' }).click();
  await expect(panel(page)).toContainText(/2 sessions, [\d.]+ [KM]?B in all/);
  await panel(page).getByRole('button', { name: 'Erase everything' }).click();
  await expect(panel(page)).toContainText('It can not be undone.');
  await panel(page).getByRole('button', { name: 'Keep everything' }).click();
  await expect(bench.prompts).toHaveCount(1);
  await panel(page).getByRole('button', { name: 'Erase everything' }).click();
  await panel(page).getByRole('button', { name: 'Erase now' }).click();
  await expect(panel(page)).toContainText('Erased 2 sessions and all settings. Bench starts anew.');
  await expect(bench.noConversation).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expect(other.page.getByRole('heading', { name: 'This session is not here' })).toBeVisible();
  await other.page.close();
  const left = await page.evaluate(async () => {
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('bench');
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('The database does not open')));
    });
    const counts = await Promise.all(
      ['prompts', 'turns', 'runs', 'tapes', 'presets', 'images'].map(
        (name) =>
          new Promise<number>((resolve) => {
            const request = opened.transaction(name).objectStore(name).count();
            request.addEventListener('success', () => resolve(request.result));
          }),
      ),
    );
    opened.close();
    return counts;
  });
  expect(left).toEqual([0, 0, 0, 0, 0, 0]);
  await page.goto(`${server.url}history`);
  await expect(page.getByText('Something to be erased')).toBeHidden();
});

test('what was typed and embedded in the lab is erased, too, in every tab', async ({ bench, demo, page }) => {
  const texts = (of: Page) => of.getByRole('textbox', { name: 'Texts', exact: true });
  await page.goto(new URL('/embeddings', demo.url).href);
  await texts(page).fill('A text of mine\nAnother one');
  await bench
    .button(/^Embed/)
    .first()
    .click();
  await expect(page.getByRole('grid', { name: 'Similarity' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(new URL('/embeddings', demo.url).href);
  await expect(texts(other)).toHaveValue(/A text of mine/);
  await bench.button('Settings').click();
  await panel(page).getByRole('button', { name: 'Erase everything' }).click();
  await panel(page).getByRole('button', { name: 'Erase now' }).click();
  await expect(panel(page)).toContainText('Bench starts anew.');
  await expect(texts(other)).toHaveValue('');
  for (const each of [page, other]) {
    await each.goto(new URL('/embeddings', demo.url).href);
    await expect(texts(each)).toHaveValue('');
  }
});

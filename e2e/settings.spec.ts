import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import { startBench } from './bench-server.ts';
import { expect, test } from './fixtures.ts';
import { listen } from './live-region.ts';

function panel(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Settings' });
}

test(
  'a walk through the settings: each choice shows at once and is there at the next visit',
  { tag: '@soak' },
  async ({ bench, gateway, page }) => {
    const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '50' });
    gateway.setChatScript((answer) => answer.sendAnswer('Words to measure.'));
    await bench.open(server.url);
    await bench.ask('Say something');
    const words = bench.lastReply.getByText('Words to measure.');
    const sizeOfWords = async () =>
      Number.parseFloat(await words.evaluate((element) => getComputedStyle(element).fontSize));

    await test.step('the button and its key open and close the panel, a click outside closes it', async () => {
      await bench.button('Settings').click();
      await expect(panel(page)).toBeFocused();
      await bench.button('Settings').click();
      await expect(panel(page)).toBeHidden();
      await page.keyboard.press('ControlOrMeta+,');
      await expect(panel(page)).toBeVisible();
      await page.mouse.click(200, 500);
      await expect(panel(page)).toBeHidden();
    });

    await test.step('Escape closes the settings, nothing else, and the focus is back on their button', async () => {
      await bench.button('Settings').click();
      await expect(panel(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(panel(page)).toHaveCount(0);
      await expect(bench.button('Settings')).toBeFocused();
      await expect(bench.message).toBeVisible();
    });

    await test.step('theme, density and the limit show at once, and a wrong limit changes nothing', async () => {
      const before = await sizeOfWords();
      await bench.button('Settings').click();
      await panel(page).getByRole('radio', { name: 'Dark' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await panel(page).getByRole('radio', { name: 'Comfortable' }).click();
      await expect.poll(sizeOfWords).toBeGreaterThan(before);
      const field = panel(page).getByRole('spinbutton', { name: 'Requests per minute' });
      await field.fill('12');
      await expect(page.getByText('of 12 this min')).toBeVisible();
      await field.fill('80');
      await expect(panel(page)).toContainText('Must be 1 to 50, the server limit');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByText('of 12 this min')).toBeVisible();
      await field.fill('');
      await expect(page.getByText('of 50 this min')).toBeVisible();
      await field.fill('12');
    });

    await bench.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable');
    await expect(page.getByText('of 12 this min')).toBeVisible();
    await server.stop();
  },
);

test(
  'replies are read by sentence, whole sentences only, once that is asked for',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const rest = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('The first sentence is here. The second is');
      await rest.opened;
      answer.sendAnswer(' not **long** either. And the third');
    });
    await bench.open(server.url);
    await bench.button('Settings').click();
    await panel(page).getByRole('switch', { name: 'Read replies by sentence' }).click();
    await page.keyboard.press('Escape');
    const heard = await listen(bench);
    await bench.send('Read to me');
    await expect.poll(() => heard.join(' ')).toContain('The first sentence is here.');
    expect(heard.join(' ')).not.toContain('The second');
    rest.open();
    await expect.poll(() => heard.join(' ')).toContain('The second is not long either.');
    await expect.poll(() => heard.join(' ')).toContain('And the third');
    expect(heard.join(' ').match(/The first sentence/g)).toHaveLength(1);
  },
);

test(
  'everything is erased only after a question, in every tab and in the lab, and what went is said',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    const texts = (of: Page) => of.getByRole('textbox', { name: 'Texts', exact: true });
    const lab = new URL('/embeddings', demo.url).href;
    await bench.open(demo.url);
    await bench.ask('Something to be erased');
    await bench.newSession();
    await bench.ask('Another thing');
    const other = await bench.inNewTab(demo.url);
    await expect(other.prompts).toHaveCount(1);
    await page.goto(lab);
    await texts(page).fill('A text of mine\nAnother one');
    await bench
      .button(/^Embed/)
      .first()
      .click();
    await expect(page.getByText('All embedded.')).toBeVisible();
    await bench.saved();
    const otherLab = await page.context().newPage();
    await otherLab.goto(lab);
    await expect(texts(otherLab)).toHaveValue(/A text of mine/);

    // In a tab behind another one each click waits for a frame, which comes once in seconds.
    await page.bringToFront();
    await bench.button('Settings').click();
    await panel(page).getByRole('radio', { name: 'Dark' }).click();
    await expect(panel(page)).toContainText(/2 sessions, [\d.]+ [KM]?B in total/);
    await panel(page).getByRole('button', { name: 'Erase everything' }).click();
    await expect(panel(page)).toContainText('It cannot be undone.');
    await panel(page).getByRole('button', { name: 'Keep everything' }).click();
    await expect(other.prompts).toHaveCount(1);
    await panel(page).getByRole('button', { name: 'Erase everything' }).click();
    await panel(page).getByRole('button', { name: 'Erase now' }).click();
    await expect(panel(page)).toContainText('Erased 2 sessions and all settings. Bench is reset.');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(
      other.page.getByRole('heading', { name: 'Session not found in this browser' }),
    ).toBeVisible();
    await expect(bench.noConversation).toBeVisible();
    await expect(texts(otherLab)).toHaveValue('');
    await other.page.close();
    expect(await storedCounts(page)).toEqual([0, 0, 0, 0, 0, 0]);
    for (const each of [page, otherLab]) {
      await each.goto(lab);
      await expect(texts(each)).toHaveValue('');
    }
  },
);

/** How many prompts, turns, runs, tapes, presets and images the browser's database holds. */
async function storedCounts(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
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
}

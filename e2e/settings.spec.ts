import type { Locator, Page } from 'playwright/test';

import { createPausedAnswer } from '../src/testing/scripted-gateway.ts';
import { startBench } from './bench-server.ts';
import { expect, test } from './fixtures.ts';
import { collectAnnouncements } from './live-region.ts';

function getPanel(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Settings' });
}

test(
  'applies every setting immediately and keeps it for the next visit',
  { tag: '@soak' },
  async ({ bench, gateway, page }) => {
    const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '50' });
    gateway.setChatScript((answer) => answer.sendAnswer('Words to measure.'));
    await bench.open(server.url);
    await bench.sendAndWait('Say something');
    const replyText = bench.lastReply.getByText('Words to measure.');
    const measureFontSize = async () =>
      Number.parseFloat(await replyText.evaluate((element) => getComputedStyle(element).fontSize));

    await test.step('toggles the settings panel with button and shortcut and closes it on a click outside', async () => {
      await bench.getButton('Settings').click();
      await expect(getPanel(page)).toBeFocused();
      await bench.getButton('Settings').click();
      await expect(getPanel(page)).toBeHidden();
      await page.keyboard.press('ControlOrMeta+,');
      await expect(getPanel(page)).toBeVisible();
      await page.mouse.click(200, 500);
      await expect(getPanel(page)).toBeHidden();
    });

    await test.step('closes only the settings on Escape and focuses their button', async () => {
      await bench.getButton('Settings').click();
      await expect(getPanel(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(getPanel(page)).toHaveCount(0);
      await expect(bench.getButton('Settings')).toBeFocused();
      await expect(bench.message).toBeVisible();
    });

    await test.step('applies theme, density and limit immediately and ignores an invalid limit', async () => {
      const initialFontSize = await measureFontSize();
      await bench.getButton('Settings').click();
      await getPanel(page).getByRole('radio', { name: 'Dark' }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
      await getPanel(page).getByRole('radio', { name: 'Comfortable' }).click();
      await expect.poll(measureFontSize).toBeGreaterThan(initialFontSize);
      const field = getPanel(page).getByRole('spinbutton', { name: 'Requests per minute' });
      await field.fill('12');
      await expect(page.getByText('of 12 this minute')).toBeVisible();
      await field.fill('80');
      await expect(getPanel(page)).toContainText('Enter 1 to 50 (server limit)');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByText('of 12 this minute')).toBeVisible();
      await field.fill('');
      await expect(page.getByText('of 50 this minute')).toBeVisible();
      await field.fill('12');
    });

    await bench.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable');
    await expect(page.getByText('of 12 this minute')).toBeVisible();
    await server.stop();
  },
);

test(
  'announces replies as whole sentences if enabled',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const { script, finish } = createPausedAnswer(
      'The first sentence is here. The second is',
      ' not **long** either. And the third',
    );
    gateway.setChatScript(script);
    await bench.open(server.url);
    await bench.getButton('Settings').click();
    await getPanel(page).getByRole('switch', { name: 'Read replies sentence by sentence' }).click();
    await page.keyboard.press('Escape');
    const announcements = await collectAnnouncements(bench);
    await bench.send('Read to me');
    await expect.poll(() => announcements.join(' ')).toContain('The first sentence is here.');
    expect(announcements.join(' ')).not.toContain('The second');
    finish();
    await expect.poll(() => announcements.join(' ')).toContain('The second is not long either.');
    await expect.poll(() => announcements.join(' ')).toContain('And the third');
    expect(announcements.join(' ').match(/The first sentence/g)).toHaveLength(1);
  },
);

test(
  'erases everything in all tabs and the lab only after confirmation, and reports what was erased',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    const getTextsField = (labPage: Page) => labPage.getByRole('textbox', { name: 'Texts', exact: true });
    const labUrl = new URL('/embeddings', demo.url).href;
    await bench.open(demo.url);
    await bench.sendAndWait('Something to be erased');
    await bench.startNewSession();
    await bench.sendAndWait('Another thing');
    const otherTab = await bench.openInNewTab(demo.url);
    await expect(otherTab.prompts).toHaveCount(1);
    await page.goto(labUrl);
    await getTextsField(page).fill('A text of mine\nAnother one');
    await bench
      .getButton(/^Embed/)
      .first()
      .click();
    await expect(page.getByText('All embedded.')).toBeVisible();
    await bench.waitUntilSaved();
    const otherLabPage = await page.context().newPage();
    await otherLabPage.goto(labUrl);
    await expect(getTextsField(otherLabPage)).toHaveValue(/A text of mine/);

    // In a background tab, every click is delayed until the next animation frame, which comes only every few seconds.
    await page.bringToFront();
    await bench.getButton('Settings').click();
    await getPanel(page).getByRole('radio', { name: 'Dark' }).click();
    await expect(getPanel(page)).toContainText(/2 sessions, [\d.]+ [KM]?B in total/);
    await getPanel(page).getByRole('button', { name: 'Erase everything' }).click();
    await expect(getPanel(page)).toContainText('This cannot be undone.');
    await getPanel(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(otherTab.prompts).toHaveCount(1);
    await getPanel(page).getByRole('button', { name: 'Erase everything' }).click();
    await getPanel(page).getByRole('button', { name: 'Erase now' }).click();
    await expect(getPanel(page)).toContainText('Erased 2 sessions and all settings. Bench is reset.');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
    await expect(
      otherTab.page.getByRole('heading', { name: 'Session not found in this browser' }),
    ).toBeVisible();
    await expect(bench.noConversation).toBeVisible();
    await expect(getTextsField(otherLabPage)).toHaveValue('');
    await otherTab.page.close();
    expect(await countStoredRecords(page)).toEqual([0, 0, 0, 0, 0, 0]);
    for (const labPage of [page, otherLabPage]) {
      await labPage.goto(labUrl);
      await expect(getTextsField(labPage)).toHaveValue('');
    }
  },
);

/** Returns the numbers of stored prompts, turns, runs, tapes, presets and images. */
async function countStoredRecords(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('bench');
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('The database did not open')));
    });
    const counts = await Promise.all(
      ['prompts', 'turns', 'runs', 'tapes', 'presets', 'images'].map(
        (name) =>
          new Promise<number>((resolve) => {
            const request = database.transaction(name).objectStore(name).count();
            request.addEventListener('success', () => resolve(request.result));
          }),
      ),
    );
    database.close();
    return counts;
  });
}

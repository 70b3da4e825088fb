import type { Locator, Page } from 'playwright/test';

import { anExport, importFile } from './files.ts';
import { expect, test } from './fixtures.ts';

const turns = 60;

async function openLong(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/history', url).href);
  const text = anExport(['A long session'], turns);
  await importFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
  await page.getByRole('link', { name: 'A long session' }).click();
  await expect(page.getByText(`Its key is k${turns}z.`)).toBeInViewport();
}

/** How far down the view it stands, from 0 to 1. */
async function shareOf(page: Page, element: Locator): Promise<number> {
  const [view, box] = await Promise.all([
    page.getByRole('region', { name: 'Conversation' }).boundingBox(),
    element.boundingBox(),
  ]);
  return box && view ? (box.y - view.y) / view.height : Number.NaN;
}

test(
  'Find goes to hits in turns that are not in the page yet, marks them, and leaves the focus on the message of the hit',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    const bar = page.getByRole('search', { name: 'Find in session' });
    const field = bar.getByRole('searchbox', { name: 'Find in session' });
    const count = bar.getByRole('status');
    await openLong(page, server.url);

    await test.step('the keys open it, and the text stays where it is', async () => {
      await bench.message.focus();
      await page.keyboard.press('ControlOrMeta+f');
      await expect(field).toBeFocused();
      await expect(page.getByText(`Its key is k${turns}z.`)).toBeInViewport();
    });

    await test.step('a hit far above comes to stand a third down the view', async () => {
      await field.fill('its key is k7z');
      await expect(count).toHaveText('1 of 1');
      await expect(page.getByText('Its key is k7z.')).toBeInViewport();
      await expect.poll(() => shareOf(page, page.getByText('Its key is k7z.'))).toBeGreaterThan(0.2);
      expect(await shareOf(page, page.getByText('Its key is k7z.'))).toBeLessThan(0.45);
      await expect(bench.button(`Turn 7 of ${turns}`)).toBeVisible();
    });

    await test.step('Enter and F3 walk, round at the end, and say where they go', async () => {
      await field.fill('its key is');
      await expect(count).toHaveText(`7 of ${turns}`);
      await field.press('Enter');
      await expect(count).toHaveText(`8 of ${turns}`);
      await field.press('Shift+F3');
      await field.press('Shift+Enter');
      await expect(count).toHaveText(`6 of ${turns}`);
      await expect(bench.said(`Hit 6 of ${turns}, turn 6, answer of lane A.`)).toHaveCount(1);
      await bar.getByRole('radio', { name: 'Prompts' }).click();
      await expect(count).toHaveText('No hits');
      await bar.getByRole('radio', { name: 'All' }).click();
      await expect(count).toHaveText(/of 60/);
    });

    await test.step('Escape closes it and the focus is on the message', async () => {
      await field.fill('its key is k12z');
      await expect(count).toHaveText('1 of 1');
      await expect(page.getByText('Its key is k12z.')).toBeInViewport();
      await field.press('Escape');
      await expect(bar).toBeHidden();
      await expect(bench.reply(12)).toBeFocused();
    });

    await test.step('the list of turns goes to a turn', async () => {
      await page.getByRole('button', { name: /^Turn 1[23] of 60/ }).click();
      const list = page.getByRole('dialog', { name: 'Turns' }).getByRole('listbox', { name: 'Turns' });
      await expect(list.getByRole('option', { selected: true })).toContainText(/^1[23]/);
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await expect(list).toBeHidden();
      await expect(bench.button(`Turn 1 of ${turns}`)).toBeVisible();
      await expect(page.getByText('Its key is k1z.')).toBeInViewport();
    });
  },
);

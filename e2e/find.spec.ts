import type { Locator, Page } from 'playwright/test';

import { createExport, chooseFile } from './files.ts';
import { expect, test } from './fixtures.ts';

const turnCount = 60;

async function openLongSession(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/history', url).href);
  const text = createExport(['A long session'], turnCount);
  await chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
  await page.getByRole('link', { name: 'A long session' }).click();
  await expect(page.getByText(`Its key is k${turnCount}z.`)).toBeInViewport();
}

/** Returns the element's vertical position in the viewport, from 0 (top) to 1 (bottom). */
async function measureViewShare(page: Page, element: Locator): Promise<number> {
  const [view, box] = await Promise.all([
    page.getByRole('region', { name: 'Conversation' }).boundingBox(),
    element.boundingBox(),
  ]);
  return box && view ? (box.y - view.y) / view.height : Number.NaN;
}

test(
  'finds matches in turns that are not rendered yet, highlights them and focuses their message',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    const findBar = page.getByRole('search', { name: 'Find in session' });
    const field = findBar.getByRole('searchbox', { name: 'Find in session' });
    const hitCounter = findBar.getByRole('status');
    await openLongSession(page, server.url);

    await test.step('opens Find by keyboard without scrolling', async () => {
      await bench.message.focus();
      await page.keyboard.press('ControlOrMeta+f');
      await expect(field).toBeFocused();
      await expect(page.getByText(`Its key is k${turnCount}z.`)).toBeInViewport();
    });

    await test.step('scrolls a distant match to a third of the viewport', async () => {
      await field.fill('its key is k7z');
      await expect(hitCounter).toHaveText('1 of 1');
      await expect(page.getByText('Its key is k7z.')).toBeInViewport();
      await expect.poll(() => measureViewShare(page, page.getByText('Its key is k7z.'))).toBeGreaterThan(0.2);
      expect(await measureViewShare(page, page.getByText('Its key is k7z.'))).toBeLessThan(0.45);
      await expect(bench.getButton(`Turn 7 of ${turnCount}`)).toBeVisible();
    });

    await test.step('steps through matches with Enter and F3, wraps around and announces them', async () => {
      await field.fill('its key is');
      await expect(hitCounter).toHaveText(`7 of ${turnCount}`);
      await field.press('Enter');
      await expect(hitCounter).toHaveText(`8 of ${turnCount}`);
      await field.press('Shift+F3');
      await field.press('Shift+Enter');
      await expect(hitCounter).toHaveText(`6 of ${turnCount}`);
      await expect(bench.getAnnouncement(`Hit 6 of ${turnCount}, turn 6, answer of lane A.`)).toHaveCount(1);
      await findBar.getByRole('radio', { name: 'Prompts' }).click();
      await expect(hitCounter).toHaveText('No hits');
      await findBar.getByRole('radio', { name: 'All' }).click();
      await expect(hitCounter).toHaveText(/of 60/);
    });

    await test.step('closes Find on Escape and focuses the message', async () => {
      await field.fill('its key is k12z');
      await expect(hitCounter).toHaveText('1 of 1');
      await expect(page.getByText('Its key is k12z.')).toBeInViewport();
      await field.press('Escape');
      await expect(findBar).toBeHidden();
      await expect(bench.getReply(12)).toBeFocused();
    });

    await test.step('scrolls to a turn chosen from the list', async () => {
      await page.getByRole('button', { name: /^Turn 1[23] of 60/ }).click();
      const list = page.getByRole('dialog', { name: 'Turns' }).getByRole('listbox', { name: 'Turns' });
      await expect(list.getByRole('option', { selected: true })).toContainText(/^1[23]/);
      await page.keyboard.press('Home');
      await page.keyboard.press('Enter');
      await expect(list).toBeHidden();
      await expect(bench.getButton(`Turn 1 of ${turnCount}`)).toBeVisible();
      await expect(page.getByText('Its key is k1z.')).toBeInViewport();
    });
  },
);

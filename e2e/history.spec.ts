import type { Locator, Page } from 'playwright/test';

import { captureDownload, chooseFile } from './files.ts';
import { expect, test } from './fixtures.ts';

function getRows(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link') });
}

function getRow(page: Page, title: string): Locator {
  return getRows(page).filter({ has: page.getByRole('link', { name: title, exact: true }) });
}

async function openHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
}

test(
  'opens a session by its URL in any tab, supports Back and Forward, and handles unknown URLs',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await page.goto(new URL('/embeddings', server.url).href);
    await page.getByRole('link', { name: 'Playground' }).click();
    await expect(page).toHaveURL(/\/s\/.+/);
    await bench.sendAndWait('Linked');
    const address = page.url();
    const otherTab = await bench.openInNewTab(address);
    await expect(otherTab.prompts).toHaveText(/Linked/);
    await otherTab.page.close();
    await bench.startNewSession();
    await expect(page).not.toHaveURL(address);
    await bench.sendAndWait('Goes on');
    await page.goBack();
    await expect(bench.prompts).toHaveText(/Linked/);
    await page.goForward();
    await expect(bench.prompts).toHaveText(/Goes on/);
    await page.goBack();
    await page.goBack();
    await expect(page, 'the first visit to the playground is one history entry').toHaveURL(/\/embeddings$/);

    await page.goto(new URL('/s/never-was', server.url).href);
    await expect(page.getByRole('heading', { name: 'Session not found in this browser' })).toBeVisible();
    await expect(page.getByText('never-was')).toBeVisible();
    await bench.startNewSession();
    await page.goto(new URL('/no/such/page', server.url).href);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Open Playground' }).click();
    await expect(bench.message).toBeVisible();
  },
);

test(
  'lists embedded texts with the sessions and restores them without losing the current texts',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    await page.goto(new URL('/embeddings', demo.url).href);
    const textsField = page.getByRole('textbox', { name: 'Texts', exact: true });
    const picker = page.getByRole('combobox', { name: 'Model', exact: true });
    await picker.fill('demo/embedding-0.6B');
    await picker.press('Enter');
    await textsField.fill('The bus is late\nThe train is late\nI want my money back');
    await page.getByRole('button', { name: /^Embed/ }).click();
    await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
    await textsField.fill('Other texts\nthat nobody has embedded');
    await openHistory(page);
    await expect(page.getByRole('status').filter({ hasText: '1 embedding set' })).toBeVisible();
    const setRow = getRow(page, 'The bus is late');
    await expect(setRow).toContainText('3 texts');
    await page.getByRole('searchbox', { name: 'Search history' }).fill('money');
    await expect(setRow).toBeVisible();

    await test.step('restores embedded texts on a click', async () => {
      await setRow.getByRole('link', { name: 'The bus is late' }).click();
      await expect(textsField).toHaveValue(/^The bus is late/);
      await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
    });

    await test.step('keeps and lists texts that were never embedded', async () => {
      await openHistory(page);
      await page.getByRole('searchbox', { name: 'Search history' }).fill('');
      await getRow(page, 'Other texts').getByRole('link', { name: 'Other texts' }).click();
      await expect(textsField).toHaveValue('Other texts\nthat nobody has embedded');
    });

    await test.step('deletes embedded texts and restores them on Undo', async () => {
      await openHistory(page);
      await page.getByRole('button', { name: 'Delete The bus is late' }).click();
      await expect(setRow).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(setRow).toBeVisible();
    });

    await test.step('duplicates, selects, exports and imports embedded texts', async () => {
      await page.getByRole('button', { name: 'Duplicate The bus is late' }).click();
      await expect(getRow(page, 'The bus is late (copy)')).toContainText('3 texts');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      const { name, text } = await captureDownload(page, () =>
        page.getByRole('button', { name: 'Export 3 embedding sets' }).click(),
      );
      expect(name).toBe('bench-3-entries.json');
      await chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), name, text);
      await expect(page.getByRole('status').filter({ hasText: '6 embedding sets' })).toBeVisible();
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('status').filter({ hasText: '3 embedding sets' })).toBeVisible();
    });
    await bench.waitUntilSaved();
  },
);

/** Runs in the page: stores copies of the only session, each an hour older than the one before. */
function storeCopies(count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const openRequest = indexedDB.open('bench');
    openRequest.addEventListener('error', () => reject(openRequest.error));
    openRequest.addEventListener('success', () => {
      const transaction = openRequest.result.transaction('sessions', 'readwrite');
      const sessions = transaction.objectStore('sessions');
      const getAllRequest = sessions.getAll();
      getAllRequest.addEventListener('success', () => {
        const [session] = getAllRequest.result;
        for (let number = 1; number <= count; number += 1)
          sessions.put({
            ...session,
            id: `copy${number}`,
            title: `Copy ${number}`,
            updatedAt: Date.now() - number * 3_600_000,
          });
      });
      transaction.addEventListener('complete', () => resolve(openRequest.result.close()));
    });
  });
}

test(
  'mounts only the visible rows of 1,000 sessions and the focused row',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await bench.open(server.url);
    await bench.sendAndWait('Original');
    await bench.waitUntilSaved();
    await page.evaluate(storeCopies, 1000);
    await page.goto(new URL('/history', server.url).href);
    const table = page.getByRole('table');
    await expect(getRow(page, 'Copy 1')).toBeVisible();
    const headingCount = Number(await table.getAttribute('aria-rowcount')) - 1002;
    expect(headingCount).toBeGreaterThan(2);
    expect(await getRows(page).count()).toBeLessThan(80);
    await page.getByRole('link', { name: 'Copy 2', exact: true }).focus();
    await table.evaluate((element) => element.parentElement?.scrollTo(0, element.scrollHeight));
    await expect(getRow(page, 'Copy 1000')).toBeInViewport();
    await expect(getRow(page, 'Copy 1000')).toHaveAttribute('aria-rowindex', String(1002 + headingCount));
    await expect(getRow(page, 'Copy 1')).toHaveCount(0);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Export Copy 2', exact: true })).toBeFocused();
    await expect(getRow(page, 'Copy 1')).toBeVisible();
  },
);

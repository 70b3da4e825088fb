/** Export of everything in one file, erasing, and import in another browser. */
import type { Locator, Page } from 'playwright/test';

import { captureDownload, chooseFile, createExport } from './files.ts';
import { canaryKey, expect, test } from './fixtures.ts';
import { dumpDatabases } from './stored-databases.ts';

function getDialog(page: Page, name: string): Locator {
  return page.getByRole('dialog', { name, exact: true });
}

function getAnnouncement(page: Page, text: RegExp): Locator {
  return page.getByRole('status').filter({ hasText: text });
}

const importText = (page: Page, name: string, text: string) =>
  chooseFile(page, () => page.getByRole('button', { name: 'Import', exact: true }).click(), name, text);

/** Stores records of kinds that would otherwise take many steps to create. */
async function seedDatabases(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const write = (name: string, records: [store: string, record: unknown][]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.addEventListener('error', () => reject(new Error('The database did not open')));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const transaction = db.transaction([...new Set(records.map(([store]) => store))], 'readwrite');
          for (const [store, record] of records) transaction.objectStore(store).put(record);
          transaction.addEventListener('error', () => reject(new Error('The records were not written')));
          transaction.addEventListener('complete', () => {
            db.close();
            resolve();
          });
        });
      });
    const bytes = new TextEncoder().encode('an image');
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    const blob = new Blob([bytes], { type: 'image/png' });
    await write('bench', [
      ['images', { hash, blob, addedAt: Date.now() }],
      ['presets', { id: 'preset', name: 'Mine', createdAt: 1, setup: { system: 'Be brief' } }],
      ['learned', { id: 'a model', firstTokenMs: 5 }],
    ]);
    await write('bench-vectors', [
      ['notes', { id: 'set 1', value: { title: 'My set', texts: 2, models: ['m'], updatedAt: 1 } }],
      ['notes', { id: 'texts of set 1', value: { mode: 'lines', typed: 'a\nb' } }],
      ['vectors', { key: 'a', vector: Float32Array.of(1, 0.5), tokens: 1 }],
      ['vectors', { key: 'b', vector: Float32Array.of(2, -0.5) }],
    ]);
  });
}

test('exports everything, erases it and imports it in another browser without a difference', async ({
  bench,
  server,
  gateway,
  page,
  browser,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Vienna has one river'));
  await bench.open(server.url);
  await bench.sendAndWait('Which rivers cross Vienna?');
  await bench.message.fill('not sent yet');
  await bench.waitUntilSaved();
  await page.goto(new URL('/history', server.url).href);
  await importText(page, 'earlier.json', createExport(['Earlier export'], 2));
  await expect(page.getByRole('link', { name: 'Earlier export' })).toBeVisible();
  await seedDatabases(page);
  await page.reload();
  await expect(page.getByRole('link', { name: 'My set' })).toBeVisible();
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();

  await page.getByRole('button', { name: 'Erase everything' }).click();
  const before = await dumpDatabases(page);
  const { name, text } = await captureDownload(page, () =>
    page.getByRole('button', { name: 'Export all first' }).click(),
  );
  await expect(getAnnouncement(page, /^Saved bench-backup.*: 2 sessions, 1 embedding set/)).toBeVisible();
  expect(name).toMatch(/^bench-backup-\d{4}-\d{2}-\d{2}\.jsonl$/);
  expect(text).not.toContain(canaryKey);
  await page.getByRole('button', { name: 'Erase now' }).click();
  await expect(page.getByText(/^Erased 2 sessions/)).toBeVisible();

  const context = await browser.newContext();
  const otherPage = await context.newPage();
  await otherPage.goto(new URL('/history', server.url).href);
  await importText(otherPage, name, text);
  const importDialog = getDialog(otherPage, 'Import backup');
  await expect(importDialog.getByRole('row', { name: 'Sessions 2 2 0' })).toBeVisible();
  await expect(importDialog.getByRole('checkbox', { name: 'Settings' })).toBeChecked();
  await importDialog.getByRole('button', { name: 'Import 2 sessions and 1 embedding set' }).click();
  await expect(getAnnouncement(otherPage, /^Imported .* and settings from /)).toBeVisible();
  await expect(otherPage.getByRole('link', { name: 'My set' })).toBeVisible();
  await expect(otherPage.locator('html')).toHaveAttribute('data-theme', 'dark');
  const after = await dumpDatabases(otherPage);
  for (const [store, records] of Object.entries(before)) {
    expect(new Set(after[store]), store).toEqual(new Set([...(after[store] ?? []), ...records]));
  }

  await test.step('keeps everything when it is imported again, and reports it', async () => {
    await importText(otherPage, name, text);
    await expect(importDialog.getByRole('checkbox', { name: 'Settings' })).not.toBeChecked();
    await importDialog.getByRole('button', { name: 'Import other data' }).click();
    await expect(getAnnouncement(otherPage, /^Imported nothing .* as new or newer here/)).toBeVisible();
    expect(await dumpDatabases(otherPage)).toEqual(after);
  });
  await context.close();
});

test('imports what is whole of a file that is cut, and says so', async ({ server, page }) => {
  await page.goto(new URL('/history', server.url).href);
  await importText(page, 'two.json', createExport(['One', 'Two'], 2));
  await expect(page.getByRole('link', { name: 'Two' })).toBeVisible();
  const { name, text } = await captureDownload(page, () =>
    page.getByRole('button', { name: 'Export all' }).click(),
  );
  await page.getByRole('button', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Erase everything' }).click();
  await page.getByRole('button', { name: 'Erase now' }).click();
  await expect(page.getByText(/^Erased 2 sessions/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto(new URL('/history', server.url).href);
  const secondEnd = text.lastIndexOf('{"groupEnd"');
  await importText(page, name, text.slice(0, secondEnd - 10));
  const dialog = getDialog(page, 'Import backup');
  await expect(dialog).toContainText('This file is incomplete');
  await dialog.getByRole('button', { name: /^Import 2 sessions/ }).click();
  await expect(getAnnouncement(page, /^Imported 1 session .* The file is incomplete/)).toBeVisible();
  await expect(page.getByRole('row').filter({ has: page.getByRole('link') })).toHaveCount(1);
});

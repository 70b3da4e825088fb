import type { Page } from 'playwright/test';

import type { BenchPage } from '../bench-page.ts';
import { anExport, importFile } from '../files.ts';
import { expect, test } from '../fixtures.ts';

const turns = 1_000;

test.describe.configure({ timeout: 600_000 });
const wait = expect.configure({ timeout: 300_000 });

/** The long session, in the history and not opened yet. */
async function stored(bench: BenchPage, url: string): Promise<void> {
  const { page } = bench;
  await page.goto(new URL('/history', url).href);
  const text = anExport(['A long session'], turns);
  await importFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
  await wait(page.getByRole('link', { name: 'A long session' })).toBeVisible();
  await page.reload();
}

function endOf(page: Page) {
  return page.getByText(`Its key is k${turns}z.`);
}

test('a long session is scrolled through to its beginning with every row in its place', async ({
  bench,
  server,
  page,
}) => {
  await stored(bench, server.url);
  await page.getByRole('link', { name: 'A long session' }).click();
  await wait(endOf(page)).toBeInViewport();
  await page.getByRole('region', { name: 'Conversation' }).evaluate((box) => box.scrollTo(0, 0));
  await wait(page.getByText('Its key is k1z.')).toBeInViewport();
  await wait(bench.reply(1).getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await wait(bench.prompts).toHaveCount(turns);
  // Filling up below moved nothing.
  await wait(page.getByText('Its key is k1z.')).toBeInViewport();
  const numbers = await bench.prompts.locator('p').allTextContents();
  expect(numbers).toEqual(Array.from({ length: turns }, (_, index) => `Question ${index + 1}`));
});

test('a session of a thousand messages is written to', async ({ bench, server, gateway, page }) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Newest'));
  await stored(bench, server.url);
  await page.getByRole('link', { name: 'A long session' }).click();
  await wait(bench.prompts).toHaveCount(turns);
  await bench.message.fill('One more');
  await bench.message.press('Enter');
  await wait(bench.prompts).toHaveCount(turns + 1);
  await wait(bench.lastReply).toContainText('Newest');
  await wait(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

import type { Page } from 'playwright/test';

import type { BenchPage } from '../bench-page.ts';
import { createExport, chooseFile } from '../files.ts';
import { expect, test } from '../fixtures.ts';

const turnCount = 1_000;

test.describe.configure({ timeout: 600_000 });
const expectLong = expect.configure({ timeout: 300_000 });

/** Imports the long session and leaves it unopened in the history. */
async function importLongSession(bench: BenchPage, url: string): Promise<void> {
  const { page } = bench;
  await page.goto(new URL('/history', url).href);
  const text = createExport(['A long session'], turnCount);
  await chooseFile(page, () => page.getByRole('button', { name: 'Import' }).click(), 'long.json', text);
  await expectLong(page.getByRole('link', { name: 'A long session' })).toBeVisible();
  await page.reload();
}

function getLastLine(page: Page) {
  return page.getByText(`Its key is k${turnCount}z.`);
}

test('scrolls through a long session to its beginning and shows every row in order', async ({
  bench,
  server,
  page,
}) => {
  await importLongSession(bench, server.url);
  await page.getByRole('link', { name: 'A long session' }).click();
  await expectLong(getLastLine(page)).toBeInViewport();
  await page.getByRole('region', { name: 'Conversation' }).evaluate((box) => box.scrollTo(0, 0));
  await expectLong(page.getByText('Its key is k1z.')).toBeInViewport();
  await expectLong(bench.getReply(1).getByRole('button', { name: 'Regenerate' })).toBeVisible();
  await expectLong(bench.prompts).toHaveCount(turnCount);
  // Rendering the turns below the viewport has not moved it.
  await expectLong(page.getByText('Its key is k1z.')).toBeInViewport();
  const questions = await bench.prompts.locator('p').allTextContents();
  expect(questions).toEqual(Array.from({ length: turnCount }, (_, index) => `Question ${index + 1}`));
});

test('sends a prompt in a session of a thousand messages', async ({ bench, server, gateway, page }) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Newest'));
  await importLongSession(bench, server.url);
  await page.getByRole('link', { name: 'A long session' }).click();
  await expectLong(bench.prompts).toHaveCount(turnCount);
  await bench.message.fill('One more');
  await bench.message.press('Enter');
  await expectLong(bench.prompts).toHaveCount(turnCount + 1);
  await expectLong(bench.lastReply).toContainText('Newest');
  await expectLong(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

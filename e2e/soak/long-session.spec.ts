import type { Page } from 'playwright/test';

import type { BenchPage } from '../bench-page.ts';
import { anExport, countAtFirst, importFile } from '../files.ts';
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

test('a session of 2,000 messages opens at its end with the last ones only, fills up without moving anything, and all of it can be found', async ({
  bench,
  server,
  page,
}) => {
  await stored(bench, server.url);
  await countAtFirst(page, `k${turns}z`);
  await page.getByRole('link', { name: 'A long session' }).click();
  const end = endOf(page);
  await wait(end).toBeInViewport();
  const before = await end.boundingBox();
  await wait(page.locator('body')).toHaveAttribute('data-at-first', /^\d+$/);
  expect(Number(await page.locator('body').getAttribute('data-at-first'))).toBeLessThan(turns / 2);

  await wait(bench.prompts).toHaveCount(turns);
  expect((await end.boundingBox())?.y).toBe(before?.y);
  // Far from the screen there are words, but none of the buttons.
  expect(await page.getByRole('button', { name: 'Regenerate' }).count()).toBeLessThan(100);
  const texts = await page
    .locator('article .markdown')
    .evaluateAll((bodies) => bodies.map((body) => body.textContent ?? ''));
  expect(texts.filter((text, index) => !text.includes(`Its key is k${index + 1}z.`))).toEqual([]);
  expect(await page.evaluate("window.find('Its key is k3z.', false, false, true)")).toBe(true);
});

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

test('F116: a session of a thousand messages is written to', async ({ bench, server, gateway, page }) => {
  gateway.onChat((answer) => answer.whole('Newest'));
  await stored(bench, server.url);
  await page.getByRole('link', { name: 'A long session' }).click();
  await wait(bench.prompts).toHaveCount(turns);
  await bench.message.fill('One more');
  await bench.message.press('Enter');
  await wait(bench.prompts).toHaveCount(turns + 1);
  await wait(bench.lastReply).toContainText('Newest');
  await wait(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

import type { Locator, Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

function rows(page: Page): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('link') });
}

function row(page: Page, title: string): Locator {
  return rows(page).filter({ has: page.getByRole('link', { name: title, exact: true }) });
}

async function openHistory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'History' })).toBeVisible();
}

test(
  'an address names its session in any tab; Back and Forward go through them; an unknown one offers a way on',
  { tag: '@soak' },
  async ({ bench, server, page }) => {
    await page.goto(new URL('/embeddings', server.url).href);
    await page.getByRole('link', { name: 'Playground' }).click();
    await expect(page).toHaveURL(/\/s\/.+/);
    await bench.ask('Linked');
    const address = page.url();
    const other = await bench.inNewTab(address);
    await expect(other.prompts).toHaveText(/Linked/);
    await other.page.close();
    await bench.newSession();
    await expect(page).not.toHaveURL(address);
    await bench.ask('Goes on');
    await page.goBack();
    await expect(bench.prompts).toHaveText(/Linked/);
    await page.goForward();
    await expect(bench.prompts).toHaveText(/Goes on/);
    await page.goBack();
    await page.goBack();
    await expect(page, 'the first visit to the playground is one step').toHaveURL(/\/embeddings$/);

    await page.goto(new URL('/s/never-was', server.url).href);
    await expect(page.getByRole('heading', { name: 'Session not found in this browser' })).toBeVisible();
    await expect(page.getByText('never-was')).toBeVisible();
    await bench.newSession();
    await page.goto(new URL('/no/such/page', server.url).href);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Open Playground' }).click();
    await expect(bench.message).toBeVisible();
  },
);

test(
  'texts that were embedded are listed with the sessions and fill the lab again, and what stood there is kept',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    await page.goto(new URL('/embeddings', demo.url).href);
    const texts = page.getByRole('textbox', { name: 'Texts', exact: true });
    const picker = page.getByRole('combobox', { name: 'Model', exact: true });
    await picker.fill('demo/embedding-0.6B');
    await picker.press('Enter');
    await texts.fill('The bus is late\nThe train is late\nI want my money back');
    await page.getByRole('button', { name: /^Embed/ }).click();
    await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
    await texts.fill('Other texts\nthat nobody has embedded');
    await openHistory(page);
    await expect(page.getByRole('status').filter({ hasText: '1 embedding set' })).toBeVisible();
    const set = row(page, 'The bus is late');
    await expect(set).toContainText('3 texts');
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('money');
    await expect(set).toBeVisible();

    await test.step('a click opens it as it was', async () => {
      await set.getByRole('link', { name: 'The bus is late' }).click();
      await expect(texts).toHaveValue(/^The bus is late/);
      await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
    });

    await test.step('the texts that were not embedded are in the history too', async () => {
      await openHistory(page);
      await page.getByRole('searchbox', { name: 'Search sessions' }).fill('');
      await row(page, 'Other texts').getByRole('link', { name: 'Other texts' }).click();
      await expect(texts).toHaveValue('Other texts\nthat nobody has embedded');
    });

    await test.step('one is deleted, and Undo brings it back', async () => {
      await openHistory(page);
      await page.getByRole('button', { name: 'Delete The bus is late' }).click();
      await expect(set).toHaveCount(0);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(set).toBeVisible();
    });
    await bench.saved();
  },
);

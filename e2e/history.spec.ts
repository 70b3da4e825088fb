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
  'sessions are listed, found, opened, renamed, duplicated and deleted, and Undo is offered for eight seconds',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    gateway.onChat((answer, { body }) =>
      answer.whole(JSON.stringify(body).includes('rivers') ? 'The Danube crosses Vienna' : 'To be kept'),
    );
    const search = page.getByRole('searchbox', { name: 'Search sessions' });
    const title = page.getByRole('textbox', { name: 'Session title' });
    await page.clock.install();
    await bench.open(server.url);

    await test.step('an empty session is not listed', async () => {
      await expect(page).toHaveTitle(/New session/);
      await bench.message.fill('## Which *rivers* cross Vienna?\nPlease list them.');
      await openHistory(page);
      await expect(page.getByText('No sessions yet')).toBeVisible();
      await page.goBack();
    });

    await test.step('a session takes its title from its first prompt, everywhere', async () => {
      await expect(bench.message).toHaveValue(/^## Which/);
      await bench.message.press('Enter');
      await bench.ended();
      await expect(bench.title).toContainText('Which *rivers* cross Vienna?');
      await expect(page).toHaveTitle(/rivers/);
      await bench.newSession();
      await bench.useModel('north/two');
      await bench.ask('Zwölf Boxkämpfer');
      await openHistory(page);
      await expect(rows(page)).toHaveCount(2);
      await expect(rows(page).first(), 'newest first').toContainText('Zwölf Boxkämpfer');
      await expect(row(page, 'Which *rivers* cross Vienna?')).toContainText('north/one');
    });

    await test.step('a search finds titles, models and texts, says how many and shows where', async () => {
      await search.fill('ZWOLF two');
      await expect(rows(page)).toHaveCount(1);
      await expect(rows(page)).toContainText('Zwölf Boxkämpfer');
      await expect(page.getByRole('status').filter({ hasText: '1 of 2 sessions' })).toBeVisible();
      await search.fill('dánube');
      await expect(rows(page)).toContainText('Answer The Danube crosses Vienna');
      await expect(rows(page).locator('mark')).toHaveText('Danube');
      await search.fill('nothing like it');
      await expect(page.getByText(/No session has .nothing like it./)).toBeVisible();
      await expect(rows(page)).toHaveCount(0);
      await search.press('Escape');
      await expect(rows(page)).toHaveCount(2);
    });

    await test.step('a session is renamed and duplicated from the list, and Escape gives a name up', async () => {
      await bench.button('Rename Zwölf Boxkämpfer').click();
      await title.fill('Given up');
      await title.press('Escape');
      await bench.button('Rename Zwölf Boxkämpfer').click();
      await title.fill('Renamed');
      await title.press('Enter');
      await expect(row(page, 'Renamed').getByRole('link')).toBeFocused();
      await bench.button('Duplicate Renamed').click();
      await row(page, 'Renamed (copy)').getByRole('link').click();
      await expect(bench.lastReply).toContainText('To be kept');
    });

    await test.step('a session is renamed and deleted where it is open, and Undo brings it back', async () => {
      const address = page.url();
      const pick = async (item: string) => {
        await bench.button('Session menu').click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await pick('Rename');
      await title.fill('Given up');
      await title.press('Escape');
      await expect(bench.title).toContainText('Renamed (copy)');
      await pick('Rename');
      await title.fill('The copy');
      await title.press('Enter');
      await expect(bench.title).toContainText('The copy');
      await pick('Delete');
      await expect(bench.prompts).toHaveCount(0);
      await expect(bench.message).toBeVisible();
      await bench.undo.click();
      await expect(page).toHaveURL(address);
      await expect(bench.prompts).toHaveText(/Zwölf/);
    });

    await test.step('a deletion can be undone for eight seconds; then the session is gone', async () => {
      const address = page.url();
      await openHistory(page);
      await bench.button('Delete The copy').click();
      await expect(rows(page)).toHaveCount(2);
      await page.mouse.move(5, 5);
      await page.clock.fastForward(6000);
      await expect(bench.undo).toBeVisible();
      await page.clock.fastForward(2500);
      await expect(bench.undo).toBeHidden();
      await bench.saved();
      await page.goto(address);
      await expect(page.getByRole('heading', { name: 'Session not found in this browser' })).toBeVisible();
      await page.goto(new URL('/history', server.url).href);
      await expect(rows(page)).toHaveCount(2);
    });
  },
);

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

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

test('a session takes its title from its first prompt, everywhere', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await expect(page).toHaveTitle(/New session/);
  await bench.ask('## Which *rivers* cross Vienna?\nPlease list them.');
  const title = 'Which *rivers* cross Vienna?';
  await expect(bench.button('Session menu')).toContainText(title);
  await expect(page).toHaveTitle(new RegExp('rivers'));
  await bench.ask('Something else');
  await expect(bench.button('Session menu')).toContainText(title);
  await openHistory(page);
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, title)).toContainText('north/one');
});

test('New session starts an empty one with the same setup; both are in the history', async ({
  bench,
  server,
  page,
  gateway,
}) => {
  await bench.open(server.url);
  await bench.useModel('north/two');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.4');
  await bench.ask('First session');
  const first = page.url();
  await bench.newSession();
  await expect(page).not.toHaveURL(first);
  await expect(bench.model).toHaveValue('north/two');
  await bench.ask('Second session');
  expect(gateway.posts[1]?.body).toEqual({
    model: 'north/two',
    messages: [{ role: 'user', content: 'Second session' }],
    stream: true,
    temperature: 0.4,
  });
  await page.goBack();
  await expect(bench.prompts).toHaveText(/First session/);
  await page.goForward();
  await expect(bench.prompts).toHaveText(/Second session/);
  await openHistory(page);
  await expect(rows(page).first(), 'newest first').toContainText('Second session');
  await expect(rows(page)).toHaveCount(2);
});

test('an empty session is not listed', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.message.fill('only a draft');
  await openHistory(page);
  await expect(page.getByText('Nothing is kept yet')).toBeVisible();
});

test('search finds by title and model, without case and accents, and says how many', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Zwölf Boxkämpfer');
  await bench.newSession();
  await bench.useModel('north/two');
  await bench.ask('A question of weather');
  await openHistory(page);
  const search = page.getByRole('searchbox', { name: 'Search sessions' });
  await search.fill('ZWOLF');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Zwölf Boxkämpfer');
  await expect(page.getByRole('status').filter({ hasText: '1 of 2 sessions' })).toBeVisible();
  await search.fill('weather two');
  await expect(rows(page)).toContainText('A question of weather');
  await search.fill('nothing like it');
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByText(/No session has .nothing like it./)).toBeVisible();
  await search.press('Escape');
  await expect(rows(page)).toHaveCount(2);
});

test('open, rename and duplicate from the list', async ({ bench, server, page, gateway }) => {
  gateway.onChat((answer) => answer.whole('The answer to keep'));
  await bench.open(server.url);
  await bench.ask('Original');
  await openHistory(page);
  await bench.button('Rename Original').click();
  const field = page.getByRole('textbox', { name: 'Session title' });
  await field.fill('Given up');
  await field.press('Escape');
  await bench.button('Rename Original').click();
  await field.fill('Renamed');
  await field.press('Enter');
  await expect(row(page, 'Renamed')).toBeVisible();

  await bench.button('Duplicate Renamed').click();
  await expect(rows(page)).toHaveCount(2);
  await row(page, 'Renamed (copy)').getByRole('link').click();
  await expect(bench.lastReply).toContainText('The answer to keep');
  await bench.ask('Only in the copy');
  await openHistory(page);
  await row(page, 'Renamed').getByRole('link').click();
  await expect(bench.prompts).toHaveText([/Original/]);
  await bench.reload();
  await expect(bench.button('Session menu')).toContainText('Renamed');
  await expect(bench.prompts).toHaveText([/Original/]);
});

test('delete can be undone, with everything in it; without undo it is gone', async ({
  bench,
  server,
  page,
}) => {
  await page.clock.install();
  await bench.open(server.url);
  await bench.ask('To be deleted');
  const address = page.url();
  await bench.newSession();
  await bench.ask('To be kept');
  await openHistory(page);
  await bench.button('Delete To be deleted').click();
  await expect(rows(page)).toHaveCount(1);
  await bench.undo.click();
  await expect(rows(page)).toHaveCount(2);
  await row(page, 'To be deleted').getByRole('link').click();
  await expect(bench.lastReply).toContainText('Hello from the gateway');

  await openHistory(page);
  await bench.button('Delete To be deleted').click();
  await expect(bench.undo).toBeVisible();
  await page.mouse.move(5, 5);
  await page.clock.fastForward(9000);
  await expect(bench.undo).toBeHidden();
  await expect(rows(page)).toHaveCount(1);
  await page.goto(address);
  await expect(page.getByRole('heading', { name: 'This session is not here' })).toBeVisible();
});

test('deleting the session on screen leaves a fresh one, and Undo brings it back', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('On screen');
  const address = page.url();
  await bench.button('Session menu').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(bench.prompts).toHaveCount(0);
  await expect(bench.message).toBeVisible();
  await bench.undo.click();
  await expect(page).toHaveURL(address);
  await expect(bench.prompts).toHaveText(/On screen/);
});

test('a session can be renamed where it is open', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await bench.ask('Before');
  await bench.button('Session menu').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const field = page.getByRole('textbox', { name: 'Session title' });
  await field.fill('Given up');
  await field.press('Escape');
  await expect(bench.button('Session menu')).toContainText('Before');
  await bench.button('Session menu').click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await field.fill('After');
  await field.press('Enter');
  await bench.ask('More');
  await bench.reload();
  await expect(bench.button('Session menu')).toContainText('After');
});

test('an address names its session in any tab; an unknown one says so and offers a way on', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Linked');
  const address = page.url();
  expect(new URL(address).pathname).toMatch(/^\/s\/.+/);
  const other = await bench.inNewTab(address);
  await expect(other.prompts).toHaveText(/Linked/);

  await page.goto(new URL('/s/never-was', server.url).href);
  await expect(page.getByRole('heading', { name: 'This session is not here' })).toBeVisible();
  await expect(page.getByText('never-was')).toBeVisible();
  await bench.newSession();
  await bench.ask('Goes on');
  await expect(bench.prompts).toHaveText(/Goes on/);

  await page.goto(new URL('/no/such/page', server.url).href);
  await expect(page.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible();
  await page.getByRole('link', { name: 'Open the playground' }).click();
  await expect(bench.prompts, 'the last session').toHaveText(/Goes on/);
});

test('an answer goes on while another session or screen is looked at', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  gateway.onChat(async (answer) => {
    answer.text('Begun');
    await held;
    answer.whole(' and ended');
  });
  await bench.open(server.url);
  await bench.send('In the background');
  await expect(bench.lastReply).toContainText('Begun');
  await bench.newSession();
  await openHistory(page);
  letGo();
  await row(page, 'In the background').getByRole('link').click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).toContainText('Begun and ended');
});

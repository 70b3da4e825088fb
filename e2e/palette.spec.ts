import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

class Palette {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog', { name: 'Commands' });
  }

  get field(): Locator {
    return this.dialog.getByRole('combobox', { name: 'Search or run a command' });
  }

  option(name: string | RegExp): Locator {
    return this.dialog.getByRole('option', { name });
  }

  get active(): Locator {
    return this.dialog.getByRole('option', { selected: true });
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k');
    await expect(this.field).toBeFocused();
  }

  async run(typed: string): Promise<void> {
    await this.open();
    await this.field.fill(typed);
    await this.page.keyboard.press('Enter');
    await expect(this.dialog).toBeHidden();
  }
}

function chip(bench: BenchPage, letter: string): Locator {
  return bench.page.getByRole('region', { name: `Lane ${letter}` });
}

test('a key pressed before the commands have come is not lost', async ({ bench, server, page }) => {
  const palette = new Palette(page);
  await page.route('**/later-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await bench.open(server.url);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('temp');
  await expect(palette.field).toBeFocused();
  await expect(palette.field).toHaveValue('temp');
  await page.keyboard.type(' 0.2');
  await expect(palette.field).toHaveValue('temp 0.2');
  await expect(palette.active).toContainText('Set temperature to 0.2');
  await expect(bench.message).toHaveValue('');
});

test('what is typed right after the key goes into the field', async ({ bench, server, page }) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await page.waitForLoadState('networkidle');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('temp 0.2');
  await expect(palette.field).toHaveValue('temp 0.2');
  await expect(bench.message).toHaveValue('');
});

test('a typed setting says how it is read and what it would change, and changes it', async ({
  bench,
  server,
  page,
}) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await palette.run('temp 0.7 in b');
  await expect(chip(bench, 'B')).toContainText('temperature 0.7');
  await bench.message.focus();
  await palette.open();
  await palette.field.fill('temp 0.2');
  await expect(palette.dialog).toContainText('Reads as temperature0.2');
  await expect(palette.active).toContainText('Set temperature to 0.2 in all lanes');
  await expect(palette.active).toContainText(/now.*not sent.*0\.7/);
  await expect(palette.option(/Set temperature to 0.2 in B only/)).toContainText('0.7');
  await expect(
    bench.parameters.getByRole('spinbutton', { name: 'temperature' }),
    'nothing before Enter',
  ).not.toHaveValue('0.2');
  await page.keyboard.press('Enter');
  await expect(palette.dialog).toBeHidden();
  await expect(bench.parameters.getByRole('spinbutton', { name: 'temperature' })).toHaveValue('0.2');
  await expect(bench.message).toBeFocused();
  await expect(bench.said('temperature is 0.2 in all lanes.')).toHaveCount(1);

  await palette.run('no temp');
  await expect(bench.parameters.getByRole('checkbox', { name: 'Send temperature' })).not.toBeChecked();
});

test('a setting for a lane that is not there says so', async ({ bench, server, page }) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await palette.open();
  await palette.field.fill('max 600 in b');
  await expect(page.getByRole('dialog').getByText('There is no lane B.').first()).toBeVisible();
});

test('a value that the field refuses is refused with its reason', async ({ bench, server, page }) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await palette.open();
  await palette.field.fill('budget 64');
  await expect(palette.active).toContainText('Use 128 to 32,768.');
  await page.keyboard.press('Enter');
  await expect(palette.dialog).toBeVisible();
  await expect(bench.parameters.getByRole('checkbox', { name: 'Send thinking_budget' })).not.toBeChecked();
});

test('Ctrl+Enter runs and stays; a new lane comes with what was typed', async ({ bench, server, page }) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await palette.open();
  await palette.field.fill('max 600');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(palette.dialog).toContainText('max_tokens is 600.');
  await palette.field.fill('seed 7');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(palette.dialog).toContainText('seed is 7.');
  await palette.field.fill('temp 1.5');
  await palette.option(/^Add lane B/).click();
  await expect(palette.dialog).toBeHidden();
  await expect(chip(bench, 'B')).toContainText('temperature 1.5');
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await expect(bench.parameters.getByRole('spinbutton', { name: 'max_tokens' })).toHaveValue('600');
  await expect(bench.parameters.getByRole('spinbutton', { name: 'seed' })).toHaveValue('7');
});

test('@ finds models, for all lanes, one, or a new one, also one that is not listed', async ({
  bench,
  server,
  page,
}) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await palette.run('@two');
  await expect(bench.model).toHaveValue('north/two');
  await palette.open();
  await palette.field.fill('@north/one');
  await palette.option(/^Add lane B with north\/one/).click();
  await expect(chip(bench, 'B').getByRole('combobox', { name: 'Model' })).toHaveValue('north/one');
  await palette.run('@my/own in b');
  await expect(chip(bench, 'B').getByRole('combobox', { name: 'Model' })).toHaveValue('my/own');
  await expect(bench.model).toHaveValue('north/two');
});

test('hidden names stay hidden in the commands', async ({ bench, server, page }) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await palette.run('@two');
  await palette.run('add lane');
  await palette.run('hide or show');
  await palette.open();
  await palette.field.fill('temp 1');
  await expect(palette.option(/^Add lane C/)).toContainText('the same model');
  await palette.field.fill('@two');
  await expect(palette.active).toContainText('hidden');
  await expect(palette.dialog).not.toContainText('In use');
});

test('every command can be found; what can not run says why', async ({ bench, server, gateway, page }) => {
  const palette = new Palette(page);
  gateway.onChat((answer) => answer.whole('Yes.'));
  await bench.open(server.url);
  await palette.open();
  await palette.field.fill('present');
  await expect(palette.active).toContainText('Nothing was said yet');
  await page.keyboard.press('Enter');
  await expect(palette.dialog).toContainText('Nothing was said yet');
  await page.keyboard.press('Escape');
  await expect(palette.dialog).toBeHidden();
  await expect(bench.message).toBeFocused();

  await bench.ask('A question worth asking');
  await palette.run('rename A better title');
  await expect(bench.button('Session menu')).toHaveText('A better title');
  await palette.run('run again');
  await expect.poll(() => gateway.posts.length).toBe(2);
  await bench.ended();
  await palette.run('rpm 20');
  await expect(page.getByText('of 20 this min')).toBeVisible();
  await palette.run('dark theme');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await palette.run('new session');
  await expect(bench.noConversation).toBeVisible();
  await palette.open();
  await palette.field.fill('better');
  await expect(palette.active).toContainText('A better title');
  await page.keyboard.press('Enter');
  await expect(bench.prompts).toHaveCount(1);
  await palette.run('history');
  await expect(page).toHaveURL(/history/);
  await palette.open();
  await palette.field.fill('add lane');
  await expect(palette.active).toContainText('Only in the playground');
});

test('arrows move through the options, the screen reader hears which, and the field opens by its button', async ({
  bench,
  server,
  page,
}) => {
  const palette = new Palette(page);
  await bench.open(server.url);
  await bench.button('Search or run a command').click();
  await expect(palette.field).toBeFocused();
  const first = await palette.active.textContent();
  await page.keyboard.press('ArrowDown');
  await expect(palette.active).not.toHaveText(first ?? '');
  const id = await palette.active.getAttribute('id');
  await expect(palette.field).toHaveAttribute('aria-activedescendant', id ?? 'none');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(palette.dialog.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
  await palette.field.fill('zzz');
  await expect(palette.dialog).toContainText('Nothing matches.');
  await expect(palette.dialog.getByRole('status')).toHaveText('0 options');
});

test('Ctrl+Enter in the list of models opens the model in a lane of its own', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  await bench.model.fill('north/two');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(
    page.getByRole('region', { name: 'Lane B' }).getByRole('combobox', { name: 'Model' }),
  ).toHaveValue('north/two');
  await expect(bench.model).toHaveValue('north/one');
});

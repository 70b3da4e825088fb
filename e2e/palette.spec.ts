import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
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

  get active(): Locator {
    return this.dialog.getByRole('option', { selected: true });
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k');
    await expect(this.field).toBeFocused();
  }

  async run(query: string): Promise<void> {
    await this.open();
    await this.field.fill(query);
    await this.page.keyboard.press('Enter');
    await expect(this.dialog).toBeHidden();
  }
}

test('accepts typing in the command field before its list loads, after a load failure and afterwards', async ({
  bench,
  server,
  page,
  pageErrors,
}) => {
  const palette = new Palette(page);
  const optionsModule = { requestCount: 0, gate: createGate() };
  await page.route('**/assets/command-options-*.js', async (route) => {
    optionsModule.requestCount += 1;
    if (optionsModule.requestCount === 1) return route.abort();
    await optionsModule.gate.opened;
    return route.continue();
  });
  await bench.open(server.url);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('temp 0.2');
  const loadError = palette.dialog.getByRole('group', { name: 'The command list' });
  await expect(loadError).toContainText(
    'Could not load part of the app. Check your connection and try again.',
  );
  await expect(palette.field).toHaveValue('temp 0.2');
  await loadError.getByRole('button', { name: 'Try again' }).click();
  await expect(palette.dialog.getByText('Loading…')).toBeVisible();
  await palette.field.press('End');
  await page.keyboard.type('5');
  await expect(palette.field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(palette.field, 'no option exists yet and the text is kept').toHaveValue('temp 0.25');
  optionsModule.gate.open();
  await expect(palette.dialog, 'Enter runs the command once it has loaded').toBeHidden();
  await expect(bench.parameters.getByRole('spinbutton', { name: 'temperature', exact: true })).toHaveValue(
    '0.25',
  );

  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('seed 7');
  await expect(palette.field).toHaveValue('seed 7');
  await page.keyboard.press('Escape');
  await expect(palette.dialog).toBeHidden();
  await expect(bench.message).toHaveValue('');
  expect(pageErrors.filter((pageError) => !pageError.includes('Could not load part of the app'))).toEqual([]);
  pageErrors.length = 0;
});

test(
  'runs settings and model choices by keyboard, explains a rejected value and restores the focus',
  { tag: '@soak' },
  async ({ bench, server, gateway, page }) => {
    const palette = new Palette(page);
    gateway.setChatScript((answer) => answer.sendAnswer('Yes.'));
    await bench.open(server.url);
    await bench.getButton('Add lane').click();
    const getModelField = (letter: string) =>
      page.getByRole('region', { name: `Lane ${letter}` }).getByRole('combobox', { name: 'Model' });

    await test.step('stays open with Ctrl, and after a rejected value with the reason', async () => {
      await bench.message.focus();
      await palette.open();
      await palette.field.fill('max 600');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(palette.dialog).toContainText('max_tokens set to 600 in all lanes.');
      await palette.field.fill('budget 64');
      await expect(palette.active).toContainText('Must be between 128 and 32,768.');
      await page.keyboard.press('Enter');
      await expect(palette.dialog).toBeVisible();
      await expect(
        bench.parameters.getByRole('checkbox', { name: 'Send thinking_budget' }),
      ).not.toBeChecked();
      await palette.field.fill('present');
      await page.keyboard.press('Enter');
      await expect(palette.dialog).toContainText('No messages yet');
      await page.keyboard.press('Escape');
      await expect(palette.dialog).toBeHidden();
      await expect(bench.message).toBeFocused();
    });

    await test.step('moves through options with arrow keys and exposes the active one to screen readers', async () => {
      await bench.getButton('Search or run a command').click();
      await expect(palette.field).toBeFocused();
      const firstText = await palette.active.textContent();
      await page.keyboard.press('ArrowDown');
      await expect(palette.active).not.toHaveText(firstText ?? '');
      const id = await palette.active.getAttribute('id');
      await expect(palette.field).toHaveAttribute('aria-activedescendant', id ?? 'none');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      await expect(palette.dialog.getByRole('option').last()).toHaveAttribute('aria-selected', 'true');
      await palette.field.fill('zzz');
      await expect(palette.dialog).toContainText('No results.');
      await expect(palette.dialog.getByRole('status')).toHaveText('0 options');
      await page.keyboard.press('Escape');
    });

    await test.step('selects models, and adds a lane for the model on Ctrl+Enter', async () => {
      await palette.run('@two in b');
      await expect(getModelField('B')).toHaveValue('north/two');
      await bench.model.fill('north/two');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(getModelField('C')).toHaveValue('north/two');
      await expect(bench.model).toHaveValue('north/one');
    });
  },
);

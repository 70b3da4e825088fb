import type { Locator, Page } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

interface Control {
  /** The control, focused before the first key. */
  find: (bench: BenchPage) => Locator;
  /** Opens what contains the control. */
  prepare?: (bench: BenchPage) => Promise<void>;
  /** Keys in order, each with what must hold after it. */
  keys: readonly [key: string, check: (page: Page, control: Locator) => Promise<void>][];
}

const isFocused =
  (role: 'menuitem' | 'radio' | 'tab' | 'option' | 'button', name: string | RegExp) => async (page: Page) => {
    const focused = page.locator(':focus');
    await expect(focused).toHaveAccessibleName(name);
    await expect(focused).toHaveRole(role);
  };
const isMarked = (list: string, option: string | RegExp) => (page: Page) =>
  expect(page.getByRole('listbox', { name: list }).getByRole('option', { selected: true })).toHaveText(
    option,
  );
const hasNoPopup = async (page: Page, control: Locator) => {
  await expect(page.getByRole('menu').or(page.getByRole('listbox'))).toHaveCount(0);
  await expect(control).toBeFocused();
};
const isChecked = (expected: boolean) => (_: Page, control: Locator) =>
  expect(control).toBeChecked({ checked: expected });
const hasValue = (value: string) => (_: Page, control: Locator) => expect(control).toHaveValue(value);

const inSidebar = (role: 'switch' | 'checkbox' | 'combobox', name: string) => (bench: BenchPage) =>
  bench.parameters.getByRole(role, { name, exact: true });

/** The keys of each kind of control, as the ARIA Authoring Practices describe them. */
const controls: Record<string, Control> = {
  menu: {
    find: (bench) => bench.getButton('Session menu'),
    keys: [
      ['Enter', isFocused('menuitem', 'Rename')],
      ['Escape', hasNoPopup],
      ['Space', isFocused('menuitem', 'Rename')],
      ['Escape', hasNoPopup],
      ['ArrowDown', isFocused('menuitem', 'Rename')],
      ['End', isFocused('menuitem', 'Delete')],
      ['ArrowDown', isFocused('menuitem', 'Rename')],
      ['ArrowUp', isFocused('menuitem', 'Delete')],
      ['Home', isFocused('menuitem', 'Rename')],
      ['i', isFocused('menuitem', 'Import')],
      ['Escape', hasNoPopup],
      ['ArrowUp', isFocused('menuitem', 'Delete')],
      ['Escape', hasNoPopup],
    ],
  },
  select: {
    find: inSidebar('combobox', 'response_format'),
    keys: [
      ['ArrowDown', isFocused('option', 'text')],
      ['End', isFocused('option', /^json_schema/)],
      ['Home', isFocused('option', 'text')],
      ['ArrowDown', isFocused('option', 'json_object')],
      ['ArrowUp', isFocused('option', 'text')],
      ['j', isFocused('option', 'json_object')],
      ['Escape', hasNoPopup],
      ['Space', isFocused('option', 'text')],
      ['ArrowDown', isFocused('option', 'json_object')],
      ['Enter', hasNoPopup],
      ['Enter', isFocused('option', 'json_object')],
      ['Escape', hasNoPopup],
    ],
  },
  combobox: {
    find: (bench) => bench.model,
    keys: [
      ['ArrowDown', isMarked('Model', /^demo\/guide/)],
      ['ArrowDown', isMarked('Model', /^demo\/(?!guide)/)],
      ['ArrowUp', isMarked('Model', /^demo\/guide/)],
      ['Escape', hasNoPopup],
      ['v', isMarked('Model', /^demo\/\S*v/)],
      ['Escape', hasNoPopup],
      ['Home', hasValue('demo/guide')],
    ],
  },
  'radio group': {
    prepare: async (bench) => {
      await bench.getButton('Settings').click();
    },
    find: (bench) => bench.page.getByRole('radio', { name: 'System' }),
    keys: [
      ['ArrowRight', isFocused('radio', 'Light')],
      ['ArrowDown', isFocused('radio', 'Dark')],
      ['ArrowRight', isFocused('radio', 'System')],
      ['ArrowLeft', isFocused('radio', 'Dark')],
      ['ArrowUp', isFocused('radio', 'Light')],
      ['End', isFocused('radio', 'Dark')],
      ['Home', isFocused('radio', 'System')],
    ],
  },
  tabs: {
    prepare: async (bench) => {
      await bench.sendAndWait('Hello');
      await bench.page.locator('[data-region=session-bar]').getByRole('button', { name: 'Inspect' }).click();
    },
    find: (bench) => bench.page.getByRole('tab', { name: 'Events' }),
    keys: [
      ['ArrowRight', isFocused('tab', 'Request and code')],
      ['End', isFocused('tab', 'Response')],
      ['ArrowRight', isFocused('tab', 'Events')],
      ['ArrowLeft', isFocused('tab', 'Response')],
      ['Home', isFocused('tab', 'Events')],
    ],
  },
  toolbar: {
    prepare: async (bench) => {
      await bench.sendAndWait('Hello');
    },
    find: (bench) => bench.lastReply.getByRole('button', { name: 'Copy', exact: true }),
    keys: [
      ['ArrowRight', isFocused('button', 'Regenerate')],
      ['End', isFocused('button', 'More actions')],
      ['ArrowRight', isFocused('button', 'Copy')],
      ['ArrowLeft', isFocused('button', 'More actions')],
      ['Home', isFocused('button', 'Copy')],
    ],
  },
  switch: {
    find: inSidebar('switch', 'stream'),
    keys: [
      ['Space', isChecked(false)],
      ['Enter', isChecked(true)],
    ],
  },
  checkbox: {
    find: inSidebar('checkbox', 'Send temperature'),
    keys: [
      ['Space', isChecked(true)],
      ['Space', isChecked(false)],
    ],
  },
  popover: {
    find: (bench) => bench.getButton('Gateway details'),
    keys: [
      ['Enter', (page) => expect(page.getByRole('dialog', { name: 'Gateway details' })).toBeFocused()],
      [
        'Escape',
        async (page, control) => {
          await expect(page.getByRole('dialog')).toHaveCount(0);
          await expect(control).toBeFocused();
        },
      ],
    ],
  },
};

for (const [kind, { find, prepare, keys }] of Object.entries(controls)) {
  test(`handles the keys of its pattern: ${kind}`, async ({ bench, demo, page }) => {
    await bench.open(demo.url);
    await prepare?.(bench);
    const control = find(bench);
    await control.focus();
    for (const [key, check] of keys) {
      await page.keyboard.press(key);
      await test.step(`${kind}: ${key}`, () => check(page, control));
    }
  });
}

test('closes only the innermost popup of a dialog on Escape, and stops the answer if none is open', async ({
  bench,
  gateway,
  server,
  page,
}) => {
  const end = createGate();
  gateway.setChatScript(async (answer) => {
    answer.sendText('It goes on.');
    await end.opened;
    answer.sendAnswer('');
  });
  await bench.open(server.url);
  await bench.send('Talk');
  const stop = bench.getButton(/^Stop/).first();
  await expect(stop).toBeVisible();

  const escape = async (popup: Locator, control: Locator) => {
    await expect(popup).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(popup).toHaveCount(0);
    await expect(control).toBeFocused();
    await expect(stop).toBeVisible();
  };

  await test.step('outside a dialog', async () => {
    const menuButton = bench.getButton('Session menu');
    await menuButton.click();
    await escape(page.getByRole('menu'), menuButton);
    const format = bench.parameters.getByRole('combobox', { name: 'response_format' });
    await format.click();
    await escape(page.getByRole('listbox'), format);
    await bench.openModelList();
    await escape(page.getByRole('listbox'), bench.model);
    const details = bench.getButton('Gateway details');
    await details.click();
    await escape(page.getByRole('dialog', { name: 'Gateway details' }), details);
  });

  await test.step('inside a dialog', async () => {
    await bench.parameters.getByRole('button', { name: 'Edit tools' }).click();
    const dialog = page.getByRole('dialog', { name: 'Tools' });
    const menuButton = dialog.getByRole('button', { name: 'Add a tool' });
    await menuButton.click();
    await expect(dialog.getByRole('menu')).toBeVisible();
    await escape(page.getByRole('menu'), menuButton);
    await expect(dialog).toBeVisible();

    const close = dialog.getByRole('button', { name: 'Close' });
    await close.focus();
    await expect(dialog.getByRole('tooltip')).toHaveText('Close');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(stop).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(stop).toHaveCount(0);
  });
  end.open();
});

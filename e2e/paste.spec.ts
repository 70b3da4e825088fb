import type { Locator, Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const long = `First words of a long text.\n${'A line of it, of some length.\n'.repeat(1_200)}The last line.`;

async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await page.evaluate((words) => navigator.clipboard.writeText(words), text);
  await field.press('ControlOrMeta+V');
}

test('a long paste waits beside the field, over a reload, and goes out behind what was typed', async ({
  bench,
  gateway,
  page,
  server,
}) => {
  const chip = page.getByRole('group', { name: 'Pasted text, 36 KB' });
  await bench.open(server.url);
  await expect(page.getByRole('textbox', { name: 'Author name' })).toBeVisible();
  await bench.message.fill('Sum this up');
  await paste(page, bench.message, long);
  await expect(chip).toContainText('First words of a long text. A line of it');
  await expect(bench.message).toHaveValue('Sum this up');
  await expect(page.locator('form')).toContainText(`~${(9_014).toLocaleString('en')} tokens`);

  await bench.reload();
  await expect(chip).toBeVisible();
  await expect(bench.message).toHaveValue('Sum this up');
  gateway.onChat((answer) => answer.whole('Done'));
  await bench.message.press('Enter');
  await bench.ended();
  expect(gateway.posts.at(-1)?.body['messages']).toEqual([
    { role: 'user', content: `Sum this up\n\n${long}` },
  ]);
  await expect(chip).toHaveCount(0);
  await expect(bench.message).toHaveValue('');
  await bench.reload();
  await expect(bench.prompts).toContainText('Sum this up');
  await expect(page.getByRole('textbox', { name: 'Author name' })).toBeVisible();
  await expect(chip).toHaveCount(0);
});

test('a long paste is put into the field to be edited, or removed; a short one goes there at once', async ({
  bench,
  page,
  server,
}) => {
  const chips = page.getByRole('group', { name: /^Pasted text, / });
  await bench.open(server.url);
  await expect(page.getByRole('textbox', { name: 'Author name' })).toBeVisible();
  await paste(page, bench.message, 'short');
  await expect(bench.message).toHaveValue('short');
  await paste(page, bench.message, long);
  await paste(page, bench.message, `${long}\nAnother.`);
  await expect(chips).toHaveCount(2);
  await chips.first().getByRole('button', { name: 'Edit' }).click();
  await expect(bench.message).toHaveValue(`short\n\n${long}`);
  await expect(bench.message).toBeFocused();
  await expect(chips).toHaveCount(1);
  await chips.getByRole('button', { name: 'Remove' }).click();
  await expect(chips).toHaveCount(0);
  await expect(bench.message).toBeFocused();
  await expect(bench.message).toHaveValue(`short\n\n${long}`);
});

test('a field of one line takes no text that would freeze the page, and says so', async ({
  bench,
  page,
  server,
}) => {
  await bench.open(server.url);
  const title = page.getByRole('textbox', { name: 'Session title' });
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await title.fill('Kept');
  await paste(page, title, 'a'.repeat(100_001));
  await expect(page.getByText('Not pasted: the limit is 100,000 characters here')).toBeVisible();
  await expect(title).toHaveValue('Kept');
  await paste(page, title, ' and more');
  await expect(title).toHaveValue('Kept and more');
});

import { expect, test } from './fixtures.ts';

test('shows one tooltip on keyboard focus and hover, and hides it on leave, blur, click and Escape', async ({
  bench,
  gateway,
  server,
  page,
}) => {
  // The answer does not end until it is stopped.
  gateway.setChatScript((answer) => {
    answer.openStream();
    answer.sendText('One ');
  });
  await bench.open(server.url);
  const tooltip = page.getByRole('tooltip');
  const theme = bench.getButton(/^Theme/);
  const settings = bench.getButton('Settings');

  await test.step('on keyboard focus', async () => {
    await bench.getButton('Help').focus();
    await page.keyboard.press('Tab');
    await expect(settings).toBeFocused();
    await expect(tooltip).toHaveText(/^Settings/);
    await page.keyboard.press('Shift+Tab');
    await expect(tooltip).toHaveText(/^Help/);
    await bench.message.focus();
    await expect(tooltip).toBeHidden();
  });

  await test.step('while the pointer is on the button or on the tooltip', async () => {
    await settings.hover();
    await expect(tooltip).toHaveText(/^Settings/);
    await tooltip.hover();
    await theme.hover();
    await expect(tooltip).toHaveText(/^Theme/);
    await bench.message.hover();
    await expect(tooltip).toBeHidden();
  });

  await test.step('not after a click', async () => {
    await theme.hover();
    await expect(tooltip).toBeVisible();
    await theme.click();
    await expect(tooltip).toBeHidden();
  });

  await test.step('for a checkbox at its label', async () => {
    await bench.parameters.getByText('temperature', { exact: true }).hover();
    await expect(tooltip).toContainText('Randomness');
    await page.mouse.move(1, 1);
    await expect(tooltip).toBeHidden();
  });

  await test.step('and Escape still stops the answer', async () => {
    await bench.send('Count');
    await expect(bench.lastReply).toContainText('One');
    await theme.focus();
    await page.keyboard.press('Tab');
    await expect(tooltip).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(tooltip).toBeHidden();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
  });

  await test.step('inside a modal dialog, which the same Escape closes', async () => {
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByRole('button', { name: 'Close' }).hover();
    await expect(dialog.getByRole('tooltip')).toHaveText('Close');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(tooltip).toBeHidden();
  });
});

test.describe('with touch', () => {
  test.use({ hasTouch: true });

  test('explains a number when its question mark is tapped, until something else is tapped', async ({
    demo,
    page,
    pageErrors: _,
  }) => {
    await page.goto(new URL('/embeddings', demo.url).href);
    const texts = page.getByRole('textbox', { name: 'Texts', exact: true });
    await texts.fill('A parcel\nA refund');
    await page.getByRole('button', { name: /^Embed/ }).tap();
    const tooltip = page.getByRole('tooltip');
    await page.getByRole('button', { name: /^Similarity:/ }).tap();
    await expect(tooltip).toContainText('Cosine similarity');
    await texts.tap();
    await expect(tooltip).toBeHidden();
  });
});

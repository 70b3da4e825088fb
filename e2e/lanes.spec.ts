import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

function getLane(page: Page, letter: string) {
  return page.getByRole('region', { name: `Lane ${letter}` });
}

async function selectLaneModel(page: Page, letter: string, id: string): Promise<void> {
  const picker = getLane(page, letter).getByRole('combobox', { name: 'Model' });
  await picker.fill(id);
  await picker.press('Enter');
  await expect(picker).toHaveValue(id);
}

test('compares the answers of two lanes word by word, without cutting off the end of a long text', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer, { body }) => {
    answer.sendText('What both of them say first. '.repeat(20));
    answer.sendAnswer(body['model'] === 'north/one' ? 'Roll back now.' : 'Roll back later.');
  });
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  await bench.getButton('Add lane').click();
  await selectLaneModel(page, 'B', 'north/two');
  await bench.send('Hello to both');
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
  await bench.getButton('Compare texts').click();
  const dialog = page.getByRole('dialog', { name: 'Compare texts' });
  await expect(dialog.locator('mark')).toHaveText(['now', 'later']);
  await expect(dialog.locator('mark').last()).toBeInViewport();
  const textGroup = dialog.getByRole('group', { name: 'Both texts' });
  expect(await textGroup.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await dialog.getByRole('radio', { name: 'Inline' }).click();
  await expect(dialog.locator('del')).toHaveText('now');
  await expect(dialog.locator('ins')).toHaveText('later');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test(
  'shares four request slots between two tabs without a channel',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    let openCount = 0;
    gateway.setChatScript(async (answer) => {
      openCount += 1;
      answer.sendText('Started');
      await new Promise<void>((resolve) => answer.response.on('close', () => resolve()));
      openCount -= 1;
    });
    await bench.open(server.url);
    for (let added = 0; added < 2; added += 1) await bench.getButton('Add lane').click();
    await bench.send('Three here');
    await expect.poll(() => openCount).toBe(3);
    const secondTab = await context.newPage();
    await secondTab.goto(server.url);
    await secondTab.getByRole('button', { name: 'New session' }).click();
    await secondTab.getByRole('textbox', { name: 'Message', exact: true }).fill('Three there');
    await secondTab.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
    await expect.poll(() => openCount).toBe(4);
    await expect(secondTab.locator('article[data-status="queued"]')).toHaveCount(2);
    await page.bringToFront();
    await page.getByRole('button', { name: 'Stop', exact: false }).last().click();
    await expect.poll(() => openCount).toBe(3);
    await expect(secondTab.locator('article[data-status="queued"]')).toHaveCount(0);
  },
);

test('reveals no model on the page while names are hidden', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  await bench.getButton('Add lane').click();
  await selectLaneModel(page, 'A', 'secret/alpha');
  await selectLaneModel(page, 'B', 'secret/beta');
  await bench.sendAndWait('Who are you?');
  await bench.getButton('Hide names').click();
  await expect(getLane(page, 'B')).toContainText('Model B');
  const html = await page.evaluate(() => document.body.outerHTML);
  expect(html).not.toContain('secret/');

  await bench.getButton('Inspect').first().click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  for (const tabName of ['Events', 'Request and code', 'Response']) {
    await inspector.getByRole('tab', { name: tabName }).click();
    await expect(inspector).toContainText('Names are hidden, but this view contains the model name.');
    expect(await page.evaluate(() => document.body.outerHTML), tabName).not.toContain('secret/');
  }
  await expect(inspector.getByRole('region', { name: 'Response' })).toContainText('Modelhidden');
  await inspector.getByRole('tab', { name: 'Request and code' }).click();
  await inspector.getByRole('button', { name: 'Show anyway' }).click();
  await expect(inspector).toContainText('secret/');
  await expect(inspector.getByRole('tab', { name: 'Request and code' })).toBeFocused();
  await bench.getButton('Close inspector').click();

  await bench.getButton('Show names').click();
  await expect(getLane(page, 'A').getByRole('combobox', { name: 'Model' })).toHaveValue('secret/alpha');
});

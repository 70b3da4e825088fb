import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

function lane(page: Page, letter: string) {
  return page.getByRole('region', { name: `Lane ${letter}` });
}

async function useModelIn(page: Page, letter: string, id: string): Promise<void> {
  const picker = lane(page, letter).getByRole('combobox', { name: 'Model' });
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
  await bench.button('Add lane').click();
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Hello to both');
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
  await bench.button('Compare texts').click();
  const dialog = page.getByRole('dialog', { name: 'Compare texts' });
  await expect(dialog.locator('mark')).toHaveText(['now', 'later']);
  await expect(dialog.locator('mark').last()).toBeInViewport();
  const text = dialog.getByRole('group', { name: 'Both texts' });
  expect(await text.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await dialog.getByRole('radio', { name: 'Inline' }).click();
  await expect(dialog.locator('del')).toHaveText('now');
  await expect(dialog.locator('ins')).toHaveText('later');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test(
  'two tabs share the four places of the direct way',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    let open = 0;
    gateway.setChatScript(async (answer) => {
      open += 1;
      answer.sendText('Started');
      await new Promise<void>((resolve) => answer.response.on('close', () => resolve()));
      open -= 1;
    });
    await bench.open(server.url);
    for (let added = 0; added < 2; added += 1) await bench.button('Add lane').click();
    await bench.send('Three here');
    await expect.poll(() => open).toBe(3);
    const second = await context.newPage();
    await second.goto(server.url);
    await second.getByRole('button', { name: 'New session' }).click();
    await second.getByRole('textbox', { name: 'Message', exact: true }).fill('Three there');
    await second.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
    await expect.poll(() => open).toBe(4);
    await expect(second.locator('article[data-status="queued"]')).toHaveCount(2);
    await page.bringToFront();
    await page.getByRole('button', { name: 'Stop', exact: false }).last().click();
    await expect.poll(() => open).toBe(3);
    await expect(second.locator('article[data-status="queued"]')).toHaveCount(0);
  },
);

test('with names hidden nothing on the page tells the models', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  await bench.button('Add lane').click();
  await useModelIn(page, 'A', 'secret/alpha');
  await useModelIn(page, 'B', 'secret/beta');
  await bench.ask('Who are you?');
  await bench.button('Hide names').click();
  await expect(lane(page, 'B')).toContainText('Model B');
  const html = await page.evaluate(() => document.body.outerHTML);
  expect(html).not.toContain('secret/');

  await bench.button('Inspect').first().click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  for (const view of ['Events', 'Request and code', 'Response']) {
    await inspector.getByRole('tab', { name: view }).click();
    await expect(inspector).toContainText('Names are hidden, and this part shows the model name.');
    expect(await page.evaluate(() => document.body.outerHTML), view).not.toContain('secret/');
  }
  await expect(inspector.getByRole('region', { name: 'Answer' })).toContainText('Modelhidden');
  await inspector.getByRole('tab', { name: 'Request and code' }).click();
  await inspector.getByRole('button', { name: 'Show anyway' }).click();
  await expect(inspector).toContainText('secret/');
  await expect(inspector.getByRole('tab', { name: 'Request and code' })).toBeFocused();
  await bench.button('Close inspector').click();

  await bench.button('Show names').click();
  await expect(lane(page, 'A').getByRole('combobox', { name: 'Model' })).toHaveValue('secret/alpha');
});

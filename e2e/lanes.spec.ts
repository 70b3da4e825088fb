import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

function lane(page: Page, letter: string) {
  return page.getByRole('region', { name: `Lane ${letter}` });
}

async function menu(page: Page, letter: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Lane ${letter} menu` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function useModelIn(page: Page, letter: string, id: string): Promise<void> {
  const picker = lane(page, letter).getByRole('combobox', { name: 'Model' });
  await picker.fill(id);
  await picker.press('Enter');
  await expect(picker).toHaveValue(id);
}

function reply(page: Page, letter: string, turn: number) {
  return page.getByRole('article', {
    name: new RegExp(`^Assistant message, lane ${letter}.*, turn ${turn}$`),
  });
}

test('a walk with lanes: set up, asked, compared, left out of a draft, given a setup, moved, removed and brought back', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer, { body }) => {
    answer.text('What both of them say first. '.repeat(20));
    answer.whole(body['model'] === 'north/one' ? 'Roll back now.' : 'Roll back later.');
  });
  const strip = page.getByRole('region', { name: 'Differences' });
  const systemOfB = page.getByRole('textbox', { name: 'System prompt, lane B' });
  const modelIn = (letter: string) => lane(page, letter).getByRole('combobox', { name: 'Model' });
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');

  await test.step('the same message goes to every lane, each with its own model and setup', async () => {
    await bench.button('Add lane').click();
    await expect(strip).toBeEmpty();
    await useModelIn(page, 'B', 'north/two');
    await page.getByRole('radio', { name: 'Lane B', exact: true }).click();
    await bench.parameters.getByRole('spinbutton', { name: 'seed' }).fill('7');
    await systemOfB.fill('Be brief.\nName the trade-off.');
    await page.getByRole('radio', { name: 'All lanes' }).click();
    await bench.parameters.getByRole('spinbutton', { name: 'max_tokens' }).fill('50');
    await expect(strip).toContainText('system prompt');
    await expect(strip).not.toContainText('max_tokens');
    await expect(lane(page, 'B')).toContainText('seed 7');
    await bench.send('Hello to both');
    for (const letter of ['A', 'B'])
      await expect(reply(page, letter, 1)).toHaveAttribute('data-status', 'complete');
    const asked = gateway.posts.map(({ body }) => [body['model'], body['seed'], body['max_tokens']]);
    expect(asked.toSorted()).toEqual([
      ['north/one', undefined, 50],
      ['north/two', 7, 50],
    ]);
  });

  await test.step('two answers are compared, and the end of a long text is not cut off', async () => {
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

  await test.step('a draft goes after a reload where it would have gone', async () => {
    await page.getByRole('checkbox', { name: 'To lane B' }).uncheck();
    await page.getByRole('textbox', { name: 'Author name' }).fill('ada');
    await bench.message.fill('Not for all');
    await bench.reload();
    await expect(bench.message).toHaveValue('Not for all');
    await expect(page.getByRole('checkbox', { name: 'To lane A' })).toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'To lane B' })).not.toBeChecked();
    await expect(page.getByRole('textbox', { name: 'Author name' })).toHaveValue('ada');
    await bench.message.press('Enter');
    await expect(reply(page, 'A', 2)).toHaveAttribute('data-status', 'complete');
    await expect(reply(page, 'B', 2)).toHaveCount(0);
    expect(gateway.posts[2]?.body['messages']).toContainEqual({
      role: 'user',
      content: 'Not for all',
      name: 'ada',
    });
  });

  await test.step('lanes are set alike, moved and removed, which can be undone', async () => {
    await page.getByRole('radio', { name: 'Lane B', exact: true }).click();
    await menu(page, 'A', 'Copy setup to all lanes');
    await expect(modelIn('B')).toHaveValue('north/one');
    await expect(bench.said('Copied the setup of lane A to 1 lane.')).toHaveCount(1);
    await bench.undo.click();
    await expect(modelIn('B')).toHaveValue('north/two');
    await expect(systemOfB).toHaveValue('Be brief.\nName the trade-off.');
    await menu(page, 'B', 'Move left');
    await expect(modelIn('A')).toHaveValue('north/two');
    await menu(page, 'A', 'Remove lane');
    await expect(lane(page, 'B')).toHaveCount(0);
    await bench.undo.click();
    await expect(modelIn('A')).toHaveValue('north/two');
    await expect(reply(page, 'B', 2)).toContainText('Roll back now.');
  });
});

test(
  'two tabs share the four places of the direct way',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
    let open = 0;
    gateway.onChat(async (answer) => {
      open += 1;
      answer.text('Started');
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

import { setTimeout as sleep } from 'node:timers/promises';

import type { Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

function lane(page: Page, letter: string) {
  return page.getByRole('region', { name: `Lane ${letter}` });
}

async function addLanes(bench: BenchPage, count: number): Promise<void> {
  for (let added = 0; added < count; added += 1) await bench.button('Add lane').click();
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

test('the same message goes to every lane, each with its own model and setup', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await addLanes(bench, 1);
  await useModelIn(page, 'B', 'north/two');
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.2');
  await bench.send('Hello to both');
  await expect(bench.prompts).toHaveCount(1);
  await expect(bench.replies).toHaveCount(2);
  await expect(reply(page, 'A', 1)).toHaveAttribute('data-status', 'complete');
  await expect(reply(page, 'B', 1)).toHaveAttribute('data-status', 'complete');
  const bodies = gateway.posts
    .map((post) => post.body)
    .toSorted((one, other) => (String(one['model']) < String(other['model']) ? -1 : 1));
  expect(bodies).toEqual([
    { model: 'north/one', messages: [{ role: 'user', content: 'Hello to both' }], stream: true },
    {
      model: 'north/two',
      messages: [{ role: 'user', content: 'Hello to both' }],
      stream: true,
      temperature: 0.2,
    },
  ]);
});

test('the strip names what differs, and is empty when the requests are equal', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await addLanes(bench, 1);
  const strip = page.getByRole('region', { name: 'Differences' });
  await expect(strip).toBeEmpty();
  await page.getByRole('radio', { name: 'Lane A' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.2');
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.9');
  await page.getByRole('textbox', { name: 'System prompt, lane B' }).fill('Be brief.\nName the trade-off.');
  await expect(strip).toContainText('temperature 0.2 / 0.9');
  await expect(strip).toContainText('system prompt');
  await expect(lane(page, 'A')).toContainText('temperature 0.2');
  await page.getByRole('radio', { name: 'All lanes' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.5');
  await page.getByRole('textbox', { name: 'System prompt, lane B' }).fill('');
  await expect(strip).toBeEmpty();
});

test('an edit in All lanes writes that one parameter to every lane and leaves the others alone', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await addLanes(bench, 1);
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'seed' }).fill('7');
  await page.getByRole('radio', { name: 'All lanes' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'max_tokens' }).fill('50');
  await bench.send('Go');
  await expect.poll(() => gateway.posts.length).toBe(2);
  expect(gateway.posts.map((post) => post.body['max_tokens'])).toEqual([50, 50]);
  expect(gateway.posts.filter((post) => post.body['seed'] === 7)).toHaveLength(1);
});

test('one failing lane harms no other, and is retried alone', async ({ bench, server, gateway, page }) => {
  let failing = true;
  gateway.onChat(async (answer, request) => {
    if (request.body['model'] === 'north/two' && failing) {
      return answer.json(503, {
        error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' },
      });
    }
    answer.text('Fine');
    await sleep(20);
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await addLanes(bench, 1);
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Go');
  await expect(reply(page, 'A', 1)).toHaveAttribute('data-status', 'complete');
  const failed = reply(page, 'B', 1);
  await expect(failed).toHaveAttribute('data-status', 'failed');
  await expect(failed.getByRole('group', { name: 'Error' })).toContainText('No capacity');
  failing = false;
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(reply(page, 'B', 1)).toHaveAttribute('data-status', 'complete');
  expect(gateway.posts.filter((post) => post.body['model'] === 'north/one')).toHaveLength(1);
});

test('a lane is stopped alone while the other goes on', async ({ bench, server, gateway, page }) => {
  gateway.onChat(async (answer, request) => {
    for (let word = 0; word < 200 && !answer.response.destroyed; word += 1) {
      answer.text(`${String(request.body['model'])}-${word} `);
      await sleep(10);
    }
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await addLanes(bench, 1);
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Go');
  await expect(reply(page, 'A', 1)).toContainText('north/one-5');
  await page.getByRole('button', { name: 'Stop lane A' }).click();
  await expect(reply(page, 'A', 1)).toHaveAttribute('data-status', 'stopped');
  await expect(reply(page, 'B', 1)).toHaveAttribute('data-status', 'complete');
  await expect(reply(page, 'B', 1)).toContainText('north/two-199');
});

test('lanes are chosen after To, and lanes that diverge show their own prompt', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await addLanes(bench, 1);
  await bench.ask('To both');
  await page.getByRole('checkbox', { name: 'To lane A' }).uncheck();
  await bench.send('Only to B');
  await expect(reply(page, 'B', 2)).toHaveAttribute('data-status', 'complete');
  await expect(reply(page, 'A', 2)).toHaveCount(0);
  expect(gateway.posts).toHaveLength(3);
  expect(gateway.posts[2]?.body['messages']).toHaveLength(3);
});

test('a draft goes after a reload where it would have gone: lanes left out, hidden names and the author stay', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await addLanes(bench, 2);
  await page.getByRole('checkbox', { name: 'To lane C' }).uncheck();
  await page.getByRole('textbox', { name: 'Author name' }).fill('ada');
  await bench.button('Hide names').click();
  await bench.message.fill('Not for all');
  await bench.reload();
  await expect(bench.message).toHaveValue('Not for all');
  await expect(page.getByRole('checkbox', { name: 'To lane B' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'To lane C' })).not.toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Author name' })).toHaveValue('ada');
  await expect(bench.button('Show names')).toBeVisible();
  await bench.message.press('Enter');
  await expect(bench.replies).toHaveCount(2);
  await expect.poll(() => gateway.posts.length).toBe(2);
  for (const { body } of gateway.posts)
    expect(body['messages']).toEqual([{ role: 'user', content: 'Not for all', name: 'ada' }]);

  await bench.newSession();
  await expect(page.getByRole('checkbox', { name: 'To lane C' })).toBeChecked();
  await expect(page.getByRole('textbox', { name: 'Author name' })).toHaveValue('');
});

test('lanes are duplicated with their history, moved, removed with undo, and set alike', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.ask('Said before');
  await addLanes(bench, 1);
  await expect(reply(page, 'B', 1)).toContainText('Hello from the gateway');
  await useModelIn(page, 'B', 'north/two');
  await page.getByRole('radio', { name: 'Lane B' }).click();
  const systemOfB = page.getByRole('textbox', { name: 'System prompt, lane B' });
  await systemOfB.fill('Only in B');
  await menu(page, 'A', 'Copy setup to all lanes');
  await expect(lane(page, 'B').getByRole('combobox', { name: 'Model' })).toHaveValue('north/one');
  await expect(page.getByText('Only in B')).toHaveCount(0);
  await expect(bench.said('Copied the setup of lane A to 1 lane.')).toHaveCount(1);
  await bench.undo.click();
  await expect(lane(page, 'B').getByRole('combobox', { name: 'Model' })).toHaveValue('north/two');
  await expect(systemOfB).toHaveValue('Only in B');
  await menu(page, 'B', 'Move left');
  await expect(lane(page, 'A').getByRole('combobox', { name: 'Model' })).toHaveValue('north/two');
  await menu(page, 'A', 'Copy setup to all lanes');
  await expect(lane(page, 'B').getByRole('combobox', { name: 'Model' })).toHaveValue('north/two');
  await menu(page, 'B', 'Remove lane');
  await expect(lane(page, 'B')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(reply(page, 'B', 1)).toContainText('Hello from the gateway');
  await page.reload();
  await expect(reply(page, 'A', 1)).toContainText('Hello from the gateway');
  await expect(reply(page, 'B', 1)).toContainText('Hello from the gateway');
});

test('six lanes are the most, and four requests are open at a time', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  let open = 0;
  let most = 0;
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  gateway.onChat(async (answer) => {
    open += 1;
    most = Math.max(most, open);
    answer.text('Started');
    await gate;
    answer.finish();
    answer.done();
    open -= 1;
  });
  await bench.open(server.url);
  await addLanes(bench, 5);
  await expect(bench.button('Add lane')).toBeDisabled();
  await expect(bench.button('Add lane')).toHaveAttribute('title', '6 lanes are the most');
  await bench.send('Go');
  await expect.poll(() => open).toBe(4);
  await expect(page.locator('article[data-status="queued"]')).toHaveCount(2);
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'History', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Playground' }).click();
  letGo();
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(6);
  expect(most).toBe(4);
});

test('two tabs share the four places', async ({ bench, server, gateway, page, context }) => {
  let open = 0;
  gateway.onChat(async (answer) => {
    open += 1;
    answer.text('Started');
    await new Promise<void>((resolve) => answer.response.on('close', () => resolve()));
    open -= 1;
  });
  await bench.open(server.url);
  await addLanes(bench, 2);
  await bench.send('Three here');
  await expect.poll(() => open).toBe(3);
  const second = await context.newPage();
  await second.goto(server.url);
  await second.getByRole('button', { name: 'New session' }).click();
  await second.getByRole('textbox', { name: 'Message', exact: true }).fill('Three there');
  await second.getByRole('textbox', { name: 'Message', exact: true }).press('Enter');
  await expect.poll(() => open).toBe(4);
  await expect(second.locator('article[data-status="queued"]')).toHaveCount(2);
  await page.getByRole('button', { name: 'Stop', exact: false }).last().click();
  await expect.poll(() => open).toBe(3);
  await expect(second.locator('article[data-status="queued"]')).toHaveCount(0);
});

test('with names hidden nothing on the page tells the models', async ({ bench, server, page }) => {
  await bench.open(server.url);
  await addLanes(bench, 1);
  await useModelIn(page, 'A', 'secret/alpha');
  await useModelIn(page, 'B', 'secret/beta');
  await bench.ask('Who are you?');
  await bench.button('Hide names').click();
  const html = await page.evaluate(() => document.body.outerHTML);
  expect(html).not.toContain('secret/');

  await bench.button('Inspect').first().click();
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  for (const view of ['Events', 'Request and code', 'Response']) {
    await inspector.getByRole('tab', { name: view }).click();
    await expect(inspector).toContainText('Names are hidden, and what follows names the model.');
    expect(await page.evaluate(() => document.body.outerHTML), view).not.toContain('secret/');
  }
  await expect(inspector.getByRole('region', { name: 'Answer' })).toContainText('Modelhidden');
  await inspector.getByRole('tab', { name: 'Request and code' }).click();
  await inspector.getByRole('button', { name: 'Show with names' }).click();
  await expect(inspector).toContainText('secret/');
  await expect(inspector.getByRole('tab', { name: 'Request and code' })).toBeFocused();
  await bench.button('Close inspector').click();

  await bench.button('Show names').click();
  await expect(lane(page, 'A').getByRole('combobox', { name: 'Model' })).toHaveValue('secret/alpha');
});

test('two answers are compared by words and by lines', async ({ bench, server, gateway, page }) => {
  gateway.onChat((answer, request) => {
    answer.text('What both of them say first. '.repeat(20));
    answer.text(request.body['model'] === 'north/one' ? 'Roll back now.' : 'Roll back later.');
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await addLanes(bench, 1);
  await useModelIn(page, 'B', 'north/two');
  await bench.send('Go');
  await expect(reply(page, 'B', 1)).toHaveAttribute('data-status', 'complete');
  await expect(reply(page, 'A', 1)).toHaveAttribute('data-status', 'complete');
  await bench.button('Compare texts').click();
  const dialog = page.getByRole('dialog', { name: 'Compare texts' });
  await expect(dialog.locator('del')).toHaveText('now');
  await expect(dialog.locator('ins')).toHaveText('later');
  await expect(dialog.locator('ins'), 'the end of a long text is not cut off').toBeInViewport();
  const text = dialog.locator('.diff-text');
  expect(await text.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test('requests are paced to the limit of the server, with a countdown, and go out by themselves', async ({
  gateway,
  page,
  bench,
}) => {
  const { startBench } = await import('./bench-server.ts');
  const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '2' });
  await page.clock.install();
  await bench.open(server.url);
  await addLanes(bench, 2);
  await bench.send('Go');
  await expect.poll(() => gateway.posts.length).toBe(2);
  await expect(page.getByText(/^Starts in \d+ s$/)).toBeVisible();
  await server.stop();
});

import type { Locator } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

const few = {
  data: ['north/one', 'north/two', 'south/three', 'south/embed-small'].map((id) => ({ id, object: 'model' })),
};

function list(bench: BenchPage): Locator {
  return bench.page.getByRole('listbox', { name: 'Model' });
}

/** The option that Enter would use now. */
function active(bench: BenchPage): Locator {
  return list(bench).getByRole('option', { selected: true });
}

test('typing searches, arrows move, Enter uses, Escape restores', async ({ bench, server, gateway }) => {
  gateway.models = few;
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  const options = await bench.openModels();
  await expect(options).toHaveCount(3);
  await bench.model.fill('two');
  await expect(options).toHaveText([/^two/, /^north\/two/]);
  await bench.model.press('ArrowDown');
  await expect(active(bench)).toHaveText(/^north\/two/);
  await bench.model.press('Enter');
  await expect(bench.model).toHaveValue('north/two');
  await expect(list(bench)).toBeHidden();

  await bench.model.fill('three');
  await bench.model.press('Escape');
  await expect(bench.model).toHaveValue('north/two');
  await expect(list(bench)).toBeHidden();

  await bench.model.press('ArrowDown');
  await expect(options.first()).toBeVisible();
  await options.filter({ hasText: 'three' }).click();
  await expect(bench.model).toHaveValue('south/three');
  await bench.ask('Go');
  expect(gateway.posts[0]?.body['model']).toBe('south/three');
});

test('embedding models are kept out of the chat picker and can still be typed', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.models = {
    data: [
      { id: 'south/embed-small' },
      { id: 'bge-large', object: 'model' },
      { id: 'plain', type: 'embedding' },
      { id: 'talker' },
    ],
  };
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('talker');
  const options = await bench.openModels();
  await expect(options).toHaveText([/^talker/]);
  await bench.useModel('bge-large');
});

test('any ID typed is used with Enter, listed or not, and the lane says that it is not listed', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.models = few;
  await bench.open(server.url);
  // "north/on" is the beginning of a listed one: what was typed wins.
  await bench.useModel('north/on');
  await expect(bench.page.getByRole('region', { name: 'Lane A' })).toContainText(
    'Not in the list. It is sent as typed.',
  );
  await bench.ask('Go');
  expect(gateway.posts[0]?.body['model']).toBe('north/on');
  // It was used now, but it never stood in a list.
  await expect(bench.page.getByText('Not in the list. It is sent as typed.')).toBeVisible();
  await expect(bench.page.getByText('It may have been retired')).toHaveCount(0);
});

test('in a narrow lane the ID of a model that is not listed stays whole', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.models = few;
  await bench.open(server.url);
  await bench.button('Add lane').click();
  await bench.button('Add lane').click();
  const lane = page.getByRole('region', { name: 'Lane A' });
  await bench.useModel('northfield/heron-32b');
  const note = lane.getByText('Not in the list. It is sent as typed.');
  await expect(note).toBeVisible();
  const cut = (box: HTMLElement | SVGElement) => box.scrollWidth - box.clientWidth;
  expect(await lane.locator('.combo > .shown').evaluate(cut)).toBe(0);
  expect(await note.evaluate(cut)).toBe(0);
  await bench.useModel(`northfield/${'a-long-name-'.repeat(10)}`);
  expect((await lane.boundingBox())?.height, 'two rows and the note').toBeLessThan(100);
});

test('leaving the field without Enter keeps the model', async ({ bench, server, gateway }) => {
  gateway.models = few;
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  await bench.model.fill('half-typed');
  await bench.message.click();
  await expect(bench.model).toHaveValue('north/one');
  await expect(list(bench)).toBeHidden();
});

test('of 5,000 models only those in view are mounted, and each can be reached', async ({
  bench,
  server,
  gateway,
}) => {
  const ids = Array.from(
    { length: 5000 },
    (_, index) => `owner-${index % 40}/model-${String(index).padStart(4, '0')}`,
  );
  gateway.models = { data: ids.map((id) => ({ id, object: 'model', owned_by: id.split('/')[0] })) };
  await bench.open(server.url);
  const options = await bench.openModels();
  expect(await options.count()).toBeLessThan(100);
  await expect(options.first()).toHaveAttribute('aria-setsize', '5000');

  await bench.model.press('PageDown');
  await bench.model.press('PageDown');
  const place = Number(await active(bench).getAttribute('aria-posinset'));
  expect(place).toBeGreaterThan(10);
  await expect(active(bench)).toBeInViewport();
  expect(await options.count()).toBeLessThan(100);

  await bench.model.press('ArrowUp');
  await expect(active(bench)).toHaveAttribute('aria-posinset', String(place - 1));
  await list(bench).evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(options.last()).toHaveText(/^owner-39\/model-4999/);
  expect(await options.count()).toBeLessThan(100);

  await bench.model.fill('model-4321');
  await expect(options.nth(1)).toHaveText(/^owner-1\/model-4321/);
  await options.nth(1).click();
  await expect(bench.model).toHaveValue('owner-1/model-4321');
});

test('recent and favourite models stand first, also after a reload', async ({ bench, server, gateway }) => {
  gateway.models = { data: Array.from({ length: 30 }, (_, index) => ({ id: `many/model-${index}` })) };
  await bench.open(server.url);
  await bench.useModel('many/model-20');
  await bench.ask('Go');
  await bench.openModels();
  await bench.button('Favourite model-20').click();
  await expect(bench.button('Favourite model-20')).toHaveAttribute('aria-pressed', 'true');
  await bench.model.press('Escape');
  await bench.useModel('many/model-9');
  await bench.ask('Go');
  await bench.reload();
  const options = await bench.openModels();
  await expect(options.nth(0)).toHaveText(/^many\/model-20/);
  await expect(options.nth(1)).toHaveText(/^many\/model-9/);
  await expect(options.nth(2)).toHaveText(/^many\/model-0/);
  await expect(options.filter({ hasText: 'model-20' }), 'each once').toHaveCount(1);
});

test('a model that was used and is gone from the list says so, and can still be asked', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.models = few;
  await bench.open(server.url);
  await bench.useModel('north/two');
  await bench.ask('Go');
  gateway.models = { data: [{ id: 'north/one' }] };
  await bench.reload();
  await expect(bench.model).toHaveValue('north/two');
  await expect(page.getByRole('region', { name: 'Lane A' })).toContainText(
    'Not in the list any more. It may have been retired.',
  );
  await bench.ask('Still there?');
  expect(gateway.posts[1]?.body['model']).toBe('north/two');
});

test('the last used model is the start of the next session and of the next visit', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.models = few;
  await bench.open(server.url);
  await bench.useModel('south/three');
  await bench.ask('Go');
  await bench.newSession();
  await expect(bench.model).toHaveValue('south/three');
  // A visit whose last session is gone starts with it, too.
  await page.goto(new URL('/history', server.url).href);
  await bench.button('Delete Go').click();
  await bench.newSession();
  await expect(bench.model).toHaveValue('south/three');
});

test('a first visit starts with the first chat model', async ({ bench, server, gateway }) => {
  gateway.models = { data: [{ id: 'text-embedding-3-small' }, { id: 'second/chat' }, { id: 'third/chat' }] };
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('second/chat');
});

const shapes: [name: string, models: unknown][] = [
  ['a bare list', [{ id: 'north/one' }]],
  ['a table under models', { models: [{ name: 'north/one' }] }],
  ['ids alone', { data: ['north/one'] }],
  [
    'records without an id among others',
    { data: [null, 7, {}, { id: '' }, { id: null }, { id: 'north/one' }, { id: 'north/one' }] },
  ],
];

for (const [name, models] of shapes) {
  test(`the list is read from ${name}`, async ({ bench, server, gateway }) => {
    gateway.models = models;
    await bench.open(server.url);
    await expect(bench.model).toHaveValue('north/one');
    await expect(await bench.openModels()).toHaveText([/^north\/one/]);
  });
}

const failures: [name: string, status: number, body: string][] = [
  ['is refused with 401', 401, '{"error":{"message":"no such key","type":"invalid_api_key","code":"401"}}'],
  ['fails with 500', 500, 'Internal Server Error'],
  ['is garbage', 200, '<html><body>welcome</body></html>'],
  ['is empty', 200, '{"data":[]}'],
];

for (const [name, status, body] of failures) {
  test(`where the model list ${name}, an ID can be typed and asked`, async ({
    bench,
    server,
    gateway,
    page,
  }) => {
    gateway.onModels((answer) => answer.body(status, body));
    await bench.open(server.url);
    await bench.model.click();
    if (body !== '{"data":[]}') await expect(page.getByText('The list did not come.')).toBeVisible();
    await expect(page.getByText(/Type (an|its whole) ID and press Enter/)).toBeVisible();
    await bench.useModel('my/own-model');
    await expect(await bench.ask('Go')).toHaveAttribute('data-status', 'complete');
    expect(gateway.posts[0]?.body['model']).toBe('my/own-model');

    gateway.onModels(undefined);
    await bench.openModels().catch(() => undefined);
    await bench.button('Check again').click();
    await expect(list(bench).getByRole('option').filter({ hasText: 'north/two' })).toBeVisible();
  });
}

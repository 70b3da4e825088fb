import { readFileSync } from 'node:fs';

import type { Locator, Page } from 'playwright/test';

import { faultsOf } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** 24 texts in four groups: the example that the screen offers. */
async function openLab(page: Page, url: string, model = 'demo/embedding-0.6B'): Promise<void> {
  await page.goto(new URL('/embeddings', url).href);
  await expect(texts(page)).toBeVisible();
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await picker.fill(model);
  await picker.press('Enter');
}

async function takeExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'Support phrases' }).click();
}

async function embed(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByText('All are embedded.')).toBeVisible();
}

const texts = (page: Page) => page.getByRole('textbox', { name: 'Texts', exact: true });
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const table = (page: Page) => page.getByRole('grid', { name: 'Embedded texts' });
const map = (page: Page) => page.getByRole('img', { name: /^Map/ });
const cut = (page: Page) => page.getByRole('slider', { name: 'Dimensions that the views look at' });
const similarity = (page: Page): Locator =>
  page.getByRole('grid', { name: /^Similarity/ }).or(page.getByRole('table', { name: /^Similarity/ }));
const nearest = (page: Page): Locator =>
  page
    .getByRole('list', { name: 'Nearest', exact: true })
    .or(page.getByRole('table', { name: 'Nearest', exact: true }));

/** Requests for vectors that the page makes from now on. */
function requestsOf(page: Page): { input: unknown }[] {
  const made: { input: unknown }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/embeddings')) made.push(request.postDataJSON());
  });
  return made;
}

test('24 texts in four groups: the map, the matrix, the nearest and the sizes, from one request', async ({
  page,
  demo,
  complaints: _,
}) => {
  test.slow();
  const made = requestsOf(page);
  await openLab(page, demo.url);
  await takeExample(page);
  await expect(page.getByText('24 to send: 1 request')).toBeVisible();
  expect(made, 'nothing is spent unasked').toEqual([]);
  await embed(page);
  expect(made).toHaveLength(1);
  await expect(page.getByText('knows spelling, not meaning')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Metrics' })).toContainText('1,024');

  // All four views at once, on a wide window.
  await expect(map(page)).toBeVisible();
  await expect(page.getByText(/% of (the )?variance/).first()).toBeVisible();
  await expect(similarity(page)).toBeVisible();
  await expect(cut(page)).toHaveAttribute('aria-valuetext', '1,024 dimensions');
  await expect(table(page).getByRole('row')).toHaveCount(25);

  // The nearest to a query: one more request, and none for the same one again.
  const find = page.getByRole('textbox', { name: 'Find texts close to' });
  await find.fill('the reset mail never arrived');
  await find.press('Enter');
  await expect(nearest(page)).toContainText('The reset email never arrives');
  expect(made).toHaveLength(2);
  await expect(nearest(page).getByRole('listitem').or(nearest(page).getByRole('row')).first()).toBeVisible();
  await find.fill('');
  await find.fill('the reset mail never arrived');
  await expect(nearest(page)).toContainText('The reset email never arrives');
  expect(made).toHaveLength(2);

  // A shorter size is cut here: no request.
  await tab(page, 'Dimensions').click();
  await cut(page).focus();
  await cut(page).press('ArrowLeft');
  await expect(cut(page)).toHaveAttribute('aria-valuetext', '768 dimensions');
  expect(made).toHaveLength(2);
});

test('the keyboard walks through texts, and every view follows', async ({ page, demo, complaints: _ }) => {
  await openLab(page, demo.url);
  await takeExample(page);
  await embed(page);
  await table(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('row', { selected: true })).toContainText(
    'Parcel shows delivered but nothing arrived',
  );
  await page.keyboard.press('ArrowDown');
  const shown = page.getByRole('status', { name: 'Selected text' });
  await expect(shown).toContainText('Where is my order, it is two days late');
  await expect(nearest(page)).not.toContainText('Where is my order, it is two days late');
  await page.keyboard.press('End');
  await expect(shown).toContainText('Cancel my yearly plan');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2);

  // From point to point on the map.
  await map(page).focus();
  await page.keyboard.press('ArrowLeft');
  const walked = await shown.textContent();
  expect(walked).not.toContain('Cancel my yearly plan');
  // Single keys: the query field, and the size.
  await page.keyboard.press('/');
  await expect(page.getByRole('textbox', { name: 'Find texts close to' })).toBeFocused();
  await tab(page, 'Overview').focus();
  await page.keyboard.press('[');
  await expect(cut(page)).toHaveAttribute('aria-valuetext', '768 dimensions');
  // Tabs by arrows.
  await page.keyboard.press('ArrowRight');
  await expect(tab(page, 'Map')).toBeFocused();
  await expect(tab(page, 'Map')).toHaveAttribute('aria-selected', 'true');
});

test('what comes with the first act says so where it does not come, and is tried anew', async ({
  page,
  demo,
}) => {
  await openLab(page, demo.url);
  await takeExample(page);
  await embed(page);
  await page.route('**/assets/lab-acts-*.js', (route) => route.abort());
  await table(page).focus();
  await page.keyboard.press('ArrowDown');
  const lost = page.getByRole('group', { name: 'The list of the nearest' });
  await expect(lost).toContainText('could not be loaded. Check the connection');
  await expect(table(page)).toBeFocused();
  await expect(map(page)).toBeVisible();
  await page.unroute('**/assets/lab-acts-*.js');
  await lost.getByRole('button', { name: 'Draw it again' }).click();
  await expect(nearest(page).getByRole('listitem')).toHaveCount(5);
});

test('no view has a fault that axe knows, in either theme', async ({ page, demo, complaints: _ }) => {
  // axe looks at every element: on a busy machine that takes its time.
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openLab(page, demo.url);
  expect(await faultsOf(page), 'empty').toEqual([]);
  await takeExample(page);
  await embed(page);
  await table(page).focus();
  await page.keyboard.press('ArrowDown');
  // The overview is map, similarity, nearest and dimensions.
  for (const name of ['Overview', 'Compare', 'Wire']) {
    await tab(page, name).click();
    expect(await faultsOf(page), name).toEqual([]);
  }
});

test('after a reload the texts and their vectors are there again, without a request', async ({
  page,
  demo,
  complaints: _,
}) => {
  await openLab(page, demo.url);
  await texts(page).fill('One text\nAnother text\nA third one');
  await embed(page);
  const made = requestsOf(page);
  await page.reload();
  await expect(texts(page)).toHaveValue('One text\nAnother text\nA third one');
  await expect(page.getByText('All are embedded.')).toBeVisible();
  await expect(map(page)).toBeVisible();
  await texts(page).fill('One text\nAnother text\nA third one\nA fourth');
  await expect(page.getByText('1 to send: 1 request')).toBeVisible();
  await embed(page);
  expect(made.map(({ input }) => input)).toEqual([['A fourth']]);
});

test('after a reload the query and the chosen view are there again, and what was found is found unasked', async ({
  page,
  demo,
  complaints: _,
}) => {
  await openLab(page, demo.url);
  await texts(page).fill('A cat on a mat\nSoup of the day\nA third one');
  await embed(page);
  const query = page.getByRole('textbox', { name: 'Find texts close to' });
  await query.fill('soup on a mat');
  await query.press('Enter');
  await expect(nearest(page)).toContainText('Soup of the day');
  await tab(page, 'Wire').click();
  const made = requestsOf(page);
  await expect(page.locator('html')).toHaveAttribute('data-saved', 'yes');
  await page.reload();
  await expect(tab(page, 'Wire')).toHaveAttribute('aria-selected', 'true');
  await expect(query).toHaveValue('soup on a mat');
  await tab(page, 'Nearest').click();
  await expect(page.getByText('To the query')).toBeVisible();
  await expect(nearest(page)).toContainText('Soup of the day');
  expect(made).toEqual([]);
});

test('two models: how far they agree, never by comparing their cosines', async ({
  page,
  demo,
  complaints: _,
}) => {
  await openLab(page, demo.url);
  await takeExample(page);
  await page.getByRole('button', { name: 'Add a second one to compare' }).click();
  const second = page.getByRole('combobox', { name: 'Second model' });
  await second.fill('demo/embedding-4B');
  await second.press('Enter');
  await embed(page);
  await tab(page, 'Compare').click();
  const view = page.getByRole('region', { name: 'Compare view' });
  await expect(view).toContainText(/\d+(\.\d+)?%/);
  await expect(view).toContainText('demo/embedding-4B');
});

test('a file of texts: columns are picked, groups are taken, doubles and empties are told', async ({
  page,
  demo,
  complaints: _,
}) => {
  await openLab(page, demo.url);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /text file/ }).click();
  const csv =
    'id,question,topic\n1,"Late, again",delivery\n2,Where is it?,delivery\n3,,refund\n4,"Late, again",delivery\n5,Money back,refund\n';
  await (await choosing).setFiles({ name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const card = page.getByRole('group', { name: 'File' });
  await expect(card).toContainText('questions.csv');
  await expect(card.getByRole('combobox', { name: 'Column of texts' })).toHaveText('question');
  await expect(card.getByRole('combobox', { name: 'Column of groups' })).toHaveText('topic');
  await expect(page.getByText('4 texts, 1 is double and sent once, 1 blank line left out.')).toBeVisible();
  await embed(page);
  await expect(table(page).getByRole('row')).toHaveCount(5);
  await expect(table(page).getByRole('img', { name: 'refund' })).toHaveCount(1);
  await card.getByRole('button', { name: 'Write texts instead' }).click();
  await expect(texts(page)).toBeVisible();
});

test('what is loaded is saved as numbers that read back the same', async ({ page, demo, complaints: _ }) => {
  await openLab(page, demo.url);
  await texts(page).fill('One text\nAnother, "quoted" text');
  await page.getByRole('combobox', { name: 'dimensions' }).click();
  await page.getByRole('option', { name: /^64/ }).click();
  await embed(page);
  const save = async (form: string): Promise<Buffer> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    await page.getByRole('menuitem', { name: form }).click();
    return readFileSync(await (await download).path());
  };
  const json: { data: { index: number; embedding: number[] }[]; model: string } = JSON.parse(
    String(await save('JSON as')),
  );
  expect(json).toMatchObject({
    object: 'list',
    model: 'demo/embedding-0.6B',
    data: [{ index: 0 }, { index: 1 }],
  });
  const csv = String(await save('CSV'));
  expect(csv.split('\r\n')[2]).toContain('1,"Another, ""quoted"" text",,');
  const npy = await save('npy');
  const floats = new Float32Array(
    npy.buffer.slice(npy.byteOffset + npy.length - 2 * 64 * 4, npy.byteOffset + npy.length),
  );
  expect(String(npy.subarray(0, 128))).toContain("'shape': (2, 64)");
  expect(Array.from(floats.subarray(64, 128))).toEqual(
    Array.from(Float32Array.from(json.data[1]?.embedding ?? [])),
  );
});

test('what is wrong on the wire is named, and what a careless client would have made of it', async ({
  page,
  gateway,
  server,
  complaints: _,
}) => {
  gateway.models = { object: 'list', data: [{ id: 'south/embed-small' }] };
  const vector = (seed: number) => Array.from({ length: 8 }, (_, at) => Math.sin(seed * 7 + at));
  gateway.onChat((answer, { body }) => {
    const input = Array.isArray(body['input']) ? body['input'] : [];
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: text === 'bad' ? Array.from({ length: 8 }, () => 0) : vector(index + 1),
    }));
    answer.json(200, {
      object: 'list',
      model: 'south/embed-small',
      data: data.toReversed(),
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
  });
  await openLab(page, server.url, 'south/embed-small');
  await texts(page).fill('one\nbad\nthree');
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByText('1 text of 3 has no vector')).toBeVisible();
  await expect(table(page).getByRole('row').filter({ hasText: 'bad' })).toContainText('failed');
  await tab(page, 'Wire').click();
  const findings = page.getByRole('region', { name: 'Findings' });
  await expect(findings).toContainText('float came although base64 was asked for');
  await expect(findings).toContainText('Some vectors are all zero');
  await expect(findings).toContainText('not in the order of the texts');
  await expect(page.getByRole('region', { name: 'A careless client' })).toContainText(
    '2 numbers, all of them zero, and no error. 8 came.',
  );
});

test('Enter right after the last key is one request, also where the answer takes its time', async ({
  page,
  gateway,
  server,
  complaints: _,
}) => {
  gateway.models = { object: 'list', data: [{ id: 'south/embed-small' }] };
  gateway.onChat((answer, { body }) => {
    const input = Array.isArray(body['input']) ? body['input'] : [];
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: [String(text).length, 3, 1],
    }));
    // Longer than the pause after which the field looks by itself.
    const waitMs = input.includes('query') ? 1000 : 0;
    setTimeout(() => answer.json(200, { object: 'list', model: 'south/embed-small', data }), waitMs);
  });
  await openLab(page, server.url, 'south/embed-small');
  await texts(page).fill('first\nsecond text\na third one');
  await embed(page);
  const find = page.getByRole('textbox', { name: 'Find texts close to' });
  await find.fill('query');
  await find.press('Enter');
  await expect(nearest(page)).toContainText('first');
  expect(gateway.posts.map(({ body }) => body['input'])).toEqual([
    ['first', 'second text', 'a third one'],
    ['query'],
  ]);
});

test('words that left the field before what looks for them had come are not looked for', async ({
  page,
  demo,
  complaints: _,
}) => {
  let letCome = () => {};
  const mayCome = new Promise<void>((resolve) => (letCome = resolve));
  await page.route('**/assets/lab-acts-*.js', async (route) => {
    await mayCome;
    await route.continue();
  });
  await openLab(page, demo.url);
  await takeExample(page);
  await embed(page);
  const made = requestsOf(page);
  const find = page.getByRole('textbox', { name: 'Find texts close to' });
  await find.fill('refund');
  await find.press('Enter');
  await find.fill('');
  letCome();
  // The words of the next query show that what looks for them is here.
  await find.fill('parcel');
  await find.press('Enter');
  await expect(nearest(page)).toContainText('Parcel');
  expect(made.map(({ input }) => JSON.stringify(input))).toEqual([expect.stringContaining('parcel')]);
});

test('a refusal leaves the texts where they are and says what to do', async ({
  page,
  gateway,
  server,
  complaints: _,
}) => {
  gateway.models = { object: 'list', data: [{ id: 'south/embed-small' }] };
  gateway.onChat((answer) =>
    answer.json(401, {
      error: { message: 'This key is no longer valid', type: 'invalid_api_key', code: '401' },
    }),
  );
  await openLab(page, server.url, 'south/embed-small');
  await texts(page).fill('one\ntwo');
  await page.getByRole('button', { name: /^Embed/ }).click();
  const error = page.getByRole('group', { name: 'Error' });
  await expect(error).toContainText('This key is no longer valid');
  await expect(error).toContainText('Your texts are kept');
  await expect(texts(page)).toHaveValue('one\ntwo');
  expect(gateway.posts).toHaveLength(1);
});

for (const width of [390, 320]) {
  test(`on a phone of ${width} px every part is a tab, and nothing scrolls sideways`, async ({
    page,
    demo,
    complaints: _,
  }) => {
    await page.setViewportSize({ width, height: 780 });
    await openLab(page, demo.url);
    await takeExample(page);
    await embed(page);
    for (const name of ['Texts', 'Map', 'Similarity', 'Nearest', 'Dimensions', 'Compare', 'Wire']) {
      await tab(page, name).click();
      await expect(page.getByRole('tabpanel')).toBeVisible();
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overhang, name).toBeLessThanOrEqual(0);
      const inside = await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth);
      expect(inside, `${name}, inside`).toBeLessThanOrEqual(0);
    }
  });
}

import { readFileSync } from 'node:fs';

import type { Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

const readout = (page: Page) => page.locator('.lab-readout').first();
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const map = (page: Page) => page.getByRole('img', { name: 'Map', exact: true });

async function pick(page: Page, picker: string, model: string): Promise<void> {
  const field = page.getByRole('combobox', { name: picker, exact: true });
  await field.fill(model);
  await field.press('Enter');
}

/** The lab with texts embedded by one model, or by two. */
async function embedded(page: Page, url: string, lines: string, second?: string): Promise<void> {
  await page.goto(new URL('/embeddings', url).href);
  const texts = page.getByRole('textbox', { name: 'Texts', exact: true });
  await expect(texts).toBeVisible();
  await pick(page, 'Model', 'demo/embedding-0.6B');
  if (second !== undefined) {
    await page.getByRole('button', { name: 'Add a second one to compare' }).click();
    await pick(page, 'Second model', second);
  }
  await texts.fill(lines);
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByText('All are embedded.')).toBeVisible();
}

const subjects = ['parcel', 'refund', 'password', 'invoice'];
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => {
    const subject = subjects[at % subjects.length];
    return `The ${subject} number ${at} is ${at % 3 === 0 ? 'late' : 'lost'}, please look for my ${subject}`;
  }).join('\n');

async function saveAs(page: Page, menu: string, form: RegExp): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: form }).click();
}

/** What a file holds that the browser saves meanwhile. */
async function savedText(page: Page, save: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), save()]);
  return readFileSync(await file.path(), 'utf8');
}

/** The pixels of the map, as the browser shows them. */
async function pictureOf(page: Page): Promise<string> {
  return (await map(page).screenshot()).toString('base64');
}

test('a lasso chooses what it surrounds, arrows walk from point to point', async ({
  page,
  demo,
  complaints: _,
}) => {
  await embedded(page, demo.url, linesOf(24));
  await tab(page, 'Map').click();
  await expect(page.getByText(/Trustworthiness 0\.\d{3}/)).toBeVisible();
  const box = await map(page).boundingBox();
  if (!box) throw new Error('The map has no place');
  await page.getByRole('radio', { name: 'Lasso' }).click();
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  for (const [right, down] of [
    [1, 0],
    [1, 1],
    [0, 1],
  ] as const)
    await page.mouse.move(box.x + 4 + right * (box.width - 8), box.y + 4 + down * (box.height - 8), {
      steps: 3,
    });
  await page.mouse.up();
  await expect(readout(page)).toContainText('24 texts chosen.');
  await map(page).focus();
  await page.keyboard.press('Escape');
  await expect(readout(page)).not.toContainText('chosen');

  // From a point to the next by keys.
  await page.keyboard.press('ArrowRight');
  const first = await readout(page).textContent();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowUp');
  expect(await readout(page).textContent()).not.toBe(first);
});

test('the layout that moves comes to the same picture each time', async ({ page, demo, complaints: _ }) => {
  test.slow();
  await embedded(page, demo.url, linesOf(60));
  await tab(page, 'Map').click();
  await page.getByRole('radio', { name: 'UMAP' }).click();
  await expect(page.getByText(/^Trustworthiness/)).toBeVisible();
  const once = await pictureOf(page);
  await page.reload();
  await tab(page, 'Map').click();
  await page.getByRole('radio', { name: 'UMAP' }).click();
  await expect(page.getByText(/^Trustworthiness/)).toBeVisible();
  await expect(async () => expect(await pictureOf(page)).toBe(once)).toPass();
});

test('a large matrix is one picture, and each of its cells is reached by key', async ({
  page,
  demo,
  complaints: _,
}) => {
  await embedded(page, demo.url, linesOf(60));
  await tab(page, 'Similarity').click();
  const grid = page.getByRole('grid', { name: 'Similarity' });
  await expect(grid).toHaveAttribute('aria-rowcount', '61');
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await expect(grid.getByRole('gridcell')).toHaveText('itself');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(grid.getByRole('gridcell')).toHaveText(/^-?[01]\.\d{3}$/);
  await expect(grid.getByRole('columnheader')).toHaveText(/number \d+ is/);
  const number = await grid.getByRole('gridcell').textContent();
  await expect(page.locator('.lab-legend-row .lab-readout b')).toHaveText(number ?? '');
  await page.keyboard.press('Control+End');
  await expect(grid.getByRole('row').last()).toHaveAttribute('aria-rowindex', '61');
  await page.keyboard.press('+');
  const [file] = await Promise.all([page.waitForEvent('download'), saveAs(page, 'Save the matrix', /PNG/)]);
  expect(
    readFileSync(await file.path())
      .subarray(1, 4)
      .toString('latin1'),
  ).toBe('PNG');
});

test('two models side by side: scores of agreement, both maps, and the key that changes the model', async ({
  page,
  demo,
  complaints: _,
}) => {
  test.slow();
  await embedded(page, demo.url, linesOf(24), 'demo/embedding-8B');
  await tab(page, 'Compare').click();
  const panel = page.getByRole('region', { name: 'Compare view' });
  await expect(panel.getByText('Same top 6')).toBeVisible();
  await expect(panel.getByText('linear CKA')).toBeVisible();
  await panel.getByRole('img', { name: 'Map of demo/embedding-8B' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel.getByRole('list', { name: 'Nearest with model A' }).getByRole('listitem')).toHaveCount(
    5,
  );
  await expect(panel.getByRole('list', { name: 'Nearest with model B' }).getByRole('listitem')).toHaveCount(
    5,
  );

  const modelA = page.getByRole('radio', { name: 'A, demo/embedding-0.6B' });
  await expect(modelA).toBeChecked();
  await page.keyboard.press('m');
  await expect(page.getByRole('radio', { name: 'B, demo/embedding-8B' })).toBeChecked();
  await tab(page, 'Dimensions').click();
  await expect(page.getByText('4,096 is the full size.')).toBeVisible();
});

test('a map is saved as SVG with all of its points', async ({ page, demo, complaints: _ }) => {
  await embedded(page, demo.url, linesOf(24));
  await tab(page, 'Map').click();
  await expect(page.getByText(/Trustworthiness/)).toBeVisible();
  const svg = await savedText(page, () => saveAs(page, 'Save the map', /SVG/));
  const marks = [...svg.matchAll(/ d="([^"]*)"/g)].flatMap((path) => (path[1] ?? '').match(/M/g) ?? []);
  expect(marks).toHaveLength(24);
});

test('the matrix and the curve are saved as SVG that needs no style sheet', async ({
  page,
  demo,
  complaints: _,
}) => {
  await embedded(page, demo.url, linesOf(24));
  await tab(page, 'Similarity').click();
  await expect(page.getByRole('grid', { name: 'Similarity' })).toBeVisible();
  const matrix = await savedText(page, () => saveAs(page, 'Save the matrix', /SVG/));
  const cells = [...matrix.matchAll(/<path fill="#[0-9a-f]{6}" d="([^"]*)"/g)];
  expect(cells.flatMap((path) => (path[1] ?? '').match(/M/g) ?? [])).toHaveLength(24 * 24);

  await tab(page, 'Dimensions').click();
  const button = page.getByRole('button', { name: 'Save the curve as SVG' });
  const curve = await savedText(page, () => button.click());
  expect(curve).toContain('same top 5');
  expect(curve).not.toContain('class=');
  // One drawing, read as XML by the browser as any other program would.
  const page2 = await page.context().newPage();
  await page2.setContent('<p></p>');
  const facts = await page2.evaluate((text) => {
    const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
    const colors = [...root.querySelectorAll('[fill], [stroke]')].flatMap((element) => [
      element.getAttribute('fill') ?? 'none',
      element.getAttribute('stroke') ?? 'none',
    ]);
    return { name: root.localName, others: colors.filter((color) => !/^(?:none|#[0-9a-f]{6})$/.test(color)) };
  }, curve);
  expect(facts).toEqual({ name: 'svg', others: [] });
});

test('a layout takes other neighbours, distance and seed, and the report names them', async ({
  page,
  demo,
  complaints: _,
}) => {
  test.slow();
  await embedded(page, demo.url, linesOf(60));
  await tab(page, 'Map').click();
  await page.getByRole('radio', { name: 'UMAP' }).click();
  await expect(page.getByText(/^Trustworthiness/)).toBeVisible();
  const usual = await pictureOf(page);
  const seed = page.getByRole('spinbutton', { name: 'Seed' });
  await seed.fill('1.5');
  await expect(seed).toHaveAttribute('aria-invalid', 'true');
  await seed.fill('7');
  await expect(seed).not.toHaveAttribute('aria-invalid');
  await page.getByRole('spinbutton', { name: 'Neighbours' }).press('ArrowDown');
  await page.getByRole('spinbutton', { name: 'Minimum distance' }).fill('0.5');
  await expect(async () => expect(await pictureOf(page)).not.toBe(usual)).toPass();
  await expect(page.getByText(/^Trustworthiness/)).toBeVisible();
  const report: unknown = JSON.parse(await savedText(page, () => saveAs(page, 'Save as a file', /Report/)));
  expect(report).toMatchObject({
    map: { layout: 'umap', umap: { neighbours: 14, minDistance: 0.5, seed: 7 } },
    seeds: { umap: 7 },
  });
});

test('the sheet of keys and the commands know what the lab answers to', async ({
  page,
  demo,
  complaints: _,
}) => {
  await embedded(page, demo.url, linesOf(24));
  await tab(page, 'Map').focus();
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keys' });
  for (const words of ['Find texts', 'Cut the vectors to the next smaller size', 'To the next point'])
    await expect(sheet).toContainText(words);
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();

  await page.keyboard.press('ControlOrMeta+k');
  const commands = page.getByRole('dialog', { name: 'Commands' });
  await page.keyboard.type('larger size');
  await expect(commands).toContainText('The full size is on show');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('smaller size');
  await page.keyboard.press('Enter');
  await expect(commands).toBeHidden();
  await tab(page, 'Dimensions').click();
  await expect(page.getByRole('slider', { name: 'Dimensions that the views look at' })).toHaveAttribute(
    'aria-valuetext',
    '768 dimensions',
  );
});

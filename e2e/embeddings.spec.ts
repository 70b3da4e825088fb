import { readFileSync } from 'node:fs';

import type { Locator, Page } from 'playwright/test';

import { expect, test } from './fixtures.ts';

/** Opens the lab and chooses a model. */
async function openLab(page: Page, url: string, model = 'demo/embedding-0.6B'): Promise<void> {
  await page.goto(new URL('/embeddings', url).href);
  await expect(getTextsField(page)).toBeVisible();
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await picker.fill(model);
  await picker.press('Enter');
}

async function pickExample(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'Support phrases' }).click();
}

async function embed(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByText('All embedded.')).toBeVisible();
}

const getTextsField = (page: Page) => page.getByRole('textbox', { name: 'Texts', exact: true });
const getTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const getTextList = (page: Page) =>
  page.getByRole('list', { name: /^(Embedded texts|Texts by score)$/ }).filter({ visible: true });
const getCurrentText = (page: Page) => getTextList(page).locator('[aria-current]');
const getMap = (page: Page) => page.getByRole('img', { name: /^Map/ });
const getDimensionsSlider = (page: Page) => page.getByRole('slider', { name: 'Dimensions in views' });
const getSimilarityView = (page: Page): Locator =>
  page.getByRole('grid', { name: /^Similarity/ }).or(page.getByRole('table', { name: /^Similarity/ }));
const getNearestView = (page: Page): Locator =>
  page
    .getByRole('list', { name: 'Nearest', exact: true })
    .or(page.getByRole('table', { name: 'Nearest', exact: true }));

/** Collects the embedding requests that the page sends from now on. They use HTTP, where the test can observe them. */
async function recordEmbeddingRequests(page: Page): Promise<{ input: unknown }[]> {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebSocket'));
  const requests: { input: unknown }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/embeddings')) requests.push(request.postDataJSON());
  });
  return requests;
}

test(
  'embeds 24 texts in four groups, searches them, moves by keyboard and restores all of it after a reload',
  { tag: '@soak' },
  async ({ page, demo, pageErrors: _ }) => {
    const requests = await recordEmbeddingRequests(page);
    const searchField = page.getByRole('textbox', { name: 'Search by meaning' });
    const selectedText = page.getByRole('status', { name: 'Selected text' });
    await openLab(page, demo.url);

    await test.step('fills the map, matrix, nearest and dimensions views from one request', async () => {
      await pickExample(page);
      await expect(page.getByText('24 to embed in 1 request')).toBeVisible();
      expect(requests, 'no request without user action').toEqual([]);
      await embed(page);
      expect(requests).toHaveLength(1);
      await expect(page.getByText('compares spelling, not meaning')).toBeVisible();
      await expect(page.getByRole('group', { name: 'Metrics' })).toContainText('1,024');
      // A wide screen shows all four views together.
      await expect(getMap(page)).toBeVisible();
      await expect(page.getByText(/% of close neighbours stay close/).first()).toBeVisible();
      await expect(getSimilarityView(page)).toBeVisible();
      await expect(getDimensionsSlider(page)).toHaveAttribute('aria-valuetext', '1,024 dimensions');
      await expect(getTextList(page).getByRole('listitem')).toHaveCount(24);
    });

    await test.step('moves through texts by keyboard and updates every view', async () => {
      await getTextList(page).getByRole('button').first().press('Enter');
      await expect(getCurrentText(page)).toContainText('Parcel shows delivered but nothing arrived');
      await page.keyboard.press('ArrowDown');
      await expect(getCurrentText(page)).toBeFocused();
      await expect(selectedText).toContainText('The courier left the box in the rain');
      await expect(getNearestView(page).getByRole('listitem')).toHaveCount(5);
      await expect(getNearestView(page)).not.toContainText('The courier left the box in the rain');
      await page.keyboard.press('End');
      await expect(selectedText).toContainText('Is the dress loose or does it fit close?');
      await page.keyboard.press('Shift+ArrowUp');
      await expect(getTextList(page).getByRole('button', { pressed: true })).toHaveCount(2);
      // Arrow keys move from point to point on the map.
      await getMap(page).focus();
      await page.keyboard.press('ArrowLeft');
      await expect(selectedText).not.toContainText('Is the dress loose or does it fit close?');
    });

    await test.step('lists single-key shortcuts that focus the query and change the size', async () => {
      await page.keyboard.press('?');
      const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      for (const label of ['Find texts', 'Use fewer dimensions', 'Move between points'])
        await expect(sheet).toContainText(label);
      await page.keyboard.press('Escape');
      await expect(sheet).toBeHidden();
      await page.keyboard.press('/');
      await expect(searchField).toBeFocused();
      await getTab(page, 'Overview').focus();
      await page.keyboard.press('[');
      await expect(getDimensionsSlider(page)).toHaveAttribute('aria-valuetext', '768 dimensions');
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('more dimensions');
      await expect(page.getByRole('option', { name: 'Use more dimensions' })).toBeVisible();
      await page.keyboard.press('Enter');
      await expect(getDimensionsSlider(page)).toHaveAttribute('aria-valuetext', '1,024 dimensions');
      await page.keyboard.press('ControlOrMeta+k');
      await page.keyboard.type('more dimensions');
      await expect(page.getByRole('dialog', { name: 'Commands' })).toContainText('Already at full size');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name: 'Commands' })).toBeHidden();
      await getDimensionsSlider(page).press('ArrowLeft');
      await expect(getDimensionsSlider(page)).toHaveAttribute('aria-valuetext', '768 dimensions');
      await getDimensionsSlider(page).press('ArrowRight');
      await expect(getDimensionsSlider(page)).toHaveAttribute('aria-valuetext', '1,024 dimensions');
      expect(requests, 'fewer dimensions are computed locally').toHaveLength(1);
    });

    await test.step('sends one request for the neighbours of a query, and none if the query is repeated', async () => {
      await searchField.fill('the reset mail never arrived');
      await searchField.press('Enter');
      await expect(getNearestView(page)).toContainText('The password reset email never arrives');
      await searchField.fill('');
      await searchField.fill('the reset mail never arrived');
      await expect(page.getByText('Closest to query')).toBeVisible();
      await expect(getTextList(page)).toHaveAccessibleName('Texts by score');
      await expect(getTextList(page).getByRole('listitem').first()).toContainText(
        'The password reset email never arrives',
      );
      await expect(getNearestView(page)).toContainText('The password reset email never arrives');
      expect(requests).toHaveLength(2);
    });

    await test.step('switches tabs with arrow keys and restores everything after a reload without a request', async () => {
      await getTab(page, 'Overview').focus();
      await page.keyboard.press('ArrowRight');
      await expect(getTab(page, 'Map')).toBeFocused();
      await expect(getTab(page, 'Map')).toHaveAttribute('aria-selected', 'true');
      await expect(page.locator('html')).toHaveAttribute('data-saved', 'yes');
      await page.reload();
      await expect(getTextsField(page)).toHaveValue(/Parcel shows delivered but nothing arrived/);
      await expect(page.getByText('All embedded.')).toBeVisible();
      await expect(getTab(page, 'Map')).toHaveAttribute('aria-selected', 'true');
      await expect(getMap(page)).toBeVisible();
      await expect(searchField).toHaveValue('the reset mail never arrived');
      await getTab(page, 'Nearest').click();
      await expect(getNearestView(page)).toContainText('The password reset email never arrives');
      expect(requests).toHaveLength(2);
      await getTextsField(page).fill(`${await getTextsField(page).inputValue()}\nA text that is new`);
      await expect(page.getByText('1 to embed in 1 request')).toBeVisible();
      await embed(page);
      expect(requests[2]?.input).toEqual(['A text that is new']);
    });
  },
);

test(
  'imports texts from a file and saves their vectors as a file',
  { tag: '@soak' },
  async ({ page, demo, pageErrors: _ }) => {
    await openLab(page, demo.url);
    const chooserPromise = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: /text file/ }).click();
    const csv =
      'id,question,topic\n1,"Late, again",delivery\n2,Where is it?,delivery\n3,,refund\n4,"Late, again",delivery\n5,Money back,refund\n';
    await (
      await chooserPromise
    ).setFiles({ name: 'questions.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const card = page.getByRole('group', { name: 'File' });
    await expect(card).toContainText('questions.csv');
    await card.getByRole('radio', { name: 'One per line' }).click();
    await expect(card).toContainText('Read as plain text, one text per line.');
    await card.getByRole('radio', { name: 'Table' }).click();
    await expect(card.getByRole('combobox', { name: 'Text column' })).toHaveText('question');
    await expect(card.getByRole('combobox', { name: 'Group column' })).toHaveText('topic');
    await expect(page.getByText('4 texts, 1 duplicate sent only once, 1 blank line skipped.')).toBeVisible();
    await page.getByRole('combobox', { name: 'dimensions' }).fill('64');
    await page.getByRole('combobox', { name: 'dimensions' }).press('Enter');
    await embed(page);
    await expect(getTextList(page).getByRole('listitem')).toHaveCount(4);
    await expect(getTextList(page).getByRole('img', { name: 'refund' })).toHaveCount(1);

    const save = async (format: string): Promise<Buffer> => {
      const downloadPromise = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as file' }).click();
      await page.getByRole('menuitem', { name: format, exact: true }).click();
      return readFileSync(await (await downloadPromise).path());
    };
    const json: { data: { embedding: number[] }[] } = JSON.parse(String(await save('JSON')));
    expect(json).toMatchObject({ object: 'list', model: 'demo/embedding-0.6B', data: { length: 4 } });
    const npy = await save('NPY and IDs');
    expect(String(npy.subarray(0, 128))).toContain("'shape': (4, 64)");
    const floats = new Float32Array(
      npy.buffer.slice(npy.byteOffset + npy.length - 64 * 4, npy.byteOffset + npy.length),
    );
    expect(Array.from(floats)).toEqual(Array.from(Float32Array.from(json.data[3]?.embedding ?? [])));

    await card.getByRole('button', { name: 'Type texts instead' }).click();
    await expect(getTextsField(page)).toBeVisible();
  },
);

test(
  'shows every part as a tab on phones, without horizontal overflow',
  { tag: '@soak' },
  async ({ page, demo, pageErrors: _ }) => {
    await page.setViewportSize({ width: 390, height: 780 });
    await openLab(page, demo.url);
    await pickExample(page);
    await embed(page);
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 780 });
      for (const name of ['Texts', 'Map', 'Similarity', 'Nearest', 'Dimensions', 'Compare', 'Wire']) {
        await getTab(page, name).click();
        await expect(page.getByRole('tabpanel')).toBeVisible();
        const overflowPx = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overflowPx, `${name} at ${width}`).toBeLessThanOrEqual(0);
        const innerOverflowPx = await page
          .locator('main')
          .evaluate((main) => main.scrollWidth - main.clientWidth);
        expect(innerOverflowPx, `${name} at ${width}, inside`).toBeLessThanOrEqual(0);
      }
    }
  },
);

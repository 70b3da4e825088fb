import { readFileSync } from 'node:fs';

import type { Page } from 'playwright/test';

import { findAxeViolations } from './axe.ts';
import { expect, test } from './fixtures.ts';

const getReadout = (page: Page) => page.locator('.map-readout');
const getTrustworthiness = (page: Page) =>
  page.getByRole('button', { name: /\d+% of what looks close really is close/ });
const getTextsField = (page: Page) => page.getByRole('textbox', { name: 'Texts', exact: true });
const getTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const getMap = (page: Page) => page.getByRole('img', { name: 'Map', exact: true });

async function pickModel(page: Page, picker: string, model: string): Promise<void> {
  const field = page.getByRole('combobox', { name: picker, exact: true });
  await field.fill(model);
  await field.press('Enter');
}

/** Opens the lab and embeds these lines with one model. */
async function openEmbeddedLab(page: Page, url: string, lines: string): Promise<void> {
  await openLab(page, url);
  await getTextsField(page).fill(lines);
  await embed(page);
}

async function embed(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByText('All embedded.')).toBeVisible();
}

async function openLab(page: Page, url: string): Promise<void> {
  await page.goto(new URL('/embeddings', url).href);
  await expect(getTextsField(page)).toBeVisible();
  await pickModel(page, 'Model', 'demo/embedding-0.6B');
}

const subjects = ['parcel', 'refund', 'password', 'invoice'];
const createLines = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const subject = subjects[index % subjects.length];
    return `The ${subject} number ${index} is ${index % 3 === 0 ? 'late' : 'lost'}, please look for my ${subject}`;
  }).join('\n');

async function saveAs(page: Page, menu: string, format: RegExp): Promise<void> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: format }).click();
}

/** Returns the content of the file downloaded by `save`. */
async function readSavedText(page: Page, save: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), save()]);
  return readFileSync(await file.path(), 'utf8');
}

/** Returns the format signature (bytes 2 to 4) of the image that this button saves. */
async function readSavedFormat(page: Page, button: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return String(readFileSync(await file.path()).subarray(1, 4));
}

/** Returns the map's pixels as a base64 PNG. */
async function captureMap(page: Page): Promise<string> {
  return (await getMap(page).screenshot()).toString('base64');
}

test(
  'selects points on the map by lasso and arrow keys, and computes the same layout every time',
  { tag: '@soak' },
  async ({ page, demo, pageErrors: _ }) => {
    // Moving points would give a different image in every frame.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const seed = page.getByRole('spinbutton', { name: 'Seed' });
    await openEmbeddedLab(page, demo.url, createLines(60));
    await getTab(page, 'Map').click();
    await expect(getTrustworthiness(page)).toBeVisible();

    await test.step('selects with a lasso and arrow keys and clears the selection on Escape', async () => {
      const box = await getMap(page).boundingBox();
      if (!box) throw new Error('The map has no bounding box');
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
      await expect(getReadout(page)).toContainText('60 texts selected.');
      await getMap(page).focus();
      await page.keyboard.press('Escape');
      await expect(getReadout(page)).not.toContainText('selected');
      await page.keyboard.press('ArrowRight');
      await expect(getReadout(page)).toContainText(/number \d+ is/);
      const firstReadout = (await getReadout(page).textContent()) ?? '';
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowUp');
      await expect(getReadout(page)).not.toHaveText(firstReadout);
    });

    await test.step('explains the colours in a legend', async () => {
      const legend = page.getByRole('paragraph').filter({ hasText: /The \w+ number \d+ i.*…/ });
      await expect(legend).toBeVisible();
      const color = page.getByRole('combobox', { name: 'Colour' });
      await color.click();
      await page.getByRole('option', { name: 'by similarity' }).click();
      await expect(page.getByRole('paragraph').filter({ hasText: 'more similar' })).toBeVisible();
      await expect(legend).toBeHidden();
      await color.click();
      await page.getByRole('option', { name: 'by cluster' }).click();
      await getMap(page).focus();
      await page.keyboard.press('Escape');
    });

    await page.getByRole('radio', { name: 'UMAP' }).click();
    await expect(getTrustworthiness(page)).toBeVisible();
    const defaultPicture = await captureMap(page);

    await test.step('applies other neighbours, distance and seed and names them in the map report', async () => {
      await seed.fill('1.5');
      await expect(seed).toHaveAttribute('aria-invalid', 'true');
      await seed.fill('7');
      await expect(seed).not.toHaveAttribute('aria-invalid');
      await page.getByRole('spinbutton', { name: 'Neighbours' }).press('ArrowDown');
      await page.getByRole('spinbutton', { name: 'Minimum distance' }).fill('0.5');
      await expect.poll(() => captureMap(page)).not.toBe(defaultPicture);
      await expect(getTrustworthiness(page)).toBeVisible();
      const report: unknown = JSON.parse(
        await readSavedText(page, () => saveAs(page, 'Save as file', /Report/)),
      );
      expect(report).toMatchObject({
        map: { layout: 'umap', umap: { neighbours: 14, minDistance: 0.5, seed: 7 } },
        seeds: { umap: 7 },
      });
    });

    await test.step('draws the same image with default settings after a reload', async () => {
      await page.reload();
      await getTab(page, 'Map').click();
      await page.getByRole('radio', { name: 'UMAP' }).click();
      await expect(getTrustworthiness(page)).toBeVisible();
      await expect.poll(() => captureMap(page)).toBe(defaultPicture);
    });
  },
);

test(
  'draws a large matrix as one image with keyboard access to its cells, and saves images as files',
  { tag: '@soak' },
  async ({ page, demo, pageErrors: _ }) => {
    await openEmbeddedLab(page, demo.url, createLines(60));
    await getTab(page, 'Similarity').click();
    const grid = page.getByRole('grid', { name: 'Similarity' });

    await test.step('reaches every cell of the matrix by keyboard', async () => {
      await expect(grid).toHaveAttribute('aria-rowcount', '61');
      await grid.focus();
      await page.keyboard.press('ArrowRight');
      await expect(grid.getByRole('gridcell')).toHaveText('itself');
      await page.keyboard.press('Shift+ArrowRight');
      await expect(grid.getByRole('gridcell')).toHaveText(/^-?[01]\.\d{3}$/);
      await expect(grid.getByRole('columnheader')).toHaveText(/number \d+ is/);
      const score = await grid.getByRole('gridcell').textContent();
      await expect(page.locator('.pair-readout b')).toHaveText(score ?? '');
      await page.keyboard.press('Control+End');
      await expect(grid.getByRole('row').last()).toHaveAttribute('aria-rowindex', '61');
    });

    await test.step('saves the matrix and the map as PNG images as they are shown', async () => {
      await page.keyboard.press('+');
      expect(await readSavedFormat(page, 'Save matrix')).toBe('PNG');
      await getTab(page, 'Map').click();
      await expect(getTrustworthiness(page)).toBeVisible();
      expect(await readSavedFormat(page, 'Save map')).toBe('PNG');
    });

    await test.step('saves a small matrix, drawn as a table, as a PNG image', async () => {
      await getTextsField(page).fill(createLines(8));
      await page.getByRole('button', { name: /^Embed/ }).click();
      await expect(page.getByText('All embedded.')).toBeVisible();
      await getTab(page, 'Similarity').click();
      await expect(grid).toHaveJSProperty('localName', 'table');
      expect(await readSavedFormat(page, 'Save matrix')).toBe('PNG');
    });
  },
);

test(
  'compares two models by agreement scores and both maps, switches by key and has no axe violations',
  { tag: '@soak' },
  async ({ page, demo, pageErrors: _ }) => {
    await openLab(page, demo.url);
    await page.getByRole('button', { name: 'Compare with another model' }).click();
    await pickModel(page, 'Second model', 'demo/embedding-8B');
    // The example has four groups, so axe also checks the marks and names of groups.
    await page.getByRole('button', { name: 'Examples' }).click();
    await page.getByRole('menuitem', { name: 'Support phrases' }).click();
    await embed(page);
    await getTab(page, 'Compare').click();
    const panel = page.getByRole('region', { name: 'Compare view' });
    const agreement = panel.getByRole('region', { name: 'Agreement', exact: true });
    await expect(agreement).toContainText(/They agree on \d+% of the 6 nearest texts of each text\./);
    await expect(agreement).toContainText(/same group for \d+ of 24 texts in A and for \d+ in B/);
    await panel.getByText('Details for experts').click();
    await expect(panel.getByText('Top 6 overlap')).toBeVisible();
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
    await getTab(page, 'Dimensions').click();
    await expect(page.getByText('4,096 dimensions is the full size.')).toBeVisible();

    // The overview contains the map, similarity, nearest and dimensions views.
    for (const name of ['Overview', 'Compare', 'Wire']) {
      await getTab(page, name).click();
      expect(await findAxeViolations(page), name).toEqual([]);
    }
  },
);

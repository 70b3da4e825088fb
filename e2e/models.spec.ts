import type { Locator } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

const shortModelList = {
  data: ['north/one', 'north/two', 'south/three', 'south/embed-small'].map((id) => ({ id, object: 'model' })),
};

function getModelList(bench: BenchPage): Locator {
  return bench.page.getByRole('listbox', { name: 'Model' });
}

/** Returns the option that Enter would choose now. */
function getActiveOption(bench: BenchPage): Locator {
  return getModelList(bench).getByRole('option', { selected: true });
}

test('searches, selects, types and stars models in the picker and restores them after a reload', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.models = shortModelList;
  await bench.open(server.url);
  await expect(bench.model).toHaveValue('north/one');
  const laneA = page.getByRole('region', { name: 'Lane A' });
  const options = await bench.openModelList();
  await expect(options, 'without the embedding model').toHaveCount(3);

  await test.step('searches while typing, moves with arrow keys and selects on Enter', async () => {
    await bench.model.fill('two');
    // While the field is not focused, the model name with its owner in grey is shown over it; it must not cover the
    // typed text.
    await expect(bench.model.locator('xpath=following-sibling::*[1]')).toBeHidden();
    await expect(options).toHaveText([/^north\/two/, 'Use “two” as a model ID (not listed)']);
    await expect(getActiveOption(bench)).toHaveText(/^north\/two/);
    await bench.model.press('ArrowDown');
    await expect(getActiveOption(bench)).toHaveText(/^Use “two”/);
    await bench.model.press('ArrowUp');
    await bench.model.press('Enter');
    await expect(bench.model).toHaveValue('north/two');
    await expect(getModelList(bench)).toBeHidden();
  });

  await test.step('restores the model on Escape or when the field is left without Enter', async () => {
    await bench.model.fill('three');
    await bench.model.press('Escape');
    await expect(bench.model).toHaveValue('north/two');
    await expect(getModelList(bench)).toBeHidden();
    await bench.model.fill('half-typed');
    await bench.message.click();
    await expect(bench.model).toHaveValue('north/two');
    await expect(getModelList(bench)).toBeHidden();
  });

  await test.step('opens the list with an arrow key and selects on a click', async () => {
    await bench.model.press('ArrowDown');
    await options.filter({ hasText: 'three' }).click();
    await expect(bench.model).toHaveValue('south/three');
    await bench.openModelList();
    await bench.getButton('Add to favourites').click();
    await expect(bench.getButton('Remove from favourites')).toBeVisible();
    await bench.model.press('Escape');
  });

  await test.step('offers the typed text as the last option, or as the only option if nothing matches', async () => {
    await bench.model.fill('north/on');
    await expect(getActiveOption(bench)).toHaveText(/^north\/one/);
    await bench.model.press('ArrowUp');
    await expect(getActiveOption(bench)).toHaveText('Use “north/on” as a model ID (not listed)');
    await bench.model.press('Enter');
    await expect(bench.model).toHaveValue('north/on');
    await bench.model.fill('my/own');
    await expect(options).toHaveText('Use “my/own” as a model ID (not listed)');
    await expect(getActiveOption(bench)).toHaveCount(1);
    await expect(bench.getAnnouncement('No matches')).toHaveCount(1);
    await bench.model.press('Enter');
    await expect(bench.model).toHaveValue('my/own');
    await expect(laneA).toContainText('Not listed by the gateway. Requests are sent anyway.');
    await bench.sendAndWait('Go');
    expect(gateway.posts[0]?.body['model']).toBe('my/own');
    await bench.reload();
    await expect(bench.model).toHaveValue('my/own');
    await expect(laneA).toContainText('Not listed by the gateway. Requests are sent anyway.');
    await bench.openModelList();
    await expect(options.filter({ hasText: 'my/own' }), 'a model with an answer remains listed').toHaveCount(
      1,
    );
    await options.filter({ hasText: 'three' }).click();
    await bench.openModelList();
    await expect(bench.getButton('Remove from favourites')).toBeVisible();
  });
});

test('shows the whole ID of an unlisted model in a narrow lane', async ({ bench, server, gateway, page }) => {
  gateway.models = shortModelList;
  await bench.open(server.url);
  await bench.getButton('Add lane').click();
  await bench.getButton('Add lane').click();
  const lane = page.getByRole('region', { name: 'Lane A' });
  await bench.selectModel('northfield/heron-32b');
  const note = lane.getByText('Not listed by the gateway. Requests are sent anyway.');
  await expect(note).toBeVisible();
  const measureClipping = (box: HTMLElement | SVGElement) => box.scrollWidth - box.clientWidth;
  expect(await lane.locator('.combo > .shown').evaluate(measureClipping)).toBe(0);
  expect(await note.evaluate(measureClipping)).toBe(0);
  await bench.selectModel(`northfield/${'a-long-name-'.repeat(10)}`);
  expect((await lane.boundingBox())?.height, 'height of two rows and the note').toBeLessThan(100);
});

test(
  'mounts only the visible part of 5,000 models and reaches each of them',
  { tag: '@soak' },
  async ({ bench, server, gateway }) => {
    const ids = Array.from(
      { length: 5000 },
      (_, index) => `owner-${index % 40}/model-${String(index).padStart(4, '0')}`,
    );
    gateway.models = { data: ids.map((id) => ({ id, object: 'model', owned_by: id.split('/')[0] })) };
    await bench.open(server.url);
    const options = await bench.openModelList();
    expect(await options.count()).toBeLessThan(100);
    await expect(options.first()).toHaveAttribute('aria-setsize', '5000');

    await bench.model.press('PageDown');
    await bench.model.press('PageDown');
    const position = Number(await getActiveOption(bench).getAttribute('aria-posinset'));
    expect(position).toBeGreaterThan(10);
    await expect(getActiveOption(bench)).toBeInViewport();
    expect(await options.count()).toBeLessThan(100);

    await bench.model.press('ArrowUp');
    await expect(getActiveOption(bench)).toHaveAttribute('aria-posinset', String(position - 1));
    await getModelList(bench).evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(options.last()).toHaveText(/^owner-39\/model-4999/);
    expect(await options.count()).toBeLessThan(100);

    await bench.model.fill('model-4321');
    await expect(options.first()).toHaveText(/^owner-1\/model-4321/);
    await options.first().click();
    await expect(bench.model).toHaveValue('owner-1/model-4321');
  },
);

test('opens the panel beside the open list at the first click, although the field then becomes narrower', async ({
  bench,
  server,
  page,
}) => {
  await bench.open(server.url);
  await bench.model.click();
  await expect(getModelList(bench)).toBeVisible();
  await page.getByRole('button', { name: /^Model capabilities/ }).click();
  await expect(page.getByRole('dialog', { name: 'Model capabilities' })).toBeVisible();
  await expect(getModelList(bench)).toHaveCount(0);
});

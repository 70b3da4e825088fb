import type { Locator } from 'playwright/test';

import { createGate } from '../src/testing/builders.ts';
import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

const shortModelList = {
  data: ['north/one', 'north/two', 'south/three', 'south/embed-small'].map((id) => ({ id, object: 'model' })),
};

function getModelList(bench: BenchPage): Locator {
  return bench.page.getByRole('listbox', { name: 'Model' });
}

/** The option that Enter would use now. */
function getActiveOption(bench: BenchPage): Locator {
  return getModelList(bench).getByRole('option', { selected: true });
}

test('a walk with the picker: searched, moved in, picked, left, typed into, starred and back after a reload', async ({
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
  await expect(options, 'without the model that makes embeddings').toHaveCount(3);

  await test.step('typing searches, arrows move, Enter uses', async () => {
    await bench.model.fill('two');
    // The name that is drawn at rest, with the owner in grey, does not lie over what one types.
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

  await test.step('Escape restores, and so does leaving the field without Enter', async () => {
    await bench.model.fill('three');
    await bench.model.press('Escape');
    await expect(bench.model).toHaveValue('north/two');
    await expect(getModelList(bench)).toBeHidden();
    await bench.model.fill('half-typed');
    await bench.message.click();
    await expect(bench.model).toHaveValue('north/two');
    await expect(getModelList(bench)).toBeHidden();
  });

  await test.step('an arrow opens the list, and a click uses what is in it', async () => {
    await bench.model.press('ArrowDown');
    await options.filter({ hasText: 'three' }).click();
    await expect(bench.model).toHaveValue('south/three');
    await bench.openModelList();
    await bench.getButton('Add to favourites').click();
    await expect(bench.getButton('Remove from favourites')).toBeVisible();
    await bench.model.press('Escape');
  });

  await test.step('what is typed is the last row, below its matches, and the only one where nothing matches', async () => {
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
    await expect(options.filter({ hasText: 'my/own' }), 'what has answered stays at hand').toHaveCount(1);
    await options.filter({ hasText: 'three' }).click();
    await bench.openModelList();
    await expect(bench.getButton('Remove from favourites')).toBeVisible();
  });
});

test('a part of a name and Enter take the best match, and a model that is not there is not offered again', async ({
  bench,
  demo,
  page,
}) => {
  await bench.open(demo.url);
  const options = await bench.openModelList();
  await bench.model.fill('vision');
  await expect(getActiveOption(bench)).toHaveText(/^demo\/vision/);
  await bench.model.press('Enter');
  await expect(bench.model).toHaveValue('demo/vision');

  await bench.selectModel('demo/visoin');
  await bench.sendAndWait('Go');
  const laneA = page.getByRole('region', { name: 'Lane A' });
  await bench.openModelList();
  await expect(options.filter({ hasText: 'demo/vision' })).toBeVisible();
  await expect(options.filter({ hasText: 'visoin' })).toHaveCount(0);
  await expect(laneA.getByText('8 models')).toBeVisible();
  await bench.model.press('Escape');

  await bench.getError().getByRole('button', { name: 'Use demo/vision instead' }).click();
  await expect(bench.model).toHaveValue('demo/vision');
  await expect(bench.getAnnouncement('Now using demo/vision. Nothing was sent.')).toHaveCount(1);
  await expect(bench.replies).toHaveCount(1);
  await expect(bench.lastReply, 'it waits to be asked again').toHaveAttribute('data-status', 'failed');
  await bench.getError().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await bench.openModelList();
  await expect(options.filter({ hasText: 'demo/vision' }), 'when its first token came').toHaveText(
    /\d m?s TTFT/,
  );
});

test('until what draws the list is here each option is its ID, is picked all the same, and stays where it is', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.models = shortModelList;
  const gate = createGate();
  await page.route('**/assets/model-picker-list-*.js', async (route) => {
    await gate.opened;
    return route.continue();
  });
  await bench.open(server.url);
  const options = await bench.openModelList();
  await expect(options).toHaveText(['north/one', 'north/two', 'south/three']);
  await bench.model.fill('two');
  await expect(options).toHaveText(['north/two', 'Use “two” as a model ID']);
  await bench.model.press('Enter');
  await expect(bench.model).toHaveValue('north/two');
  await bench.openModelList();
  // In whole pixels: what opens with a movement is measured with a trace of it.
  const measurePosition = (option: HTMLElement | SVGElement) => {
    const listBox = option.closest('[data-option-list]')?.getBoundingClientRect();
    return [listBox?.height ?? 0, option.getBoundingClientRect().top - (listBox?.top ?? 0)].map(Math.round);
  };
  const initialPosition = await options.last().evaluate(measurePosition);
  gate.open();
  await expect(bench.getButton('Check again')).toBeVisible();
  expect(await options.last().evaluate(measurePosition)).toEqual(initialPosition);
});

test('in a narrow lane the ID of a model that is not listed stays whole', async ({
  bench,
  server,
  gateway,
  page,
}) => {
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
  expect((await lane.boundingBox())?.height, 'two rows and the note').toBeLessThan(100);
});

test(
  'of 5,000 models only those in view are mounted, and each can be reached',
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

/** What an earlier build kept (records/write-records.ts says what) opens as it was; only its drafts are rewritten. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Locator } from 'playwright/test';

import { draftsOfParts } from '../src/conversation/session/draft.ts';
import { isRecord } from '../src/lib/json.ts';
import { expect, test } from './fixtures.ts';
import { readRecords, restoreRecords, type StoredRecords } from './records/stored-records.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const earlier: StoredRecords = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'records/earlier-records.json'), 'utf8'),
);

/** Each record under its database, store and place among those of its store, which is by key. */
function recordsByPlace({ databases }: StoredRecords): Record<string, unknown> {
  return Object.fromEntries(
    databases.flatMap(({ name, stores }) =>
      stores.flatMap((store) => store.records.map((record, at) => [`${name} ${store.name} ${at}`, record])),
    ),
  );
}

/** The drafts of the earlier build as this one keeps them: a record a session, with its parts as fields. */
const drafts = draftsOfParts(recordsOf('drafts'));
const upgraded: StoredRecords = {
  ...earlier,
  databases: earlier.databases.map((database) => ({
    ...database,
    stores: database.stores.map((store) => (store.name === 'drafts' ? { ...store, records: drafts } : store)),
  })),
};

function recordsOf(store: string): Record<string, unknown>[] {
  const found = earlier.databases.flatMap(({ stores }) => stores).find(({ name }) => name === store);
  return found?.records.filter(isRecord) ?? [];
}

test('what an earlier build kept opens with nothing lost, and what was under way is interrupted', async ({
  bench,
  demo,
  page,
}) => {
  const [tools, lanes] = recordsOf('sessions').map(({ id }) => new URL(`/s/${String(id)}`, demo.url).href);
  const reply = (letter: string, turn: number): Locator =>
    page.getByRole('article', { name: new RegExp(`^Assistant message, lane ${letter},.* turn ${turn}$`) });
  await page.goto(new URL('/robots.txt', demo.url).href);
  await restoreRecords(page, earlier);
  expect(recordsByPlace(await readRecords(page))).toEqual(recordsByPlace(earlier));

  await test.step('tools with their calls, results, and one result that was not sent', async () => {
    await bench.open(tools ?? '');
    await expect(bench.prompts).toHaveCount(2);
    await expect(bench.reply(1).getByRole('group', { name: /^Tool call/ })).toHaveCount(2);
    await expect(bench.reply(2)).toContainText('noon');
    const result = bench.reply(3).getByRole('textbox', { name: 'Result for get_weather' });
    await expect(result).toHaveValue('{"temperature": 12}');
    await expect(bench.parameters).toContainText('2 functions');
  });

  await test.step('a lab with groups and two models', async () => {
    await page.goto(new URL('/embeddings', demo.url).href);
    await expect(page.getByText('4 texts. All embedded.')).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Second model' })).toHaveValue('demo/embedding-8B');
    await expect(page.getByRole('img', { name: 'Refunds' })).toHaveCount(2);
    await expect(page.getByRole('img', { name: 'Map of demo/embedding-8B' })).toBeVisible();
  });

  await test.step('two lanes with every ending, settings and a draft', async () => {
    await bench.open(lanes ?? '');
    const statuses = (letter: string) =>
      Promise.all([1, 2, 3, 4, 5].map((turn) => reply(letter, turn).getAttribute('data-status')));
    await expect(reply('B', 5)).toHaveAttribute('data-status', 'interrupted');
    expect(await statuses('A')).toEqual(['complete', 'complete', 'stopped', 'truncated', 'interrupted']);
    expect(await statuses('B')).toEqual(['complete', 'complete', 'failed', 'complete', 'interrupted']);
    await expect(bench.message).toHaveValue('A draft,\nnot sent');
    await expect(page.getByRole('group', { name: 'Pasted text, 36 KB' })).toBeVisible();
    await expect(bench.model).toHaveValue('north/two');
    await expect(page.getByRole('region', { name: 'Lane A' })).toContainText('images');
    await expect(bench.system).toHaveValue('Be calm.');
    await expect(bench.parameters.getByRole('spinbutton', { name: 'temperature' })).toHaveValue('0.2');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable');
    const image = bench.prompts.first().getByRole('img', { name: 'Attachment 1' });
    await expect
      .poll(() => image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth))
      .toBe(40);
  });

  await test.step('only the two answers that were under way are written', async () => {
    await bench.saved();
    const after = await readRecords(page);
    const [was, is] = [recordsByPlace(upgraded), recordsByPlace(after)];
    expect(Object.keys(is).toSorted()).toEqual(Object.keys(was).toSorted());
    const written = Object.keys(was).filter(
      (place) => JSON.stringify(is[place]) !== JSON.stringify(was[place]),
    );
    const interrupted = {
      phase: { name: 'interrupted' },
      choices: [{ parts: [{ type: 'text', text: 'Nobody heard the end of' }] }],
    };
    expect(written.map((place) => is[place])).toMatchObject([interrupted, interrupted]);
    expect(after.localStorage).toEqual(earlier.localStorage);
  });

  await test.step('versions, presets and favourites are at hand, and a text is what it was to the letter', async () => {
    const regenerated = recordsOf('runs')
      .map(({ choices }) => JSON.stringify(choices))
      .find((choices) => choices.includes('From north/two, number 3: '));
    await reply('A', 1).getByRole('button', { name: 'Copy', exact: true }).click();
    await expect
      .poll(async () =>
        regenerated?.includes(JSON.stringify(await page.evaluate(() => navigator.clipboard.readText()))),
      )
      .toBe(true);
    await reply('A', 1).getByRole('button', { name: 'Previous version' }).click();
    await expect(reply('A', 1)).toContainText(/From north\/two, number [12]:/);
    await bench.prompts.nth(1).getByRole('button', { name: 'Previous version' }).click();
    await expect(bench.prompts.nth(1)).toContainText('Second, as it was first typed');
    await bench.button('Presets').click();
    await expect(page.getByRole('menuitem', { name: /^Calm/ })).toBeVisible();
    await page.keyboard.press('Escape');
    const options = await bench.openModels();
    await expect(options.filter({ hasText: 'north/one' }).getByTitle('Remove from favourites')).toBeVisible();
  });
});

/**
 * Uses a build of Bench for everything that it keeps, and writes down what it kept. `node src/scripts/records.mjs REF`
 * runs this with the build of that commit; nothing else does.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';

import type { Locator, Page } from 'playwright/test';

import { aGate } from '../../src/testing/builders.ts';
import { startScriptedGateway, type ScriptedGateway } from '../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../bench-page.ts';
import { startBench } from '../bench-server.ts';
import { expect, test } from '../fixtures.ts';
import { aPicture } from '../looks/a-picture.ts';
import { readRecords } from './stored-records.ts';

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test('writes down what a build keeps', async ({ bench, page }) => {
  const demo = await startBench();
  await embedTexts(page, demo.url);
  await callTools(bench, demo.url);
  // The same origin in front of another gateway.
  await demo.stop();
  const gateway = await startScriptedGateway();
  const { port } = new URL(demo.url);
  const server = await startBench({ GATEWAY_BASE_URL: gateway.url, PORT: port });
  await bench.open(server.url);
  await chooseForGood(bench);
  await compareLanes(bench, gateway);
  await bench.saved();
  const commit = process.env['BENCH_COMMIT'] ?? '';
  const records = await readRecords(page);
  writeFileSync(
    path.join(import.meta.dirname, 'earlier-records.json'),
    JSON.stringify({ commit, ...records }),
  );
  await server.stop();
  await gateway.close();
});

async function embedTexts(page: Page, url: string): Promise<void> {
  const pick = async (picker: string, model: string) => {
    const field = page.getByRole('combobox', { name: picker, exact: true });
    await field.fill(model);
    await field.press('Enter');
  };
  await page.goto(new URL('/embeddings', url).href);
  await page
    .getByRole('textbox', { name: 'Texts', exact: true })
    .fill(
      '# Delivery\nWhere is my parcel?\nMy parcel is late\n# Refunds\nI want my money back\nPlease refund this order',
    );
  await pick('Model', 'demo/embedding-0.6B');
  await page.getByRole('button', { name: 'Add a second one to compare' }).click();
  await pick('Second model', 'demo/embedding-8B');
  await page.getByRole('combobox', { name: 'dimensions' }).click();
  await page.getByRole('option', { name: /^512/ }).click();
  await page.getByRole('button', { name: /^Embed/ }).click();
  await expect(page.getByText(/All (?:are )?embedded\./)).toBeVisible();
  await page.getByRole('tab', { name: 'Compare', exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('data-saved', 'yes');
}

async function callTools(bench: BenchPage, url: string): Promise<void> {
  const { page } = bench;
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tools = ['get_weather', 'get_time'].map((name) => ({
    type: 'function',
    function: { name, description: `The ${name.slice(4)} in a city.`, parameters },
  }));
  await bench.open(url);
  await bench.useModel('demo/tools');
  await bench.button(/^Edit tools/).click();
  await page.getByRole('textbox', { name: 'tools', exact: true }).fill(JSON.stringify(tools));
  await page.keyboard.press('Escape');
  await bench.ask('What are the weather and the time in the city of Vienna?');
  const result = (name: string) => bench.reply(1).getByRole('textbox', { name: `Result for ${name}` });
  await result('get_weather').fill('{"temperature": 31}');
  await result('get_time').fill('{"time": "noon"}');
  await result('get_time').press('ControlOrMeta+Enter');
  await expect(bench.reply(2)).toHaveAttribute('data-status', 'complete');
  // These wait for their results.
  await bench.ask('What is the weather in the city of Graz?');
  await bench.reply(3).getByRole('textbox', { name: 'Result for get_weather' }).fill('{"temperature": 12}');
  await bench.saved();
}

/** Favourites, marks, settings and presets. */
async function chooseForGood(bench: BenchPage): Promise<void> {
  const { page } = bench;
  await bench.newSession();
  await bench.useModel('north/two');
  const options = await bench.openModels();
  await options.filter({ hasText: 'north/one' }).getByTitle('Add to favourites').click();
  await bench.model.press('Escape');
  await page
    .getByRole('region', { name: 'Lane A' })
    .locator('.model-marks, [aria-label^="What the model can do"]')
    .first()
    .click();
  await page.getByRole('menuitem', { name: /^(?:Takes images|Accepts images)/ }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  await bench.button('Settings').click();
  await settings.getByRole('radio', { name: 'Dark' }).click();
  await settings.getByRole('radio', { name: 'Comfortable' }).click();
  await page.keyboard.press('Escape');
  await bench.system.fill('Be calm.');
  await bench.parameters.getByRole('spinbutton', { name: 'temperature' }).fill('0.2');
  await bench.button('Presets').click();
  await page.getByRole('menuitem', { name: 'Save setup as preset' }).click();
  const presets = page.getByRole('dialog', { name: 'Presets' });
  await presets.getByRole('textbox', { name: 'Preset name' }).fill('Calm');
  await presets.getByRole('button', { name: 'Save' }).click();
  await expect(presets.getByRole('list', { name: 'Saved presets' })).toContainText('Calm');
  await presets.getByRole('button', { name: 'Close' }).click();
}

/** Two lanes with an answer of every ending, versions of prompts and answers, an image, and a draft with a long paste. */
async function compareLanes(bench: BenchPage, gateway: ScriptedGateway): Promise<void> {
  const { page } = bench;
  const reply = (letter: string, turn: number): Locator =>
    page.getByRole('article', { name: new RegExp(`^Assistant message, lane ${letter},.* turn ${turn}$`) });
  const ended = async (turn: number) => {
    for (const letter of ['A', 'B'])
      await expect(reply(letter, turn)).toHaveAttribute('data-status', /complete|truncated|stopped|failed/);
  };
  const edges =
    'Zürich “quotes” 日本 \u{1F680}\u{200D} e\u{301}\r\n\n    four spaces\n\n```js\nconst a = `b`;\n```\n';
  gateway.onChat((answer, { body }) => {
    answer.delta({ reasoning_content: 'A thought first. ' });
    answer.text(`From ${String(body['model'])}, number ${gateway.posts.length}: `);
    answer.text(edges);
    answer.finish();
    answer.usage(12, 34);
    answer.done();
  });
  await bench.button('Add lane').click();
  await page
    .getByRole('region', { name: 'Lane B' })
    .getByRole('combobox', { name: 'Model' })
    .fill('north/one');
  await page.keyboard.press('Enter');
  await page.getByRole('radio', { name: 'Lane B' }).click();
  await bench.parameters.getByRole('spinbutton', { name: 'n', exact: true }).fill('2');

  const chooser = page.waitForEvent('filechooser');
  await bench.button('Image').click();
  await (await chooser).setFiles(aPicture('red.png'));
  await expect(bench.button('Remove image')).toBeVisible();
  await bench.message.fill('What is in this picture?');
  await bench.message.press('Enter');
  await ended(1);
  await reply('A', 1).getByRole('button', { name: 'Regenerate' }).click();
  await expect(reply('A', 1)).toContainText('2 of 2');
  await ended(1);

  await bench.send('Second, as it was first typed');
  await ended(2);
  await bench.prompts.last().hover();
  await bench.prompts.last().getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('Second, as it was typed then');
  await bench.button('Save and run').click();
  await expect(bench.prompts.last()).toContainText('2 of 2');
  await ended(2);

  gateway.onChat((answer, { body }) => {
    if (body['model'] === 'north/two') return answer.text('This is stopped');
    return answer.json(503, { error: { message: 'No capacity', type: 'upstream_unavailable', code: '503' } });
  });
  await bench.send('Third');
  await expect(reply('A', 3)).toContainText('This is stopped');
  await bench.button('Stop lane A').click();
  await ended(3);

  const words = aGate();
  gateway.onChat(async (answer, { body }) => {
    answer.text('Words that were cut');
    if (body['model'] === 'north/two') {
      await words.opened;
      return answer.cut();
    }
    answer.finish('length');
    answer.done();
  });
  await bench.send('Fourth');
  await expect(reply('A', 4)).toContainText('Words that were cut');
  words.open();
  await ended(4);

  // These are under way when the build is left.
  gateway.onChat((answer) => answer.text('Nobody heard the end of'));
  await bench.send('Fifth');
  for (const letter of ['A', 'B']) await expect(reply(letter, 5)).toContainText('Nobody heard');
  await bench.message.fill('A draft,\nnot sent');
  await page.evaluate(
    (text) => navigator.clipboard.writeText(text),
    `Pasted words.\n${'A line of it, of some length.\n'.repeat(1_200)}The last line.`,
  );
  await bench.message.press('ControlOrMeta+V');
  await expect(page.getByRole('group', { name: /^Pasted text/ })).toBeVisible();
}

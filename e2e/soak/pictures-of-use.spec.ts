/** One to six lanes in four windows, and the states of the design's pictures use-*, compared with how they last looked. README.md says how. */
import type { Page } from 'playwright/test';

import { expect } from '../fixtures.ts';
import { appears, desktop, looksAsBefore, phone, test } from '../looks/looks-as-before.ts';
import { compareScene, lanesScene } from '../looks/scenes.ts';

const windows = {
  720: { width: 1280, height: 720 },
  900: desktop,
  1080: { width: 1920, height: 1080 },
  phone,
};

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Opens the dialog of this name by its button, has it looked at, and closes it. */
async function looksWithDialog(page: Page, name: string, look: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await appears(page, dialog(page, name));
  await look();
  await page.keyboard.press('Escape');
  await expect(dialog(page, name)).toBeHidden();
}

for (const count of [1, 2, 3, 6])
  test(`${count} lanes on a laptop, a desk, a large screen and a phone`, async ({
    bench,
    gateway,
    paced,
    page,
  }, info) => {
    await page.setViewportSize(desktop);
    await lanesScene({ bench, gateway, url: paced.url }, count);
    for (const [name, size] of Object.entries(windows)) {
      await page.setViewportSize(size);
      if (name === 'phone' && count > 1) await appears(page, page.getByRole('tab', { name: 'All' }));
      await looksAsBefore(page, info, `lanes-${count}-${name}`);
    }
  });

test('three lanes while they answer, in a low window and at 200 %', async ({
  bench,
  gateway,
  paced,
  page,
}, info) => {
  await compareScene({ bench, gateway, url: paced.url });
  await page.setViewportSize(windows[720]);
  await looksAsBefore(page, info, 'use-compare-720');
  await page.setViewportSize({ width: 640, height: 360 });
  await looksAsBefore(page, info, 'use-compare-zoom');
});

test('a comparison from the vote to the stage', async ({ bench, gateway, paced, page }, info) => {
  const stage = dialog(page, 'Presentation');
  await page.setViewportSize(desktop);
  await lanesScene({ bench, gateway, url: paced.url }, 3);
  await looksAsBefore(page, info, 'use-params-mixed');
  await page.getByRole('radio', { name: 'Lane B is better' }).first().click();
  await looksAsBefore(page, info, 'use-compare-better');
  await bench.button('Hide names').click();
  await looksAsBefore(page, info, 'use-compare-blind');
  // A second press at the same place counts only after a while.
  await page.clock.runFor(1000);
  await bench.button('Show names').click();
  await looksWithDialog(page, 'Compare texts', () => looksAsBefore(page, info, 'use-compare-texts'));
  await looksWithDialog(page, 'Summary', () => looksAsBefore(page, info, 'use-summary'));
  await bench.model.fill('sext');
  await appears(page, page.getByRole('option').first());
  await looksAsBefore(page, info, 'use-picker');
  await page.keyboard.press('Escape');

  await page.keyboard.press('Alt+Shift+P');
  await appears(page, stage);
  await looksAsBefore(page, info, 'use-stage');
  await page.keyboard.press('a');
  await appears(page, stage.getByRole('textbox', { name: 'Ask from the stage' }));
  await looksAsBefore(page, info, 'use-stage-ask');
  await page.keyboard.press('Escape');
  await page.keyboard.press('End');
  await appears(page, stage.getByRole('table', { name: 'Summary' }));
  await looksAsBefore(page, info, 'use-stage-summary');
});

test('six lanes that fit, and on the stage', async ({ bench, gateway, paced, page }, info) => {
  await page.setViewportSize(desktop);
  await lanesScene({ bench, gateway, url: paced.url }, 6);
  await bench.button('Fit').click();
  await looksAsBefore(page, info, 'use-six-lanes-fit');
  await page.keyboard.press('Alt+Shift+P');
  await appears(page, dialog(page, 'Presentation'));
  await looksAsBefore(page, info, 'use-stage-six');
});

test('a gateway that fails on the first day, by what fails', async ({
  bench,
  gateway,
  paced,
  page,
}, info) => {
  const card = page.getByRole('group', { name: 'Gateway setup' });
  await page.setViewportSize(desktop);
  await page.clock.install();
  gateway.onModels((answer) => answer.json(401, { error: { message: 'Incorrect API key provided' } }));
  await page.goto(paced.url);
  await appears(page, card);
  await looksAsBefore(page, info, 'use-setup-key');
  gateway.onModels(() => undefined);
  await bench.button('Check again').click();
  await looksAsBefore(page, info, 'use-setup-checking');
  gateway.reset();
  gateway.models = { object: 'list', data: [] };
  await page.reload();
  await appears(page, card);
  await looksAsBefore(page, info, 'use-setup-models');
  gateway.health = { status: 503, body: 'no upstream' };
  gateway.models = 503;
  await page.reload();
  await appears(page, card.getByRole('listitem', { name: /^Models listed: no/ }));
  await looksAsBefore(page, info, 'use-setup-down');
});

test('the history, what it finds, and the turns of a session', async ({
  bench,
  gateway,
  paced,
  page,
}, info) => {
  await page.setViewportSize(desktop);
  await lanesScene({ bench, gateway, url: paced.url }, 2);
  await bench.button(/^Turn \d of 2/).click();
  await appears(page, dialog(page, 'Turns'));
  await looksAsBefore(page, info, 'use-history-turns');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'History' }).click();
  await appears(page, page.getByRole('link', { name: 'Roll back or wait' }));
  await looksAsBefore(page, info, 'use-history-list');
  await page.getByRole('searchbox', { name: 'Search sessions' }).fill('checkout');
  await appears(page, page.locator('mark').first());
  await looksAsBefore(page, info, 'use-history-find');
});

test('the lab with its example, and a job in it', async ({ demo, page, gateway, paced }, info) => {
  await page.setViewportSize(desktop);
  await page.clock.install();
  await page.goto(new URL('/embeddings', demo.url).href);
  const examples = page.getByRole('button', { name: 'Examples' });
  await appears(page, examples);
  await examples.click();
  await page.getByRole('menuitem', { name: 'Support phrases' }).click();
  await page.getByRole('button', { name: /^Embed/ }).click();
  await appears(page, page.getByText('All embedded.'));
  await appears(page, page.getByRole('grid', { name: /^Similarity/ }));
  await looksAsBefore(page, info, 'use-lab');

  // Nothing is answered: the job stays where it is.
  gateway.onChat(() => undefined);
  await page.goto(new URL('/embeddings', paced.url).href);
  const texts = page.getByRole('textbox', { name: 'Texts', exact: true });
  await appears(page, texts);
  await texts.fill(Array.from({ length: 300 }, (_, at) => `Text number ${at}`).join('\n'));
  const picker = page.getByRole('combobox', { name: 'Model', exact: true });
  await picker.fill('south/embed-small');
  await picker.press('Enter');
  await page.getByRole('button', { name: /^Embed/ }).click();
  await appears(page, page.getByRole('progressbar', { name: 'Texts embedded' }));
  await looksAsBefore(page, info, 'use-lab-job');
});

test('a structured reply, and the editor of its schema', async ({ bench, gateway, paced, page }, info) => {
  await page.setViewportSize(desktop);
  await page.clock.install();
  await bench.open(paced.url);
  await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
  await page.getByRole('option', { name: /^json_schema/ }).click();
  await bench.parameters.getByRole('button', { name: 'Edit schema' }).click();
  const schema = dialog(page, 'Schema');
  await appears(page, schema.getByRole('textbox', { name: 'JSON Schema' }));
  await schema.getByRole('button', { name: 'Make one from JSON' }).click();
  await schema
    .getByRole('textbox', { name: /An example of the answer/ })
    .fill('{"price": 3.5, "note": "x", "tags": ["a"]}');
  await schema.getByRole('button', { name: 'Make the schema' }).click();
  await looksAsBefore(page, info, 'use-structured-schema');
  await schema.getByRole('button', { name: 'Use this schema' }).click();
  await expect(schema).toBeHidden();
  gateway.onChat((answer) => answer.whole('{"price": "four", "note": "fits", "tags": ["new", 2]}'));
  await bench.ask('Describe the order.');
  await appears(page, page.getByText('Does not fit').first());
  await bench.message.blur();
  await looksAsBefore(page, info, 'use-structured');
});

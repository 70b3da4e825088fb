import type { Locator, Page } from 'playwright/test';

import type { BenchPage } from './bench-page.ts';
import { importFile, savedFile } from './files.ts';
import { expect, test } from './fixtures.ts';
import { Hand } from './hand.ts';

// What a day with Bench is made of, each task by hand: what it may cost is what it cost the stranger of the first day,
// or what the design says (`most`). A click into a field belongs to the field.

interface Tools {
  hand: Hand;
  bench: BenchPage;
  page: Page;
}

const lane = (page: Page, letter: string): Locator => page.getByRole('region', { name: `Lane ${letter}` });
const pickerOf = (page: Page, letter: string) => lane(page, letter).getByRole('combobox', { name: 'Model' });

async function ask(bench: BenchPage, text: string, answers: number): Promise<void> {
  await bench.send(text);
  await expect(bench.page.locator('article[data-status="complete"]')).toHaveCount(answers);
}

const tasks: Record<
  string,
  {
    most: { clicks: number; fields: number };
    /** What is there before, which does not count. */
    before?: (tools: Tools) => Promise<void>;
    walk: (tools: Tools) => Promise<void>;
  }
> = {
  'two temperatures, one prompt': {
    most: { clicks: 8, fields: 3 },
    async walk({ hand, bench, page }) {
      const temperature = bench.parameters.getByRole('spinbutton', { name: 'temperature' });
      await hand.click(bench.button('Add lane'));
      await hand.click(page.getByRole('radio', { name: 'Lane A', exact: true }));
      await hand.write(temperature, '0');
      await hand.click(page.getByRole('radio', { name: 'Lane B', exact: true }));
      await hand.write(temperature, '1');
      await hand.write(bench.message, 'Name a colour');
      await page.keyboard.press('Enter');
      await expect(page.locator('article[data-status="complete"]')).toHaveCount(2);
      await expect(page.getByRole('region', { name: 'Differences' })).toContainText('temperature');
    },
  },
  'say which lane won, three turns': {
    most: { clicks: 3, fields: 0 },
    async before({ bench }) {
      await bench.button('Add lane').click();
      for (const turn of [1, 2, 3]) await ask(bench, `Question ${turn}`, 2 * turn);
    },
    async walk({ hand, page }) {
      const better = page.getByRole('radio', { name: 'Lane B is better' });
      for (const at of [2, 1, 0]) await hand.click(better.nth(at));
      await expect(lane(page, 'B')).toContainText('3 of 3');
    },
  },
  'six lanes, six models': {
    most: { clicks: 5, fields: 12 },
    async walk({ hand, bench, page }) {
      for (const letter of ['B', 'C', 'D', 'E', 'F']) {
        await hand.click(bench.button('Add lane'));
        await expect(lane(page, letter)).toBeVisible();
      }
      const names = [
        'demo/guide',
        'demo/markdown',
        'demo/sampler',
        'demo/thinker',
        'demo/tools',
        'demo/vision',
      ];
      for (const [index, letter] of ['A', 'B', 'C', 'D', 'E', 'F'].entries()) {
        await hand.write(pickerOf(page, letter), names[index] ?? '');
        await page.keyboard.press('Enter');
        await expect(pickerOf(page, letter)).toHaveValue(names[index] ?? '');
      }
    },
  },
  'a schema, then see whether it fits': {
    most: { clicks: 2, fields: 2 },
    async before({ bench }) {
      await bench.useModel('demo/extract');
    },
    async walk({ hand, bench, page }) {
      await hand.click(bench.parameters.getByRole('combobox', { name: 'response_format' }));
      await expect(page.getByRole('option', { name: /^json_schema/ })).toBeVisible();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await hand.click(bench.parameters.getByRole('button', { name: 'Edit schema' }));
      const field = page.getByRole('textbox', { name: 'JSON Schema' });
      await hand.write(
        field,
        JSON.stringify({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
      );
      await page.keyboard.press('ControlOrMeta+Enter');
      await hand.write(bench.message, 'The city is Oslo.');
      await page.keyboard.press('Enter');
      await bench.ended();
      await expect(lane(page, 'A')).toContainText('Fits');
    },
  },
  'two tools from templates, answer both calls': {
    most: { clicks: 6, fields: 3 },
    async before({ bench }) {
      await bench.useModel('demo/tools');
    },
    async walk({ hand, bench, page }) {
      await hand.click(bench.button(/^Edit tools/));
      for (const name of ['get_weather', 'lookup_order']) {
        await hand.click(page.getByRole('button', { name: 'Add a tool' }));
        await hand.click(page.getByRole('menuitem', { name: new RegExp(`^${name}`) }));
      }
      await page.keyboard.press('Escape');
      await hand.write(bench.message, 'What is the weather in the city of Vienna, and look up order 4711');
      await page.keyboard.press('Enter');
      await bench.ended();
      await hand.write(page.getByRole('textbox', { name: /^Result for get_weather/ }), '{"temperature": 31}');
      await hand.write(
        page.getByRole('textbox', { name: /^Result for lookup_order/ }),
        '{"status": "shipped"}',
      );
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(bench.reply(2)).toContainText('shipped');
    },
  },
  'edit an earlier prompt, run it, go back': {
    most: { clicks: 3, fields: 1 },
    async before({ bench }) {
      for (const turn of [1, 2]) await ask(bench, `Question ${turn}`, turn);
    },
    async walk({ hand, bench, page }) {
      const first = bench.prompts.first();
      await first.hover();
      await hand.click(first.getByRole('button', { name: 'Edit' }));
      await hand.write(page.getByRole('textbox', { name: 'Edit message' }), 'Another question');
      await page.keyboard.press('ControlOrMeta+Enter');
      await expect(bench.replies).toHaveCount(1);
      await bench.ended();
      await hand.click(bench.prompts.first().getByRole('button', { name: 'Previous version' }));
      await expect(bench.replies).toHaveCount(2);
    },
  },
  'find a session by a word': {
    most: { clicks: 2, fields: 1 },
    async before({ bench }) {
      await ask(bench, 'Something about rivers', 1);
      await bench.newSession();
      await ask(bench, 'Something else', 1);
    },
    async walk({ hand, bench, page }) {
      await hand.click(page.getByRole('link', { name: 'History' }));
      await hand.write(page.getByRole('searchbox', { name: 'Search sessions' }), 'rivers');
      // Until then rows still move.
      await expect(page.getByRole('link', { name: 'You Something about rivers' })).toBeVisible();
      await hand.click(page.getByRole('link', { name: 'Something about rivers', exact: true }));
      await expect(bench.prompts).toContainText('rivers');
    },
  },
  'export one session, import it elsewhere': {
    most: { clicks: 4, fields: 0 },
    async before({ bench, page }) {
      await ask(bench, 'To be taken along', 1);
      await page.getByRole('link', { name: 'History' }).click();
      await expect(page.getByRole('link', { name: 'To be taken along' })).toBeVisible();
    },
    async walk({ hand, page }) {
      const act = () => hand.click(page.getByRole('button', { name: 'Export To be taken along' }));
      const { text } = await savedFile(page, act);
      await importFile(
        page,
        () => hand.click(page.getByRole('button', { name: 'Import' })),
        'elsewhere.json',
        text,
      );
      await expect(page.getByText(/Imported|already/).first()).toBeVisible();
    },
  },
  'show a colleague': {
    most: { clicks: 2, fields: 0 },
    async before({ bench }) {
      await ask(bench, 'Show this', 1);
    },
    async walk({ hand, page }) {
      await hand.click(page.getByRole('button', { name: 'Session menu' }));
      const act = () => hand.click(page.getByRole('menuitem', { name: /^Share answers/ }));
      const { text } = await savedFile(page, act);
      expect(text).toContain('Show this');
    },
  },
  'embed 40 lines, see map and matrix': {
    most: { clicks: 1, fields: 1 },
    async before({ page }) {
      await page.goto(new URL('/embeddings', page.url()).href);
    },
    async walk({ hand, page }) {
      const lines = Array.from({ length: 40 }, (_, at) => `A line about ${at % 4} and ${at}`);
      await hand.write(page.getByRole('textbox', { name: 'Texts', exact: true }), lines.join('\n'));
      await hand.click(page.getByRole('button', { name: /^Embed/ }));
      await expect(page.getByText('All embedded.')).toBeVisible();
      await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
      await expect(page.getByRole('grid', { name: /^Similarity/ })).toBeVisible();
    },
  },
  'a second embedding model': {
    most: { clicks: 4, fields: 1 },
    async before({ page }) {
      await page.goto(new URL('/embeddings', page.url()).href);
      await page.getByRole('textbox', { name: 'Texts', exact: true }).fill('One\nTwo\nThree');
      await page.getByRole('button', { name: /^Embed/ }).click();
      await expect(page.getByText('All embedded.')).toBeVisible();
    },
    async walk({ hand, page }) {
      await hand.click(page.getByRole('button', { name: 'Compare with another model' }));
      await hand.write(page.getByRole('combobox', { name: 'Second model' }), 'demo/embedding-4B');
      await page.keyboard.press('Enter');
      await hand.click(page.getByRole('button', { name: /^Embed/ }));
      await expect(page.getByText('All embedded.')).toBeVisible();
      await hand.click(page.getByRole('tab', { name: 'Compare', exact: true }));
    },
  },
  'inspect, replay, code': {
    most: { clicks: 3, fields: 0 },
    async before({ bench }) {
      await ask(bench, 'Look inside', 1);
    },
    async walk({ hand, bench, page }) {
      const inspector = page.getByRole('complementary', { name: 'Inspector' });
      await hand.click(bench.lastReply.getByRole('button', { name: 'Inspect' }));
      await hand.click(inspector.getByRole('button', { name: 'Replay' }));
      await expect(page.getByRole('dialog', { name: 'Replay' })).toContainText('Recorded');
      await page.keyboard.press('Escape');
      await hand.click(inspector.getByRole('tab', { name: 'Request and code' }));
      await expect(inspector.getByRole('group', { name: 'Code' })).toBeVisible();
    },
  },
  present: {
    most: { clicks: 0, fields: 0 },
    async before({ bench }) {
      await ask(bench, 'On the wall', 1);
    },
    async walk({ page }) {
      await page.keyboard.press('Alt+Shift+P');
      await expect(page.getByRole('dialog', { name: 'Presentation' })).toContainText('On the wall');
    },
  },
};

for (const [name, { most, before, walk }] of Object.entries(tasks))
  test(
    `${name}: at most ${most.clicks} clicks and ${most.fields} fields`,
    { tag: '@soak' },
    async ({ page, demo, bench, complaints: _ }) => {
      const hand = new Hand(page);
      await hand.watch();
      await bench.open(demo.url);
      await expect(bench.model).not.toHaveValue('');
      await before?.({ hand, bench, page });
      await hand.reset();
      await walk({ hand, bench, page });
      const { clicks, fields } = await hand.cost();
      expect(clicks, 'clicks').toBeLessThanOrEqual(most.clicks);
      expect(fields, 'fields').toBeLessThanOrEqual(most.fields);
      test.info().annotations.push({ type: 'cost', description: `${clicks} clicks, ${fields} fields` });
    },
  );

/** Counts the clicks and filled fields of common tasks, from a fresh page. */
import type { Locator, Page } from 'playwright/test';

import { callTwoTools } from '../src/testing/scripted-gateway.ts';
import type { BenchPage } from './bench-page.ts';
import { captureDownload, chooseFile, createFileTransfer } from './files.ts';
import { expect, test } from './fixtures.ts';
import { waitUntilFinished } from './trial-page.ts';

/** Clicks and fills on behalf of a task, and counts both. */
class Hand {
  clicks = 0;
  fields = 0;

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  /** Fills a field; Enter belongs to it. */
  async fill(target: Locator, text: string, key?: string): Promise<void> {
    this.fields += 1;
    await target.fill(text);
    if (key !== undefined) await target.press(key);
  }

  /** Drops a file on the page, which counts as a field. */
  async drop(page: Page, name: string, text: string): Promise<void> {
    this.fields += 1;
    const dataTransfer = await createFileTransfer(page, name, text);
    await page.getByRole('main').dispatchEvent('drop', { dataTransfer });
  }
}

interface Task {
  name: string;
  /** Limits of clicks and filled fields. */
  clicks: number;
  fields: number;
  perform: (hand: Hand, bench: BenchPage, page: Page) => Promise<void>;
}

const getVote = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Better, turn 1' }).getByRole('radio', { name });

const waitForAnswers = (page: Page, count: number) =>
  expect(page.locator('article[data-status="complete"]')).toHaveCount(count);

const demoTasks: readonly Task[] = [
  {
    name: 'the first message',
    clicks: 0,
    fields: 1,
    perform: async (hand, bench, page) => {
      await hand.fill(bench.message, 'Hello', 'Enter');
      await waitForAnswers(page, 1);
    },
  },
  {
    name: 'two models, one prompt and a vote',
    clicks: 4,
    fields: 1,
    perform: async (hand, bench, page) => {
      // The list opens by itself once its code, which follows the first paint, has loaded.
      await expect(page.getByRole('combobox', { name: 'Model' })).toBeVisible();
      await hand.click(bench.getButton('Add lane'));
      await hand.click(page.getByRole('option', { name: /^demo\/sampler/ }));
      await hand.fill(bench.message, 'Hello', 'Enter');
      await waitForAnswers(page, 2);
      await hand.click(getVote(page, 'Lane A is better'));
      await expect(getVote(page, 'Lane A is better')).toBeChecked();
    },
  },
  {
    name: 'two temperatures and a vote',
    clicks: 2,
    fields: 0,
    perform: async (hand, _, page) => {
      await hand.click(page.getByRole('button', { name: /^Compare two temperatures/ }));
      await waitForAnswers(page, 2);
      await hand.click(getVote(page, 'Lane A is better'));
      await expect(getVote(page, 'Lane A is better')).toBeChecked();
    },
  },
  {
    name: 'two system prompts side by side',
    clicks: 2,
    fields: 2,
    perform: async (hand, bench, page) => {
      await hand.click(bench.getButton('Add lane'));
      await page.keyboard.press('Escape');
      await hand.click(bench.getButton('Different in each lane'));
      await hand.fill(page.getByRole('textbox', { name: 'System prompt' }).nth(0), 'Be brief.');
      await hand.fill(page.getByRole('textbox', { name: 'System prompt' }).nth(1), 'Be thorough.');
      await expect(page.getByRole('region', { name: 'Differences' })).toContainText('system prompt');
    },
  },
  {
    name: 'a text file with a message',
    clicks: 1,
    fields: 2,
    perform: async (hand, bench, page) => {
      const chooserPromise = page.waitForEvent('filechooser');
      await hand.click(bench.getButton('Attach'));
      hand.fields += 1;
      await (
        await chooserPromise
      ).setFiles([{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('one\ntwo\n') }]);
      await expect(page.getByRole('group', { name: 'notes.txt' })).toBeVisible();
      await hand.fill(bench.message, 'Summarise it.', 'Enter');
      await waitForAnswers(page, 1);
    },
  },
  {
    name: 'find an answer by a word',
    clicks: 2,
    fields: 1,
    perform: async (hand, bench, page) => {
      await bench.sendAndWait('Which parameters does a request have?');
      await bench.waitUntilSaved();
      await hand.click(page.getByRole('link', { name: 'History' }));
      await hand.fill(page.getByRole('searchbox', { name: 'Search history' }), 'parameters');
      await hand.click(page.getByRole('link', { name: /parameters/ }).first());
      await expect(bench.replies.first()).toBeVisible();
    },
  },
];

for (const { name, clicks, fields, perform } of demoTasks)
  test(`needs at most ${clicks} clicks and ${fields} fields for ${name}`, async ({ bench, demo, page }) => {
    await bench.open(demo.url);
    await expect(bench.noConversation).toBeVisible();
    const hand = new Hand();
    await perform(hand, bench, page);
    expect(hand.clicks, 'clicks').toBeLessThanOrEqual(clicks);
    expect(hand.fields, 'filled fields').toBeLessThanOrEqual(fields);
  });

test('needs one click for each refused parameter', async ({ bench, server, gateway, page }) => {
  gateway.setChatScript((answer, { body }) => {
    const refuse = (param: string, message: string) =>
      answer.sendJson(400, {
        error: { message, type: 'invalid_request_error', param, code: 'unsupported_parameter' },
      });
    if ('max_tokens' in body)
      return refuse(
        'max_tokens',
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      );
    if ('temperature' in body)
      return refuse(
        'temperature',
        "Unsupported value: 'temperature' does not support 0.3 with this model. Only the default (1) value is supported.",
      );
    return answer.sendAnswer('Hello.');
  });
  await bench.open(server.url);
  await page.getByRole('checkbox', { name: 'Send max_tokens' }).check();
  await page.getByRole('checkbox', { name: 'Send temperature' }).check();
  await bench.send('Hello');
  const hand = new Hand();
  await hand.click(page.getByRole('button', { name: 'Send as max_completion_tokens' }));
  await hand.click(page.getByRole('button', { name: 'Leave temperature out' }));
  await waitForAnswers(page, 1);
  expect(hand.clicks).toBe(2);
});

test('needs one click for the report of a failed request', async ({ bench, server, gateway, page }) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  gateway.setChatScript((answer) => answer.sendJson(500, { error: { message: 'The engine is gone.' } }));
  await bench.open(server.url);
  await bench.send('Hello');
  const hand = new Hand();
  await hand.click(bench.getError().getByRole('button', { name: 'Copy report' }));
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('The engine is gone.');
  expect(hand.clicks).toBe(1);
});

test('needs three clicks to export everything and import it in another browser', async ({
  bench,
  demo,
  page,
  browser,
}) => {
  const historyUrl = new URL('/history', demo.url).href;
  await bench.open(demo.url);
  await bench.sendAndWait('Hello');
  await bench.waitUntilSaved();
  await page.goto(historyUrl);
  const hand = new Hand();
  const { name, text } = await captureDownload(page, () => hand.click(bench.getButton('Export all')));
  const context = await browser.newContext();
  const otherPage = await context.newPage();
  await otherPage.goto(historyUrl);
  await chooseFile(
    otherPage,
    () => hand.click(otherPage.getByRole('button', { name: 'Import' })),
    name,
    text,
  );
  await expect(otherPage.getByRole('row', { name: 'Sessions 1 1 0' })).toBeVisible();
  await hand.click(otherPage.getByRole('button', { name: 'Import 1 session' }));
  await expect(otherPage.getByRole('link', { name: 'Hello' })).toBeVisible();
  expect(hand.clicks).toBe(3);
  await context.close();
});

test('needs six clicks for two tools of an OpenAPI document and the answers of two calls', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript(callTwoTools);
  const createOperation = (operationId: string) => ({
    get: { operationId, parameters: [{ name: 'city', in: 'query', schema: { type: 'string' } }] },
  });
  const openApi = {
    openapi: '3.1.0',
    info: { title: 'Cities', version: '1' },
    paths: { '/weather': createOperation('getWeather'), '/time': createOperation('getTime') },
  };
  await bench.open(server.url);
  const hand = new Hand();
  await hand.click(bench.getButton(/^Edit tools/));
  await hand.fill(page.getByRole('textbox', { name: 'tools' }), JSON.stringify(openApi));
  await hand.click(bench.getButton('Use these 2 tools'));
  await hand.click(bench.getButton('Done'));
  await hand.fill(bench.message, 'Weather and time in Oslo?', 'Enter');
  await hand.click(bench.getButton('Insert sample').first());
  await hand.click(bench.getButton('Insert sample').last());
  await hand.click(bench.getButton(/^Send 2 results/));
  await expect(bench.lastReply).toContainText('Both are known.');
  expect([hand.clicks, hand.fields]).toEqual([6, 2]);
});

test('needs one click to embed texts and search them, and four to compare a second model', async ({
  bench,
  demo,
  page,
}) => {
  await page.goto(new URL('/embeddings', demo.url).href);
  const hand = new Hand();
  const texts = Array.from({ length: 30 }, (_, index) => `Order ${index} has not arrived yet`);
  await hand.fill(page.getByRole('textbox', { name: 'Texts', exact: true }), texts.join('\n'));
  await hand.click(bench.getButton(/^Embed/));
  await expect(page.getByRole('img', { name: /^Map/ })).toBeVisible();
  await hand.fill(page.getByRole('textbox', { name: 'Search by meaning' }), 'late delivery', 'Enter');
  await expect(page.getByRole('list', { name: 'Texts by score' })).toBeVisible();
  expect([hand.clicks, hand.fields]).toEqual([1, 2]);

  const secondHand = new Hand();
  await secondHand.click(bench.getButton('Compare with another model'));
  await secondHand.click(page.getByRole('option').filter({ hasNotText: 'Use “' }).last());
  await secondHand.click(bench.getButton(/^Embed/));
  await secondHand.click(page.getByRole('tab', { name: 'Compare', exact: true }));
  await expect(page.getByText(/They agree on/)).toBeVisible();
  expect([secondHand.clicks, secondHand.fields]).toEqual([4, 0]);
});

test('needs two clicks for a schema, its failing field and another question with it', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.setChatScript((answer, { text }) =>
    answer.sendAnswer(text.includes('The price is missing') ? '{"price": 3}' : '{"note": "four"}'),
  );
  const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
  await bench.open(server.url);
  const hand = new Hand();
  await hand.click(bench.getButton('Schema'));
  await hand.fill(
    page.getByRole('textbox', { name: 'JSON Schema' }),
    JSON.stringify(schema),
    'ControlOrMeta+Enter',
  );
  await hand.fill(bench.message, 'What does it cost?', 'Enter');
  await expect(page.getByRole('list', { name: 'Faults, lane A' })).toContainText('price is missing');
  await hand.click(bench.getButton('Ask again with these faults'));
  await expect(bench.message).toHaveValue(/price is missing/);
  await bench.message.press('Enter');
  await waitForAnswers(page, 2);
  expect([hand.clicks, hand.fields]).toEqual([2, 2]);
});

test('needs eight clicks and two fields for a trial of two models from a file, three and one for a third', async ({
  bench,
  demo,
  page,
}) => {
  const csv = `ticket,label,source\n${Array.from({ length: 6 }, (_, index) => `"I was charged ${index + 2} times, twice of them today",billing,mail`).join('\n')}`;
  const chooseModel = async (hand: Hand, letter: string, model: RegExp) => {
    await hand.click(page.getByRole('combobox', { name: `Model, column ${letter}` }));
    await hand.click(page.getByRole('option', { name: model }));
  };
  await bench.open(demo.url);
  const hand = new Hand();
  await hand.click(page.getByRole('link', { name: 'Trials' }));
  await expect(bench.getButton('New trial')).toBeVisible();
  await hand.drop(page, 'tickets.csv', csv);
  await hand.click(bench.getButton('Add 6 cases'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('tickets');
  await hand.fill(page.getByRole('textbox', { name: 'Prompt', exact: true }), '{{ticket}} Which team?');
  await chooseModel(hand, 'A', /^demo\/quiz/);
  await hand.click(bench.getButton('Add column'));
  await chooseModel(hand, 'B', /^demo\/guide/);
  await hand.click(bench.getButton(/^Run 12 requests/));
  await waitUntilFinished(page);
  const verdict = page.getByRole('region', { name: 'Verdict' });
  await expect(verdict).toContainText('Check “Equals” on 6 cases');
  expect([hand.clicks, hand.fields]).toEqual([8, 2]);

  const secondHand = new Hand();
  await secondHand.click(bench.getButton('Setup'));
  await secondHand.click(bench.getButton('Add column'));
  await secondHand.fill(
    page.getByRole('complementary', { name: 'Column C' }).getByRole('combobox', { name: 'Model' }),
    'demo/sampler',
    'Enter',
  );
  await secondHand.click(bench.getButton(/^Run 6 requests/));
  await waitUntilFinished(page);
  await expect(verdict).toContainText('sampler');
  expect([secondHand.clicks, secondHand.fields]).toEqual([3, 1]);
});

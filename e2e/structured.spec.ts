import type { BenchPage } from './bench-page.ts';
import { expect, test } from './fixtures.ts';

async function chooseFormat(bench: BenchPage, name: string): Promise<void> {
  await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
  await bench.page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
}

const tree = (bench: BenchPage) => bench.lastReply.getByRole('list', { name: 'JSON', exact: true });

test('a JSON reply is a tree and a text, and is checked while it streams', async ({
  bench,
  server,
  gateway,
}) => {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  gateway.onChat(async (answer) => {
    answer.text('{"city": "Os');
    await held;
    answer.text('lo", "days": [1, 2], "sunny": true}');
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await chooseFormat(bench, 'json_object');
  await bench.send('Go');
  await expect(tree(bench)).toContainText('city"Os"');
  await expect(bench.lastReply).toContainText('JSON so far');
  goOn();
  await bench.ended();
  await expect(tree(bench)).toContainText('2 items');
  await expect(bench.lastReply).toContainText('Valid JSON');
  await bench.lastReply.getByRole('radio', { name: 'Text' }).click();
  await expect(tree(bench)).toHaveCount(0);
  await expect(bench.lastReply).toContainText('{"city": "Oslo", "days": [1, 2], "sunny": true}');
});

test('where it stops being JSON is said while it still streams', async ({ bench, server, gateway }) => {
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  gateway.onChat(async (answer) => {
    answer.text('{"a": 1,\n "b": tru');
    await held;
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await chooseFormat(bench, 'json_object');
  await bench.send('Go');
  await expect(bench.lastReply).toContainText('JSON so far');
  goOn();
  await bench.ended();
  await expect(bench.lastReply).toContainText('Not complete: the JSON has no end.');

  gateway.onChat(async (answer) => {
    answer.text('{"a": 1,\n "b": nope');
    await held;
    await new Promise(() => undefined);
  });
  await bench.send('Again');
  await expect(bench.lastReply).toContainText('Not JSON from line 2, column 7 on: a value was expected');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
});

test('words in place of JSON stay words, with a note that JSON was asked for', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) => answer.whole('Sure, **here** it is.'));
  await bench.open(server.url);
  await chooseFormat(bench, 'json_object');
  await bench.ask('Go');
  await expect(bench.lastReply.locator('strong')).toHaveText('here');
  await expect(bench.lastReply).toContainText('Not JSON from line 1, column 1 on');
});

test('a reply is checked against its schema, and the first place that fails is marked', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => answer.whole('{"items": [{"price": 3}, {"price": "four"}]}'));
  await bench.open(server.url);
  await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
  await expect(page.getByRole('option', { name: /^json_schema/ })).toContainText('passed through');
  await page.getByRole('option', { name: /^json_schema/ }).click();
  const schema = {
    type: 'object',
    properties: {
      items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
    },
  };
  const format = { type: 'json_schema', json_schema: { name: 'order', schema } };
  await bench.parameters.getByRole('textbox', { name: 'response_format JSON' }).fill(JSON.stringify(format));
  await bench.ask('Go');
  expect(gateway.posts[0]?.body['response_format']).toEqual(format);
  await expect(bench.lastReply).toContainText(
    'Does not fit the schema: items[1].price must be a number; it is text.',
  );
  await expect(tree(bench).locator('.failing')).toHaveText(/price"four"/);

  gateway.onChat((answer) => answer.whole('{"items": [{"price": 3}]}'));
  await bench.ask('Again');
  await expect(bench.lastReply).toContainText('Fits the schema');
});

test('JSON that nobody asked for is shown as a tree, too, and a lone code fence can be', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.onChat((answer) => answer.whole('[{"a": 1}]'));
  await bench.open(server.url);
  await bench.ask('Go');
  await expect(tree(bench)).toContainText('a1');
  gateway.onChat((answer) => answer.whole('```json\n{"b": 2}\n```'));
  await bench.ask('Fence');
  await expect(bench.lastReply.locator('pre')).toContainText('{"b": 2}');
  await bench.lastReply.getByRole('radio', { name: 'Tree' }).click();
  await expect(tree(bench)).toContainText('b2');
  gateway.onChat((answer) => answer.whole('[a link](https://example.com/) and {words}'));
  await bench.ask('Words');
  await expect(bench.lastReply.getByRole('link', { name: 'a link' })).toBeVisible();
  await expect(bench.lastReply.getByRole('radio')).toHaveCount(0);
});

test('candidates are stepped through or shown all, and the one chosen goes on', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.onChat((answer) => {
    for (const [index, text] of ['First', 'Second', 'Third'].entries()) {
      answer.delta({ content: text }, index);
      answer.finish('stop', index);
    }
    answer.done();
  });
  await bench.open(server.url);
  await bench.parameters.getByRole('spinbutton', { name: 'n', exact: true }).fill('3');
  await bench.ask('Go');
  await expect(bench.lastReply).toContainText('First');
  await page.getByRole('button', { name: 'Next candidate' }).click();
  await expect(bench.lastReply).toContainText('Second');
  await expect(bench.lastReply).not.toContainText('First');
  await page.getByRole('button', { name: 'Show all' }).click();
  const candidates = bench.lastReply.getByRole('region', { name: /^Candidate \d of 3$/ });
  await expect(candidates).toHaveCount(3);
  await expect(candidates.nth(1)).toContainText('Goes on in the conversation');
  await candidates.nth(2).getByRole('button', { name: 'Go on with this one' }).click();
  await expect(candidates.nth(2)).toContainText('Goes on in the conversation');
  await bench.send('And then?');
  await expect(bench.replies).toHaveCount(2);
  await bench.ended();
  expect(gateway.posts[1]?.body['messages']).toEqual([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Third' },
    { role: 'user', content: 'And then?' },
  ]);
});

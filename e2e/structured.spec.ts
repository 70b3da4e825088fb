import { aGate } from '../src/testing/builders.ts';
import { expect, test } from './fixtures.ts';

test('replies in JSON are trees, checked as they arrive and against their schema; candidates are stepped through', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const last = bench.lastReply;
  const tree = last.getByRole('list', { name: 'JSON', exact: true });
  await bench.open(server.url);

  await test.step('a JSON reply is a tree and a text, and is checked while it streams', async () => {
    const gate = aGate();
    gateway.onChat(async (answer) => {
      answer.text('{"city": "Os');
      await gate.opened;
      answer.text('lo", "days": [1, 2], "sunny": true}');
      answer.finish();
      answer.done();
    });
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await page.getByRole('option', { name: /^json_object/ }).click();
    await bench.send('Go');
    await expect(tree).toContainText('city"Os"');
    await expect(last).toContainText('Partial JSON');
    gate.open();
    await bench.ended();
    await expect(tree).toContainText('2 items');
    await expect(last).toContainText('Valid JSON');
    await last.getByRole('radio', { name: 'Text' }).click();
    await expect(tree).toHaveCount(0);
    await expect(last).toContainText('{"city": "Oslo", "days": [1, 2], "sunny": true}');
  });

  await test.step('words in place of JSON are drawn as words', async () => {
    gateway.onChat((answer) => answer.whole('Sure, **here** it is.'));
    await bench.ask('Words');
    await expect(last.locator('strong')).toHaveText('here');
    await expect(last).toContainText('Not JSON from line 1, column 1: expected a value');
  });

  await test.step('a reply is checked against its schema, and the first place that fails is marked', async () => {
    gateway.onChat((answer) => answer.whole('{"items": [{"price": 3}, {"price": "four"}]}'));
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await expect(page.getByRole('option', { name: /^json_schema/ })).toContainText('passed through');
    const editorIsHere = aGate();
    await page.route(/json-editor-core/, async (route) => {
      await editorIsHere.opened;
      await route.continue();
    });
    await page.getByRole('option', { name: /^json_schema/ }).click();
    const price = { type: 'object', properties: { price: { type: 'number' } } };
    const schema = { type: 'object', properties: { items: { type: 'array', items: price } } };
    const format = { type: 'json_schema', json_schema: { name: 'order', schema } };
    const field = bench.parameters.getByRole('textbox', { name: 'response_format JSON' });
    await field.fill(JSON.stringify(format).slice(0, -2) + '}');
    await field.press('ArrowLeft');
    editorIsHere.open();
    await expect(field.and(page.locator('textarea'))).toHaveCount(0);
    await expect(field, 'focus and caret move over to the editor').toBeFocused();
    await page.keyboard.type('}');
    await bench.ask('Check it');
    expect(gateway.posts.at(-1)?.body['response_format']).toEqual(format);
    await expect(last).toContainText('Does not fit the schema: items[1].price must be a number; it is text.');
    await expect(tree.locator('.failing')).toHaveText(/price"four"/);
    gateway.onChat((answer) => answer.whole('{"items": [{"price": 3}]}'));
    await bench.ask('Again');
    await expect(last).toContainText('Fits the schema');
  });

  await test.step('a code fence that nobody asked for can be a tree', async () => {
    await bench.sendParameter('response_format', false);
    gateway.onChat((answer) => answer.whole('```json\n{"b": 2}\n```'));
    await bench.ask('Fence');
    await expect(last.locator('pre')).toContainText('{"b": 2}');
    await last.getByRole('radio', { name: 'Tree' }).click();
    await expect(tree).toContainText('b2');
  });

  await test.step('candidates are stepped through or shown all, and the one chosen goes on', async () => {
    gateway.onChat((answer) => {
      for (const [index, text] of ['First', 'Second', 'Third'].entries()) {
        answer.delta({ content: text }, index);
        answer.finish('stop', index);
      }
      answer.done();
    });
    await bench.parameters.getByRole('spinbutton', { name: 'n', exact: true }).fill('3');
    await bench.ask('Three');
    await expect(last).toContainText('First');
    await page.getByRole('button', { name: 'Next candidate' }).click();
    await expect(last).toContainText('Second');
    await expect(last).not.toContainText('First');
    await page.getByRole('button', { name: 'Show all' }).click();
    const candidates = last.getByRole('region', { name: /^Candidate \d of 3$/ });
    await expect(candidates).toHaveCount(3);
    await expect(candidates.nth(1)).toContainText('Used in the conversation');
    await candidates.nth(2).getByRole('button', { name: 'Continue with this one' }).click();
    await expect(candidates.nth(2)).toContainText('Used in the conversation');
  });
});

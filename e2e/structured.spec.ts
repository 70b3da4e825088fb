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

  await test.step('a schema is made from an example, edited by its fields, and used', async () => {
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await page.getByRole('option', { name: /^json_schema/ }).click();
    await bench.parameters.getByRole('button', { name: 'Edit schema' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schema' });
    await dialog.getByRole('textbox', { name: 'Schema name' }).fill('order');
    await dialog.getByRole('button', { name: 'Make one from JSON' }).click();
    await dialog
      .getByRole('textbox', { name: /An example of the answer/ })
      .fill('{"price": 3.5, "note": "x"}');
    await dialog.getByRole('button', { name: 'Make the schema' }).click();
    await dialog.getByRole('button', { name: 'Add a field' }).click();
    await expect(dialog.getByRole('textbox', { name: 'JSON Schema' })).toContainText('"parameter"');
    await dialog.getByRole('textbox', { name: 'Name of parameter' }).fill('city');
    await dialog.getByRole('button', { name: 'Use this schema' }).click();
    await expect(dialog).toBeHidden();
    await expect(bench.parameters).toContainText('3 fields, 2 required, strict');
  });

  await test.step('all faults of a reply are links to their lines, and can be asked about again', async () => {
    gateway.onChat((answer) => answer.whole('{"price": "four", "sources": []}'));
    await bench.ask('Check it');
    const lane = page.getByRole('region', { name: 'Lane A' });
    await expect(lane).toContainText('Does not fit');
    await expect(lane).toContainText('0 of 2');
    const faults = last.getByRole('list', { name: 'Faults, lane A' });
    await expect(faults.getByRole('link')).toHaveText([/note is missing/, /price must be/, /sources/]);
    await faults.getByRole('link').nth(1).click();
    await expect(last.getByRole('listitem').filter({ hasText: '"four"' })).toBeFocused();
    await last.getByRole('button', { name: 'Ask again with these faults' }).click();
    await expect(bench.message).toBeFocused();
    await expect(bench.message).toHaveValue(/note is missing/);
    await bench.message.fill('');
    gateway.onChat((answer) => answer.whole('{"price": 3, "note": "Two\\nlines"}'));
    await bench.ask('Again');
    await expect(lane).toContainText('Fits');
    await expect(lane).toContainText('2 of 2');
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

import { createPausedAnswer } from '../src/testing/scripted-gateway.ts';
import { expect, test } from './fixtures.ts';

test('shows JSON replies as trees, checks them against a schema and links faults to their lines', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const lastReply = bench.lastReply;
  const dialog = page.getByRole('dialog', { name: 'Schema' });
  const tree = lastReply.getByRole('list', { name: 'JSON', exact: true });
  await bench.open(server.url);

  await test.step('shows a JSON reply as a tree and as text, and checks it while it streams', async () => {
    const { script, finish } = createPausedAnswer('{"city": "Os', 'lo", "days": [1, 2], "sunny": true}');
    gateway.setChatScript(script);
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await page.getByRole('option', { name: /^json_object/ }).click();
    await bench.send('Go');
    await expect(tree).toContainText('city"Os"');
    await expect(lastReply).toContainText('Partial JSON');
    finish();
    await bench.waitUntilEnded();
    await expect(tree).toContainText('2 items');
    await expect(lastReply).toContainText('Valid JSON');
    await lastReply.getByRole('radio', { name: 'Text' }).click();
    await expect(tree).toHaveCount(0);
    await expect(lastReply).toContainText('{"city": "Oslo", "days": [1, 2], "sunny": true}');
  });

  await test.step('creates a schema from an example, edits its fields and uses it', async () => {
    await bench.parameters.getByRole('combobox', { name: 'response_format' }).click();
    await page.getByRole('option', { name: /^json_schema/ }).click();
    await bench.parameters.getByRole('button', { name: 'Edit schema' }).click();
    await dialog.getByRole('textbox', { name: 'Schema name' }).fill('order');
    await dialog.getByRole('button', { name: 'Make one from JSON' }).click();
    await dialog.getByRole('textbox', { name: /An example answer/ }).fill('{"price": 3.5, "note": "x"}');
    await dialog.getByRole('button', { name: 'Create schema' }).click();
    await dialog.getByRole('button', { name: 'Add a field' }).click();
    await expect(dialog.getByRole('textbox', { name: 'JSON Schema' })).toContainText('"parameter"');
    await dialog.getByRole('textbox', { name: 'Name of parameter' }).fill('city');
    await dialog.getByRole('button', { name: 'Use this schema' }).click();
    await expect(dialog).toBeHidden();
    await expect(bench.parameters).toContainText('3 fields, 2 required, strict');
  });

  await test.step('edits the schema from the composer too, and returns the focus', async () => {
    const chip = bench.getButton('schema: order');
    await chip.click();
    await dialog.getByRole('textbox', { name: 'Schema name' }).fill('order_2');
    await dialog.getByRole('button', { name: 'Use this schema' }).click();
    await expect(bench.getButton('schema: order_2')).toBeFocused();
    await expect(bench.parameters).toContainText('order_2');
  });

  await test.step('links all faults of a reply to their lines and offers to send them to the model', async () => {
    gateway.setChatScript((answer) => answer.sendAnswer('{"price": "four", "sources": []}'));
    await bench.sendAndWait('Check it');
    const lane = page.getByRole('region', { name: 'Lane A' });
    await expect(lane).toContainText('Does not fit');
    await expect(lane).toContainText('0 of 2');
    const faults = lastReply.getByRole('list', { name: 'Faults, lane A' });
    await expect(faults.getByRole('link')).toHaveText([/note is missing/, /price must be/, /sources/]);
    await faults.getByRole('link').nth(1).click();
    await expect(lastReply.getByRole('listitem').filter({ hasText: '"four"' })).toBeFocused();
    await lastReply.getByRole('button', { name: 'Ask again with these faults' }).click();
    await expect(bench.message).toBeFocused();
    await expect(bench.message).toHaveValue(/note is missing/);
    await bench.message.fill('');
    gateway.setChatScript((answer) => answer.sendAnswer('{"price": 3, "note": "Two\\nlines"}'));
    await bench.sendAndWait('Again');
    await expect(lane).toContainText('Fits');
    await expect(lane).toContainText('2 of 2');
  });
});

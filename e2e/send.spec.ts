import { aGate } from '../src/testing/builders.ts';
import { expect, test } from './fixtures.ts';

test('Enter held down or pressed often sends once; Shift+Enter is a new line', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  await bench.open(server.url);
  await bench.message.fill('First line');
  await bench.message.press('Shift+Enter');
  await page.keyboard.type('second');
  for (let times = 0; times < 5; times += 1) void page.keyboard.down('Enter');
  await bench.ended();
  expect(gateway.posts).toHaveLength(1);
  expect(gateway.posts[0]?.body['messages']).toEqual([{ role: 'user', content: 'First line\nsecond' }]);
});

test('an answer is painted as it arrives, Escape stops it, and the next message can be sent at once', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { opened, open } = aGate();
  gateway.onChat(async (answer) => {
    answer.text('First');
    await opened;
    answer.text(' and last');
    answer.finish();
    answer.done();
  });
  await bench.open(server.url);
  await bench.send('One');
  // The stream stands still after one delta: the text is there, not waiting for more.
  await expect(bench.lastReply.getByText('First')).toBeVisible();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  gateway.onChat((answer) => answer.whole('Second'));
  await page.keyboard.press('Escape');
  await bench.message.fill('Two');
  await bench.message.press('Enter');
  await expect(bench.replies).toHaveCount(2);
  await bench.ended();
  await gateway.posts[0]?.left;
  open();
  await expect(bench.reply(1)).toHaveAttribute('data-status', 'stopped');
  await expect(bench.reply(1)).toContainText('You stopped it after 1 token');
  await expect(bench.reply(2)).toHaveAttribute('data-status', 'complete');
  await expect(bench.reply(2)).toContainText('Second');
  await expect(bench.reply(2)).not.toContainText('last');
});

test('a second click or Enter does nothing to what took the place of a control', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { opened, open } = aGate();
  gateway.onChat(async (answer) => {
    answer.text('First');
    await opened;
    answer.whole(' and last');
  });
  await bench.open(server.url);
  await bench.message.fill('One');
  await page.getByRole('button', { name: /^Send/ }).dblclick();
  await expect(bench.lastReply).toContainText('First');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  open();
  await bench.ended();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  expect(gateway.posts).toHaveLength(1);

  gateway.onChat((answer) => answer.whole('Second'));
  await bench.send('Two');
  await bench.ended();
  const prompts = page.getByRole('article', { name: 'User message' });
  await prompts.last().hover();
  await prompts.last().getByRole('button', { name: 'Delete' }).dblclick();
  await expect(prompts).toHaveCount(1);
  await expect(page.getByText('Deleted 1 message and 1 answer.').first()).toBeVisible();

  await prompts.first().getByRole('button', { name: 'Edit' }).focus();
  // A key in between: what follows is not a part of the double click.
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Edit message' })).toHaveValue('One');

  // The browser clicks the field of a label itself.
  const tick = page.getByRole('checkbox', { name: 'Send temperature' });
  await page.locator('label', { hasText: 'temperature' }).click();
  await expect(tick).toBeChecked();
});

import { createPausedAnswer } from '../src/testing/scripted-gateway.ts';
import { expect, test } from './fixtures.ts';

test('renders an answer as it arrives, stops it on Escape and sends the next message immediately', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { script, finish } = createPausedAnswer('First', ' and last');
  gateway.setChatScript(script);
  await bench.open(server.url);
  await bench.send('One');
  // The stream pauses after the first delta, whose text is already visible.
  await expect(bench.lastReply.getByText('First')).toBeVisible();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  gateway.setChatScript((answer) => answer.sendAnswer('Second'));
  await page.keyboard.press('Escape');
  await bench.message.fill('Two');
  await bench.message.press('Enter');
  await expect(bench.replies).toHaveCount(2);
  await bench.waitUntilEnded();
  await gateway.posts[0]?.disconnection;
  finish();
  await expect(bench.getReply(1)).toHaveAttribute('data-status', 'stopped');
  await expect(bench.getReply(1)).toContainText('Stopped after 1 token');
  await expect(bench.getReply(2)).toHaveAttribute('data-status', 'complete');
  await expect(bench.getReply(2)).toContainText('Second');
  await expect(bench.getReply(2)).not.toContainText('last');
});

test('keeps the answer that was started by a double click on Send or a held Enter', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { script, finish } = createPausedAnswer('First', ' and last');
  gateway.setChatScript(script);
  await bench.open(server.url);
  const sendButton = page.getByRole('button', { name: /^Send/ });
  await bench.message.fill('One');
  await sendButton.dblclick();
  await expect(bench.lastReply).toContainText('First');
  await page.keyboard.press('Escape');
  await bench.message.fill('Two');
  await sendButton.focus();
  for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter');
  await expect(bench.getReply(2)).toContainText('First');
  await expect(bench.getReply(2)).toHaveAttribute('data-status', 'streaming');

  // Send replaces Stop, but a double click on Stop must not send the draft.
  await bench.message.fill('Three');
  await page.getByRole('button', { name: /^Stop/ }).dblclick();
  await expect(bench.getReply(2)).toHaveAttribute('data-status', 'stopped');
  await expect(bench.message).toHaveValue('Three');
  finish();
  expect(gateway.posts).toHaveLength(2);
});

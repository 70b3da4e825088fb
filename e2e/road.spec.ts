import { expect, test } from './fixtures.ts';

/** The main job, on the demo gateway, as a newcomer meets it. */

test('a newcomer picks a model, types, and watches an answer stream in', async ({ bench, demo, page }) => {
  await bench.open(demo.url);
  await expect(bench.health).toContainText('Demo gateway');
  await expect(bench.model).toHaveValue('demo/guide');

  await bench.send('Which parameters make an answer shorter?');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'streaming');
  await bench.ended();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).toContainText('max_tokens');

  const metrics = page.getByRole('group', { name: 'Metrics, lane A, turn 1' });
  await expect(metrics).toContainText(/Time to first token\s*[\d.]+\s*m?s/);
  await expect(metrics).toContainText('stop');
});

test('the conversation goes on where it was after a reload', async ({ bench, demo, page }) => {
  await bench.open(demo.url);
  const first = await bench.ask('What is Bench?');
  const text = await first.innerText();
  await page.reload();
  await expect(bench.prompts).toHaveText(/What is Bench\?/);
  await expect(bench.lastReply).toHaveText(text, { useInnerText: true });
  await bench.ask('And how do I add a lane?');
  await expect(bench.replies).toHaveCount(2);
});

import { expect, test } from './fixtures.ts';

test('a newcomer finds a model chosen, types, reads the answer, and goes on there after a reload', async ({
  bench,
  demo,
}) => {
  await bench.open(demo.url);
  await expect(bench.health).toContainText('Demo gateway');
  await expect(bench.model).toHaveValue('demo/guide');
  const first = await bench.ask('Which parameters make an answer shorter?');
  await expect(first).toHaveAttribute('data-status', 'complete');
  await expect(first).toContainText('max_tokens');
  await expect(bench.metrics(1)).toContainText(/Time to first token\s*[\d.]+\s*m?s/);
  await expect(bench.metrics(1)).toContainText('stop');

  const text = await first.innerText();
  await bench.reload();
  await expect(bench.prompts).toHaveText(/Which parameters make an answer shorter\?/);
  await expect(bench.lastReply).toHaveText(text, { useInnerText: true });
  await bench.ask('And how do I add a lane?');
  await expect(bench.replies).toHaveCount(2);
});

import { expect, test } from './fixtures.ts';

test('selects a model, shows the answer to the first prompt and continues after a reload', async ({
  bench,
  demo,
}) => {
  await bench.open(demo.url);
  await expect(bench.health).toContainText('Demo gateway');
  await expect(bench.model).toHaveValue('demo/guide');
  const firstReply = await bench.sendAndWait('Which parameters make an answer shorter?');
  await expect(firstReply).toHaveAttribute('data-status', 'complete');
  await expect(firstReply).toContainText('max_tokens');
  await expect(bench.getMetrics(1)).toContainText(/Time to first token\s*[\d.]+\s*m?s/);
  await expect(bench.getMetrics(1)).toContainText('stop');

  const text = await firstReply.innerText();
  await bench.reload();
  await expect(bench.prompts).toHaveText(/Which parameters make an answer shorter\?/);
  await expect(bench.lastReply).toHaveText(text, { useInnerText: true });
  await bench.sendAndWait('And how do I add a lane?');
  await expect(bench.replies).toHaveCount(2);
});

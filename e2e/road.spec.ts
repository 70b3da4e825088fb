import { expect, test } from './fixtures.ts';

/** The main job, on the demo gateway, as a newcomer meets it. */

/** Runs in the page: notes every status that an answer goes through. A busy machine may look too late for one. */
function noteStatuses(): void {
  const seen = new Set<string>();
  new MutationObserver(() => {
    for (const { dataset } of document.querySelectorAll<HTMLElement>('article[data-status]'))
      seen.add(dataset['status'] ?? '');
    document.documentElement.dataset['seen'] = [...seen].join(' ');
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-status'] });
}

test('a newcomer picks a model, types, and watches an answer stream in', async ({ bench, demo, page }) => {
  await bench.open(demo.url);
  await expect(bench.health).toContainText('Demo gateway');
  await expect(bench.model).toHaveValue('demo/guide');

  await page.evaluate(noteStatuses);
  await bench.send('Which parameters make an answer shorter?');
  await bench.ended();
  expect(await page.evaluate(() => document.documentElement.dataset['seen'])).toContain('streaming');
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

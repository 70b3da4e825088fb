import { expect, test } from '../fixtures.ts';
import { costsEachLineOnce } from '../long-code.ts';

test('a code block of 50,000 lines costs each line once: written nodes stay nodes, and only what is seen gets colours', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await costsEachLineOnce({ bench, gateway }, 50_000);
});

test('a growing answer is kept once, and not once more for each piece of it that is kept', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const pieces = 100;
  const paragraph = `${'A sentence of some length that nobody has to read. '.repeat(60)}\n\n`;
  await bench.open(server.url);
  gateway.onChat(async (answer) => {
    for (let piece = 0; piece < pieces; piece += 1) {
      answer.text(paragraph);
      // Each is drawn in a frame of its own.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    answer.finish();
    answer.done();
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  };
  const before = await heap();
  await bench.ask('Write');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  const text = pieces * paragraph.length;
  // A copy for each piece is fifty times the text; all else that the page keeps of an answer is less than half of that.
  expect(((await heap()) - before) / text).toBeLessThan(30);
});

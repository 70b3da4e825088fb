import type { ScriptedGateway } from '../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../bench-page.ts';
import { expect, test } from '../fixtures.ts';

/** Written again with each of so many pieces, a line would cost half as many times as there are pieces. */
const pieceCount = 30;

/** Answers with a code block of so many lines, and fails where a line costs more than once, or what is off screen costs anything. */
async function expectLinearCost(
  { bench, gateway }: { bench: BenchPage; gateway: ScriptedGateway },
  lines: number,
): Promise<void> {
  const { page } = bench;
  gateway.setChatScript(async (answer) => {
    answer.sendText('```ts\n');
    const linesPerPiece = Math.ceil(lines / pieceCount);
    for (let from = 0; from < lines; from += linesPerPiece) {
      const numbers = Array.from(
        { length: Math.min(linesPerPiece, lines - from) },
        (_, index) => from + index,
      );
      answer.sendText(numbers.map((number) => `const line${number} = '${number}';\n`).join(''));
      // Each piece is drawn in a frame of its own.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    answer.sendText('```\n\nThe end');
    answer.sendFinishReason();
    answer.sendDone();
  });
  await page.evaluate(() => {
    const counts = { added: 0, removed: 0 };
    Object.assign(window, { counts });
    new MutationObserver((records) => {
      for (const { target, addedNodes, removedNodes } of records) {
        const element = target instanceof Element ? target : target.parentElement;
        if (!element?.closest('.md-code')) continue;
        counts.added += addedNodes.length;
        counts.removed += removedNodes.length;
      }
    }).observe(document.body, { childList: true, subtree: true });
  });
  await bench.send('Write');
  await expect(bench.lastReply).toContainText('The end');
  await bench.waitUntilEnded();
  const block = bench.lastReply.locator('.md-code');
  expect(await block.locator('.md-line').count()).toBe(lines);
  expect(await block.locator('pre').evaluate((element) => element.textContent?.length)).toBeGreaterThan(
    lines * 20,
  );
  const { added, removed } = await page.evaluate(() => {
    const counts: unknown = Reflect.get(window, 'counts');
    const readCount = (name: string) =>
      Number(counts instanceof Object ? Reflect.get(counts, name) : Number.NaN);
    return { added: readCount('added'), removed: readCount('removed') };
  });
  // A line, its text, its line feed and its group; what grows in pieces and is coloured comes on top, once.
  expect(added / lines).toBeLessThan(16);
  expect(removed / lines).toBeLessThan(8);
  // Off screen the browser leaves groups of lines alone.
  const skippedGroupCount = await block
    .locator('.md-lines')
    .evaluateAll(
      (groups) => groups.filter((group) => getComputedStyle(group).contentVisibility === 'auto').length,
    );
  expect(skippedGroupCount).toBeGreaterThan(lines / 64 - 10);
}

test('a code block of 50,000 lines costs each line once: written nodes stay nodes, and only what is seen gets colours', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await expectLinearCost({ bench, gateway }, 50_000);
});

test('a growing answer is kept once, and not once more for each piece of it that is kept', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const pieceCount = 100;
  const paragraph = `${'A sentence of some length that nobody has to read. '.repeat(60)}\n\n`;
  await bench.open(server.url);
  gateway.setChatScript(async (answer) => {
    for (let piece = 0; piece < pieceCount; piece += 1) {
      answer.sendText(paragraph);
      // Each is drawn in a frame of its own.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    answer.sendFinishReason();
    answer.sendDone();
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const measureHeapBytes = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  };
  const initialHeapBytes = await measureHeapBytes();
  await bench.sendAndWait('Write');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  const textLength = pieceCount * paragraph.length;
  // A copy for each piece is fifty times the text; all else that the page keeps of an answer is less than half of that.
  expect(((await measureHeapBytes()) - initialHeapBytes) / textLength).toBeLessThan(30);
});

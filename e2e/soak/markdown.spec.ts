import type { ScriptedGateway } from '../../src/testing/scripted-gateway.ts';
import type { BenchPage } from '../bench-page.ts';
import { expect, test } from '../fixtures.ts';

/** Number of pieces. If every piece rendered all lines again, the cost per line would be half this number. */
const pieceCount = 30;

/**
 * Streams a code block with `lines` lines; fails if a line is rendered more than once or if lines off screen cause
 * work.
 */
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
      // Draws every piece in a separate frame.
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
  // Counts per line: the line, its text, its line feed and its group, plus one update for lines that grow or get
  // colours.
  expect(added / lines).toBeLessThan(16);
  expect(removed / lines).toBeLessThan(8);
  // The browser skips groups of lines that are off screen.
  const skippedGroupCount = await block
    .locator('.md-lines')
    .evaluateAll(
      (groups) => groups.filter((group) => getComputedStyle(group).contentVisibility === 'auto').length,
    );
  expect(skippedGroupCount).toBeGreaterThan(lines / 64 - 10);
}

test('renders each line of a 50,000-line code block once and highlights only visible lines', async ({
  bench,
  server,
  gateway,
}) => {
  await bench.open(server.url);
  await expectLinearCost({ bench, gateway }, 50_000);
});

test('stores a growing answer once, not once per stored piece', async ({ bench, server, gateway, page }) => {
  const pieceCount = 100;
  const paragraph = `${'A sentence of some length that nobody has to read. '.repeat(60)}\n\n`;
  await bench.open(server.url);
  gateway.setChatScript(async (answer) => {
    for (let piece = 0; piece < pieceCount; piece += 1) {
      answer.sendText(paragraph);
      // Draws every piece in a separate frame.
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
  // One copy per piece would take fifty times the size of the text; everything else that the page stores takes less
  // than half of that.
  expect(((await measureHeapBytes()) - initialHeapBytes) / textLength).toBeLessThan(30);
});

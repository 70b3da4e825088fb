import { setImmediate as nextTurn } from 'node:timers/promises';

import { formatTextChunk } from '../../src/testing/builders.ts';
import { expect, test } from '../fixtures.ts';
import { InspectorPage } from '../inspector-driver.ts';

test('a hundred thousand events mount no more rows than are in sight, wherever one scrolls', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const pieces = 100_000;
  gateway.setChatScript(async (answer) => {
    answer.openStream();
    for (let at = 0; at < pieces; at += 500) {
      const words = Array.from(
        { length: 500 },
        (_, index) => `w${at + index}${index % 20 === 19 ? '\n\n' : ' '}`,
      );
      answer.writeRaw(words.map((word) => formatTextChunk(word)).join(''));
      await nextTurn();
    }
    answer.sendFinishReason();
    answer.sendDone();
  });
  const inspector = new InspectorPage(page);
  await bench.open(server.url);
  await bench.ask('Go on');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  await expect(inspector.drawer.getByRole('heading', { name: '100,002 events' })).toBeVisible();
  await inspector.drawer.getByRole('button', { name: 'content 100,000' }).click();
  await expect(inspector.grid).toHaveAttribute('aria-rowcount', '100001');
  const mounted = () => inspector.grid.getByRole('row').count();
  expect(await mounted()).toBeLessThan(80);
  await inspector.grid.focus();
  await page.keyboard.press('End');
  await expect(inspector.selected).toContainText('w99999');
  expect(await mounted()).toBeLessThan(80);
  await page.keyboard.press('Home');
  await expect(inspector.selected).toContainText('w0');
});

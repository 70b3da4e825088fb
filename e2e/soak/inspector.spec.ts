import { setImmediate as nextTurn } from 'node:timers/promises';

import { formatTextChunk } from '../../src/testing/builders.ts';
import { expect, test } from '../fixtures.ts';
import { InspectorDriver } from '../inspector-driver.ts';

test('mounts only visible rows of 100,000 events at every scroll position', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const tokenCount = 100_000;
  gateway.setChatScript(async (answer) => {
    answer.openStream();
    for (let offset = 0; offset < tokenCount; offset += 500) {
      const words = Array.from(
        { length: 500 },
        (_, index) => `w${offset + index}${index % 20 === 19 ? '\n\n' : ' '}`,
      );
      answer.writeRaw(words.map((word) => formatTextChunk(word)).join(''));
      await nextTurn();
    }
    answer.sendFinishReason();
    answer.sendDone();
  });
  const inspector = new InspectorDriver(page);
  await bench.open(server.url);
  await bench.sendAndWait('Go on');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  await bench.lastReply.getByRole('button', { name: 'Inspect' }).click();
  await expect(inspector.drawer.getByRole('heading', { name: '100,002 events' })).toBeVisible();
  await inspector.drawer.getByRole('button', { name: 'content 100,000' }).click();
  await expect(inspector.grid).toHaveAttribute('aria-rowcount', '100001');
  const countMountedRows = () => inspector.grid.getByRole('row').count();
  expect(await countMountedRows()).toBeLessThan(80);
  await inspector.grid.focus();
  await page.keyboard.press('End');
  await expect(inspector.selected).toContainText('w99999');
  expect(await countMountedRows()).toBeLessThan(80);
  await page.keyboard.press('Home');
  await expect(inspector.selected).toContainText('w0');
});

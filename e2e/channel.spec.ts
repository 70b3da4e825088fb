import { createPausedAnswer } from '../src/testing/scripted-gateway.ts';
import { expect, test } from './fixtures.ts';

test('streams six lanes over one connection with server times and ends them at the gateway on a reload', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const { script, finish } = createPausedAnswer('First', ' and last');
  gateway.setChatScript(script);
  await bench.open(server.url);
  for (let lanes = 1; lanes < 6; lanes += 1) await bench.getButton('Add lane').click();
  await bench.send('All at once');
  await expect.poll(() => gateway.posts.length).toBe(6);
  await expect(page.locator('article[data-status="streaming"]')).toHaveCount(6);
  // Other requests of the page are not blocked by the six streams.
  expect(await page.evaluate(async () => (await fetch('/gateway/v1/models')).status)).toBe(200);
  finish();
  await expect(page.locator('article[data-status="complete"]')).toHaveCount(6);
  await expect(page.getByTitle('Timed on the Bench server.')).toHaveCount(6);
  await expect
    .poll(() => server.getOutput())
    .toMatch(/POST \/gateway\/v1\/chat\/completions 200 .* channel\n/);

  gateway.setChatScript((answer) => answer.sendText('Unfinished'));
  await bench.send('Again');
  await expect(page.locator('article[data-status="streaming"]')).toHaveCount(6);
  await page.reload();
  await Promise.all(gateway.posts.slice(6).map(({ disconnection }) => disconnection));
});

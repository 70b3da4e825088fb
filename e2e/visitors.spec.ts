/** T14: what one visitor says is nobody else's, and the server keeps none of it. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { BenchPage } from './bench-page.ts';
import { startBench } from './bench-server.ts';
import { canaryKey, expect, test } from './fixtures.ts';

const secretWords = 'canary prompt of the first visitor';

test('T14: two visitors share nothing, and neither a file nor the log of the server holds what they said', async ({
  bench,
  gateway,
  browser,
}) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-visitors-'));
  gateway.onChat((answer, { body }) => answer.whole(`You said ${JSON.stringify(body['messages'])}`));
  const server = await startBench(
    { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey, TMPDIR: folder, HOME: folder },
    { cwd: folder },
  );
  const visitor = await browser.newContext();
  try {
    await bench.open(server.url);
    await bench.ask(secretWords);
    await expect(bench.lastReply).toContainText(secretWords);

    const second = new BenchPage(await visitor.newPage());
    await second.open(server.url);
    await expect(second.noConversation).toBeVisible();
    await second.ask('What did the one before me say?');
    await expect(second.lastReply).toHaveAttribute('data-status', 'complete');
    await second.page.goto(new URL('/history', server.url).href);
    await expect(second.page.getByRole('link', { name: 'What did the one before me say?' })).toBeVisible();
    await expect(second.page.locator('body')).not.toContainText(secretWords);
    // A session of somebody else is not there, whoever knows its address.
    await second.page.goto(bench.page.url());
    await expect(second.page.locator('body')).not.toContainText(secretWords);

    expect(JSON.stringify(gateway.posts.map(({ body }) => body['messages']))).toContain(secretWords);
    expect(JSON.stringify(gateway.posts.at(-1)?.body)).not.toContain(secretWords);
    expect(server.output()).not.toContain(secretWords);
    expect(await readdir(folder, { recursive: true }), 'files that the server wrote').toEqual([]);
  } finally {
    await visitor.close();
    await server.stop();
    await rm(folder, { recursive: true });
  }
});

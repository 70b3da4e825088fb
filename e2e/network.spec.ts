/** Tests responses and failures that a browser's network stack would otherwise handle itself. */
import { gzipSync, constants } from 'node:zlib';

import { createPausedAnswer } from '../src/testing/scripted-gateway.ts';
import { startBench } from './bench-server.ts';
import { canaryKey, expect, test } from './fixtures.ts';

const helloEvent = 'data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n';
const streamHeaders = { 'content-type': 'text/event-stream' };
const errorBody = { error: { message: 'not this way' } };

test.use({ isPreloadEnabled: true });

test('sends one request and shows an answer for statuses and headers that browsers act on themselves', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const dialogUrls: string[] = [];
  page.on('response', (response) => {
    const headerNames = Object.keys(response.headers());
    if (headerNames.some((name) => name.endsWith('-authenticate'))) dialogUrls.push(response.url());
  });
  await bench.open(server.url);
  const statuses: [status: number, headers: Record<string, string>][] = [
    [401, { 'www-authenticate': 'Basic realm="gateway"' }],
    [407, { 'proxy-authenticate': 'Basic realm="gateway"' }],
    [408, { connection: 'close' }],
    [421, {}],
  ];
  for (const [status, headers] of statuses) {
    gateway.setChatScript((answer) => answer.sendJson(status, errorBody, headers));
    const reply = await bench.sendAndWait(`Status ${status}`);
    await expect(reply).toHaveAttribute('data-status', 'failed');
    await expect(bench.getError(reply)).toContainText('not this way');
    await expect(bench.getError(reply)).toContainText(String(status));
  }
  gateway.setChatScript((answer) => answer.sendBody(302, '', { location: 'http://127.0.0.1:1/elsewhere' }));
  await expect(bench.getError(await bench.sendAndWait('Redirect'))).toContainText('returned a redirect');
  gateway.setChatScript((answer) => {
    answer.openStream({
      'set-cookie': 'stolen=1; Path=/',
      'clear-site-data': '"*"',
      refresh: '0; url=https://evil.example/',
      'access-control-allow-origin': '*',
    });
    answer.sendAnswer('Hello');
  });
  await expect(await bench.sendAndWait('Headers')).toContainText('Hello');
  expect(gateway.posts).toHaveLength(statuses.length + 2);
  expect(dialogUrls, 'responses that would open a browser dialog').toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  await bench.reload();
  await expect(bench.replies, 'the browser has deleted nothing').toHaveCount(statuses.length + 2);
});

test('decodes a compressed answer and keeps the received part of a truncated one', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.setChatScript((answer) => {
    answer.response.writeHead(200, { ...streamHeaders, 'content-encoding': 'gzip' });
    answer.response.end(gzipSync(helloEvent));
  });
  await bench.open(server.url);
  await expect(await bench.sendAndWait('Compressed')).toHaveAttribute('data-status', 'complete');
  await expect(bench.lastReply).toContainText('Hello');
  gateway.setChatScript((answer) => {
    answer.response.writeHead(200, { ...streamHeaders, 'content-encoding': 'gzip' });
    answer.response.end(
      gzipSync('data: {"choices":[{"index":0,"delta":{"content":"Half an"}}]}\n\n', {
        finishFlush: constants.Z_SYNC_FLUSH,
      }),
    );
  });
  await expect(await bench.sendAndWait('Cut')).toHaveAttribute('data-status', 'truncated');
  await expect(bench.getError()).toContainText('The connection dropped');
  await expect(bench.lastReply).toContainText('Half an');
});

test('keeps a message that failed offline with its reason and sends it on Retry when online', async ({
  bench,
  server,
  gateway,
  context,
}) => {
  gateway.setChatScript((answer) => answer.sendAnswer('Hello'));
  await bench.open(server.url);
  await bench.sendAndWait('Online');
  await context.setOffline(true);
  await expect(bench.page.getByRole('alert').filter({ hasText: 'You are offline' })).toBeVisible();
  await bench.sendAndWait('Into the void');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  await expect(bench.getError()).toContainText('You are offline');
  await expect(bench.prompts.last()).toContainText('Into the void');
  await expect(bench.getReply(1)).toContainText('Hello');
  await context.setOffline(false);
  await bench.getError().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test(
  'shows the whole answer after a frozen page resumes, and keeps the text if the server has stopped',
  { tag: '@soak' },
  async ({ bench, gateway, page, context }) => {
    const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey });
    const cdpSession = await context.newCDPSession(page);
    const setState = (state: 'frozen' | 'active') => cdpSession.send('Page.setWebLifecycleState', { state });
    await bench.open(server.url);
    const { script, finish } = createPausedAnswer('Before', ' and after');
    gateway.setChatScript(script);
    await bench.send('Sleep');
    await expect(bench.lastReply).toContainText('Before');
    await setState('frozen');
    finish();
    await setState('active');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await expect(bench.lastReply).toContainText('Before and after');

    gateway.setChatScript((answer) => answer.sendText('Half an'));
    await bench.send('Sleep again');
    await expect(bench.lastReply).toContainText('Half an');
    await setState('frozen');
    await server.stop();
    await setState('active');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'truncated');
    await expect(bench.lastReply).toContainText('Half an');
  },
);

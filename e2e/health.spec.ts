import { createServer } from 'node:net';

import type { Locator, Page } from 'playwright/test';

import { startBench } from './bench-server.ts';
import { expect, test } from './fixtures.ts';

async function openDetails(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Gateway details' }).click();
  const details = page.getByRole('dialog', { name: 'Gateway details' });
  await expect(details).toBeVisible();
  return details;
}

/** A port of this machine where nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no port');
  return address.port;
}

test('a gateway that answers is up; a click shows what that rests on', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.health = { status: 200, body: '{"status":"ok","revision":"b81f"}' };
  await bench.open(server.url);
  await expect(bench.health).toContainText('Gateway up');
  await expect(bench.health).toContainText(/\d+ ms/);
  await expect(bench.health, 'it never interrupts a screen reader').toHaveAttribute('aria-live', 'off');
  const details = await openDetails(page);
  await expect(details).toContainText('"revision":"b81f"');
  await expect(details).toContainText('GET /healthz, 200');
  await expect(details).toContainText(new URL(gateway.url).host);
  await expect(details).toContainText('configured on the server');
  await expect(details.locator('dt:has-text("Latency") + dd')).toHaveText(/^[\d,]+ ms$/);
  await expect(details.locator('dt:has-text("Last check") + dd')).toHaveText(/^\d\d:\d\d:\d\d$/);
  await page.keyboard.press('Escape');
  await expect(details).toBeHidden();
  await expect(page.getByRole('button', { name: 'Gateway details' })).toBeFocused();
});

test('a slow answer is said with its time', async ({ bench, server, gateway }) => {
  gateway.health = { status: 200, body: 'OK', delayMs: 1700 };
  await bench.open(server.url);
  await expect(bench.health).toContainText('Checking');
  await expect(bench.health).toContainText(/Gateway slow [\d,]+ ms/);
});

test('degraded is what the gateway says of itself', async ({ bench, server, gateway }) => {
  gateway.health = { status: 200, body: '{"status":"degraded"}' };
  await bench.open(server.url);
  await expect(bench.health).toContainText('Gateway degraded');
});

test('one failure is not down, two are, and it recovers', async ({ bench, server, gateway, page }) => {
  await bench.open(server.url);
  await expect(bench.health).toContainText('Gateway up');
  gateway.health = { status: 503, body: 'no upstream' };
  const details = await openDetails(page);
  await details.getByRole('button', { name: 'Check again' }).click();
  await expect(details).toContainText('GET /healthz, 503');
  await expect(details).toContainText('no upstream');
  await expect(bench.health).toContainText('Gateway up');
  await details.getByRole('button', { name: 'Check again' }).click();
  await expect(bench.health).toContainText('Gateway down');
  gateway.health = { status: 200, body: 'OK' };
  await details.getByRole('button', { name: 'Check again' }).click();
  await expect(bench.health).toContainText('Gateway up');
});

test('after a failure it looks again by itself, soon', async ({ bench, server, gateway, page }) => {
  await page.clock.install();
  gateway.health = { status: 500, body: 'broken' };
  await bench.open(server.url);
  await expect(bench.health).toContainText('Checking');
  await page.clock.runFor(5500);
  await expect(bench.health).toContainText('Gateway down');
  gateway.health = { status: 200, body: 'OK' };
  await page.clock.runFor(5500);
  await expect(bench.health).toContainText('Gateway up');
});

test('a gateway that cannot be reached is down, and the conversation says why', async ({ bench, page }) => {
  const port = await closedPort();
  const lonely = await startBench({
    GATEWAY_BASE_URL: `http://127.0.0.1:${port}`,
    GATEWAY_API_KEY: 'fk-unused',
  });
  try {
    await bench.open(lonely.url);
    const details = await openDetails(page);
    await details.getByRole('button', { name: 'Check again' }).click();
    await expect(bench.health).toContainText('Gateway down');
    await page.keyboard.press('Escape');
    await bench.useModel('any/model');
    const reply = await bench.ask('Hello?');
    await expect(reply).toHaveAttribute('data-status', 'failed');
    await expect(bench.error()).toContainText('The gateway can not be reached');
    await expect(bench.error()).toContainText('gateway_unreachable');
    await expect(bench.error()).toContainText('502');
    await page.reload();
    await expect(bench.error()).toContainText('The gateway can not be reached');
  } finally {
    await lonely.stop();
  }
});

test('a rejected key is said at once, and taken back when a request is accepted', async ({
  bench,
  server,
  gateway,
  page,
}) => {
  const refusal = { error: { message: 'Incorrect API key', type: 'invalid_api_key', code: '401' } };
  gateway.onModels((answer) => answer.json(401, refusal));
  await bench.open(server.url);
  await expect(bench.health).toContainText('Key rejected');
  await expect(page.getByRole('alert').filter({ hasText: 'does not accept this key' })).toHaveCount(1);
  const details = await openDetails(page);
  await expect(details).toContainText('GATEWAY_API_KEY');
  await page.keyboard.press('Escape');
  await bench.useModel('north/one');
  await bench.ask('Accepted after all');
  await expect(bench.health).toContainText('Gateway up');
});

test('without a health route the gateway is up when its models answer', async ({
  bench,
  server,
  gateway,
}) => {
  gateway.health = { status: 404, body: '{"detail":"Not Found"}' };
  await bench.open(server.url);
  await expect(bench.health).toContainText('Gateway up (no health route)');
});

test('the demo gateway is named, with what to put where to reach real models', async ({
  bench,
  demo,
  page,
}) => {
  await bench.open(demo.url);
  await expect(bench.health).toContainText('Demo gateway');
  const details = await openDetails(page);
  await expect(details).toContainText('They are not language models');
  await expect(details).toContainText('GATEWAY_BASE_URL=');
  await expect(details).toContainText('.env.local');
  await expect(page.getByRole('textbox', { name: /key/i }), 'no field for a key anywhere').toHaveCount(0);
});

test('a gateway without a key is used without one, and the details say so', async ({
  bench,
  gateway,
  page,
}) => {
  const keyless = await startBench({ GATEWAY_BASE_URL: gateway.url });
  try {
    await bench.open(keyless.url);
    await expect(bench.health).toContainText('Gateway up');
    const details = await openDetails(page);
    await expect(details).toContainText('none configured');
    await expect(details).toContainText('Requests go without a key');
    await page.keyboard.press('Escape');
    await bench.ask('Go');
    expect(gateway.posts[0]?.headers.authorization).toBeUndefined();
  } finally {
    await keyless.stop();
  }
});

test('offline is said with an alert, and sending still works where the gateway is near', async ({
  bench,
  server,
  gateway,
  page,
  context,
}) => {
  await bench.open(server.url);
  await expect(bench.health).toContainText('Gateway up');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    window.dispatchEvent(new Event('offline'));
  });
  await expect(bench.health).toContainText('Offline');
  await expect(page.getByRole('alert').filter({ hasText: 'You are offline.' })).toBeVisible();
  // The browser's flag is only a hint: a gateway on this machine needs no network.
  await expect(await bench.ask('Are you there?')).toHaveAttribute('data-status', 'complete');
  expect(gateway.posts).toHaveLength(1);
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { value: true, configurable: true });
    window.dispatchEvent(new Event('online'));
  });
  await expect(bench.health).toContainText('Gateway up');

  await context.setOffline(true);
  const reply = await bench.ask('And now?');
  await expect(reply).toHaveAttribute('data-status', 'failed');
  await context.setOffline(false);
  await bench.error().getByRole('button', { name: 'Retry' }).click();
  await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
});

test('when the server of Bench itself is gone, the page says so, keeps all, and goes on when it is back', async ({
  bench,
  gateway,
  page,
}) => {
  const port = await closedPort();
  const settings = { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: 'fk-unused', PORT: String(port) };
  const first = await startBench(settings);
  await bench.open(first.url);
  await bench.ask('Before');
  await first.stop();
  await bench.ask('While it is gone');
  await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
  await expect(bench.error()).toContainText('The Bench server does not answer');
  const details = await openDetails(page);
  await details.getByRole('button', { name: 'Check again' }).click();
  await page.keyboard.press('Escape');
  await expect(
    page.getByRole('status').filter({ hasText: "Bench's own server does not answer." }),
  ).toBeVisible();

  const second = await startBench(settings);
  try {
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(page.getByText("Bench's own server does not answer.")).toHaveCount(0);
    await bench.error().getByRole('button', { name: 'Retry' }).click();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
    await expect(bench.prompts).toHaveText([/Before/, /While it is gone/]);
  } finally {
    await second.stop();
  }
});

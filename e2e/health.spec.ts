import type { Locator, Page } from 'playwright/test';

import { findAxeViolations } from './axe.ts';
import { startBench } from './bench-server.ts';
import { expect, test } from './fixtures.ts';

// Offline, the page has only the modules that were preloaded.
test.use({ isPreloadEnabled: true });

async function openDetails(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Gateway details' }).click();
  const details = page.getByRole('dialog', { name: 'Gateway details' });
  await expect(details).toBeVisible();
  return details;
}

test("shows the gateway's health, its details on a click, and a rejected key with an alert", async ({
  bench,
  server,
  gateway,
  page,
}) => {
  gateway.health = { status: 200, body: '{"status":"ok","revision":"b81f"}' };
  await bench.open(server.url);
  await expect(bench.health).toContainText(/Gateway (?:up|slow) [\d,]+ ms/);
  await expect(bench.health, 'never announced to screen readers').toHaveAttribute('aria-live', 'off');

  await test.step('focuses the details when they open and returns the focus when they close', async () => {
    const details = await openDetails(page);
    await expect(details).toBeFocused();
    await expect(details).toContainText('"revision":"b81f"');
    await expect(details).toContainText('GET /healthz, 200');
    await expect(details).toContainText(new URL(gateway.url).host);
    await expect(details).toContainText('configured on the server');
    await expect(page.getByRole('textbox', { name: /key/i }), 'no key field on the page').toHaveCount(0);
    gateway.health = { status: 503, body: 'no upstream' };
    gateway.setModelsScript((answer) => answer.breakConnection());
    await details.getByRole('button', { name: 'Check again' }).click();
    await expect(details).toContainText('GET /healthz, 503');
    await page.keyboard.press('Escape');
    await expect(details).toBeHidden();
    await expect(page.getByRole('button', { name: 'Gateway details' })).toBeFocused();
  });

  await test.step('announces a rejected key with an alert', async () => {
    gateway.setModelsScript((answer) =>
      answer.sendJson(401, { error: { message: 'No such key', type: 'invalid_api_key', code: '401' } }),
    );
    const details = await openDetails(page);
    await details.getByRole('button', { name: 'Check again' }).click();
    await expect(bench.health).toContainText('Key rejected');
    await expect(page.getByRole('alert').filter({ hasText: 'rejected the key' })).toHaveCount(1);
    await expect(details).toContainText('GATEWAY_API_KEY');
  });
});

test(
  'announces offline mode with an alert and still sends to a reachable gateway',
  { tag: '@soak' },
  async ({ bench, server, gateway, page, context }) => {
    await bench.open(server.url);
    await expect(bench.health).toContainText(/Gateway (?:up|slow)/);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
      window.dispatchEvent(new Event('offline'));
    });
    await expect(bench.health).toContainText('Offline');
    await expect(page.getByRole('alert').filter({ hasText: 'You are offline.' })).toBeVisible();
    // The browser's flag is only a hint, since a gateway on this machine needs no network.
    await expect(await bench.sendAndWait('Are you there?')).toHaveAttribute('data-status', 'complete');
    expect(gateway.posts).toHaveLength(1);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'onLine', { value: true, configurable: true });
      window.dispatchEvent(new Event('online'));
    });
    await expect(bench.health).toContainText(/Gateway (?:up|slow)/);

    await context.setOffline(true);
    const reply = await bench.sendAndWait('And now?');
    await expect(reply).toHaveAttribute('data-status', 'failed');
    await context.setOffline(false);
    await bench.getError().getByRole('button', { name: 'Retry' }).click();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
  },
);

test(
  'reports a stopped Bench server, keeps everything and continues when the server is back',
  { tag: '@soak' },
  async ({ bench, gateway, page }) => {
    const settings = { GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: 'fk-unused' };
    const firstServer = await startBench(settings);
    const detailsLoaded = page.waitForEvent('requestfinished', (request) =>
      request.url().includes('/gateway-details-'),
    );
    await bench.open(firstServer.url);
    await bench.sendAndWait('Before');
    await detailsLoaded;
    await firstServer.stop();
    await bench.sendAndWait('While it is gone');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'failed');
    await expect(bench.getError()).toContainText('The Bench server is not responding');
    const details = await openDetails(page);
    await details.getByRole('button', { name: 'Check again' }).click();
    await page.keyboard.press('Escape');
    await expect(
      page.getByRole('status').filter({ hasText: 'Your work is kept, but nothing can be sent.' }),
    ).toBeVisible();

    const secondServer = await startBench({ ...settings, PORT: new URL(firstServer.url).port });
    try {
      await page.getByRole('button', { name: 'Check again' }).click();
      await expect(page.getByText('Your work is kept, but nothing can be sent.')).toHaveCount(0);
      await bench.getError().getByRole('button', { name: 'Retry' }).click();
      await expect(bench.lastReply).toHaveAttribute('data-status', 'complete');
      await expect(bench.prompts).toHaveText([/Before/, /While it is gone/]);
    } finally {
      await secondServer.stop();
    }
  },
);

test(
  'checks the whole gateway from its details, announces the requests first and stores the findings',
  { tag: '@soak' },
  async ({ bench, demo, page }) => {
    await bench.open(demo.url);
    const openCheck = async () => {
      await (await openDetails(page)).getByRole('button', { name: 'Run conformance check' }).click();
      const dialog = page.getByRole('dialog', { name: 'Conformance check' });
      await expect(dialog).toBeVisible();
      return dialog;
    };
    const dialog = await openCheck();
    await expect(dialog).toContainText('Uses demo/guide and, for embeddings, demo/meaning-en.');
    await expect(dialog).toContainText('Sends up to 16 small requests');
    await dialog.getByRole('button', { name: 'Run check' }).click();
    await expect(dialog.getByRole('progressbar', { name: 'Requests completed' })).toBeVisible();
    await expect(
      dialog.getByRole('button', { name: 'Stop' }),
      'the same button keeps the focus',
    ).toBeFocused();
    // The check sends sixteen sequential requests, so this wait has no time limit.
    await dialog.getByRole('button', { name: 'Run check again' }).waitFor();
    const findings = dialog.getByRole('region', { name: 'Findings' });
    await expect(findings).toContainText('0 faults');
    const section = findings.getByRole('link', { name: '§6.3, API description' }).first();
    await section.click();
    const help = page.getByRole('complementary', { name: 'Help' });
    await expect(help.getByRole('heading', { name: 'Streaming and server-sent events' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(section).toBeFocused();
    expect(await findAxeViolations(page)).toEqual([]);

    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Gateway details' })).toBeFocused();
    await expect((await openCheck()).getByRole('region', { name: 'Findings' })).toContainText('0 faults');
  },
);

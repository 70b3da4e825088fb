/** Tests plain HTTP on a network, where browsers disable locks, the clipboard and more. */
import { createGate } from '../src/testing/builders.ts';
import { startBench } from './bench-server.ts';
import { canaryKey, expect, test } from './fixtures.ts';

const chromiumPath = process.env['CHROMIUM_PATH'];

test.use({
  launchOptions: {
    args: ['--host-resolver-rules=MAP lan.test 127.0.0.1'],
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
  },
});

const password = 'known to all visitors';

test(
  'works without browser features reserved for secure origins',
  { tag: '@soak' },
  async ({ bench, gateway, page, pageErrors }) => {
    const server = await startBench({
      GATEWAY_BASE_URL: gateway.url,
      GATEWAY_API_KEY: canaryKey,
      PLAYGROUND_ALLOWED_HOSTS: 'lan.test',
      PLAYGROUND_PASSWORD: password,
    });
    const url = server.url.replace('127.0.0.1', 'lan.test');
    const gate = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('One ');
      await gate.opened;
      answer.sendText('two ');
    });
    await page.goto(url);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(bench.message).toBeVisible();
    expect(
      await page.evaluate(
        '[isSecureContext, typeof crypto.randomUUID, typeof navigator.locks, typeof navigator.clipboard]',
      ),
    ).toEqual([false, 'undefined', 'undefined', 'undefined']);
    await bench.send('Count');
    await expect(bench.lastReply).toContainText('One ');
    const otherTab = await bench.openInNewTab(page.url());
    await expect(otherTab.lastReply).toContainText('One ');
    await expect(otherTab.lastReply).toHaveAttribute('data-status', 'streaming');
    for (const tab of [page, otherTab.page])
      await expect(tab.getByText('Bench is open in several tabs. Without HTTPS')).toBeVisible();
    gate.open();
    await expect(otherTab.lastReply, 'the streaming tab is alive').toContainText('One two');
    await bench.message.press('Escape');
    await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
    await expect(otherTab.lastReply).toHaveAttribute('data-status', 'stopped');
    await bench.lastReply.getByRole('button', { name: 'Copy', exact: true }).click();
    await bench.reload();
    await expect(bench.lastReply).toHaveAttribute('data-status', 'stopped');
    await server.stop();
    // The browser logs that one header is ignored on insecure origins.
    expect(pageErrors.filter((pageError) => !pageError.includes('Cross-Origin-Opener-Policy'))).toEqual([]);
    pageErrors.length = 0;
  },
);

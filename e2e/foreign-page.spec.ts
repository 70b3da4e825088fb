import { createServer } from 'node:http';

import type { Page } from 'playwright/test';

import { startBench } from './bench-server.ts';
import { canaryKey, expect, test } from './fixtures.ts';

const chromiumPath = process.env['CHROMIUM_PATH'];

test.use({
  launchOptions: {
    args: ['--host-resolver-rules=MAP foreign.test 127.0.0.1'],
    ...(chromiumPath ? { executablePath: chromiumPath } : {}),
  },
});

/** Serves an empty page that allows all scripts, as a hostile site would. */
async function startForeignSite(): Promise<{ port: number; close: () => void }> {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Foreign</title>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = site.address();
  if (address === null || typeof address === 'string') throw new Error('The foreign site has no port');
  return { port: address.port, close: () => site.close() };
}

/** Runs in the foreign page: tries every kind of access to another origin and returns what it could read. */
async function attack(benchUrl: string): Promise<Record<string, string>> {
  const chat = JSON.stringify({ model: 'north/one', messages: [{ role: 'user', content: 'Pay for this' }] });
  const tryFetch = (path: string, init?: RequestInit) =>
    fetch(benchUrl + path, init).then(
      async (response) => (response.type === 'opaque' ? 'opaque' : `read ${await response.text()}`),
      () => 'refused',
    );
  const loadElement = (element: HTMLScriptElement | HTMLImageElement | HTMLLinkElement) =>
    new Promise<string>((resolve) => {
      element.addEventListener('load', () => resolve('loaded'));
      element.addEventListener('error', () => resolve('refused'));
      document.head.append(element);
    });
  const loadScript = (path: string, type = '') =>
    loadElement(Object.assign(document.createElement('script'), { src: benchUrl + path, type }));
  const loadImage = (path: string) =>
    loadElement(Object.assign(document.createElement('img'), { src: benchUrl + path }));
  const loadStyle = (path: string) =>
    loadElement(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: benchUrl + path }));
  const submitForm = (enctype: string) =>
    new Promise<string>((resolve) => {
      const frame = document.createElement('iframe');
      frame.name = `frame-${enctype}`;
      document.body.append(frame);
      const formElement = Object.assign(document.createElement('form'), {
        action: `${benchUrl}/gateway/v1/chat/completions`,
        method: 'post',
        enctype,
        target: frame.name,
      });
      const field = Object.assign(document.createElement('input'), {
        name: chat.slice(0, -1) + ',"x":"',
        value: '"}',
      });
      formElement.append(field);
      document.body.append(formElement);
      frame.addEventListener('load', () => resolve('sent'));
      formElement.submit();
    });
  const postInit = { method: 'POST', body: chat };
  const jsonInit = {
    ...postInit,
    headers: { 'content-type': 'application/json', 'x-gateway-playground': '1' },
  };
  return {
    models: await tryFetch('/gateway/v1/models'),
    'models, no-cors': await tryFetch('/gateway/v1/models', { mode: 'no-cors' }),
    status: await tryFetch('/playground/status'),
    page: await tryFetch('/'),
    'chat as text, no-cors': await tryFetch('/gateway/v1/chat/completions', { ...postInit, mode: 'no-cors' }),
    'chat as JSON': await tryFetch('/gateway/v1/chat/completions', jsonInit),
    'chat with cookies': await tryFetch('/gateway/v1/chat/completions', {
      ...jsonInit,
      credentials: 'include',
    }),
    beacon: navigator.sendBeacon(`${benchUrl}/gateway/v1/chat/completions`, chat) ? 'sent' : 'refused',
    'form as text': await submitForm('text/plain'),
    'form as fields': await submitForm('application/x-www-form-urlencoded'),
    'models as a script': await loadScript('/gateway/v1/models'),
    'status as a script': await loadScript('/playground/status'),
    'page as a script': await loadScript('/'),
    'page as a style': await loadStyle('/'),
    'models as an image': await loadImage('/gateway/v1/models'),
    'icon as an image': await loadImage('/favicon.svg'),
  };
}

test('blocks pages on other ports and sites from reading, framing or sending anything', async ({
  gateway,
  page,
  pageErrors,
}) => {
  const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey });
  const site = await startForeignSite();
  try {
    for (const host of ['foreign.test', '127.0.0.1']) {
      await page.goto(`http://${host}:${site.port}/`);
      const outcomes = await page.evaluate(attack, new URL(server.url).origin);
      const readable = Object.entries(outcomes).filter(([, outcome]) => /^(?:read|loaded)/.test(outcome));
      expect(readable, `responses readable by a page of ${host}`).toEqual([]);

      await page.evaluate((url) => {
        const frame = Object.assign(document.createElement('iframe'), { src: url, name: 'framed' });
        document.body.append(frame);
        return new Promise((resolve) => frame.addEventListener('load', resolve));
      }, server.url);
      const frameElement = await page.locator('iframe[name=framed]').elementHandle();
      const frame = await frameElement?.contentFrame();
      expect(frame?.url(), 'the frame shows an error page of the browser').toMatch(/^chrome-error:/);

      // All these requests would have arrived by now, since the responses above have.
      expect(gateway.posts, `requests from a page of ${host} to the gateway`).toEqual([]);
    }
    expect(server.getOutput()).not.toContain(canaryKey);
  } finally {
    site.close();
    await server.stop();
  }
  // The browser logs everything it blocked.
  pageErrors.length = 0;
});

/** Opens a page on a port once; the page installs a service worker that answers every POST request itself. */
async function installForeignWorker(page: Page): Promise<{ port: number }> {
  const foreignServer = createServer((request, response) => {
    const isScript = request.url === '/worker.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? workerScript : '<!doctype html><title>Program</title>');
  });
  await new Promise<void>((resolve) => foreignServer.listen(0, '127.0.0.1', resolve));
  const address = foreignServer.address();
  if (address === null || typeof address === 'string') throw new Error('The local program has no port');
  await page.goto(`http://127.0.0.1:${address.port}/`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
  });
  await page.goto('about:blank');
  foreignServer.closeAllConnections();
  await new Promise<void>((resolve) => foreignServer.close(() => resolve()));
  return { port: address.port };
}

const workerScript = `
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (event.request.method === 'POST') event.respondWith(new Response('Read and answered by the worker'));
  });
`;

test('removes a foreign service worker before any request and reports the removal', async ({
  bench,
  page,
  gateway,
}) => {
  const { port } = await installForeignWorker(page);
  const server = await startBench({ GATEWAY_BASE_URL: gateway.url, PORT: String(port) });
  await bench.open(server.url);
  await expect(
    page.getByRole('status').getByText('A service worker from another app was removed.'),
  ).toBeVisible();
  await bench.send('For the gateway alone');
  await bench.waitUntilEnded();
  await expect(bench.lastReply).not.toContainText('worker');
  expect(gateway.posts).toHaveLength(1);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await server.stop();
});

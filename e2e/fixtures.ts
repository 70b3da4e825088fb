import { test as base, expect, type Page } from 'playwright/test';

import { canaryKey } from '../src/testing/canary-key.ts';
import { startScriptedGateway, type ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { startBench, startDevBench, type BenchServer } from './bench-server.ts';

export { canaryKey };

interface WorkerFixtures {
  /** One built server on the demo gateway for all tests of a worker. */
  demo: BenchServer;
  /** The app as `npm run dev` serves it, which has the gallery. */
  dev: BenchServer;
  /** One scripted gateway with a built server in front of it for all tests of a worker. */
  gatewayAndServer: { gateway: ScriptedGateway; server: BenchServer };
}

interface TestFixtures {
  /** Also what is not wanted yet is fetched, as where nobody asks to save data: for tests that lose the network. */
  isPreloadEnabled: boolean;
  bench: BenchPage;
  /** As it is at first, whatever an earlier test made of it. */
  gateway: ScriptedGateway;
  /** A built server in front of the scripted gateway. */
  server: BenchServer;
  /** What the page complained of: errors, unhandled rejections, reports of the security policy. */
  pageErrors: string[];
}

/** Parts of the app over real sockets: nothing is mocked. Every test also fails on any complaint of the page. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  demo: [
    async ({}, use) => {
      const server = await startBench();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  dev: [
    async ({}, use) => {
      const server = await startDevBench();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  gatewayAndServer: [
    async ({}, use) => {
      const gateway = await startScriptedGateway();
      const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey });
      await use({ gateway, server });
      await server.stop();
      await gateway.close();
    },
    { scope: 'worker' },
  ],
  gateway: async ({ gatewayAndServer }, use) => {
    gatewayAndServer.gateway.reset();
    await use(gatewayAndServer.gateway);
    gatewayAndServer.gateway.reset();
  },
  server: async ({ gatewayAndServer, gateway: _ }, use) => {
    await use(gatewayAndServer.server);
  },
  isPreloadEnabled: [false, { option: true }],
  pageErrors: async ({ page, context, isPreloadEnabled }, use) => {
    const pageErrors: string[] = [];
    const watchPage = (watchedPage: Page) => {
      watchedPage.on('pageerror', (error) => pageErrors.push(String(error)));
      watchedPage.on('console', (message) => {
        const text = message.text();
        // The browser itself logs each answer with an error status, and each channel that cannot be had; those are the
        // tests' own doing.
        const isBrowserMessage = /^(?:Failed to load resource|WebSocket connection to)/.test(text);
        if (message.type() === 'error' && !isBrowserMessage) pageErrors.push(text);
      });
    };
    watchPage(page);
    // Tabs that a test opens beside it are heard, too.
    context.on('page', watchPage);
    if (!isPreloadEnabled)
      await context.addInitScript(() => {
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
      });
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`Security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
    await use(pageErrors);
    expect(pageErrors, 'what the page complained of').toEqual([]);
  },
  bench: async ({ page, pageErrors: _ }, use) => {
    await use(new BenchPage(page));
  },
});

export { expect };

import { test as base, expect, type Page } from 'playwright/test';

import { canaryKey } from '../src/testing/canary-key.ts';
import { startScriptedGateway, type ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { startBench, startDevBench, type BenchServer } from './bench-server.ts';

export { canaryKey };

interface WorkerFixtures {
  /** Built server with the demo gateway, one for all tests of a worker. */
  demo: BenchServer;
  /** Development server of `npm run dev`, which has the gallery. */
  dev: BenchServer;
  /** Scripted gateway with a built server in front of it, one pair for all tests of a worker. */
  gatewayAndServer: { gateway: ScriptedGateway; server: BenchServer };
}

interface TestFixtures {
  /** Enables preloading, which the test's `saveData` flag otherwise turns off; needed by tests that go offline. */
  isPreloadEnabled: boolean;
  bench: BenchPage;
  /** Scripted gateway, reset before and after every test. */
  gateway: ScriptedGateway;
  /** Built server in front of the scripted gateway. */
  server: BenchServer;
  /** Errors, unhandled rejections and security policy reports of the page. */
  pageErrors: string[];
}

/** Creates a fixture that starts a server and stops it after its last test. */
export function createServerFixture(start: () => Promise<BenchServer>) {
  return async ({}: object, use: (server: BenchServer) => Promise<void>): Promise<void> => {
    const server = await start();
    await use(server);
    await server.stop();
  };
}

/**
 * Provides servers, gateway and page driver over real sockets, without mocks. Every test also fails on any page error.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  demo: [createServerFixture(() => startBench()), { scope: 'worker' }],
  dev: [createServerFixture(startDevBench), { scope: 'worker' }],
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
        // The browser logs every error status and failed channel, which tests cause on purpose.
        const isBrowserMessage = /^(?:Failed to load resource|WebSocket connection to)/.test(text);
        if (message.type() === 'error' && !isBrowserMessage) pageErrors.push(text);
      });
    };
    watchPage(page);
    // Also watches tabs that a test opens later.
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
    expect(pageErrors, 'errors reported by the page').toEqual([]);
  },
  bench: async ({ page, pageErrors: _ }, use) => {
    await use(new BenchPage(page));
  },
});

export { expect };

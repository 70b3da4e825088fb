import { test as base, expect, type Page } from 'playwright/test';

import { canaryKey } from '../src/testing/canary-key.ts';
import { startScriptedGateway, type ScriptedGateway } from '../src/testing/scripted-gateway.ts';
import { BenchPage } from './bench-page.ts';
import { startBench, startDevBench, type BenchServer } from './bench-server.ts';

export { canaryKey };

interface WorkerParts {
  /** One built server on the demo gateway for all tests of a worker. */
  demo: BenchServer;
  /** The app as `npm run dev` serves it, which has the gallery. */
  dev: BenchServer;
  /** One scripted gateway with a built server in front of it for all tests of a worker. */
  road: { gateway: ScriptedGateway; server: BenchServer };
}

interface TestParts {
  /** Also what is not wanted yet is fetched, as where nobody asks to save data: for tests that lose the network. */
  fetchesInAdvance: boolean;
  bench: BenchPage;
  /** As it is at first, whatever an earlier test made of it. */
  gateway: ScriptedGateway;
  /** A built server in front of the scripted gateway. */
  server: BenchServer;
  /** What the page complained of: errors, unhandled rejections, reports of the security policy. */
  complaints: string[];
}

/** Parts of the app over real sockets: nothing is mocked. Every test also fails on any complaint of the page. */
export const test = base.extend<TestParts, WorkerParts>({
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
  road: [
    async ({}, use) => {
      const gateway = await startScriptedGateway();
      const server = await startBench({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: canaryKey });
      await use({ gateway, server });
      await server.stop();
      await gateway.close();
    },
    { scope: 'worker' },
  ],
  gateway: async ({ road }, use) => {
    road.gateway.reset();
    await use(road.gateway);
    road.gateway.reset();
  },
  server: async ({ road, gateway: _ }, use) => {
    await use(road.server);
  },
  fetchesInAdvance: [false, { option: true }],
  complaints: async ({ page, context, fetchesInAdvance }, use) => {
    const complaints: string[] = [];
    const listen = (each: Page) => {
      each.on('pageerror', (error) => complaints.push(String(error)));
      each.on('console', (message) => {
        const text = message.text();
        // The browser itself logs each answer with an error status, and each channel that cannot be had; those are the
        // tests' own doing.
        const isBrowsers = /^(?:Failed to load resource|WebSocket connection to)/.test(text);
        if (message.type() === 'error' && !isBrowsers) complaints.push(text);
      });
    };
    listen(page);
    // Tabs that a test opens beside it are heard, too.
    context.on('page', listen);
    if (!fetchesInAdvance)
      await context.addInitScript(() => {
        Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
      });
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`Security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
      });
    });
    await use(complaints);
    expect(complaints, 'what the page complained of').toEqual([]);
  },
  bench: async ({ page, complaints: _ }, use) => {
    await use(new BenchPage(page));
  },
});

export { expect };

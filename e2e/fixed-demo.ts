import { spawn } from 'node:child_process';
import path from 'node:path';

import type { Fixtures } from 'playwright/test';

import { startTestServer } from '../src/testing/test-server.ts';
import { startBench, type BenchServer } from './bench-server.ts';
import { createServerFixture } from './fixtures.ts';

/** Fixture for `test.extend`: one server from `startFixedDemo` for all tests of a worker. */
export const fixedDemoFixture: Fixtures<object, { fixedDemo: BenchServer }> = {
  fixedDemo: [createServerFixture(startFixedDemo), { scope: 'worker' }],
};

const checkoutPath = path.resolve(import.meta.dirname, '..');

/**
 * Starts Bench with a deterministic demo gateway. The seed of a request depends on its body and on how often that body
 * was sent; latency is 0, so that tests measure only the app.
 */
async function startFixedDemo(): Promise<BenchServer> {
  const demo = await startDemo();
  const requestCounts = new Map<string, number>();
  const seedingProxy = await startTestServer(async (request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === 'POST' ? await request.text() : undefined;
    const requestCount = (requestCounts.get(body ?? '') ?? 0) + 1;
    if (body !== undefined) requestCounts.set(body, requestCount);
    const response = await fetch(`${demo.url}${pathname}`, {
      method: request.method,
      headers: { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' },
      signal: request.signal,
      ...(body === undefined ? {} : { body: addSeed(body, requestCount) }),
    });
    const headers = new Headers(response.headers);
    // `fetch` has already decoded the body, so headers about its encoding no longer apply.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      headers.delete(name);
    return new Response(response.body, { status: response.status, headers });
  });
  const bench = await startBench({ GATEWAY_BASE_URL: seedingProxy.url, GATEWAY_API_KEY: demo.key });
  return {
    ...bench,
    stop: async () => {
      await bench.stop();
      await seedingProxy.close();
      await demo.stop();
    },
  };
}

function addSeed(body: string, requestCount: number): string {
  const fields: unknown = JSON.parse(body);
  const seed = Array.from(`${requestCount} ${body}`).reduce(
    (hash, character) => (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003,
    7,
  );
  return JSON.stringify(Object.assign({}, fields, { seed, demo_latency_ms: 0 }));
}

async function startDemo(): Promise<{ url: string; key: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [path.join(checkoutPath, 'dist/server/demo-main.js')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      PORT: '0',
      DEMO_GATEWAY_TOKENS_PER_SECOND: '0',
      GATEWAY_RPM: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exitPromise = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const urlAndKey = await new Promise<readonly [url: string, key: string]>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, url, key] = /ready at (http:\S+) with key (\S+)/.exec(output) ?? [];
      if (url !== undefined && key !== undefined) resolve([url.replace(/\/$/, ''), key]);
    });
    void exitPromise.then(() => reject(new Error(`The demo gateway ended before it was ready:\n${output}`)));
  });
  return {
    url: urlAndKey[0],
    key: urlAndKey[1],
    stop: async () => {
      child.kill('SIGKILL');
      await exitPromise;
    },
  };
}

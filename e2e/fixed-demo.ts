import { spawn } from 'node:child_process';
import path from 'node:path';

import type { Fixtures } from 'playwright/test';

import { startTestServer } from '../src/testing/test-server.ts';
import { startBench, type BenchServer } from './bench-server.ts';

/** `test.extend(withFixedDemo)`: a server of `startFixedDemo` for all tests of a worker. */
export const withFixedDemo: Fixtures<object, { fixed: BenchServer }> = {
  fixed: [
    async ({}, use) => {
      const server = await startFixedDemo();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
};

const checkout = path.resolve(import.meta.dirname, '..');

/**
 * Bench in front of the demo gateway with its chance fixed: each request gets a seed that follows from what it asks and
 * how often that was asked, and no latency, so that only what is tested takes time.
 */
async function startFixedDemo(): Promise<BenchServer> {
  const demo = await startDemo();
  const asked = new Map<string, number>();
  const between = await startTestServer(async (request) => {
    const { pathname } = new URL(request.url);
    const body = request.method === 'POST' ? await request.text() : undefined;
    const times = (asked.get(body ?? '') ?? 0) + 1;
    if (body !== undefined) asked.set(body, times);
    const answer = await fetch(`${demo.url}${pathname}`, {
      method: request.method,
      headers: { authorization: `Bearer ${demo.key}`, 'content-type': 'application/json' },
      signal: request.signal,
      ...(body === undefined ? {} : { body: seeded(body, times) }),
    });
    const headers = new Headers(answer.headers);
    // What was decoded on the way is not encoded any more.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
      headers.delete(name);
    return new Response(answer.body, { status: answer.status, headers });
  });
  const bench = await startBench({ GATEWAY_BASE_URL: between.url, GATEWAY_API_KEY: demo.key });
  return {
    ...bench,
    stop: async () => {
      await bench.stop();
      await between.close();
      await demo.stop();
    },
  };
}

function seeded(body: string, times: number): string {
  const fields: unknown = JSON.parse(body);
  const seed = Array.from(`${times} ${body}`).reduce(
    (hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003,
    7,
  );
  return JSON.stringify(Object.assign({}, fields, { seed, demo_latency_ms: 0 }));
}

async function startDemo(): Promise<{ url: string; key: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [path.join(checkout, 'dist/server/demo-main.js')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      PORT: '0',
      DEMO_GATEWAY_TOKENS_PER_SECOND: '0',
      GATEWAY_RPM: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await new Promise<readonly [url: string, key: string]>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [, url, key] = /ready at (http:\S+) with key (\S+)/.exec(output) ?? [];
      if (url !== undefined && key !== undefined) resolve([url.replace(/\/$/, ''), key]);
    });
    void exited.then(() => reject(new Error(`The demo gateway ended before it was ready:\n${output}`)));
  });
  return {
    url: ready[0],
    key: ready[1],
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { buildServer, prepareBuiltServer } from './testing/built-server.ts';
import type { BuiltServer, RunningServer } from './testing/built-server.ts';
import { STREAM_HEAD, LAST_CHUNK, formatChunk, startRawGateway } from './testing/raw-gateway.ts';
import { waitUntilRefused } from './testing/wait-until-refused.ts';

let builtServer: BuiltServer;
let servers: RunningServer[] = [];

beforeAll(async () => {
  builtServer = await prepareBuiltServer();
});

afterEach(async () => {
  for (const server of servers) server.process.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.exitResult));
  servers = [];
});

afterAll(() => {
  builtServer.remove();
});

function run(name: 'main' | 'demo-main', environment: Record<string, string> = {}): RunningServer {
  const server = builtServer.run(name, environment);
  servers.push(server);
  return server;
}

async function readOrigin(server: RunningServer): Promise<string> {
  return /http:\/\/[^ /]+/.exec(await server.readyLine)?.[0] ?? '';
}

function sendChat(origin: string): Promise<Response> {
  return fetch(`${origin}/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'x-gateway-playground': '1' },
    body: '{}',
  });
}

describe('npm start', () => {
  it('prints its URL once it accepts connections and serves the page from the build alone', async () => {
    const server = run('main');
    const line = await server.readyLine;
    expect(line).toMatch(/^Bench ready at http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await fetch(line.replace('Bench ready at ', ''));
    expect(await page.text()).toContain('<title>Bench</title>');
    expect(server.getStdout()).toBe(`${line}\n`);
  });

  it('exits with 2 and one sentence that names the variable if a setting is invalid', async () => {
    const server = run('main', { GATEWAY_API_KEY: 'fk-0123456789' });
    expect(await server.exitResult).toBe(2);
    const lines = server.getStderr().trim().split('\n');
    expect([lines.length, server.getStdout()]).toEqual([1, '']);
    expect(lines[0]).toContain('GATEWAY_BASE_URL');
    expect(lines[0]).not.toContain('fk-0123456789');
  });

  it('reports a port in use without choosing another one', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => otherServer.once('listening', resolve));
    const address = otherServer.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const server = run('main', { PORT: port });
    expect(await server.exitResult).toBe(2);
    expect(server.getStderr()).toMatch(new RegExp(`^PORT ${port} .*already in use.*\n$`));
    await new Promise((resolve) => otherServer.close(resolve));
  });

  it('reads .env from its working folder, with lower precedence than the environment', async () => {
    writeFileSync(
      path.join(builtServer.folder, '.env'),
      'GATEWAY_RPM=3\nGATEWAY_BASE_URL=http://127.0.0.1:9\n',
    );
    try {
      const status: unknown = await (
        await fetch(`${await readOrigin(run('main', { GATEWAY_RPM: '4' }))}/playground/status`)
      ).json();
      expect(status).toMatchObject({ requestsPerMinute: 4, host: '127.0.0.1:9', demo: false });
    } finally {
      writeFileSync(path.join(builtServer.folder, '.env'), '');
    }
  });

  it('prints the requested URL at start if a pasted one has no API', async () => {
    const gateway = await startRawGateway(({ socket }) => {
      socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    });
    const server = run('main', { GATEWAY_BASE_URL: `${gateway.url}/wrong/v3/chat/completions?a=b` });
    await server.readyLine;
    await expect
      .poll(() => server.getStderr())
      .toContain(
        `Could not list models at ${gateway.url}/wrong/v3/models (status 404). Check GATEWAY_BASE_URL.`,
      );
    expect(server.getStderr()).toContain(`Gateway: ${gateway.url}/wrong/v3, without a key.`);
    await gateway.close();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets a running stream finish after %s, accepts nothing new, and exits with 0',
    async (signal) => {
      let finish: () => void = () => undefined;
      const gateway = await startRawGateway(({ socket }) => {
        socket.write(STREAM_HEAD + formatChunk('data: a\n\n'));
        finish = () => socket.write(formatChunk('data: b\n\n') + LAST_CHUNK);
      });
      const server = run('main', { GATEWAY_BASE_URL: gateway.url });
      const origin = await readOrigin(server);
      const response = await sendChat(origin);
      await fetch(`${origin}/playground/status`);
      server.process.kill(signal);
      await waitUntilRefused(origin);
      finish();
      expect(await response.text()).toBe('data: a\n\ndata: b\n\n');
      expect(await server.exitResult).toBe(0);
      await gateway.close();
    },
  );

  it('survives 60 clients that disconnect immediately, after the headers or in the middle', async () => {
    const server = run('main', { GATEWAY_RPM: '0' });
    const origin = await readOrigin(server);
    const body = JSON.stringify({
      model: 'demo/markdown',
      stream: true,
      messages: [{ role: 'user', content: '500 words' }],
    });
    const headers = { origin, 'content-type': 'application/json', 'x-gateway-playground': '1' };
    const sendAndAbort = async (leaveAt: 'at once' | 'after the headers' | 'in the middle') => {
      const stop = new AbortController();
      const { signal } = stop;
      const responsePromise = fetch(`${origin}/gateway/v1/chat/completions`, {
        method: 'POST',
        headers,
        body,
        signal,
      });
      if (leaveAt === 'at once') stop.abort();
      const reader = (await responsePromise).body?.getReader();
      if (leaveAt === 'in the middle') await reader?.read();
      stop.abort();
      await reader?.closed;
    };
    const abortedRequests = (['at once', 'after the headers', 'in the middle'] as const).flatMap((leaveAt) =>
      Array.from({ length: 20 }, () => sendAndAbort(leaveAt).catch((error: unknown) => String(error))),
    );
    expect(new Set(await Promise.all(abortedRequests))).toEqual(
      new Set(['AbortError: This operation was aborted']),
    );
    expect((await fetch(`${origin}/playground/status`)).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.exitResult).toBe(0);
    expect(server.getStderr()).not.toMatch(/Warning|internal error/);
  });
});

describe('npm run demo-gateway', () => {
  it('prints its URL and a key and rejects other keys', async () => {
    const server = run('demo-main');
    const [, origin = '', key = ''] =
      /^Demo gateway ready at (http:\/\/127\.0\.0\.1:\d+) with key (fk-[\w-]{20,})$/.exec(
        await server.readyLine,
      ) ?? [];
    const fetchModels = (authorization: string) =>
      fetch(`${origin}/v1/models`, { headers: { authorization } });
    expect([
      (await fetchModels(`Bearer ${key}`)).status,
      (await fetchModels('Bearer fk-other')).status,
    ]).toEqual([200, 401]);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.exitResult).toBe(0);
  });

  it('allows GATEWAY_RPM requests per minute, then answers 429 with Retry-After', async () => {
    const server = run('demo-main', { DEMO_GATEWAY_KEY: 'fk-mine', GATEWAY_RPM: '2' });
    const origin = await readOrigin(server);
    const embed = () =>
      fetch(`${origin}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: 'Bearer fk-mine', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'demo/embedding-fixed', input: 'a' }),
      });
    expect([(await embed()).status, (await embed()).status]).toEqual([200, 200]);
    const rejected = await embed();
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('lists demo/strict with DEMO_QUIRKS=1 and does not start with another value', async () => {
    const server = run('demo-main', { DEMO_GATEWAY_KEY: 'fk-mine', DEMO_QUIRKS: '1' });
    const origin = await readOrigin(server);
    const list = await fetch(`${origin}/v1/models`, { headers: { authorization: 'Bearer fk-mine' } });
    expect(await list.text()).toContain('"demo/strict"');
    const failedServer = run('demo-main', { DEMO_QUIRKS: 'yes' });
    expect(await failedServer.exitResult).toBe(2);
    expect(failedServer.getStderr()).toBe('DEMO_QUIRKS is "yes": it must be 1 (lists demo/strict) or 0.\n');
  });

  it('uses DEMO_GATEWAY_KEY and survives malformed requests', async () => {
    const server = run('demo-main', { DEMO_GATEWAY_KEY: 'fk-mine' });
    expect(await server.readyLine).toMatch(/ with key fk-mine$/);
    const origin = await readOrigin(server);
    for (const headers of [{ host: '[::1' }, { host: '' }])
      await fetch(`${origin}/healthz`, { headers }).catch(() => undefined);
    for (const method of ['TRACE', 'OPTIONS', 'PUT'])
      await fetch(`${origin}//x`, { method }).catch(() => undefined);
    expect(
      (await fetch(`${origin}/v1/models`, { headers: { authorization: 'Bearer fk-mine' } })).status,
    ).toBe(200);
  });
});

describe('server build', () => {
  it('builds a server that imports no packages and has no source map', () => {
    const files = readdirSync(path.join(builtServer.folder, 'server'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => /\.[a-z]+$/.test(name));
    expect(files.filter((name) => !name.endsWith('.js'))).toEqual([]);
    for (const name of files) {
      const text = readFileSync(path.join(builtServer.folder, 'server', name), 'utf8');
      const imports = [...text.matchAll(/^\s*import\b[^'"]*?from\s*["']([^"']+)["']/gm)].map(
        (match) => match[1] ?? '',
      );
      expect(
        imports.filter((specifier) => !specifier.startsWith('node:') && !specifier.startsWith('.')),
      ).toEqual([]);
    }
  });

  it('fails the build if a variable would expose a secret to the browser', async () => {
    process.env['VITE_GATEWAY_API_KEY'] = 'fk-canary';
    try {
      await expect(buildServer(builtServer.folder)).rejects.toThrow('VITE_GATEWAY_API_KEY');
    } finally {
      delete process.env['VITE_GATEWAY_API_KEY'];
    }
  });
});

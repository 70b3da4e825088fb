import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { buildServer, builtServer } from './testing/built-server.ts';
import type { BuiltServer, RunningServer } from './testing/built-server.ts';
import { STREAM_HEAD, LAST_CHUNK, chunk, scriptedGateway } from './testing/raw-gateway.ts';
import { refused } from './testing/wait-until-refused.ts';

let built: BuiltServer;
let running: RunningServer[] = [];

beforeAll(async () => {
  built = await builtServer();
});

afterEach(async () => {
  for (const server of running) server.process.kill('SIGKILL');
  await Promise.all(running.map((server) => server.ended));
  running = [];
});

afterAll(() => {
  built.remove();
});

function run(name: 'main' | 'demo-main', environment: Record<string, string> = {}): RunningServer {
  const server = built.run(name, environment);
  running.push(server);
  return server;
}

async function originOf(server: RunningServer): Promise<string> {
  return /http:\/\/[^ /]+/.exec(await server.ready)?.[0] ?? '';
}

function chat(origin: string): Promise<Response> {
  return fetch(`${origin}/gateway/v1/chat/completions`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json', 'x-gateway-playground': '1' },
    body: '{}',
  });
}

describe('npm start', () => {
  it('says where it is ready once it accepts, and serves the page with the server of the build alone', async () => {
    const server = run('main');
    const line = await server.ready;
    expect(line).toMatch(/^Bench ready at http:\/\/127\.0\.0\.1:\d+\/$/);
    const page = await fetch(line.replace('Bench ready at ', ''));
    expect(await page.text()).toContain('<title>Bench</title>');
    expect(server.stdout()).toBe(`${line}\n`);
  });

  it('refuses to start with a wrong setting: exit code 2 and one sentence that names the variable', async () => {
    const server = run('main', { GATEWAY_API_KEY: 'fk-0123456789' });
    expect(await server.ended).toBe(2);
    const lines = server.stderr().trim().split('\n');
    expect([lines.length, server.stdout()]).toEqual([1, '']);
    expect(lines[0]).toContain('GATEWAY_BASE_URL');
    expect(lines[0]).not.toContain('fk-0123456789');
  });

  it('says so when the port is taken, and takes no other one', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const server = run('main', { PORT: port });
    expect(await server.ended).toBe(2);
    expect(server.stderr()).toMatch(new RegExp(`^PORT ${port} .*already taken.*\n$`));
    await new Promise((resolve) => other.close(resolve));
  });

  it('reads .env of the folder it runs in, below the environment', async () => {
    writeFileSync(path.join(built.folder, '.env'), 'GATEWAY_RPM=3\nGATEWAY_BASE_URL=http://127.0.0.1:9\n');
    try {
      const status: unknown = await (
        await fetch(`${await originOf(run('main', { GATEWAY_RPM: '4' }))}/playground/status`)
      ).json();
      expect(status).toMatchObject({ requestsPerMinute: 4, host: '127.0.0.1:9', demo: false });
    } finally {
      writeFileSync(path.join(built.folder, '.env'), '');
    }
  });

  it('says at start which address was asked where a pasted one has no API', async () => {
    const gateway = await scriptedGateway(({ socket }) => {
      socket.write('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    });
    const server = run('main', { GATEWAY_BASE_URL: `${gateway.url}/wrong/v3/chat/completions?a=b` });
    await server.ready;
    await expect
      .poll(() => server.stderr())
      .toContain(`No list of models at ${gateway.url}/wrong/v3/models (status 404). Check GATEWAY_BASE_URL.`);
    expect(server.stderr()).toContain(`Gateway: ${gateway.url}/wrong/v3, without a key.`);
    await gateway.close();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets a running stream finish after %s, accepts nothing new, and exits with 0',
    async (signal) => {
      let finish: () => void = () => undefined;
      const gateway = await scriptedGateway(({ socket }) => {
        socket.write(STREAM_HEAD + chunk('data: a\n\n'));
        finish = () => socket.write(chunk('data: b\n\n') + LAST_CHUNK);
      });
      const server = run('main', { GATEWAY_BASE_URL: gateway.url });
      const origin = await originOf(server);
      const response = await chat(origin);
      await fetch(`${origin}/playground/status`);
      server.process.kill(signal);
      await refused(origin);
      finish();
      expect(await response.text()).toBe('data: a\n\ndata: b\n\n');
      expect(await server.ended).toBe(0);
      await gateway.close();
    },
  );

  it('survives 60 visitors who leave at once, after the headers or in the middle', async () => {
    const server = run('main', { GATEWAY_RPM: '0' });
    const origin = await originOf(server);
    const body = JSON.stringify({
      model: 'demo/markdown',
      stream: true,
      messages: [{ role: 'user', content: '500 words' }],
    });
    const headers = { origin, 'content-type': 'application/json', 'x-gateway-playground': '1' };
    const visit = async (leaves: 'at once' | 'after the headers' | 'in the middle') => {
      const stop = new AbortController();
      const { signal } = stop;
      const answer = fetch(`${origin}/gateway/v1/chat/completions`, {
        method: 'POST',
        headers,
        body,
        signal,
      });
      if (leaves === 'at once') stop.abort();
      const reader = (await answer).body?.getReader();
      if (leaves === 'in the middle') await reader?.read();
      stop.abort();
      await reader?.closed;
    };
    const visits = (['at once', 'after the headers', 'in the middle'] as const).flatMap((leaves) =>
      Array.from({ length: 20 }, () => visit(leaves).catch((error: unknown) => String(error))),
    );
    expect(new Set(await Promise.all(visits))).toEqual(new Set(['AbortError: This operation was aborted']));
    expect((await fetch(`${origin}/playground/status`)).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stderr()).not.toMatch(/Warning|internal error/);
  });
});

describe('npm run demo-gateway', () => {
  it('says its address and a key, and answers with that key only', async () => {
    const server = run('demo-main');
    const [, origin = '', key = ''] =
      /^Demo gateway ready at (http:\/\/127\.0\.0\.1:\d+) with key (fk-[\w-]{20,})$/.exec(
        await server.ready,
      ) ?? [];
    const ask = (authorization: string) => fetch(`${origin}/v1/models`, { headers: { authorization } });
    expect([(await ask(`Bearer ${key}`)).status, (await ask('Bearer fk-other')).status]).toEqual([200, 401]);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    server.process.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('allows as many requests per minute as GATEWAY_RPM says, then answers 429 with Retry-After', async () => {
    const server = run('demo-main', { DEMO_GATEWAY_KEY: 'fk-mine', GATEWAY_RPM: '2' });
    const origin = await originOf(server);
    const embed = () =>
      fetch(`${origin}/v1/embeddings`, {
        method: 'POST',
        headers: { authorization: 'Bearer fk-mine', 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'demo/embedding-fixed', input: 'a' }),
      });
    expect([(await embed()).status, (await embed()).status]).toEqual([200, 200]);
    const refused = await embed();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('lists demo/strict with DEMO_QUIRKS=1, and refuses to start with another value', async () => {
    const server = run('demo-main', { DEMO_GATEWAY_KEY: 'fk-mine', DEMO_QUIRKS: '1' });
    const origin = await originOf(server);
    const list = await fetch(`${origin}/v1/models`, { headers: { authorization: 'Bearer fk-mine' } });
    expect(await list.text()).toContain('"demo/strict"');
    const wrong = run('demo-main', { DEMO_QUIRKS: 'yes' });
    expect(await wrong.ended).toBe(2);
    expect(wrong.stderr()).toBe('DEMO_QUIRKS is "yes": it must be 1, which lists demo/strict, or 0.\n');
  });

  it('takes DEMO_GATEWAY_KEY, and survives requests that are not requests', async () => {
    const server = run('demo-main', { DEMO_GATEWAY_KEY: 'fk-mine' });
    expect(await server.ready).toMatch(/ with key fk-mine$/);
    const origin = await originOf(server);
    for (const headers of [{ host: '[::1' }, { host: '' }])
      await fetch(`${origin}/healthz`, { headers }).catch(() => undefined);
    for (const method of ['TRACE', 'OPTIONS', 'PUT'])
      await fetch(`${origin}//x`, { method }).catch(() => undefined);
    expect(
      (await fetch(`${origin}/v1/models`, { headers: { authorization: 'Bearer fk-mine' } })).status,
    ).toBe(200);
  });
});

describe('the build', () => {
  it('of the server needs no package and has no source map', () => {
    const files = readdirSync(path.join(built.folder, 'server'), {
      recursive: true,
      encoding: 'utf8',
    }).filter((name) => /\.[a-z]+$/.test(name));
    expect(files.filter((name) => !name.endsWith('.js'))).toEqual([]);
    for (const name of files) {
      const text = readFileSync(path.join(built.folder, 'server', name), 'utf8');
      const imports = [...text.matchAll(/^\s*import\b[^'"]*?from\s*["']([^"']+)["']/gm)].map(
        (match) => match[1] ?? '',
      );
      expect(imports.filter((from) => !from.startsWith('node:') && !from.startsWith('.'))).toEqual([]);
    }
  });

  it('stops when a variable would carry a secret into the browser', async () => {
    process.env['VITE_GATEWAY_API_KEY'] = 'fk-canary';
    try {
      await expect(buildServer(built.folder)).rejects.toThrow('VITE_GATEWAY_API_KEY');
    } finally {
      delete process.env['VITE_GATEWAY_API_KEY'];
    }
  });
});

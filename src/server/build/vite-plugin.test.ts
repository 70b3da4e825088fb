import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createServer, resolveConfig } from 'vite';
import type { ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

import { createPlaygroundPlugin } from './vite-plugin.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
let vite: ViteDevServer;
let port = 0;
let origin = '';

beforeAll(async () => {
  vite = await createServer({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    cacheDir: path.join(tmpdir(), 'bench-vite-plugin-test'),
    optimizeDeps: { noDiscovery: true },
    server: { port: 0, watch: null },
    plugins: [createPlaygroundPlugin(ROOT)],
  });
  await vite.listen();
  const address = vite.httpServer?.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  origin = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await vite.close();
});

afterEach(() => {
  vi.unstubAllEnvs();
});

function sendRaw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (received.includes('\r\n\r\n')) socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(received);
    });
  });
}

it('serves the proxy with the same guard in development, and the page from Vite', async () => {
  expect(await (await fetch(`${origin}/playground/status`)).json()).toHaveProperty('demo');
  const headers = { origin, 'content-type': 'application/json' };
  expect(
    (await fetch(`${origin}/gateway/v1/chat/completions`, { method: 'POST', headers, body: '{}' })).status,
  ).toBe(403);
  expect((await fetch(`${origin}/gateway/nothing`)).status).toBe(404);
  expect(await (await fetch(`${origin}/history`, { headers: { accept: 'text/html' } })).text()).toContain(
    '/@vite/client',
  );
  const page = await fetch(`${origin}/`, { headers: { accept: 'text/html', origin: 'http://evil.example' } });
  expect([page.status, page.headers.get('access-control-allow-origin')]).toEqual([403, null]);
});

it('redirects pages at localhost to the canonical host in development', async () => {
  expect(await sendRaw(`GET /s/1 HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`)).toMatch(
    new RegExp(`^HTTP/1.1 307 .*location: ${origin}/s/1\r\n`, 'is'),
  );
});

it('accepts hot reload connections only from its own page', async () => {
  const sendUpgrade = (host: string, from: string) =>
    sendRaw(
      `GET /?token=${vite.config.webSocketToken} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${from}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: vite-hmr\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  expect(await sendUpgrade(`127.0.0.1:${port}`, origin)).toMatch(/^HTTP\/1\.1 101 /);
  expect(await sendUpgrade('evil.example', 'http://evil.example')).toBe('');
  expect(await sendUpgrade(`127.0.0.1:${port}`, 'http://evil.example')).toBe('');
});

it.each(['192.0.2.7', true])(
  'requires a password if Vite listens for other machines: --host %s',
  async (host) => {
    vi.stubEnv('PLAYGROUND_PASSWORD', '');
    vi.stubEnv('HOST', '127.0.0.1');
    const stderrWrite = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const start = () =>
      resolveConfig(
        { root: ROOT, configFile: false, server: { host }, plugins: [createPlaygroundPlugin(ROOT)] },
        'serve',
      );
    await expect(start()).rejects.toThrow('exit 2');
    expect(stderrWrite.mock.calls.join()).toMatch(/which other machines can reach: set PLAYGROUND_PASSWORD/);

    vi.stubEnv('PLAYGROUND_PASSWORD', 'long enough for a guess');
    expect((await start()).server.host).toBe(host === true ? '0.0.0.0' : host);
  },
);

it('does not require a password if Vite listens only locally, whatever HOST is', async () => {
  vi.stubEnv('PLAYGROUND_PASSWORD', '');
  vi.stubEnv('HOST', '0.0.0.0');
  const plugins = [createPlaygroundPlugin(ROOT)];
  const { server } = await resolveConfig(
    { root: ROOT, configFile: false, server: { host: false }, plugins },
    'serve',
  );
  expect(server.host).toBe('127.0.0.1');
});

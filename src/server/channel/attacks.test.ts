/** What others may try on a channel: each is refused, and none reaches the gateway or another visitor's runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { encodeBytesFrame } from '../../lib/channel/frames.ts';
import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { startScriptedGateway, type ScriptedGateway } from '../../testing/scripted-gateway.ts';
import { until } from '../../testing/wait-until.ts';
import { servedPlayground, type ServedPlayground } from '../testing/test-playground.ts';

const password = 'correct horse battery';
let gateway: ScriptedGateway;
let server: ServedPlayground;

async function start(settings: Record<string, string> = {}): Promise<void> {
  server = await servedPlayground({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '0', ...settings });
}

beforeEach(async () => {
  gateway = await startScriptedGateway();
  gateway.onChat((answer) => answer.text('private'));
  await start();
});

afterEach(async () => {
  await server.close();
  await gateway.close();
});

/** A request to upgrade, byte by byte, and the status line that answers it. */
async function upgrade(
  changes: Record<string, string | undefined> = {},
  line = 'GET /gateway/channel HTTP/1.1',
  rest = '',
): Promise<string> {
  const headers: Record<string, string | undefined> = {
    Host: `127.0.0.1:${server.port}`,
    Origin: server.origin,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': 'bench.1',
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  );
  const socket = await server.open();
  socket.write(`${[line, ...lines, '', ''].join('\r\n')}${rest}`);
  const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(first.toString())?.[1] ?? '';
}

interface Visitor {
  socket: WebSocket;
  /** All that the server said, in text frames. */
  heard: unknown[];
  closed: Promise<number>;
  say: (frame: unknown) => void;
  /** The name that the server gave. */
  name: () => Promise<string>;
}

function visitor(headers: Record<string, string> = {}, first: unknown = { runs: [] }): Visitor {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/gateway/channel`, 'bench.1', {
    origin: server.origin,
    headers,
  });
  const heard: unknown[] = [];
  const say = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  socket.on('message', (data: Buffer, isBinary) => {
    const reading = parseJson(isBinary ? '' : data.toString());
    if (reading.ok) heard.push(reading.value);
  });
  socket.on('error', () => undefined);
  socket.on('open', () => say(first));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const name = async () => {
    await until(() => heard.length > 0);
    return getStringProperty(heard[0], 'channel') ?? '';
  };
  return { socket, heard, closed, say, name };
}

const chat = { path: '/v1/chat/completions', accept: '*/*' };

/** Asks for an answer that stays open. */
async function withRun(one: Visitor): Promise<string> {
  const name = await one.name();
  one.say({ run: 1, ...chat, bytes: 2 });
  one.socket.send(encodeBytesFrame(1, 0, Buffer.from('{}')));
  await until(() => gateway.posts.length === 1 && one.heard.length > 2);
  return name;
}

async function loggedIn(): Promise<string> {
  const response = await server.post('/playground/login', { password });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

describe('a request to upgrade', () => {
  const hosts = { Host: 'evil.example' };
  const refused: [string, string, Record<string, string | undefined>, string?][] = [
    ['from a page of another site', '403', { Origin: 'https://evil.example' }],
    ['without an origin', '403', { Origin: undefined }],
    ['that a browser marks as cross-site', '403', { 'Sec-Fetch-Site': 'cross-site' }],
    ['to another host', '403', hosts],
    ['to another path', '400', {}, 'GET /gateway/v1/models HTTP/1.1'],
    ['to a page', '400', {}, 'GET / HTTP/1.1'],
    ['to a path below', '400', {}, 'GET /gateway/channel/ HTTP/1.1'],
    ['with a query', '400', {}, 'GET /gateway/channel?x HTTP/1.1'],
    ['in other words for the same path', '400', {}, 'GET /gateway/./channel HTTP/1.1'],
    ['as a POST', '400', {}, 'POST /gateway/channel HTTP/1.1'],
    ['to HTTP/2', '400', { Upgrade: 'h2c' }],
    ['to two protocols', '400', { Upgrade: 'websocket, h2c' }],
    ['without the sub-protocol', '400', { 'Sec-WebSocket-Protocol': undefined }],
    ['with another sub-protocol', '400', { 'Sec-WebSocket-Protocol': 'vite-hmr' }],
    ['with several sub-protocols', '400', { 'Sec-WebSocket-Protocol': 'bench.1, vite-hmr' }],
    [
      'with a second header of sub-protocols',
      '400',
      { 'Sec-WebSocket-Protocol': 'bench.1\r\nSec-WebSocket-Protocol: vite-hmr' },
    ],
    ['with a body', '400', { 'Content-Length': '4' }],
    ['with a broken key', '400', { 'Sec-WebSocket-Key': 'short' }],
    ['of an unknown version', '400', { 'Sec-WebSocket-Version': '7' }],
  ];
  it.each(refused)('%s is refused', async (_what, status, changes, line) => {
    expect(await upgrade(changes, line)).toBe(status);
  });

  it('that is refused carries out nothing that stands behind it', async () => {
    const behind = [
      'POST /gateway/v1/chat/completions HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Origin: ${server.origin}`,
      'Content-Type: application/json',
      'X-Gateway-Playground: 1',
      'Content-Length: 2',
      '',
      '{}',
    ].join('\r\n');
    expect(await upgrade({ Origin: 'https://evil.example' }, undefined, behind)).toBe('403');
    await server.get('/playground/status');
    expect(gateway.posts).toHaveLength(0);
  });

  it('without the password is refused, also with a forged session', async () => {
    await server.close();
    await start({ PLAYGROUND_PASSWORD: password });
    expect(await upgrade()).toBe('401');
    expect(await upgrade({ Cookie: `bench_session_${server.port}=zzzzzzzz.forged` })).toBe('401');
    expect(await upgrade({ Cookie: await loggedIn() })).toBe('101');
  });
});

describe('a name', () => {
  it('that is guessed opens a new channel, which knows nothing of any run', async () => {
    const one = visitor();
    const name = await withRun(one);
    const other = visitor(
      {},
      {
        channel: `${name.slice(0, -1)}${name.endsWith('A') ? 'B' : 'A'}`,
        runs: [{ run: 1, frames: 2, taken: 0 }],
      },
    );
    expect(await other.name()).not.toBe(name);
    expect(getOwnProperty(other.heard[0], 'runs')).toEqual([]);
    expect(one.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is long and never twice the same', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => visitor().name()));
    expect(new Set(names).size).toBe(20);
    expect(names.every((name) => /^[\w-]{32}$/.test(name))).toBe(true);
  });

  it('of another visitor’s channel does not lead to its runs', async () => {
    await server.close();
    await start({ PLAYGROUND_PASSWORD: password });
    const one = visitor({ cookie: await loggedIn() });
    const name = await withRun(one);
    const other = visitor(
      { cookie: await loggedIn() },
      { channel: name, runs: [{ run: 1, frames: 2, taken: 0 }] },
    );
    expect(await other.name()).not.toBe(name);
    expect(getOwnProperty(other.heard[0], 'runs')).toEqual([]);
    expect(one.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('is worth nothing after logout, which ends the channel and its runs', async () => {
    await server.close();
    await start({ PLAYGROUND_PASSWORD: password });
    const cookie = await loggedIn();
    const one = visitor({ cookie });
    const name = await withRun(one);
    const bystander = visitor({ cookie: await loggedIn() });
    await bystander.name();
    expect((await server.post('/playground/logout', {})).status, 'without a session').toBe(200);
    expect((await server.get('/playground/logout', { cookie })).status).toBe(405);
    one.socket.ping();
    await new Promise((resolve) => one.socket.once('pong', resolve));
    expect(one.socket.readyState, 'a GET logs nobody out').toBe(WebSocket.OPEN);
    expect((await server.post('/playground/logout', {}, { headers: { cookie } })).status).toBe(200);
    expect(await one.closed).toBe(4000);
    await gateway.posts[0]?.left;
    const again = visitor({ cookie }, { channel: name, runs: [] });
    expect(await again.name()).not.toBe(name);
    expect(bystander.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('a frame that breaks the rules ends the channel and its runs', () => {
  const broken: [string, unknown][] = [
    ['that is not JSON', 'rubbish'],
    ['without a known field', { run: 1 }],
    ['with a field too many', { run: 1, stop: true, more: 1 }],
    ['with a prototype', '{"run":1,"__proto__":{"stop":true}}'],
    ['that is a list', []],
    ['with a negative run', { run: -1, stop: true }],
    ['with a fraction of a run', { run: 1.5, stop: true }],
    ['that begins the channel again', { runs: [] }],
    ['to another path of the proxy', { run: 2, ...chat, path: '/v1/models', bytes: 0 }],
    ['to the login', { run: 2, ...chat, path: '/../../playground/login', bytes: 0 }],
    ['to another host', { run: 2, ...chat, path: 'http://evil.example/', bytes: 0 }],
    ['with a header in a header', { run: 2, ...chat, accept: 'a\r\nhost: evil', bytes: 0 }],
    ['with a line break in its id', { run: 2, ...chat, requestId: 'a\nb', bytes: 0 }],
    ['with a run that was', { run: 1, ...chat, bytes: 0 }],
    ['that takes more than was given', { run: 1, taken: 1e6 }],
    ['that is too large', 'x'.repeat(100_000)],
  ];
  it.each(broken)('%s', async (_what, frame) => {
    const one = visitor();
    await withRun(one);
    one.say(frame);
    expect([1008, 1009, 1006]).toContain(await one.closed);
    await gateway.posts[0]?.left;
    expect(gateway.posts).toHaveLength(1);
  });

  it('in bytes: too short, or more than was announced', async () => {
    const one = visitor();
    await one.name();
    one.socket.send(Buffer.from('short'));
    expect(await one.closed).toBe(1008);
    const other = visitor();
    await withRun(other);
    other.socket.send(encodeBytesFrame(1, 0, Buffer.from('more')));
    expect(await other.closed).toBe(1008);
  });

  it('one run too many', async () => {
    const one = visitor();
    await one.name();
    for (let run = 1; run <= 65; run += 1) one.say({ run, ...chat, bytes: 1 });
    expect(await one.closed).toBe(1008);
    expect(gateway.posts).toHaveLength(0);
  });

  it('in place of the first one', async () => {
    expect(await visitor({}, { run: 1, stop: true }).closed).toBe(4000);
  });

  it('that comes back and claims what it was not sent', async () => {
    const one = visitor();
    const name = await withRun(one);
    const again = visitor({}, { channel: name, runs: [{ run: 1, frames: 99, taken: 0 }] });
    expect(await again.closed).toBe(4000);
    await gateway.posts[0]?.left;
  });
});

describe('a page that misbehaves', () => {
  it('does not disturb another by numbers of runs that are not its own', async () => {
    const one = visitor();
    await withRun(one);
    const other = visitor();
    await other.name();
    other.say({ run: 1, stop: true });
    other.say({ run: 1, taken: 5 });
    other.socket.send(encodeBytesFrame(1, 0, Buffer.from('{}')));
    other.socket.ping();
    await new Promise((resolve) => other.socket.once('pong', resolve));
    expect([one.socket.readyState, other.socket.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
    expect(one.heard).toHaveLength(3);
  });

  it('takes nothing for as long as the gateway may be silent, and its answer is given up', async () => {
    await server.close();
    await start({ GATEWAY_IDLE_TIMEOUT_MS: '300' });
    gateway.onChat((answer) => answer.text('x'.repeat(200_000)));
    const one = visitor();
    await withRun(one);
    await gateway.posts[0]?.left;
    expect(one.socket.readyState).toBe(WebSocket.OPEN);
  });
});

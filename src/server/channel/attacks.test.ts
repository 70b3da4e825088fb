/** Attacks on a channel: each is rejected, and none reaches the gateway or another client's runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { encodeBytesFrame } from '../../lib/channel-frames.ts';
import { getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import { startScriptedGateway, type ScriptedGateway } from '../../testing/scripted-gateway.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startTestPlayground, type TestPlayground } from '../testing/test-playground.ts';

const password = 'correct horse battery';
let gateway: ScriptedGateway;
let server: TestPlayground;

async function start(settings: Record<string, string> = {}): Promise<void> {
  server = await startTestPlayground({ GATEWAY_BASE_URL: gateway.url, GATEWAY_RPM: '0', ...settings });
}

beforeEach(async () => {
  gateway = await startScriptedGateway();
  gateway.setChatScript((answer) => answer.sendText('private'));
  await start();
});

afterEach(async () => {
  await server.close();
  await gateway.close();
});

/** Sends an upgrade request as raw bytes. Returns the status of the response. */
async function fetchUpgradeStatus(
  changes: Record<string, string | undefined> = {},
  requestLine = 'GET /gateway/channel HTTP/1.1',
  trailingBytes = '',
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
  socket.write(`${[requestLine, ...lines, '', ''].join('\r\n')}${trailingBytes}`);
  const firstData = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(firstData.toString())?.[1] ?? '';
}

interface TestClient {
  socket: WebSocket;
  /** Text frames received from the server. */
  receivedFrames: unknown[];
  closeCode: Promise<number>;
  sendFrame: (frame: unknown) => void;
  /** Name assigned by the server. */
  getName: () => Promise<string>;
}

function connectClient(headers: Record<string, string> = {}, firstFrame: unknown = { runs: [] }): TestClient {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/gateway/channel`, 'bench.1', {
    origin: server.origin,
    headers,
  });
  const receivedFrames: unknown[] = [];
  const sendFrame = (frame: unknown) =>
    socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  socket.on('message', (data: Buffer, isBinary) => {
    const parsed = parseJson(isBinary ? '' : data.toString());
    if (parsed.ok) receivedFrames.push(parsed.value);
  });
  socket.on('error', () => undefined);
  socket.on('open', () => sendFrame(firstFrame));
  const closeCode = new Promise<number>((resolve) => socket.on('close', resolve));
  const getName = async () => {
    await waitUntil(() => receivedFrames.length > 0);
    return getStringProperty(receivedFrames[0], 'channel') ?? '';
  };
  return { socket, receivedFrames, closeCode, sendFrame, getName };
}

const chatFrame = { path: '/v1/chat/completions', accept: '*/*' };

/** Requests an answer that does not end. */
async function startRun(client: TestClient): Promise<string> {
  const name = await client.getName();
  client.sendFrame({ run: 1, ...chatFrame, bytes: 2 });
  client.socket.send(encodeBytesFrame(1, 0, Buffer.from('{}')));
  await waitUntil(() => gateway.posts.length === 1 && client.receivedFrames.length > 2);
  return name;
}

async function logIn(): Promise<string> {
  const response = await server.post('/playground/login', { password });
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

describe('upgrade request', () => {
  const evilHostHeader = { Host: 'evil.example' };
  const rejectedRequests: [string, string, Record<string, string | undefined>, string?][] = [
    ['from a page of another site', '403', { Origin: 'https://evil.example' }],
    ['without an origin', '403', { Origin: undefined }],
    ['marked as cross-site by the browser', '403', { 'Sec-Fetch-Site': 'cross-site' }],
    ['to another host', '403', evilHostHeader],
    ['to another path', '400', {}, 'GET /gateway/v1/models HTTP/1.1'],
    ['to a page', '400', {}, 'GET / HTTP/1.1'],
    ['to a subpath', '400', {}, 'GET /gateway/channel/ HTTP/1.1'],
    ['with a query', '400', {}, 'GET /gateway/channel?x HTTP/1.1'],
    ['with a non-normalised path', '400', {}, 'GET /gateway/./channel HTTP/1.1'],
    ['as a POST', '400', {}, 'POST /gateway/channel HTTP/1.1'],
    ['to HTTP/2', '400', { Upgrade: 'h2c' }],
    ['to two protocols', '400', { Upgrade: 'websocket, h2c' }],
    ['without a subprotocol', '400', { 'Sec-WebSocket-Protocol': undefined }],
    ['with another subprotocol', '400', { 'Sec-WebSocket-Protocol': 'vite-hmr' }],
    ['with several subprotocols', '400', { 'Sec-WebSocket-Protocol': 'bench.1, vite-hmr' }],
    [
      'with a second subprotocol header',
      '400',
      { 'Sec-WebSocket-Protocol': 'bench.1\r\nSec-WebSocket-Protocol: vite-hmr' },
    ],
    ['with a body', '400', { 'Content-Length': '4' }],
    ['with an invalid key', '400', { 'Sec-WebSocket-Key': 'short' }],
    ['with an unknown version', '400', { 'Sec-WebSocket-Version': '7' }],
  ];
  it.each(rejectedRequests)('rejects an upgrade request %s', async (_what, status, changes, line) => {
    expect(await fetchUpgradeStatus(changes, line)).toBe(status);
  });

  it('ignores data that follows a rejected upgrade request', async () => {
    const trailingRequest = [
      'POST /gateway/v1/chat/completions HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Origin: ${server.origin}`,
      'Content-Type: application/json',
      'X-Gateway-Playground: 1',
      'Content-Length: 2',
      '',
      '{}',
    ].join('\r\n');
    expect(await fetchUpgradeStatus({ Origin: 'https://evil.example' }, undefined, trailingRequest)).toBe(
      '403',
    );
    await server.get('/playground/status');
    expect(gateway.posts).toHaveLength(0);
  });

  it('rejects an upgrade without the password, even with a forged session', async () => {
    await server.close();
    await start({ PLAYGROUND_PASSWORD: password });
    expect(await fetchUpgradeStatus()).toBe('401');
    expect(await fetchUpgradeStatus({ Cookie: `bench_session_${server.port}=zzzzzzzz.forged` })).toBe('401');
    expect(await fetchUpgradeStatus({ Cookie: await logIn() })).toBe('101');
  });
});

describe('channel name', () => {
  it('opens a new channel without runs for a guessed name', async () => {
    const client = connectClient();
    const name = await startRun(client);
    const otherClient = connectClient(
      {},
      {
        channel: `${name.slice(0, -1)}${name.endsWith('A') ? 'B' : 'A'}`,
        runs: [{ run: 1, frames: 2, taken: 0 }],
      },
    );
    expect(await otherClient.getName()).not.toBe(name);
    expect(getOwnProperty(otherClient.receivedFrames[0], 'runs')).toEqual([]);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('generates long, unique channel names', async () => {
    const names = await Promise.all(Array.from({ length: 20 }, () => connectClient().getName()));
    expect(new Set(names).size).toBe(20);
    expect(names.every((name) => /^[\w-]{32}$/.test(name))).toBe(true);
  });

  it("denies access to the runs of another user's channel by its name", async () => {
    await server.close();
    await start({ PLAYGROUND_PASSWORD: password });
    const client = connectClient({ cookie: await logIn() });
    const name = await startRun(client);
    const otherClient = connectClient(
      { cookie: await logIn() },
      { channel: name, runs: [{ run: 1, frames: 2, taken: 0 }] },
    );
    expect(await otherClient.getName()).not.toBe(name);
    expect(getOwnProperty(otherClient.receivedFrames[0], 'runs')).toEqual([]);
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('ends the channel and its runs on logout, so that its name becomes useless', async () => {
    await server.close();
    await start({ PLAYGROUND_PASSWORD: password });
    const cookie = await logIn();
    const client = connectClient({ cookie });
    const name = await startRun(client);
    const otherClient = connectClient({ cookie: await logIn() });
    await otherClient.getName();
    expect((await server.post('/playground/logout', {})).status, 'without a session cookie').toBe(200);
    expect((await server.get('/playground/logout', { cookie })).status).toBe(405);
    client.socket.ping();
    await new Promise((resolve) => client.socket.once('pong', resolve));
    expect(client.socket.readyState, 'a GET does not log out').toBe(WebSocket.OPEN);
    expect((await server.post('/playground/logout', {}, { headers: { cookie } })).status).toBe(200);
    expect(await client.closeCode).toBe(4000);
    await gateway.posts[0]?.disconnection;
    const newClient = connectClient({ cookie }, { channel: name, runs: [] });
    expect(await newClient.getName()).not.toBe(name);
    expect(otherClient.socket.readyState).toBe(WebSocket.OPEN);
  });
});

describe('invalid frame', () => {
  const invalidFrames: [string, unknown][] = [
    ['that is not JSON', 'rubbish'],
    ['without a known field', { run: 1 }],
    ['with an extra field', { run: 1, stop: true, more: 1 }],
    ['with a __proto__ field', '{"run":1,"__proto__":{"stop":true}}'],
    ['that is a list', []],
    ['with a negative run number', { run: -1, stop: true }],
    ['with a fractional run number', { run: 1.5, stop: true }],
    ['that starts the channel again', { runs: [] }],
    ['with another proxy path', { run: 2, ...chatFrame, path: '/v1/models', bytes: 0 }],
    ['with the path of the login', { run: 2, ...chatFrame, path: '/../../playground/login', bytes: 0 }],
    ['with the URL of another host', { run: 2, ...chatFrame, path: 'http://evil.example/', bytes: 0 }],
    ['with a header inside a header value', { run: 2, ...chatFrame, accept: 'a\r\nhost: evil', bytes: 0 }],
    ['with a line break in its request ID', { run: 2, ...chatFrame, requestId: 'a\nb', bytes: 0 }],
    ['with the number of an earlier run', { run: 1, ...chatFrame, bytes: 0 }],
    ['that acknowledges more than was sent', { run: 1, taken: 1e6 }],
    ['that is too large', 'x'.repeat(100_000)],
  ];
  it.each(invalidFrames)('ends the channel and its runs after a frame %s', async (_what, frame) => {
    const client = connectClient();
    await startRun(client);
    client.sendFrame(frame);
    expect([1008, 1009, 1006]).toContain(await client.closeCode);
    await gateway.posts[0]?.disconnection;
    expect(gateway.posts).toHaveLength(1);
  });

  it('ends the channel after a frame that is too short or has more bytes than announced', async () => {
    const client = connectClient();
    await client.getName();
    client.socket.send(Buffer.from('short'));
    expect(await client.closeCode).toBe(1008);
    const otherClient = connectClient();
    await startRun(otherClient);
    otherClient.socket.send(encodeBytesFrame(1, 0, Buffer.from('more')));
    expect(await otherClient.closeCode).toBe(1008);
  });

  it('ends the channel after one run too many', async () => {
    const client = connectClient();
    await client.getName();
    for (let run = 1; run <= 65; run += 1) client.sendFrame({ run, ...chatFrame, bytes: 1 });
    expect(await client.closeCode).toBe(1008);
    expect(gateway.posts).toHaveLength(0);
  });

  it('ends the channel if the first frame is not a hello frame', async () => {
    expect(await connectClient({}, { run: 1, stop: true }).closeCode).toBe(4000);
  });

  it('ends the channel if a reconnecting page claims frames that were never sent', async () => {
    const client = connectClient();
    const name = await startRun(client);
    const newClient = connectClient({}, { channel: name, runs: [{ run: 1, frames: 99, taken: 0 }] });
    expect(await newClient.closeCode).toBe(4000);
    await gateway.posts[0]?.disconnection;
  });
});

describe('misbehaving page', () => {
  it('ignores run numbers that belong to another page', async () => {
    const client = connectClient();
    await startRun(client);
    const otherClient = connectClient();
    await otherClient.getName();
    otherClient.sendFrame({ run: 1, stop: true });
    otherClient.sendFrame({ run: 1, taken: 5 });
    otherClient.socket.send(encodeBytesFrame(1, 0, Buffer.from('{}')));
    otherClient.socket.ping();
    await new Promise((resolve) => otherClient.socket.once('pong', resolve));
    expect([client.socket.readyState, otherClient.socket.readyState]).toEqual([
      WebSocket.OPEN,
      WebSocket.OPEN,
    ]);
    expect(client.receivedFrames).toHaveLength(3);
  });

  it('disconnects a page that consumes nothing for as long as the gateway may be silent', async () => {
    await server.close();
    await start({ GATEWAY_IDLE_TIMEOUT_MS: '300' });
    gateway.setChatScript((answer) => answer.sendText('x'.repeat(200_000)));
    const client = connectClient();
    await startRun(client);
    await gateway.posts[0]?.disconnection;
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });
});

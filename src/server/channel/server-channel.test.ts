import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  createChannelClient,
  type ChannelClient,
  type ChannelRequest,
} from '../../gateway/channel/channel-client.ts';
import { createGate } from '../../testing/builders.ts';
import { canaryKey } from '../../testing/canary-key.ts';
import { createChannelSockets, type ChannelSockets } from '../../testing/channel-sockets.ts';
import { startScriptedGateway, type ScriptedGateway } from '../../testing/scripted-gateway.ts';
import { waitUntil } from '../../testing/wait-until.ts';
import { startTestPlayground, type TestPlayground } from '../testing/test-playground.ts';

let gateway: ScriptedGateway;
let server: TestPlayground;
let sockets: ChannelSockets;
let channel: ChannelClient;

async function start(settings: Record<string, string> = {}): Promise<void> {
  server = await startTestPlayground({
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: canaryKey,
    GATEWAY_RPM: '0',
    ...settings,
  });
  sockets = createChannelSockets(server.origin);
  channel = createChannelClient({ openSocket: sockets.open, now: () => performance.now() });
}

beforeEach(async () => {
  gateway = await startScriptedGateway();
  await start();
});

afterEach(async () => {
  channel.closeAll();
  await server.close();
  await gateway.close();
});

async function sendRequest(body: object = {}, overrides: Partial<ChannelRequest> = {}) {
  expect(await channel.ensureConnected()).toBe(true);
  return channel.send({
    path: '/v1/chat/completions',
    accept: 'text/event-stream',
    requestId: 'from-the-page',
    body: JSON.stringify({ model: 'north/one', ...body }),
    signal: new AbortController().signal,
    ...overrides,
  });
}

describe('request over the channel', () => {
  it('returns status, headers and body like a POST, with the key added but never exposed', async () => {
    gateway.setChatScript((answer) =>
      answer.sendJson(418, { said: `key ${canaryKey}` }, { 'x-ratelimit-limit': '9' }),
    );
    const body = { messages: [{ role: 'user', content: 'Grüße' }] };
    const response = await sendRequest(body);
    const directResponse = await server.post('/gateway/v1/chat/completions', { model: 'north/one', ...body });
    expect(response.status).toBe(418);
    const filterHeaders = (headers: Headers) =>
      [...headers].filter(
        ([name]) => !['date', 'x-request-id', 'connection', 'keep-alive', 'transfer-encoding'].includes(name),
      );
    expect(filterHeaders(response.headers).filter(([name]) => name !== 'x-gateway-headers')).toEqual(
      filterHeaders(directResponse.headers).filter(([name]) => name !== 'x-gateway-headers'),
    );
    const text = await response.text();
    expect(text).toBe(await directResponse.text());
    expect(text).toContain('[redacted]');
    expect(gateway.posts[0]?.body).toEqual(gateway.posts[1]?.body);
    expect(gateway.posts[0]?.headers).toMatchObject({
      authorization: `Bearer ${canaryKey}`,
      'x-request-id': 'from-the-page',
    });
  });

  it('streams each piece immediately with its server arrival time', async () => {
    const { opened, open } = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('First');
      await opened;
      answer.sendAnswer(' and last');
    });
    const response = await sendRequest();
    const reader = response.body?.getReader();
    const firstRead = await reader?.read();
    expect(Buffer.from(firstRead?.value ?? []).toString()).toContain('First');
    const firstAt = response.serverAt();
    expect(firstAt).toBeGreaterThan(0);
    open();
    for (let isDone = false; !isDone;) isDone = (await reader?.read())?.done ?? true;
    expect(response.serverAt()).toBeGreaterThanOrEqual(firstAt);
  });

  it('handles concurrent requests without waiting for slow ones', async () => {
    const { opened, open } = createGate();
    gateway.setChatScript(async (answer, { body }) => {
      if (body['slow'] === true) await opened;
      answer.sendAnswer('x'.repeat(300_000));
    });
    // Responses that are never read.
    const unreadResponses = await Promise.all(Array.from({ length: 20 }, () => sendRequest()));
    const slowRequests = Array.from({ length: 20 }, () => sendRequest({ slow: true }));
    const quickResponses = await Promise.all(Array.from({ length: 20 }, () => sendRequest()));
    const texts = await Promise.all(quickResponses.map((response) => response.text()));
    expect(texts.every((text) => text.length > 300_000)).toBe(true);
    open();
    for (const response of [...unreadResponses, ...(await Promise.all(slowRequests))])
      expect((await response.text()).length).toBeGreaterThan(300_000);
  });

  it('transfers a large body completely and rejects a body that is too large', async () => {
    gateway.setChatScript((answer) => answer.sendJson(200, {}));
    const largeText = 'a'.repeat(6_000_000);
    expect((await sendRequest({ large: largeText })).status).toBe(200);
    expect(gateway.posts[0]?.body['large'] === largeText).toBe(true);
    const rejected = await sendRequest({ large: 'a'.repeat(21_000_000) });
    expect(rejected.status).toBe(413);
    expect(await rejected.text()).toContain('request_too_large');
    expect(gateway.posts).toHaveLength(1);
  });

  it('stops the request at the gateway when its signal aborts', async () => {
    gateway.setChatScript((answer) => answer.sendText('First'));
    const stop = new AbortController();
    const response = await sendRequest({}, { signal: stop.signal });
    const text = response.text();
    stop.abort(new Error('stopped'));
    await expect(text).rejects.toThrow('network error');
    await gateway.posts[0]?.disconnection;
    const earlyStop = new AbortController();
    gateway.setChatScript(() => undefined);
    const unanswered = sendRequest({}, { signal: earlyStop.signal });
    await waitUntil(() => gateway.posts.length === 2);
    earlyStop.abort(new Error('stopped early'));
    await expect(unanswered).rejects.toThrow('stopped early');
    await gateway.posts[1]?.disconnection;
  });

  it('breaks off after all earlier data if the gateway breaks off', async () => {
    gateway.setChatScript(async (answer) => {
      answer.sendText('First');
      await new Promise(setImmediate);
      answer.breakConnection();
    });
    const reader = (await sendRequest()).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('First');
    await expect(reader?.read()).rejects.toThrow(TypeError);
  });

  it('shares the limit per minute between channel requests and POSTs', async () => {
    await server.close();
    await start({ GATEWAY_RPM: '2' });
    gateway.setChatScript((answer) => answer.sendJson(200, {}));
    await server.post('/gateway/v1/chat/completions', {});
    expect((await sendRequest()).status).toBe(200);
    const thirdResponse = await sendRequest();
    expect(thirdResponse.status).toBe(429);
    expect(thirdResponse.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  it('writes one log line per channel request, without content', async () => {
    gateway.setChatScript((answer) => answer.sendJson(200, { said: 'hidden' }));
    await (await sendRequest({ messages: 'secret words' })).text();
    await waitUntil(() => server.log.length === 1);
    expect(server.log[0]).toMatch(
      /^POST \/gateway\/v1\/chat\/completions 200 \d+ ms \d+ bytes id from-the-page channel$/,
    );
  });
});

describe('end of a channel', () => {
  it('ends all runs on a close frame', async () => {
    gateway.setChatScript((answer) => answer.sendText('First'));
    const response = await sendRequest();
    channel.closeAll();
    await gateway.posts[0]?.disconnection;
    await expect(response.text()).rejects.toThrow(TypeError);
  });

  it('resumes without a gap or a repeated request after a broken connection', async () => {
    const { opened, open } = createGate();
    gateway.setChatScript(async (answer) => {
      answer.sendText('First');
      await opened;
      for (let part = 0; part < 500; part += 1) answer.sendText(` part ${part}`);
      answer.sendAnswer(' and last');
    });
    const reader = (await sendRequest()).body?.getReader();
    const parts = [Buffer.from((await reader?.read())?.value ?? []).toString()];
    sockets.breakConnection();
    open();
    for (let result = await reader?.read(); result?.value; result = await reader?.read())
      parts.push(Buffer.from(result.value).toString());
    const text = [...parts.join('').matchAll(/"content":"([^"]*)"/g)].map(([, content]) => content).join('');
    expect(text).toBe(`First${Array.from({ length: 500 }, (_, part) => ` part ${part}`).join('')} and last`);
    expect(gateway.posts).toHaveLength(1);
    expect(sockets.sockets).toHaveLength(2);
  });

  it('fails the runs if the channel no longer exists on the server', async () => {
    gateway.setChatScript((answer) => answer.sendText('First'));
    const response = await sendRequest();
    await server.close();
    const rejection = expect(response.text()).rejects.toThrow(TypeError);
    await gateway.posts[0]?.disconnection;
    await rejection;
    expect(await channel.ensureConnected()).toBe(false);
    await start();
  });

  it('reports an unavailable channel and sends nothing', async () => {
    await server.close();
    expect(await channel.ensureConnected()).toBe(false);
    expect(channel.getState()).toBe('refused');
    await start();
  });

  it('sends only the rest of a large body after a broken connection', async () => {
    gateway.setChatScript((answer, { body }) =>
      answer.sendJson(200, { length: String(body['large']).length }),
    );
    expect(await channel.ensureConnected()).toBe(true);
    const largeText = 'b'.repeat(8_000_000);
    const responsePromise = sendRequest({ large: largeText });
    sockets.breakConnection();
    expect(await (await responsePromise).json()).toEqual({ length: largeText.length });
    expect(gateway.posts).toHaveLength(1);
  });
});

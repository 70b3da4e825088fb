import { expect, it } from 'vitest';

import { createHttp } from '../gateway/http/http.ts';
import { streamChat } from '../gateway/stream/stream-chat.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import { formatWholeResponse } from './testing/raw-gateway.ts';
import { startWithGateway } from './testing/test-playground.ts';
import type { TestPlayground } from './testing/test-playground.ts';

const CHAT_PATH = '/gateway/v1/chat/completions';
const BROWSER_HANDLED_STATUSES = [
  '407 Proxy Authentication Required',
  '408 Request Timeout',
  '421 Misdirected Request',
];

async function startPlaygroundWithStatus(status: string, headers = ''): Promise<TestPlayground> {
  const { playground } = await startWithGateway(({ socket }) => {
    socket.write(
      formatWholeResponse(status, `x-request-id: up-1\r\n${headers}`, `{"error":{"message":"${status}"}}`),
    );
  });
  return playground;
}

/** Sends requests in the same way as the app in a browser. */
function createAppHttp(playground: TestPlayground) {
  return createHttp({
    gatewayBasePath: `${playground.origin}/gateway`,
    monotonicNow: () => performance.now(),
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('origin', playground.origin);
      headers.set('sec-fetch-site', 'same-origin');
      return fetch(input, { ...init, headers });
    },
  });
}

it.each(BROWSER_HANDLED_STATUSES)(
  'sends %s to a browser as 502 with the status in a header, and unchanged to others',
  async (status) => {
    const playground = await startPlaygroundWithStatus(status, 'proxy-authenticate: Basic\r\n');
    const response = await playground.post(CHAT_PATH, {}, { headers: { 'sec-fetch-site': 'same-origin' } });
    const { headers } = response;
    expect([response.status, headers.get('x-gateway-status')]).toEqual([502, status.slice(0, 3)]);
    expect([headers.get('x-request-id'), headers.get('proxy-authenticate')]).toEqual(['up-1', null]);
    expect(headers.get('x-gateway-headers')).toContain('"proxy-authenticate":"Basic"');
    expect(await response.text()).toBe(`{"error":{"message":"${status}"}}`);
  },
);

it.each([...BROWSER_HANDLED_STATUSES, '500 Broken'])(
  'sends %s unchanged to every client other than a browser',
  async (status) => {
    const playground = await startPlaygroundWithStatus(status);
    // Uses a raw socket: like browsers, Node's fetch treats a 407 as a network failure.
    const requestHead = `POST ${CHAT_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${playground.origin}\r\n`;
    const text = await playground.sendRaw(
      `${requestHead}Content-Type: application/json\r\nX-Gateway-Playground: 1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status.slice(0, 3)} `));
    expect(text).not.toContain('x-gateway-status');
  },
);

it.each(['200 OK', '408 Request Timeout', '502 Bad Gateway'])(
  'drops a gateway header named like the status header, with status %s',
  async (status) => {
    const playground = await startPlaygroundWithStatus(status, 'x-gateway-status: 401\r\n');
    for (const extra of [{}, { 'sec-fetch-site': 'same-origin' }]) {
      const { headers } = await playground.post(CHAT_PATH, {}, { headers: { ...extra } });
      expect(JSON.stringify([...headers])).not.toContain('401');
    }
  },
);

it.each([...BROWSER_HANDLED_STATUSES, '500 Broken'])(
  'lets the app read %s as the status sent by the gateway',
  async (status) => {
    const code = Number(status.slice(0, 3));
    const http = createAppHttp(await startPlaygroundWithStatus(status));
    const response = await http.read({ method: 'GET', path: '/v1/models' });
    expect(response).toMatchObject({ status: code, ok: false, isProxied: true });
    expect(response.headers).toEqual({ 'x-request-id': 'up-1' });

    const tape: TapeEntry[] = [];
    const body = { model: 'm', messages: [] };
    for await (const entries of streamChat(http, body, { requestId: 'r-1' })) tape.push(...entries);
    expect(tape[1]).toMatchObject({ status: code, proxied: true, headers: { 'x-request-id': 'up-1' } });
  },
);

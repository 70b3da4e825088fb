import { createServer } from 'node:net';
import type { Server } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { formatChunk, startRawGateway, STREAM_HEAD, formatWholeResponse } from './testing/raw-gateway.ts';
import type { RawGateway } from './testing/raw-gateway.ts';
import { startTestPlayground } from './testing/test-playground.ts';
import type { TestPlayground } from './testing/test-playground.ts';

let gateway: RawGateway;
let playground: TestPlayground;
let canary: Server;
let canaryPort = 0;
let canaryHits = 0;

beforeAll(async () => {
  gateway = await startRawGateway(({ socket, body }) => {
    if (body === '[]') socket.write(STREAM_HEAD + formatChunk('data: 1\n\n'));
    else socket.write(formatWholeResponse('200 OK', '', '{}'));
  });
  playground = await startTestPlayground({ GATEWAY_BASE_URL: gateway.url, GATEWAY_API_KEY: 'fk-0123456789' });
  canary = createServer((socket) => {
    canaryHits += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const address = canary.address();
  canaryPort = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(async () => {
  await playground.close();
  await gateway.close();
  await new Promise((resolve) => canary.close(resolve));
});

beforeEach(() => {
  gateway.requests.length = 0;
});

const CHAT_PATH = '/gateway/v1/chat/completions';
const createPost = (lines: readonly string[], body = '') =>
  [
    `POST ${CHAT_PATH} HTTP/1.1`,
    `Host: 127.0.0.1:${playground.port}`,
    `Origin: ${playground.origin}`,
    'Content-Type: application/json',
    'X-Gateway-Playground: 1',
    ...lines,
    '',
    body,
  ].join('\r\n');

describe('target that points elsewhere', () => {
  /** Targets that Node's parser accepts; paths are tested in guard.test. */
  const createTargets = () => {
    const evil = `127.0.0.1:${canaryPort}`;
    return [
      `http://${evil}/gateway/v1/models`,
      `//${evil}/gateway/v1/models`,
      `\\\\${evil}\\x`,
      `/gateway/@${evil}/v1/models`,
      `/gateway/v1/models?baseUrl=http://${evil}`,
      `/gateway/v1/models%0d%0aHost:%20${evil}`,
      evil,
      '*',
      '/gateway/v1/models\t',
    ];
  };

  it('answers 400 or 404 to a foreign target in any form and opens no connection', async () => {
    const connectionsBefore = gateway.countConnections();
    for (const target of createTargets()) {
      const responseText = await playground.sendRaw(
        `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nConnection: close\r\n\r\n`,
      );
      expect([target, responseText.slice(0, 12)]).toEqual([
        target,
        expect.stringMatching(/^HTTP\/1\.1 40[04]$/),
      ]);
    }
    expect([canaryHits, gateway.requests.length, gateway.countConnections() - connectionsBefore]).toEqual([
      0, 0, 0,
    ]);
  });

  it('ignores gateways named in body fields and headers of a request', async () => {
    const evil = `http://127.0.0.1:${canaryPort}`;
    const body = JSON.stringify({ baseUrl: evil, base_url: evil, url: evil });
    await playground.sendRaw(
      createPost(
        [
          `X-Base-Url: ${evil}`,
          `X-Forwarded-Host: 127.0.0.1:${canaryPort}`,
          `X-Original-URL: ${evil}`,
          `Content-Length: ${body.length}`,
          'Connection: close',
        ],
        body,
      ),
    );
    expect([canaryHits, gateway.requests.length]).toEqual([0, 1]);
  });
});

describe('ambiguous request', () => {
  it.each<[string, () => string]>([
    [
      'a length with a chunked encoding',
      () =>
        createPost(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\nGET /x HTTP/1.1\r\n\r\n'),
    ],
    [
      'two lengths',
      () => createPost(['Content-Length: 2', 'Content-Length: 30'], '{}GET /gateway/v1/models HTTP/1.1\r\n'),
    ],
    ['a list of lengths', () => createPost(['Content-Length: 2, 2'], '{}')],
    [
      'an unknown transfer encoding',
      () => createPost(['Transfer-Encoding: xchunked'], '2\r\n{}\r\n0\r\n\r\n'),
    ],
    [
      'two transfer encodings',
      () => createPost(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], '2\r\n{}\r\n0\r\n\r\n'),
    ],
    ['a space before the colon', () => createPost(['Transfer-Encoding : chunked'], '2\r\n{}\r\n0\r\n\r\n')],
    [
      'a folded header',
      () => createPost(['X-Odd: a', ' Transfer-Encoding: chunked', 'Content-Length: 2'], '{}'),
    ],
    [
      'a bare CR in a header',
      () => createPost(['X-Odd: a\rTransfer-Encoding: chunked', 'Content-Length: 2'], '{}'),
    ],
    ['a NUL in a header', () => createPost(['X-Odd: a\u0000b', 'Content-Length: 2'], '{}')],
    ['an invalid chunk size', () => createPost(['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n')],
    [
      'an upgrade',
      () => createPost(['Connection: upgrade', 'Upgrade: websocket', 'Content-Length: 2'], '{}'),
    ],
    ['an Expect header', () => createPost(['Expect: 100-continue', 'Content-Length: 2'], '{}')],
    ['an unknown expectation', () => createPost(['Expect: 42', 'Content-Length: 2'], '{}')],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000'],
    ['a negative length', () => createPost(['Content-Length: -1'], '{}')],
    ['a hexadecimal length', () => createPost(['Content-Length: 0x2'], '{}')],
    ['a space before the colon of a length', () => createPost(['Content-Length : 2'], '{}')],
    ['a tab after the method', () => createPost(['Content-Length: 2'], '{}').replace(' ', '\t')],
  ])('rejects %s with an API error and forwards nothing', async (_name, bytes) => {
    const responseText = await playground.sendRaw(bytes());
    expect(responseText).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(responseText).toMatch(/\{"error":\{"message":"[^"]+","type":"[a-z_]+","code":"4\d\d"\}\}/);
    expect([gateway.requests.length, canaryHits]).toEqual([0, 0]);
    expect((await playground.get('/playground/status')).status).toBe(200);
  });

  it('drops headers named in Connection and forwards one well-formed request', async () => {
    await playground.sendRaw(
      createPost(
        [
          'Connection: close, X-Request-ID, Authorization',
          'Keep-Alive: timeout=9',
          'TE: trailers',
          'Trailer: X-Odd',
          'Proxy-Authorization: x',
          'Transfer-Encoding: chunked',
        ],
        '2\r\n{}\r\n0\r\nX-Odd: 1\r\n\r\n',
      ),
    );
    expect(gateway.requests).toHaveLength(1);
    expect(gateway.requests[0]?.head).toMatch(/^POST \/v1\/chat\/completions HTTP\/1\.1\r\n/);
    expect(gateway.requests[0]?.head).not.toMatch(/trailer|proxy-auth|^te:|x-odd|transfer-encoding/im);
    expect(gateway.requests[0]?.body).toBe('{}');
  });
});

describe('connection with several requests', () => {
  const createValidRequest = () => createPost(['Content-Length: 2'], '{}');
  const createForeignRequest = () => 'GET /gateway/v1/models HTTP/1.1\r\nHost: evil.example\r\n\r\n';

  it.each([
    ['another Host', createForeignRequest],
    ['a second Host', () => createPost(['Host: evil.example', 'Content-Length: 2'], '{}')],
    ['a missing Host', () => 'GET /gateway/v1/models HTTP/1.1\r\n\r\n'],
    ['another Origin', () => createValidRequest().replace(/Origin: [^\r]*/, 'Origin: http://evil.example')],
  ])('ignores requests after one that is rejected for %s', async (_name, bytes) => {
    const responseText = await playground.sendRaw(bytes() + createValidRequest() + createValidRequest());
    expect(responseText.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(gateway.requests).toHaveLength(0);
  });

  it('sends no second response inside the first if invalid bytes follow', async () => {
    const socket = await playground.open();
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (received.includes('data: 1')) socket.write('rubbish\r\n\r\n');
    });
    const connectionEnd = new Promise((resolve) => socket.once('close', resolve));
    socket.write(createPost(['Content-Length: 2'], '[]'));
    await connectionEnd;
    expect(received.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200']);
  });
});

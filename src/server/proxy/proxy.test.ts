import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';

import { demoBaseUrl } from '../../lib/channel-frames.ts';
import { isRecord, parseJson, getStringProperty } from '../../lib/json.ts';
import { canaryKey } from '../../testing/canary-key.ts';
import { createRateLimit } from '../guard/rate-limit.ts';
import { startRawGateway, formatWholeResponse } from '../testing/raw-gateway.ts';
import type { RawGatewayRequest } from '../testing/raw-gateway.ts';
import { startTestPlayground, startWithGateway } from '../testing/test-playground.ts';
import type { TestPlayground } from '../testing/test-playground.ts';
import type { WebHandler } from '../web-handler.ts';
import { createApiPath } from './api-path.ts';
import { createProxy, createProxyCapacity } from './proxy.ts';
import { createRedaction } from './redaction.ts';

const CHAT_PATH = '/gateway/v1/chat/completions';
const OTHER_SECRET = { GATEWAY_EXTRA_HEADERS: '{"x-other-key":"other-secret-9"}' };

function respondWithJson(request: RawGatewayRequest): void {
  request.socket.write(formatWholeResponse('200 OK', 'content-type: application/json\r\n', '{"ok":true}'));
}

function computeGatewayId(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

/** Wraps expect's own matcher, whose type is any. */
function createTextMatcher(part: string): unknown {
  return expect.stringContaining(part);
}

async function readError(response: Response): Promise<unknown> {
  const parsed = parseJson(await response.text());
  return parsed.ok && isRecord(parsed.value) ? parsed.value['error'] : undefined;
}

function parseHeaders(head: string): Map<string, string> {
  return new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
}

describe('request to the gateway', () => {
  it('sends the gateway the exact body and the key, and only a request ID from the client', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson, {
      GATEWAY_EXTRA_HEADERS: '{"X-Team":"blue"}',
    });
    const body = '{"model":"m",  "messages":[{"role":"user","content":"é \\u0000 👩‍👩‍👧"}]}';
    const response = await playground.post(CHAT_PATH, body, {
      headers: {
        authorization: 'Bearer mine',
        cookie: 'a=b',
        'x-api-key': 'mine',
        'x-forwarded-for': '1.2.3.4',
        'x-request-id': 'mine.1',
        referer: `${playground.origin}/s/secret`,
        'accept-language': 'tlh',
      },
    });
    expect(await response.text()).toBe('{"ok":true}');
    const [request] = gateway.requests;
    expect(request?.head.split('\r\n')[0]).toBe('POST /v1/chat/completions HTTP/1.1');
    expect(Buffer.from(request?.body ?? '', 'latin1').toString()).toBe(body);
    const headers = parseHeaders(request?.head ?? '');
    expect(Object.fromEntries(headers)).toEqual({
      host: `127.0.0.1:${gateway.port}`,
      connection: 'keep-alive',
      accept: '*/*',
      'accept-encoding': 'identity',
      authorization: `Bearer ${canaryKey}`,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'bench',
      'x-request-id': 'mine.1',
      'x-team': 'blue',
    });
  });

  it.each([
    ['GET', '/gateway/v1/models', 'GET /v1/models HTTP/1.1'],
    ['GET', '/gateway/healthz', 'GET /healthz HTTP/1.1'],
    ['POST', '/gateway/v1/embeddings', 'POST /v1/embeddings HTTP/1.1'],
  ])('forwards %s %s as %s', async (method, path, line) => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    const response = method === 'GET' ? await playground.get(path) : await playground.post(path, {});
    expect(response.status).toBe(200);
    const head = gateway.requests[0]?.head ?? '';
    expect(head.split('\r\n')[0]).toBe(line);
    expect(parseHeaders(head).get('content-type')).toBe(method === 'GET' ? undefined : 'application/json');
  });

  it('forwards only a valid Accept header, and sends the configured user agent', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson, {
      GATEWAY_EXTRA_HEADERS: '{"User-Agent":"team blue"}',
    });
    for (const accept of ['text/x', 'x'.repeat(256), 'x'.repeat(257), 'é'])
      await playground.get('/gateway/v1/models', { accept });
    await playground.sendRaw(
      `GET /gateway/v1/models HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nConnection: close\r\n\r\n`,
    );
    const heads = gateway.requests.map(({ head }) => parseHeaders(head));
    expect(heads.map((head) => head.get('accept'))).toEqual(['text/x', 'x'.repeat(256), '*/*', '*/*', '*/*']);
    expect(new Set(heads.map((head) => head.get('user-agent')))).toEqual(new Set(['team blue']));
  });

  it('sends no Authorization header if no key is configured', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson, { GATEWAY_API_KEY: '' });
    await playground.get('/gateway/v1/models', { authorization: 'Bearer mine' });
    expect(gateway.requests[0]?.head).not.toMatch(/authorization/i);
  });

  it("creates a new request ID if the client's is unsafe to log", async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    const head = `POST ${CHAT_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${playground.origin}\r\nContent-Type: application/json\r\nX-Gateway-Playground: 1\r\n`;
    for (const requestId of ['a b', 'é', 'x'.repeat(129), 'a"b', '<script>']) {
      await playground.sendRaw(
        `${head}X-Request-ID: ${requestId}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
      );
      const sentId = parseHeaders(gateway.requests.at(-1)?.head ?? '').get('x-request-id') ?? '';
      expect(sentId, requestId).toMatch(/^id-\d+$/);
      await expect.poll(() => playground.log.join('\n')).toContain(`id ${sentId}`);
    }
  });

  it('sends nothing to the gateway for any other path', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    const paths = [
      '/gateway/',
      '/gateway',
      '/gateway/v1',
      '/gateway/v1/models/',
      '/gateway/v1/models?x=1',
      '/gateway//v1/models',
      '/gateway/v1/files',
      '/gateway/v1/chat/completions/x',
      '/gateway/v1/models@127.0.0.1:1',
      '/gateway/v1/models;x=1',
      '/gateway/http://127.0.0.1:1/',
      '/gateway/V1/models',
      '/gateway/v1/m%6fdels',
      '/playground/',
      '/playground/x',
      '/playground/login',
    ];
    for (const path of paths) {
      const response = await playground.get(path);
      expect([path, response.status, await readError(response)]).toMatchObject([
        path,
        404,
        { type: 'not_found', code: '404' },
      ]);
    }
    expect((await playground.get(CHAT_PATH)).status).toBe(405);
    expect((await playground.post('/gateway/v1/models', {})).status).toBe(405);
    expect(gateway.countConnections()).toBe(0);
  });
});

describe('response to the client', () => {
  it.each([418, 599])('forwards the status, body and content type unchanged: %i', async (status) => {
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(
        formatWholeResponse(`${status} Odd`, 'content-type: text/plain;charset=odd\r\n', 'not json'),
      );
    });
    const response = await playground.post(CHAT_PATH, {});
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      status,
      'text/plain;charset=odd',
      'not json',
    ]);
  });

  it('forwards no header that browsers interpret, and packs all except cookies into one JSON value', async () => {
    const hostileHeaders = [
      'Set-Cookie: a=b',
      'Set-Cookie: c=d',
      'Set-Cookie2: a=b',
      'Clear-Site-Data: "*"',
      'Strict-Transport-Security: max-age=1',
      'Refresh: 0;url=http://evil.example',
      'Link: </x>; rel=preload',
      'Content-Security-Policy: default-src *',
      'Alt-Svc: h3=":443"',
      'NEL: {}',
      'Report-To: {}',
      'Access-Control-Allow-Origin: *',
      'WWW-Authenticate: Basic',
      'Location: http://evil.example',
      'Service-Worker-Allowed: /',
      'Content-Disposition: inline',
      'X-Frame-Options: ALLOWALL',
      'Cache-Control: public, max-age=99',
    ];
    const allowedHeaders = [
      'X-Request-ID: up-1',
      'Retry-After: 20',
      'retry-after-ms: 1500',
      'X-RateLimit-Remaining-Requests: 7',
      'Server: odd "é"',
      'CF-Ray: 1-FRA',
      `X-Debug: Bearer ${canaryKey}`,
    ];
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(
        Buffer.from(
          formatWholeResponse('200 OK', [...hostileHeaders, ...allowedHeaders, ''].join('\r\n'), '{}'),
          'utf8',
        ),
      );
    });
    const response = await playground.post(CHAT_PATH, {});
    const responseHeaders = Object.fromEntries(response.headers);
    expect(responseHeaders).toMatchObject({
      'x-request-id': 'up-1',
      'retry-after': '20',
      'retry-after-ms': '1500',
      'x-ratelimit-remaining-requests': '7',
    });
    expect(Object.keys(responseHeaders).toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-security-policy',
      'cross-origin-resource-policy',
      'date',
      'keep-alive',
      'referrer-policy',
      'retry-after',
      'retry-after-ms',
      'transfer-encoding',
      'x-accel-buffering',
      'x-content-type-options',
      'x-gateway-headers',
      'x-ratelimit-remaining-requests',
      'x-request-id',
    ]);
    expect(responseHeaders['cache-control']).toBe('no-store, no-transform');
    const packedHeaders = parseJson(responseHeaders['x-gateway-headers'] ?? '');
    expect(packedHeaders).toMatchObject({
      ok: true,
      value: {
        'cf-ray': '1-FRA',
        'x-debug': 'Bearer [redacted]',
        server: createTextMatcher('odd'),
        'content-security-policy': 'default-src *',
        link: '</x>; rel=preload',
        'www-authenticate': 'Basic',
      },
    });
    expect(JSON.stringify(packedHeaders)).not.toMatch(/cookie|a=b/i);
  });

  it('never exposes the key, wherever the gateway repeats it and however it is split', async () => {
    const { playground } = await startWithGateway(({ socket }) => {
      const early = `HTTP/1.1 103 Hints\r\nx-early: ${canaryKey}\r\n\r\n`;
      const names = `x-${canaryKey}: 1\r\nx-ratelimit-${canaryKey}: 1\r\nx-other-secret-9-a: 1\r\nx-harmless: 1\r\n`;
      const head = `${early}HTTP/1.1 401 ${canaryKey}\r\ncontent-type: application/json; k=${canaryKey}\r\nx-request-id: ${canaryKey}\r\nretry-after: ${canaryKey}\r\nx-ratelimit-a: ${canaryKey}\r\nx-odd: ${canaryKey}\r\n${names}`;
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      const body = `{"error":{"message":"Incorrect API key provided: ${canaryKey}. Bearer ${canaryKey}","type":"invalid_api_key","code":"401"}}`;
      let offset = 0;
      const sendNext = () => {
        if (offset < body.length)
          socket.write(`1\r\n${body.charAt(offset++)}\r\n`, () => setImmediate(sendNext));
        else socket.write('0\r\n\r\n');
      };
      sendNext();
    }, OTHER_SECRET);
    const response = await playground.post(CHAT_PATH, {});
    const head = response.statusText + JSON.stringify([...response.headers]);
    const text = head + (await response.text());
    expect(text).toContain('Incorrect API key provided: [redacted]. Bearer [redacted]');
    expect(text).toContain('x-harmless');
    expect(text + playground.log.join('\n')).not.toMatch(/fk-canary|other-secret/);
  });

  it.each([
    ['in plain text', 'Key-Secret-123', 'https://Key-Secret-123.example.com/x'],
    ['with percent escapes', 'Key-Secret-123', 'https://key%2dsecret%2D123.example.com/x'],
  ])('redacts a key in the host of a redirect %s', async (_name, key, location) => {
    const { playground } = await startWithGateway(
      ({ socket }) => {
        socket.write(formatWholeResponse('302 Found', `location: ${location}\r\n`, ''));
      },
      { GATEWAY_API_KEY: key },
    );
    const text = await (await playground.post(CHAT_PATH, {})).text();
    expect(text).toContain('redirected to [redacted].example.com.');
    expect(text.toLowerCase()).not.toContain('secret');
  });

  it('redacts a content encoding that contains the key', async () => {
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(
        formatWholeResponse('200 OK', `content-encoding: a-long-encoding-${canaryKey}\r\n`, '\0\0'),
      );
    });
    const text = await (await playground.post(CHAT_PATH, {})).text();
    expect(text).toContain('[redacted]');
    expect(text).not.toContain('canary');
  });

  it('redacts anything that looks like a key in an error, but not in a successful answer', async () => {
    const text = '{"message":"the key fk-another-0123456789"}';
    for (const [status, expectedBody] of [
      ['400 No', '{"message":"the key [redacted]"}'],
      ['200 OK', text],
    ] as const) {
      const { playground } = await startWithGateway(({ socket }) => {
        socket.write(formatWholeResponse(status, '', text));
      });
      expect(await (await playground.post(CHAT_PATH, {})).text()).toBe(expectedBody);
    }
  });

  it('never sends a CORS grant, for any route or method', async () => {
    const { playground } = await startWithGateway(respondWithJson);
    for (const path of ['/', CHAT_PATH, '/gateway/v1/models', '/playground/status', '/x']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const rawResponse = await playground.sendRaw(
          `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${playground.origin}\r\nConnection: close\r\n\r\n`,
        );
        expect(rawResponse).toMatch(method === 'OPTIONS' ? /^HTTP\/1\.1 405 / : /^HTTP\/1\.1 \d{3} /);
        expect(rawResponse).not.toMatch(/access-control-/i);
      }
    }
  });
});

describe('failure at the gateway', () => {
  it('reports a redirect and does not follow it', async () => {
    const canary = await startRawGateway(respondWithJson);
    onTestFinished(canary.close);
    const statuses = ['301 Moved', '302 Found', '303 Other', '307 Temporary', '308 Permanent'];
    const { playground } = await startWithGateway(({ socket }) => {
      const location = `location: http://127.0.0.1:${canary.port}/steal\r\n`;
      socket.write(formatWholeResponse(statuses.shift() ?? '', location, ''));
    });
    while (statuses.length > 0) {
      const response = await playground.post(CHAT_PATH, {});
      expect([response.status, response.headers.get('location')]).toEqual([502, null]);
      expect(await readError(response)).toMatchObject({
        type: 'gateway_redirected',
        code: '502',
        message: createTextMatcher(`redirected to 127.0.0.1:${canary.port}`),
      });
    }
    expect(canary.countConnections()).toBe(0);
  });

  it('answers 502 with the host name if nothing accepts connections', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    await gateway.close();
    const response = await playground.post(CHAT_PATH, {});
    expect(response.status).toBe(502);
    expect(await readError(response)).toMatchObject({
      type: 'gateway_unreachable',
      code: '502',
      message: createTextMatcher(`127.0.0.1:${gateway.port}`),
    });
    expect(response.headers.get('x-request-id')).toMatch(/^id-/);
  });

  it('answers 502 for a host name that does not exist', async () => {
    const playground = await startTestPlayground({ GATEWAY_BASE_URL: 'http://no-such-host.invalid' });
    onTestFinished(playground.close);
    expect(await readError(await playground.get('/gateway/v1/models'))).toMatchObject({
      type: 'gateway_unreachable',
      message: createTextMatcher('no-such-host.invalid'),
    });
  });

  it('answers 504 if the headers never arrive', async () => {
    const { playground } = await startWithGateway(() => undefined, { GATEWAY_HEADERS_TIMEOUT_MS: '10' });
    const response = await playground.post(CHAT_PATH, {});
    expect([response.status, await readError(response)]).toMatchObject([
      504,
      { type: 'gateway_timeout', code: '504' },
    ]);
  });

  it.each([204, 205, 304])('forwards a %d response without a body', async (status) => {
    const { playground } = await startWithGateway(({ socket }) => {
      socket.write(`HTTP/1.1 ${status} X\r\nx-request-id: up-2\r\n\r\n`);
    });
    const response = await playground.post(CHAT_PATH, {});
    expect([response.status, response.headers.get('x-request-id'), await response.text()]).toEqual([
      status,
      'up-2',
      '',
    ]);
  });

  it('answers 502 without resending the POST if the connection closes immediately', async () => {
    const { gateway, playground } = await startWithGateway(({ socket }) => {
      socket.destroy();
    });
    const response = await playground.post(CHAT_PATH, {});
    expect([response.status, await readError(response)]).toMatchObject([
      502,
      { type: 'gateway_unreachable' },
    ]);
    expect(gateway.requests).toHaveLength(1);
  });
});

/** Uploads all 40 MB before reading: a connection closed immediately would be reset, and the response lost. */
async function fetchUploadResponse(playground: TestPlayground, origin: string): Promise<string> {
  const socket = await playground.open();
  socket.on('error', () => undefined);
  socket.write(
    `POST ${CHAT_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nX-Gateway-Playground: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  const megabyte = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
  for (let count = 0; count < 40; count += 1)
    await new Promise<void>((resolve) => socket.write(megabyte, () => resolve()));
  const received: string[] = [];
  socket.on('data', (data) => received.push(data.toString('latin1')));
  await expect.poll(() => received.join('')).toMatch(/^HTTP/);
  socket.destroy();
  return received.join('');
}

describe('proxy limits', () => {
  it('answers 429 with Retry-After above the rate limit and forwards nothing', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson, { GATEWAY_RPM: '2' });
    expect((await playground.post(CHAT_PATH, {})).status).toBe(200);
    expect((await playground.post('/gateway/v1/embeddings', {})).status).toBe(200);
    const lastResponse = await playground.post(CHAT_PATH, {});
    expect(lastResponse.status).toBe(429);
    expect(gateway.requests).toHaveLength(2);
    expect(Number(lastResponse.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(lastResponse.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await readError(lastResponse)).toMatchObject({ type: 'rate_limit_exceeded', code: '429' });
    expect((await playground.get('/gateway/v1/models')).status).toBe(200);
  });

  it('answers 413 for a body over 20 MB, announced or chunked, and forwards none of it', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    const largeResponse = await playground.post(CHAT_PATH, `"${'x'.repeat(21 * 1024 * 1024)}"`);
    expect([largeResponse.status, await readError(largeResponse)]).toMatchObject([
      413,
      { type: 'request_too_large', code: '413' },
    ]);
    expect(await fetchUploadResponse(playground, playground.origin)).toMatch(/^HTTP\/1\.1 413 /);
    expect(gateway.countConnections()).toBe(0);
  });

  it('answers an upload that is still arriving if the guard rejects it', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    const responseText = await fetchUploadResponse(playground, 'http://elsewhere.example');
    expect(responseText).toMatch(/^HTTP\/1\.1 403 /);
    expect(gateway.countConnections()).toBe(0);
  });
});

describe('GET /playground/status', () => {
  it('accepts only GET without a query for the status', async () => {
    const playground = await startTestPlayground();
    onTestFinished(playground.close);
    const postResponse = await playground.post('/playground/status', {});
    expect([postResponse.status, postResponse.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await playground.get('/playground/status?x=1')).status).toBe(404);
  });

  it('reports everything that the app needs, but never the key', async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson, { GATEWAY_RPM: '7' });
    const text = await (await playground.get('/playground/status')).text();
    const host = `127.0.0.1:${gateway.port}`;
    const common = {
      id: computeGatewayId(`http://${host}`),
      host,
      address: `http://${host}/v1`,
      demo: false,
      keyConfigured: true,
      requestsPerMinute: 7,
      prices: [],
    };
    expect(JSON.parse(text)).toEqual({
      ...common,
      name: host,
      version: '0.0.0',
      gateways: [{ ...common, name: 'default', label: host }],
    });
    expect(text).not.toContain(canaryKey.slice(0, 8));
  });

  it("reports the same ID for all notations of a gateway's URL", async () => {
    const { gateway, playground } = await startWithGateway(respondWithJson);
    const otherPlayground = await startTestPlayground({ GATEWAY_BASE_URL: `${gateway.url}/v1/` });
    onTestFinished(otherPlayground.close);
    const ids = await Promise.all(
      [playground, otherPlayground].map(async (server) => {
        const status = parseJson(await (await server.get('/playground/status')).text());
        return status.ok && getStringProperty(status.value, 'id');
      }),
    );
    expect(ids).toEqual([computeGatewayId(gateway.url), computeGatewayId(gateway.url)]);
  });

  it('reports in the status that no key is configured', async () => {
    const { playground } = await startWithGateway(respondWithJson, { GATEWAY_API_KEY: '' });
    expect(await (await playground.get('/playground/status')).json()).toMatchObject({ keyConfigured: false });
  });

  it('reports the embedded demo gateway, which does not need any settings', async () => {
    const playground = await startTestPlayground();
    onTestFinished(playground.close);
    expect(await (await playground.get('/playground/status')).json()).toMatchObject({
      id: computeGatewayId(demoBaseUrl),
      demo: true,
      keyConfigured: false,
      host: '',
    });
    const models = parseJson(await (await playground.get('/gateway/v1/models')).text());
    expect(models.ok && getStringProperty(models.value, 'object')).toBe('list');
  });
});

it('logs one line per request without any content', async () => {
  const { playground } = await startWithGateway(respondWithJson);
  await (
    await playground.post(CHAT_PATH, '{"messages":"canary-prompt"}', { headers: { 'x-request-id': 'abc' } })
  ).text();
  await expect.poll(() => playground.log).toHaveLength(1);
  expect(playground.log[0]).toMatch(/^POST \/gateway\/v1\/chat\/completions 200 \d+ ms 11 bytes id abc$/);
});

function createTestProxy(upstream: WebHandler, limits: Parameters<typeof createProxyCapacity>[0] = {}) {
  return createProxy({
    upstream,
    gateway: {
      addressVariable: 'GATEWAY_BASE_URL',
      origin: 'http://demo.invalid',
      host: 'demo',
      extraHeaders: [],
    },
    apiPath: createApiPath(['/v1']),
    redaction: createRedaction([]),
    rateLimit: createRateLimit(0, 60_000, () => 0),
    limitVariable: 'GATEWAY_RPM',
    capacity: createProxyCapacity(limits),
    createId: () => 'id-1',
  });
}

function createPost(body: ReadableStream | string, signal?: AbortSignal): Request {
  // The type library lacks `duplex`, which Node requires for a stream body.
  const init = { method: 'POST', body, duplex: 'half', ...(signal && { signal }) };
  return new Request(`http://bench.test${CHAT_PATH}`, init);
}

/** Creates an upload of 80 bytes that stays open until it is ended or aborted. */
function createOpenUpload() {
  let controller: ReadableStreamDefaultController | undefined;
  const body = new ReadableStream({
    start(started) {
      controller = started;
      started.enqueue(new Uint8Array(80));
    },
  });
  return {
    body,
    end: () => controller?.close(),
    breakOff: () => controller?.error(new Error('the client disconnected')),
  };
}

const waitForTurn = () => new Promise((resolve) => setImmediate(resolve));
const createModelsRequest = (signal?: AbortSignal) =>
  new Request('http://bench.test/gateway/v1/models', signal === undefined ? {} : { signal });

describe('concurrent requests in the proxy', () => {
  it('answers 503 beyond the upload limit until another upload ends', async () => {
    const proxy = createTestProxy(async () => Response.json({ ok: true }), { maxUploadBytes: 100 });
    const fetchStatus = async (length: number) => (await proxy(createPost('x'.repeat(length)))).status;
    const openUpload = createOpenUpload();
    const first = proxy(createPost(openUpload.body));
    await waitForTurn();
    const rejected = await proxy(createPost('x'.repeat(30)));
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2']);
    expect(rejected.headers.get('x-request-id')).toBe('id-1');
    expect(await readError(rejected)).toMatchObject({ type: 'too_many_streams', code: '503' });
    openUpload.end();
    expect((await first).status).toBe(200);
    expect([await fetchStatus(30), await fetchStatus(100), await fetchStatus(101)]).toEqual([200, 200, 503]);

    const brokenUpload = createOpenUpload();
    const third = proxy(createPost(brokenUpload.body));
    await waitForTurn();
    expect(await fetchStatus(30)).toBe(503);
    brokenUpload.breakOff();
    await expect(third).rejects.toThrow('the client disconnected');
    expect(await fetchStatus(90)).toBe(200);
  });

  it('answers 503 with Retry-After beyond 1,200 answers until another answer ends', async () => {
    const proxy = createTestProxy(async () => new Response(new ReadableStream()));
    const responses: Response[] = [];
    for (let count = 0; count < 1200; count += 1) responses.push(await proxy(createPost('{}')));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    const rejected = await proxy(createPost('{}'));
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await readError(rejected)).toMatchObject({ type: 'too_many_streams', code: '503' });
    await responses[0]?.body?.cancel();
    expect((await proxy(createPost('{}'))).status).toBe(200);
    expect((await proxy(createPost('{}'))).status).toBe(503);
  });

  it('frees the slot of a client that disconnects during an upload', async () => {
    const proxy = createTestProxy(async () => Response.json({}), { maxStreams: 1 });
    const openUpload = createOpenUpload();
    const upload = proxy(createPost(openUpload.body));
    expect((await proxy(createPost('{}'))).status).toBe(503);
    openUpload.breakOff();
    await expect(upload).rejects.toThrow('the client disconnected');
    expect((await proxy(createPost('{}'))).status).toBe(200);
  });

  it('notifies an in-process gateway of a disconnected client by signal and stream', async () => {
    const abortEvents: string[] = [];
    const proxy = createTestProxy(async ({ signal }) => {
      signal.addEventListener('abort', () => abortEvents.push('signal'));
      if (signal.aborted) abortEvents.push('signal at once');
      return new Response(new ReadableStream({ cancel: () => void abortEvents.push('stream') }));
    });
    await (await proxy(createModelsRequest())).body?.cancel();
    expect(abortEvents.toSorted()).toEqual(['signal', 'stream']);
    await proxy(createModelsRequest(AbortSignal.abort()));
    expect(abortEvents).toContain('signal at once');

    const stop = new AbortController();
    const unanswered = createTestProxy(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    )(createModelsRequest(stop.signal));
    stop.abort();
    await expect(unanswered).rejects.toThrow('stopped');
  });

  it('limits the decompressed size of a whole response, but not of a stream', async () => {
    const fetchFromProxy = (type: string, body: Uint8Array<ArrayBuffer>) =>
      createTestProxy(
        async () => new Response(body, { headers: { 'content-type': type, 'content-encoding': 'gzip' } }),
      )(createModelsRequest());
    const maxBytes = 32 * 1024 * 1024;
    const bomb = gzipSync(Buffer.alloc(maxBytes + 1, 32));
    expect(
      await (await fetchFromProxy('text/plain', gzipSync(Buffer.alloc(maxBytes, 32)))).text(),
    ).toHaveLength(maxBytes);
    await expect((await fetchFromProxy('text/plain', bomb)).text()).rejects.toThrow(
      'larger than this server allows',
    );
    expect(await (await fetchFromProxy('text/event-stream', bomb)).text()).toHaveLength(maxBytes + 1);
  });
});

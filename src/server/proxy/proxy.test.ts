import { createHash } from 'node:crypto';

import { afterEach, describe, expect, it } from 'vitest';

import { demoBaseUrl } from '../../lib/channel/frames.ts';
import { isRecord, parseJson, stringProperty } from '../../lib/json.ts';
import { createRateLimit } from '../guard/rate-limit.ts';
import { scriptedGateway, wholeAnswer } from '../testing/scripted-gateway.ts';
import type { ScriptedGateway, ScriptedRequest } from '../testing/scripted-gateway.ts';
import { servedPlayground } from '../testing/served-playground.ts';
import type { ServedPlayground } from '../testing/served-playground.ts';
import type { WebHandler } from '../web-handler.ts';
import { createApiPath } from './api-path.ts';
import { createProxy } from './proxy.ts';
import { createRedaction } from './redaction.ts';

const KEY = 'fk-canary-0123456789';
const CHAT = '/gateway/v1/chat/completions';
const running: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

async function behind(
  answer: (request: ScriptedRequest) => void,
  settings: Record<string, string> = {},
): Promise<{ gateway: ScriptedGateway; playground: ServedPlayground }> {
  const gateway = await scriptedGateway(answer);
  const playground = await servedPlayground({
    GATEWAY_BASE_URL: gateway.url,
    GATEWAY_API_KEY: KEY,
    ...settings,
  });
  running.push(playground, gateway);
  return { gateway, playground };
}

function answerJson(request: ScriptedRequest): void {
  request.socket.write(wholeAnswer('200 OK', 'content-type: application/json\r\n', '{"ok":true}'));
}

function idFor(baseUrl: string): string {
  return createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
}

/** expect's own matcher is typed any. */
function textWith(part: string): unknown {
  return expect.stringContaining(part);
}

async function errorOf(response: Response): Promise<unknown> {
  const reading = parseJson(await response.text());
  return reading.ok && isRecord(reading.value) ? reading.value['error'] : undefined;
}

function headersOf(head: string): Map<string, string> {
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

describe('what reaches the gateway', () => {
  it('is the body byte for byte, with the key and nothing of the visitor but an id', async () => {
    const { gateway, playground } = await behind(answerJson, { GATEWAY_EXTRA_HEADERS: '{"X-Team":"blue"}' });
    const body = '{"model":"m",  "messages":[{"role":"user","content":"é \\u0000 👩‍👩‍👧"}]}';
    const response = await playground.post(CHAT, body, {
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
    const headers = headersOf(request?.head ?? '');
    expect(Object.fromEntries(headers)).toEqual({
      host: `127.0.0.1:${gateway.port}`,
      connection: 'keep-alive',
      accept: '*/*',
      'accept-encoding': 'identity',
      authorization: `Bearer ${KEY}`,
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
  ])('%s %s becomes %s', async (method, path, line) => {
    const { gateway, playground } = await behind(answerJson);
    const response = method === 'GET' ? await playground.get(path) : await playground.post(path, {});
    expect(response.status).toBe(200);
    const head = gateway.requests[0]?.head ?? '';
    expect(head.split('\r\n')[0]).toBe(line);
    expect(headersOf(head).get('content-type')).toBe(method === 'GET' ? undefined : 'application/json');
  });

  it('accepts what the visitor accepts where that can be said, and has the name that is set for it', async () => {
    const { gateway, playground } = await behind(answerJson, {
      GATEWAY_EXTRA_HEADERS: '{"User-Agent":"team blue"}',
    });
    for (const accept of ['text/x', 'x'.repeat(256), 'x'.repeat(257), 'é'])
      await playground.get('/gateway/v1/models', { accept });
    await playground.raw(
      `GET /gateway/v1/models HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nConnection: close\r\n\r\n`,
    );
    const heads = gateway.requests.map(({ head }) => headersOf(head));
    expect(heads.map((head) => head.get('accept'))).toEqual(['text/x', 'x'.repeat(256), '*/*', '*/*', '*/*']);
    expect(new Set(heads.map((head) => head.get('user-agent')))).toEqual(new Set(['team blue']));
  });

  it('carries no Authorization when no key is configured', async () => {
    const { gateway, playground } = await behind(answerJson, { GATEWAY_API_KEY: '' });
    await playground.get('/gateway/v1/models', { authorization: 'Bearer mine' });
    expect(gateway.requests[0]?.head).not.toMatch(/authorization/i);
  });

  it.each([
    ['a space', 'a b'],
    ['a letter outside ASCII', 'é'],
    ['129 characters', 'x'.repeat(129)],
    ['a quotation mark', 'a"b'],
    ['markup', '<script>'],
  ])('replaces a request id with %s by one that is safe to log', async (_name, given) => {
    const { gateway, playground } = await behind(answerJson);
    const head = `POST ${CHAT} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${playground.origin}\r\nContent-Type: application/json\r\nX-Gateway-Playground: 1\r\n`;
    await playground.raw(`${head}X-Request-ID: ${given}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`);
    const sent = headersOf(gateway.requests[0]?.head ?? '').get('x-request-id') ?? '';
    expect(sent).toMatch(/^id-\d+$/);
    await expect.poll(() => playground.log.join('\n')).toContain(`id ${sent}`);
  });

  it('is nothing at all for any other address', async () => {
    const { gateway, playground } = await behind(answerJson);
    const paths = [
      '/gateway/',
      '/gateway',
      '/gateway/v1',
      '/gateway/v1/models/',
      '/gateway/v1/models?x=1',
      '/gateway//v1/models',
      '/gateway/v1/files',
      '/gateway/v1/chat/completions/x',
      '/playground/',
      '/playground/x',
      '/playground/login',
    ];
    for (const path of paths) {
      const response = await playground.get(path);
      expect([path, response.status, await errorOf(response)]).toMatchObject([
        path,
        404,
        { type: 'not_found', code: '404' },
      ]);
    }
    expect((await playground.get(CHAT)).status).toBe(405);
    expect((await playground.post('/gateway/v1/models', {})).status).toBe(405);
    expect(gateway.connections()).toBe(0);
  });
});

describe('what reaches the visitor', () => {
  it.each([418, 599])('is the status, the body and the content type unchanged: %i', async (status) => {
    const { playground } = await behind(({ socket }) => {
      socket.write(wholeAnswer(`${status} Odd`, 'content-type: text/plain;charset=odd\r\n', 'not json'));
    });
    const response = await playground.post(CHAT, {});
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      status,
      'text/plain;charset=odd',
      'not json',
    ]);
  });

  it('is not a header that a browser obeys; all but cookies come as one JSON value (T28)', async () => {
    const hostile = [
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
    const wanted = [
      'X-Request-ID: up-1',
      'Retry-After: 20',
      'retry-after-ms: 1500',
      'X-RateLimit-Remaining-Requests: 7',
      'Server: odd "é"',
      'CF-Ray: 1-FRA',
      `X-Debug: Bearer ${KEY}`,
    ];
    const { playground } = await behind(({ socket }) => {
      socket.write(
        Buffer.from(wholeAnswer('200 OK', [...hostile, ...wanted, ''].join('\r\n'), '{}'), 'utf8'),
      );
    });
    const response = await playground.post(CHAT, {});
    const real = Object.fromEntries(response.headers);
    expect(real).toMatchObject({
      'x-request-id': 'up-1',
      'retry-after': '20',
      'retry-after-ms': '1500',
      'x-ratelimit-remaining-requests': '7',
    });
    expect(Object.keys(real).toSorted()).toEqual([
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
    expect(real['cache-control']).toBe('no-store, no-transform');
    const others = parseJson(real['x-gateway-headers'] ?? '');
    expect(others).toMatchObject({
      ok: true,
      value: {
        'cf-ray': '1-FRA',
        'x-debug': 'Bearer [redacted]',
        server: textWith('odd'),
        'content-security-policy': 'default-src *',
        link: '</x>; rel=preload',
        'www-authenticate': 'Basic',
      },
    });
    expect(JSON.stringify(others)).not.toMatch(/cookie|a=b/i);
  });

  it('never is the key, wherever the gateway repeats it and however it is cut (T2)', async () => {
    const { playground } = await behind(({ socket }) => {
      const head = `HTTP/1.1 401 No\r\ncontent-type: application/json; k=${KEY}\r\nx-request-id: ${KEY}\r\nretry-after: ${KEY}\r\nx-ratelimit-a: ${KEY}\r\nx-odd: ${KEY}\r\n`;
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
      const body = `{"error":{"message":"Incorrect API key provided: ${KEY}. Bearer ${KEY}","type":"invalid_api_key","code":"401"}}`;
      let at = 0;
      const next = () => {
        if (at < body.length) socket.write(`1\r\n${body.charAt(at++)}\r\n`, () => setImmediate(next));
        else socket.write('0\r\n\r\n');
      };
      next();
    });
    const response = await playground.post(CHAT, {});
    const text = JSON.stringify(Object.fromEntries(response.headers)) + (await response.text());
    expect(text).toContain('Incorrect API key provided: [redacted]. Bearer [redacted]');
    expect(text + playground.log.join('\n')).not.toContain(KEY);
  });

  it.each([400, 401, 500])(
    'shows nothing that looks like a key in an answer with status %d',
    async (status) => {
      const { playground } = await behind(({ socket }) => {
        socket.write(wholeAnswer(`${status} No`, '', '{"message":"the key fk-another-0123456789"}'));
      });
      expect(await (await playground.post(CHAT, {})).text()).toBe('{"message":"the key [redacted]"}');
    },
  );

  it('may speak of keys in an answer that succeeded', async () => {
    const { playground } = await behind(({ socket }) => {
      socket.write(wholeAnswer('200 OK', '', '{"message":"the key fk-another-0123456789"}'));
    });
    expect(await (await playground.post(CHAT, {})).text()).toContain('fk-another-0123456789');
  });

  it('stays small when the gateway sends very many headers', async () => {
    const { playground } = await behind(({ socket }) => {
      const many = Array.from({ length: 60 }, (_, index) => `x-odd-${index}: ${'v'.repeat(200)}\r\n`).join(
        '',
      );
      socket.write(wholeAnswer('200 OK', many, '{}'));
    });
    const response = await playground.post(CHAT, {});
    expect(response.status).toBe(200);
    expect((response.headers.get('x-gateway-headers') ?? '').length).toBeLessThanOrEqual(6 * 1024);
  });

  it('never holds a CORS grant, on no route and no method (T8)', async () => {
    const { playground } = await behind(answerJson);
    for (const path of ['/', CHAT, '/gateway/v1/models', '/playground/status', '/x']) {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const raw = await playground.raw(
          `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${playground.origin}\r\nConnection: close\r\n\r\n`,
        );
        expect(raw).toMatch(method === 'OPTIONS' ? /^HTTP\/1\.1 405 / : /^HTTP\/1\.1 \d{3} /);
        expect(raw).not.toMatch(/access-control-/i);
      }
    }
  });
});

describe('what goes wrong at the gateway', () => {
  it.each(['301 Moved', '302 Found', '303 Other', '307 Temporary', '308 Permanent'])(
    'a %s is not followed, and named (T5)',
    async (status) => {
      const canary = await scriptedGateway(answerJson);
      const { playground } = await behind(({ socket }) => {
        socket.write(wholeAnswer(status, `location: http://127.0.0.1:${canary.port}/steal\r\n`, ''));
      });
      running.push(canary);
      const response = await playground.post(CHAT, {});
      expect([response.status, response.headers.get('location')]).toEqual([502, null]);
      expect(await errorOf(response)).toMatchObject({
        type: 'gateway_redirected',
        code: '502',
        message: textWith(`127.0.0.1:${canary.port}`),
      });
      expect(canary.connections()).toBe(0);
    },
  );

  it('nobody listening is 502 with the host named', async () => {
    const { gateway, playground } = await behind(answerJson);
    await gateway.close();
    const response = await playground.post(CHAT, {});
    expect(response.status).toBe(502);
    expect(await errorOf(response)).toMatchObject({
      type: 'gateway_unreachable',
      code: '502',
      message: textWith(`127.0.0.1:${gateway.port}`),
    });
    expect(response.headers.get('x-request-id')).toMatch(/^id-/);
  });

  it('a name that does not exist is 502', async () => {
    const playground = await servedPlayground({ GATEWAY_BASE_URL: 'http://no-such-host.invalid' });
    running.push(playground);
    expect(await errorOf(await playground.get('/gateway/v1/models'))).toMatchObject({
      type: 'gateway_unreachable',
      message: textWith('no-such-host.invalid'),
    });
  });

  it('headers that never come are 504', async () => {
    const { playground } = await behind(() => undefined, { GATEWAY_HEADERS_TIMEOUT_MS: '10' });
    const response = await playground.post(CHAT, {});
    expect([response.status, await errorOf(response)]).toMatchObject([
      504,
      { type: 'gateway_timeout', code: '504' },
    ]);
  });

  it.each<[string, string]>([
    ['a connection that closes at once', ''],
    ['an answer that is not HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['headers that never end', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['an impossible status', 'HTTP/1.1 999 What\r\ncontent-length: 0\r\n\r\n'],
    [
      'an encoding that nobody asked for',
      'HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 1\r\n\r\n\u0000',
    ],
  ])('%s is 502, and the server goes on', async (_name, bytes) => {
    const { playground } = await behind(({ socket }) => {
      socket.end(bytes);
    });
    const response = await playground.post(CHAT, {});
    expect([response.status, await errorOf(response)]).toMatchObject([502, { type: 'gateway_unreachable' }]);
    expect((await playground.get('/playground/status')).status).toBe(200);
  });

  it.each([204, 205, 304])('a %d comes without a body', async (status) => {
    const { playground } = await behind(({ socket }) => {
      socket.write(`HTTP/1.1 ${status} X\r\nx-request-id: up-2\r\n\r\n`);
    });
    const response = await playground.post(CHAT, {});
    expect([response.status, response.headers.get('x-request-id'), await response.text()]).toEqual([
      status,
      'up-2',
      '',
    ]);
  });

  it('one POST of ours is one POST of the proxy, even when it fails', async () => {
    const { gateway, playground } = await behind(({ socket }) => {
      socket.destroy();
    });
    await playground.post(CHAT, {});
    expect(gateway.requests).toHaveLength(1);
  });
});

/** What a visitor reads who writes all of 40 MB first: a connection that is closed at once would be reset, and the answer lost. */
async function answerToUpload(
  playground: Awaited<ReturnType<typeof behind>>['playground'],
  method: string,
  origin: string,
): Promise<string> {
  const socket = await playground.open();
  socket.on('error', () => undefined);
  socket.write(
    `${method} ${CHAT} HTTP/1.1\r\nHost: 127.0.0.1:${playground.port}\r\nOrigin: ${origin}\r\nContent-Type: application/json\r\nX-Gateway-Playground: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
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

describe('limits', () => {
  it('the 51st POST in a minute is 429 with Retry-After, and never leaves (T13)', async () => {
    const { gateway, playground } = await behind(answerJson);
    const statuses: number[] = [];
    let last: Response | undefined;
    for (let count = 0; count < 51; count += 1) {
      last = await playground.post(count % 2 === 0 ? CHAT : '/gateway/v1/embeddings', {});
      statuses.push(last.status);
    }
    expect(statuses).toEqual([...Array.from({ length: 50 }, () => 200), 429]);
    expect(gateway.requests).toHaveLength(50);
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(last?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(last === undefined ? undefined : await errorOf(last)).toMatchObject({
      type: 'rate_limit_exceeded',
      code: '429',
    });
    expect((await playground.get('/gateway/v1/models')).status).toBe(200);
  });

  it('GATEWAY_RPM 0 takes the limit off', async () => {
    const { gateway, playground } = await behind(answerJson, { GATEWAY_RPM: '0' });
    await Promise.all(Array.from({ length: 60 }, () => playground.post(CHAT, {})));
    expect(gateway.requests).toHaveLength(60);
  });

  it('a body over 20 MB is 413 whether announced or chunked, and none of it goes out (T30)', async () => {
    const { gateway, playground } = await behind(answerJson);
    const announced = await playground.post(CHAT, `"${'x'.repeat(21 * 1024 * 1024)}"`);
    expect([announced.status, await errorOf(announced)]).toMatchObject([
      413,
      { type: 'request_too_large', code: '413' },
    ]);
    expect(await answerToUpload(playground, 'POST', playground.origin)).toMatch(/^HTTP\/1\.1 413 /);
    expect(gateway.connections()).toBe(0);
  });

  it.each([
    ['its method', 'PUT', undefined, 405],
    ['where it is from', 'POST', 'http://elsewhere.example', 403],
  ])('an upload that is refused for %s while it arrives hears so', async (_, method, origin, status) => {
    const { gateway, playground } = await behind(answerJson);
    const answer = await answerToUpload(playground, method, origin ?? playground.origin);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(gateway.connections()).toBe(0);
  });

  it('a body of 19 MB passes', async () => {
    const { gateway, playground } = await behind(answerJson);
    const body = `"${'x'.repeat(19 * 1024 * 1024)}"`;
    expect((await playground.post(CHAT, body)).status).toBe(200);
    expect(gateway.requests[0]?.body.length).toBe(body.length);
  });
});

describe('GET /playground/status', () => {
  it('is only read, and asked for without more', async () => {
    const playground = await servedPlayground();
    running.push(playground);
    const posted = await playground.post('/playground/status', {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await playground.get('/playground/status?x=1')).status).toBe(404);
  });

  it('tells what the app needs and never the key', async () => {
    const { gateway, playground } = await behind(answerJson, { GATEWAY_RPM: '7' });
    const text = await (await playground.get('/playground/status')).text();
    const host = `127.0.0.1:${gateway.port}`;
    expect(JSON.parse(text)).toEqual({
      id: idFor(`http://${host}`),
      name: host,
      host,
      address: `http://${host}/v1`,
      demo: false,
      keyConfigured: true,
      requestsPerMinute: 7,
      version: '0.0.0',
    });
    expect(text).not.toContain(KEY.slice(0, 8));
  });

  it('gives one gateway one id, however its address ends', async () => {
    const { gateway, playground } = await behind(answerJson);
    const other = await servedPlayground({ GATEWAY_BASE_URL: `${gateway.url}/v1/` });
    running.push(other);
    const ids = await Promise.all(
      [playground, other].map(async (one) => {
        const status = parseJson(await (await one.get('/playground/status')).text());
        return status.ok && stringProperty(status.value, 'id');
      }),
    );
    expect(ids).toEqual([idFor(gateway.url), idFor(gateway.url)]);
  });

  it('says that no key is configured', async () => {
    const { playground } = await behind(answerJson, { GATEWAY_API_KEY: '' });
    expect(await (await playground.get('/playground/status')).json()).toMatchObject({ keyConfigured: false });
  });

  it('says so when the embedded demo gateway answers, which then answers without any setting', async () => {
    const playground = await servedPlayground();
    running.push(playground);
    expect(await (await playground.get('/playground/status')).json()).toMatchObject({
      id: idFor(demoBaseUrl),
      demo: true,
      keyConfigured: false,
      host: '',
    });
    const models = parseJson(await (await playground.get('/gateway/v1/models')).text());
    expect(models.ok && stringProperty(models.value, 'object')).toBe('list');
  });
});

it('logs one line a request without any content', async () => {
  const { playground } = await behind(answerJson);
  await (
    await playground.post(CHAT, '{"messages":"canary-prompt"}', { headers: { 'x-request-id': 'abc' } })
  ).text();
  await expect.poll(() => playground.log).toHaveLength(1);
  expect(playground.log[0]).toMatch(/^POST \/gateway\/v1\/chat\/completions 200 \d+ ms 11 bytes id abc$/);
});

describe('uploads', () => {
  it('that are under way together are bounded: the next is 503, and finds room when one ends (T30)', async () => {
    const proxy = createProxy({
      upstream: async () => Response.json({ ok: true }),
      gateway: { origin: 'http://demo.invalid', host: 'demo', extraHeaders: [] },
      apiPath: createApiPath(['/v1']),
      redaction: createRedaction(undefined),
      rateLimit: createRateLimit(0, 60_000, () => 0),
      newId: () => 'id-1',
      maxUploadBytes: 100,
    });
    const post = (body: ReadableStream | string) => {
      // The library of types does not know it, and Node asks for it where a body is a stream.
      const init = { method: 'POST', body, duplex: 'half' };
      return proxy(new Request(`http://bench.test${CHAT}`, init));
    };
    let end: () => void = () => undefined;
    let breakOff: () => void = () => undefined;
    const held = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(80));
        end = () => controller.close();
      },
    });
    const first = post(held);
    await new Promise((resolve) => setImmediate(resolve));
    const refused = await post('x'.repeat(30));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(refused.headers.get('x-request-id')).toBe('id-1');
    expect(await errorOf(refused)).toMatchObject({ type: 'too_many_streams', code: '503' });
    end();
    expect((await first).status).toBe(200);
    expect((await post('x'.repeat(30))).status).toBe(200);
    expect((await post('x'.repeat(100))).status).toBe(200);
    expect((await post('x'.repeat(101))).status).toBe(503);

    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new Uint8Array(80));
        breakOff = () => controller.error(new Error('the visitor is gone'));
      },
    });
    const third = post(broken);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await post('x'.repeat(30))).status).toBe(503);
    breakOff();
    await expect(third).rejects.toThrow('the visitor is gone');
    expect((await post('x'.repeat(90))).status).toBe(200);
  });
});

describe('a proxy', () => {
  const proxyTo = (upstream: WebHandler) =>
    createProxy({
      upstream,
      gateway: { origin: 'http://demo.invalid', host: 'demo', extraHeaders: [] },
      apiPath: createApiPath(['/v1']),
      redaction: createRedaction(undefined),
      rateLimit: createRateLimit(0, 60_000, () => 0),
      newId: () => 'id-1',
      maxWholeAnswerBytes: 20,
    });
  const models = (signal?: AbortSignal) =>
    new Request('http://bench.test/gateway/v1/models', signal === undefined ? {} : { signal });

  it('asks for a visitor who has left already with a signal that says so', async () => {
    const seen: boolean[] = [];
    const proxy = proxyTo(async ({ signal }) => {
      seen.push(signal.aborted);
      return new Response('{}');
    });
    await proxy(models(AbortSignal.abort()));
    await proxy(models());
    expect(seen).toEqual([true, false]);
  });

  it('bounds the length of a whole answer, and none of a stream', async () => {
    const answering = (type: string, length: number) =>
      proxyTo(async () => new Response('x'.repeat(length), { headers: { 'content-type': type } }))(models());
    expect(await (await answering('text/plain', 20)).text()).toHaveLength(20);
    await expect((await answering('text/plain', 21)).text()).rejects.toThrow(
      'larger than this server allows',
    );
    expect(await (await answering('text/event-stream', 1000)).text()).toHaveLength(1000);
  });
});

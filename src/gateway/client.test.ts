import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { createGateway } from './client.ts';
import { GatewayError, type ErrorReport } from './errors/errors.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function gatewayWith(answer: Answer) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => answer(request, response, body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return createGateway({
    base: `${url}/gateway`,
    playgroundBase: `${url}/playground`,
    now: () => performance.now(),
  });
}

const answering =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

async function reportFrom(promise: Promise<unknown>): Promise<ErrorReport> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error(`Expected a GatewayError, got ${String(error)}`);
  return error.report;
}

describe('listModels', () => {
  it.each([
    ['a list under data', { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }],
    ['a list under models', { models: [{ id: 'a' }, { name: 'b' }] }],
    ['an array of names', ['a', 'b']],
    ['a table by id', { models: { a: {}, b: {} } }],
    ['ids under other names', { data: [{ model_id: 'a' }, { slug: 'b' }] }],
    [
      'null ids, repeated ids and other things',
      { data: [{ id: null }, { id: 'a' }, null, 7, { id: ' ' }, { id: 'b' }, { id: 'a' }] },
    ],
  ])('reads %s', async (_shape, body) => {
    const gateway = await gatewayWith(answering(body));
    const list = await gateway.listModels();
    expect(list.models.map((model) => model.id)).toEqual(['a', 'b']);
    expect(list.text).toBe(JSON.stringify(body));
    expect(list.latencyMs).toBeGreaterThan(0);
  });

  it('notes a further page that a field or a header names, and none where there is none', async () => {
    const hasMore = async (more: object, headers: Record<string, string> = {}) =>
      (await (await gatewayWith(answering({ data: [{ id: 'a' }], ...more }, 200, headers))).listModels())
        .hasMore;
    const link = '<https://example.org/v1/models?page=2>; rel="next"';
    expect([await hasMore({ total: 40 }), await hasMore({}, { link })]).toEqual([true, true]);
    const none = { has_more: false, next: null, total: 1, links: { next: '', prev: '/' } };
    expect(await hasMore(none)).toBe(false);
  });

  it('rejects an error under a status of success with its words', async () => {
    const gateway = await gatewayWith(answering({ detail: 'Not authenticated: token expired' }));
    expect(await reportFrom(gateway.listModels())).toMatchObject({
      message: 'Not authenticated: token expired',
    });
  });

  it('rejects words that sound like no error, too, and an error without words', async () => {
    const reportOf = async (body: unknown) => reportFrom((await gatewayWith(answering(body))).listModels());
    expect(await reportOf({ greeting: 'Sign in at the front desk' })).toMatchObject({
      message: 'Sign in at the front desk',
    });
    expect(await reportOf({ error: { code: 17 } })).toMatchObject({ code: '17' });
  });

  it('names what came where it holds no list', async () => {
    const messageOf = async (body: unknown) =>
      (await reportFrom((await gatewayWith(answering(body))).listModels())).message;
    expect(await messageOf({ hello: 1, world: { deep: true } })).toContain('an object with hello and world');
    expect(await messageOf('just text')).toContain('plain text');
    expect(await messageOf({})).toContain('an empty object');
    expect(await messageOf('{"id":"a"}\n{"id":"b"}')).toContain('lines of JSON');
  });

  it('rejects with the report of a 401', async () => {
    const gateway = await gatewayWith(
      answering({ error: { message: 'no', type: 'invalid_api_key', code: '401' } }, 401, {
        'x-request-id': 'r',
      }),
    );
    expect(await reportFrom(gateway.listModels())).toMatchObject({
      kind: 'key-rejected',
      source: 'gateway',
      status: 401,
      requestId: 'r',
    });
  });

  it.each([
    ['a web page', '<title>Sign in</title>', 'not-an-answer'],
    ['nothing', '', 'no-answer'],
    ['JSON without a list', { hello: 1 }, 'not-an-answer'],
  ])('rejects %s', async (_what, body, kind) => {
    const gateway = await gatewayWith(answering(body));
    expect(await reportFrom(gateway.listModels())).toMatchObject({ kind, source: 'gateway' });
  });

  it('rejects with the reason of an abort, and tells a server that is gone', async () => {
    const gateway = await gatewayWith(() => {});
    const controller = new AbortController();
    const listing = gateway.listModels(controller.signal);
    controller.abort(new Error('enough'));
    await expect(listing).rejects.toThrow('enough');

    const gone = createGateway({ base: 'http://127.0.0.1:1/gateway', now: () => 0 });
    expect(await reportFrom(gone.listModels())).toMatchObject({
      kind: 'proxy-unreachable',
      source: 'network',
    });
  });

  it('tells an answer that breaks off', async () => {
    const gateway = await gatewayWith((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"data":', () => response.destroy());
    });
    expect(await reportFrom(gateway.listModels())).toMatchObject({
      kind: 'connection-lost',
      source: 'network',
    });
  });
});

describe('embed', () => {
  const base64 = Buffer.from(Float32Array.from([0.25, -2]).buffer).toString('base64');
  const request = { model: 'e', input: ['a', 'b'] };

  it('decodes floats and base64 by index, whatever was asked', async () => {
    const data = [
      { object: 'embedding', index: 1, embedding: base64 },
      { object: 'embedding', index: 0, embedding: [1, 0.5] },
    ];
    let asked = '';
    const gateway = await gatewayWith((incoming, response, body) => {
      asked = `${incoming.method} ${incoming.url} ${String(incoming.headers['x-request-id'])} ${body}`;
      answering({ object: 'list', data, model: 'e/1', usage: { prompt_tokens: 4, total_tokens: 4 } }, 200, {
        'x-request-id': 'r-2',
      })(incoming, response, body);
    });
    const answer = await gateway.embed({ ...request, encoding_format: 'float' }, { requestId: 'r-2' });
    expect(asked).toBe(
      `POST /gateway/v1/embeddings r-2 ${JSON.stringify({ ...request, encoding_format: 'float' })}`,
    );
    expect(answer.items).toMatchObject([
      { vector: Float32Array.from([1, 0.5]) },
      { vector: Float32Array.from([0.25, -2]) },
    ]);
    expect(answer.raw).toContain(base64);
    expect(answer).toMatchObject({
      length: 2,
      model: 'e/1',
      usage: { promptTokens: 4, totalTokens: 4 },
      requestId: 'r-2',
    });
  });

  it('has no field for what the answer does not contain', async () => {
    const data = [1, 2, 3].map((value, index) => ({ index, embedding: [value] }));
    const gateway = await gatewayWith(answering({ data }));
    const answer = await gateway.embed({ model: 'e', input: ['a', 'b', 'c'] }, { requestId: 'r', length: 1 });
    expect(Object.keys(answer).toSorted()).toEqual([
      'decodeMs',
      'encoding',
      'findings',
      'items',
      'latencyMs',
      'length',
      'raw',
      'status',
    ]);
  });

  it('takes the vectors to have the length that earlier answers had', async () => {
    const gateway = await gatewayWith(answering({ data: [{ index: 0, embedding: [1, 2] }] }));
    const answer = await gateway.embed({ model: 'e', input: 'a' }, { requestId: 'r', length: 3 });
    expect(answer.items).toEqual([{ ok: false, fault: 'uneven' }]);
  });

  it('takes one array of tokens as one input, and the order where indexes are missing', async () => {
    const gateway = await gatewayWith(answering({ data: [{ embedding: [1] }] }));
    const answer = await gateway.embed({ model: 'e', input: [5, 6, 7] }, { requestId: 'r' });
    expect(answer.items).toMatchObject([{ ok: true, vector: Float32Array.from([1]) }]);
  });

  it.each([
    ['an object without data', {}, 'not-an-answer'],
    ['a web page', '<title>Sign in</title>', 'not-an-answer'],
    ['nothing', '', 'no-answer'],
  ])('rejects %s', async (_what, body, kind) => {
    const gateway = await gatewayWith(answering(body));
    expect(await reportFrom(gateway.embed(request, { requestId: 'r' }))).toMatchObject({ kind });
  });

  it('rejects with the report of an error answer', async () => {
    const gateway = await gatewayWith(
      answering({ detail: [{ loc: ['body', 'input'], msg: 'is empty' }] }, 422),
    );
    expect(await reportFrom(gateway.embed(request, { requestId: 'r' }))).toMatchObject({
      kind: 'invalid-request',
      fields: [{ path: 'input', message: 'is empty' }],
    });
  });
});

describe('checkHealth', () => {
  it.each([
    ['OK as text', 'OK', 200, { ok: true, noRoute: false }],
    ['a status of ok', { status: 'ok' }, 200, { ok: true, noRoute: false }],
    ['nothing under 200', '', 200, { ok: true, noRoute: false }],
    ['a status of degraded', { status: 'degraded' }, 200, { ok: true, noRoute: false, degraded: true }],
    ['a status of unhealthy', { status: 'unhealthy' }, 200, { ok: false, noRoute: false }],
    ['not ok', { ok: false }, 200, { ok: false, noRoute: false }],
    ['not healthy', { healthy: false, status: 'ok' }, 200, { ok: false, noRoute: false }],
    ['a web page', '<html></html>', 200, { ok: false, noRoute: true }],
    ['503', 'busy', 503, { ok: false, noRoute: false, error: { kind: 'overloaded' } }],
    ['503 that says degraded', { status: 'degraded' }, 503, { ok: false, degraded: true }],
    ['404', { detail: 'Not Found' }, 404, { ok: false, noRoute: true }],
    [
      '401 of the gateway',
      { error: { message: 'm', type: 'invalid_api_key', code: '401' } },
      401,
      { ok: false, noRoute: true },
    ],
    [
      '401 of our own login',
      { error: { message: 'm', type: 'login_required', code: '401' } },
      401,
      { ok: false, noRoute: false, error: { kind: 'login-required' } },
    ],
    [
      '502 of the proxy',
      { error: { message: 'm', type: 'gateway_unreachable', code: '502' } },
      502,
      { ok: false, noRoute: false, error: { source: 'proxy', kind: 'unreachable' } },
    ],
    ['429', '', 429, { ok: true, noRoute: false }],
  ])('reads %s', async (_what, body, status, reading) => {
    const gateway = await gatewayWith(answering(body, status));
    const found = await gateway.checkHealth();
    expect(found).toMatchObject({ ...reading, status });
    expect(found.latencyMs).toBeGreaterThan(0);
  });

  it("reads 401 login_required that came through the proxy as the gateway's", async () => {
    const body = { error: { message: 'm', type: 'login_required', code: '401' } };
    const gateway = await gatewayWith(answering(body, 401, { 'x-gateway-headers': '{}' }));
    expect(await gateway.checkHealth()).toMatchObject({
      noRoute: true,
      error: { source: 'gateway', kind: 'key-rejected' },
    });
  });

  it('reads a date to wait for by the clock it is given, where the answer names none', async () => {
    const gateway = createGateway({
      now: () => 0,
      clock: () => 0,
      fetch: async () =>
        new Response('', { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:02:00 GMT' } }),
    });
    expect((await gateway.checkHealth()).error?.retryAfterMs).toBe(120_000);
  });

  it('reads a server that is gone as a failure, and rejects only when it is aborted', async () => {
    const gone = createGateway({ base: 'http://127.0.0.1:1/gateway', now: () => 0 });
    expect(await gone.checkHealth()).toMatchObject({
      ok: false,
      noRoute: false,
      error: { kind: 'proxy-unreachable' },
    });
    await expect(gone.checkHealth(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  });
});

describe('readStatus and login', () => {
  it('reads what the server says of itself, and no more than it says', async () => {
    const status = {
      id: '00112233445566aa',
      name: 'Gate',
      host: 'gate.example',
      address: 'https://gate.example/v1',
      demo: false,
      keyConfigured: true,
      requestsPerMinute: 50,
      version: '1.2.3',
    };
    expect(await (await gatewayWith(answering({ ...status, more: 1 }))).readStatus()).toEqual(status);
    expect(await (await gatewayWith(answering({ demo: 'yes', requestsPerMinute: -1 }))).readStatus()).toEqual(
      {
        id: '',
        name: '',
        host: '',
        address: '',
        demo: false,
        keyConfigured: false,
        requestsPerMinute: 0,
        version: '',
      },
    );
  });

  it('says when the password is asked for, sends it, and rejects a wrong one', async () => {
    const gateway = await gatewayWith((request, response, body) => {
      const isRight = request.url === '/playground/login' && body === '{"password":"right"}';
      answering(
        isRight ? {} : { error: { message: 'Log in first.', type: 'login_required', code: '401' } },
        isRight ? 200 : 401,
      )(request, response, body);
    });
    expect(await gateway.readStatus()).toMatchObject({ loginRequired: true, demo: false });
    await expect(gateway.login('right')).resolves.toBeUndefined();
    expect(await reportFrom(gateway.login('wrong'))).toMatchObject({
      source: 'proxy',
      kind: 'login-required',
      status: 401,
    });
  });
});

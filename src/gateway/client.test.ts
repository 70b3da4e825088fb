import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { afterEach, describe, expect, it } from 'vitest';

import { createServerClient } from './client.ts';
import { GatewayError, type ErrorReport } from './errors/errors.ts';

type RequestHandler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function createTestGateway(handleRequest: RequestHandler) {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (bytes) => (body += String(bytes)));
    request.on('end', () => handleRequest(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return createServerClient({
    gatewayBasePath: `${url}/gateway`,
    serverBasePath: `${url}/playground`,
    monotonicNow: () => performance.now(),
  });
}

const createResponder =
  (body: unknown, status = 200, headers: Record<string, string> = {}): RequestHandler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

async function captureReport(promise: Promise<unknown>): Promise<ErrorReport> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayError)) throw new Error(`Expected a GatewayError, got ${String(error)}`);
  return error.report;
}

describe('listModels', () => {
  it.each([
    ['a list in data', { object: 'list', data: [{ id: 'a' }, { id: 'b' }] }],
    ['a list in models', { models: [{ id: 'a' }, { name: 'b' }] }],
    ['an array of names', ['a', 'b']],
    ['an object keyed by ID', { models: { a: {}, b: {} } }],
    ['IDs in fields of other names', { data: [{ model_id: 'a' }, { slug: 'b' }] }],
    [
      'items with null or repeated IDs and items that are not models',
      { data: [{ id: null }, { id: 'a' }, null, 7, { id: ' ' }, { id: 'b' }, { id: 'a' }] },
    ],
  ])('reads a model list from %s', async (_shape, body) => {
    const gateway = await createTestGateway(createResponder(body));
    const list = await gateway.listModels();
    expect(list.models.map((model) => model.id)).toEqual(['a', 'b']);
    expect(list.text).toBe(JSON.stringify(body));
    expect(list.latencyMs).toBeGreaterThan(0);
  });

  it('reports further pages only if a field or header indicates them', async () => {
    const hasMore = async (extraFields: object, headers: Record<string, string> = {}) =>
      (
        await (
          await createTestGateway(createResponder({ data: [{ id: 'a' }], ...extraFields }, 200, headers))
        ).listModels()
      ).hasMore;
    const link = '<https://example.org/v1/models?page=2>; rel="next"';
    expect([await hasMore({ total: 40 }), await hasMore({}, { link })]).toEqual([true, true]);
    const lastPage = { has_more: false, next: null, total: 1, links: { next: '', prev: '/' } };
    expect(await hasMore(lastPage)).toBe(false);
  });

  it('rejects with the message of an error sent with a success status', async () => {
    const gateway = await createTestGateway(createResponder({ detail: 'Not authenticated: token expired' }));
    expect(await captureReport(gateway.listModels())).toMatchObject({
      message: 'Not authenticated: token expired',
    });
  });

  it('rejects any message in place of a model list, and an error that has only a code', async () => {
    const captureListReport = async (body: unknown) =>
      captureReport((await createTestGateway(createResponder(body))).listModels());
    expect(await captureListReport({ greeting: 'Sign in at the front desk' })).toMatchObject({
      message: 'Sign in at the front desk',
    });
    expect(await captureListReport({ error: { code: 17 } })).toMatchObject({ code: '17' });
  });

  it('describes a response that contains no model list', async () => {
    const captureListMessage = async (body: unknown) =>
      (await captureReport((await createTestGateway(createResponder(body))).listModels())).message;
    expect(await captureListMessage({ hello: 1, world: { deep: true } })).toContain(
      'an object with hello and world',
    );
    expect(await captureListMessage('just text')).toContain('plain text');
    expect(await captureListMessage({})).toContain('an empty object');
    expect(await captureListMessage('{"id":"a"}\n{"id":"b"}')).toContain('JSON Lines');
  });

  it('rejects a model list request with the report of a 401', async () => {
    const gateway = await createTestGateway(
      createResponder({ error: { message: 'no', type: 'invalid_api_key', code: '401' } }, 401, {
        'x-request-id': 'r',
      }),
    );
    expect(await captureReport(gateway.listModels())).toMatchObject({
      kind: 'key-rejected',
      source: 'gateway',
      status: 401,
      requestId: 'r',
    });
  });

  it.each([
    ['a web page', '<title>Sign in</title>', 'not-an-answer'],
    ['an empty body', '', 'no-answer'],
    ['JSON without a list', { hello: 1 }, 'not-an-answer'],
  ])('rejects %s instead of a model list', async (_what, body, kind) => {
    const gateway = await createTestGateway(createResponder(body));
    expect(await captureReport(gateway.listModels())).toMatchObject({ kind, source: 'gateway' });
  });

  it('rejects with the abort reason, and reports an unreachable server', async () => {
    const gateway = await createTestGateway(() => {});
    const controller = new AbortController();
    const listPromise = gateway.listModels(controller.signal);
    controller.abort(new Error('enough'));
    await expect(listPromise).rejects.toThrow('enough');

    const unreachableGateway = createServerClient({
      gatewayBasePath: 'http://127.0.0.1:1/gateway',
      monotonicNow: () => 0,
    });
    expect(await captureReport(unreachableGateway.listModels())).toMatchObject({
      kind: 'proxy-unreachable',
      source: 'network',
    });
  });

  it('reports a model list response that breaks off as a lost connection', async () => {
    const gateway = await createTestGateway((_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"data":', () => response.destroy());
    });
    expect(await captureReport(gateway.listModels())).toMatchObject({
      kind: 'connection-lost',
      source: 'network',
    });
  });
});

describe('embed', () => {
  const base64 = Buffer.from(Float32Array.from([0.25, -2]).buffer).toString('base64');
  const request = { model: 'e', input: ['a', 'b'] };

  it('decodes floats and base64 by index, whichever format was requested', async () => {
    const data = [
      { object: 'embedding', index: 1, embedding: base64 },
      { object: 'embedding', index: 0, embedding: [1, 0.5] },
    ];
    let sentRequest = '';
    const gateway = await createTestGateway((incoming, response, body) => {
      sentRequest = `${incoming.method} ${incoming.url} ${String(incoming.headers['x-request-id'])} ${body}`;
      createResponder(
        { object: 'list', data, model: 'e/1', usage: { prompt_tokens: 4, total_tokens: 4 } },
        200,
        {
          'x-request-id': 'r-2',
        },
      )(incoming, response, body);
    });
    const embeddings = await gateway.embed({ ...request, encoding_format: 'float' }, { requestId: 'r-2' });
    expect(sentRequest).toBe(
      `POST /gateway/v1/embeddings r-2 ${JSON.stringify({ ...request, encoding_format: 'float' })}`,
    );
    expect(embeddings.items).toMatchObject([
      { vector: Float32Array.from([1, 0.5]) },
      { vector: Float32Array.from([0.25, -2]) },
    ]);
    expect(embeddings.raw).toContain(base64);
    expect(embeddings).toMatchObject({
      length: 2,
      model: 'e/1',
      usage: { promptTokens: 4, totalTokens: 4 },
      requestId: 'r-2',
    });
  });

  it('omits fields that the response does not contain', async () => {
    const data = [1, 2, 3].map((value, index) => ({ index, embedding: [value] }));
    const gateway = await createTestGateway(createResponder({ data }));
    const embeddings = await gateway.embed(
      { model: 'e', input: ['a', 'b', 'c'] },
      { requestId: 'r', length: 1 },
    );
    expect(Object.keys(embeddings).toSorted()).toEqual([
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

  it('expects vectors of the same length as in earlier responses', async () => {
    const gateway = await createTestGateway(createResponder({ data: [{ index: 0, embedding: [1, 2] }] }));
    const embeddings = await gateway.embed({ model: 'e', input: 'a' }, { requestId: 'r', length: 3 });
    expect(embeddings.items).toEqual([{ ok: false, fault: 'uneven' }]);
  });

  it('treats an array of tokens as one input and assigns vectors without indexes by order', async () => {
    const gateway = await createTestGateway(createResponder({ data: [{ embedding: [1] }] }));
    const embeddings = await gateway.embed({ model: 'e', input: [5, 6, 7] }, { requestId: 'r' });
    expect(embeddings.items).toMatchObject([{ ok: true, vector: Float32Array.from([1]) }]);
  });

  it.each([
    ['an object without data', {}, 'not-an-answer'],
    ['a web page', '<title>Sign in</title>', 'not-an-answer'],
    ['an empty body', '', 'no-answer'],
  ])('rejects %s instead of embeddings', async (_what, body, kind) => {
    const gateway = await createTestGateway(createResponder(body));
    expect(await captureReport(gateway.embed(request, { requestId: 'r' }))).toMatchObject({ kind });
  });

  it('rejects with the report of an error response to an embeddings request', async () => {
    const gateway = await createTestGateway(
      createResponder({ detail: [{ loc: ['body', 'input'], msg: 'is empty' }] }, 422),
    );
    expect(await captureReport(gateway.embed(request, { requestId: 'r' }))).toMatchObject({
      kind: 'invalid-request',
      fields: [{ path: 'input', message: 'is empty' }],
    });
  });
});

describe('checkHealth', () => {
  it.each([
    ['the text OK', 'OK', 200, { ok: true, hasNoRoute: false }],
    ['a status of ok', { status: 'ok' }, 200, { ok: true, hasNoRoute: false }],
    ['an empty body with status 200', '', 200, { ok: true, hasNoRoute: false }],
    ['a status of degraded', { status: 'degraded' }, 200, { ok: true, hasNoRoute: false, isDegraded: true }],
    ['a status of unhealthy', { status: 'unhealthy' }, 200, { ok: false, hasNoRoute: false }],
    ['ok set to false', { ok: false }, 200, { ok: false, hasNoRoute: false }],
    ['healthy set to false', { healthy: false, status: 'ok' }, 200, { ok: false, hasNoRoute: false }],
    ['a web page', '<html></html>', 200, { ok: false, hasNoRoute: true }],
    ['a 503', 'busy', 503, { ok: false, hasNoRoute: false, error: { kind: 'overloaded' } }],
    ['a 503 with the status degraded', { status: 'degraded' }, 503, { ok: false, isDegraded: true }],
    ['a 404', { detail: 'Not Found' }, 404, { ok: false, hasNoRoute: true }],
    [
      'a 401 from the gateway',
      { error: { message: 'm', type: 'invalid_api_key', code: '401' } },
      401,
      { ok: false, hasNoRoute: true },
    ],
    [
      'a 401 from the Bench login',
      { error: { message: 'm', type: 'login_required', code: '401' } },
      401,
      { ok: false, hasNoRoute: false, error: { kind: 'login-required' } },
    ],
    [
      'a 502 from the proxy',
      { error: { message: 'm', type: 'gateway_unreachable', code: '502' } },
      502,
      { ok: false, hasNoRoute: false, error: { source: 'proxy', kind: 'unreachable' } },
    ],
    ['a 429', '', 429, { ok: true, hasNoRoute: false }],
  ])('reads the health of a gateway from %s', async (_what, body, status, reading) => {
    const gateway = await createTestGateway(createResponder(body, status));
    const health = await gateway.checkHealth();
    expect(health).toMatchObject({ ...reading, status });
    expect(health.latencyMs).toBeGreaterThan(0);
  });

  it('attributes a login_required error that passed through the proxy to the gateway', async () => {
    const body = { error: { message: 'm', type: 'login_required', code: '401' } };
    const gateway = await createTestGateway(createResponder(body, 401, { 'x-gateway-headers': '{}' }));
    expect(await gateway.checkHealth()).toMatchObject({
      hasNoRoute: true,
      error: { source: 'gateway', kind: 'key-rejected' },
    });
  });

  it('uses the given clock to read a retry date if the response has no Date header', async () => {
    const gateway = createServerClient({
      monotonicNow: () => 0,
      epochNow: () => 0,
      fetch: async () =>
        new Response('', { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:02:00 GMT' } }),
    });
    expect((await gateway.checkHealth()).error?.retryAfterMs).toBe(120_000);
  });

  it('reports an unreachable server as a failed reading and rejects only on abort', async () => {
    const unreachableGateway = createServerClient({
      gatewayBasePath: 'http://127.0.0.1:1/gateway',
      monotonicNow: () => 0,
    });
    expect(await unreachableGateway.checkHealth()).toMatchObject({
      ok: false,
      hasNoRoute: false,
      error: { kind: 'proxy-unreachable' },
    });
    await expect(unreachableGateway.checkHealth(AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
  });
});

describe('readStatus and login', () => {
  it('reads the server status and ignores unknown fields', async () => {
    const gatewayStatus = {
      name: 'main',
      label: 'Gate',
      id: '00112233445566aa',
      host: 'gate.example',
      address: 'https://gate.example/v1',
      demo: false,
      keyConfigured: true,
      requestsPerMinute: 50,
      prices: [
        { model: 'north/one', inputPerMillion: 3, outputPerMillion: 15, currency: 'USD' },
        {
          model: 'north/two',
          inputPerMillion: 0,
          outputPerMillion: 0.5,
          cachedInputPerMillion: 0,
          reasoningPerMillion: 2,
          currency: 'EUR',
        },
      ],
    };
    const damagedStatus = {
      name: 'staging',
      demo: 'yes',
      requestsPerMinute: -1,
      prices: [{ model: 'north/one', inputPerMillion: '3' }, 'north/two'],
    };
    const status = { version: '1.2.3', gateways: [{ ...gatewayStatus, more: 1 }, damagedStatus], more: 1 };
    expect(await (await createTestGateway(createResponder(status))).readStatus()).toEqual({
      version: '1.2.3',
      gateways: [
        gatewayStatus,
        {
          name: 'staging',
          label: 'staging',
          id: '',
          host: '',
          address: '',
          demo: false,
          keyConfigured: false,
          requestsPerMinute: 0,
          prices: [],
        },
      ],
    });
    expect(await (await createTestGateway(createResponder({ gateways: 'none' }))).readStatus()).toEqual({
      version: '',
      gateways: [],
    });
  });

  it('detects a required password, sends it and rejects a wrong one', async () => {
    const gateway = await createTestGateway((request, response, body) => {
      const isAccepted = request.url === '/playground/login' && body === '{"password":"right"}';
      createResponder(
        isAccepted ? {} : { error: { message: 'Log in first.', type: 'login_required', code: '401' } },
        isAccepted ? 200 : 401,
      )(request, response, body);
    });
    expect(await gateway.readStatus()).toEqual({ version: '', gateways: [], loginRequired: true });
    await expect(gateway.login('right')).resolves.toBeUndefined();
    expect(await captureReport(gateway.login('wrong'))).toMatchObject({
      source: 'proxy',
      kind: 'login-required',
      status: 401,
    });
  });
});

import { describe, expect, it } from 'vitest';

import {
  getAt,
  createChatPost,
  demoKey,
  createDemoPost,
  createScriptedModel,
  toTextPieces,
} from '../testing/demo-requests.ts';
import { createDemoGateway } from './gateway.ts';

const gateway = createDemoGateway({ key: demoKey, models: [createScriptedModel(toTextPieces('Hello'))] });
const authHeaders = { authorization: `Bearer ${demoKey}` };

function createGetRequest(
  path: string,
  headers: Record<string, string> = authHeaders,
  method = 'GET',
): Request {
  return new Request(`http://demo.test${path}`, { method, headers });
}

async function readError(response: Response) {
  const body: unknown = await response.json();
  return { status: response.status, type: getAt(body, 'error', 'type'), code: getAt(body, 'error', 'code') };
}

describe('gateway key (§5)', () => {
  const wrongHeaders: [string, Record<string, string>][] = [
    ['is missing', {}],
    ['is a different one', { authorization: 'Bearer fk-other' }],
    ['has another scheme', { authorization: `Basic ${demoKey}` }],
    ['is empty', { authorization: 'Bearer ' }],
  ];
  it.each(wrongHeaders)('rejects the key with 401 invalid_api_key when it %s', async (_, headers) => {
    const response = await gateway(createGetRequest('/v1/models', headers));
    expect(await readError(response)).toEqual({ status: 401, type: 'invalid_api_key', code: '401' });
  });

  it('omits the key from the error message', async () => {
    const response = await gateway(createGetRequest('/v1/models', { authorization: 'Bearer fk-secret' }));
    expect(await response.text()).not.toContain('fk-secret');
  });

  it('accepts any key that begins with fk- if no key is configured', async () => {
    const openGateway = createDemoGateway();
    expect(
      (await openGateway(createGetRequest('/v1/models', { authorization: 'Bearer fk-any' }))).status,
    ).toBe(200);
    expect((await openGateway(createGetRequest('/v1/models', { authorization: 'Bearer any' }))).status).toBe(
      401,
    );
  });

  it('answers the health route without a key', async () => {
    const response = await gateway(createGetRequest('/healthz', {}));
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', models: 6 }]);
  });
});

describe('routes (§4)', () => {
  it.each(['/', '/v1', '/v1/models/', '/v1/chat/completions/x', '/__proto__', '/constructor'])(
    'returns 404 not_found for %s',
    async (path) => {
      const response = await gateway(createGetRequest(path));
      expect(await readError(response)).toEqual({ status: 404, type: 'not_found', code: '404' });
    },
  );

  it('returns 405 and the allowed method for any other method', async () => {
    const response = await gateway(createGetRequest('/v1/chat/completions'));
    expect(response.headers.get('allow')).toBe('POST');
    expect(await readError(response)).toEqual({ status: 405, type: 'method_not_allowed', code: '405' });
    expect((await gateway(createDemoPost('/v1/models', {}))).headers.get('allow')).toBe('GET');
  });

  it('lists chat and embedding models with their capabilities', async () => {
    const list: unknown = await (await gateway(createGetRequest('/v1/models'))).json();
    expect(getAt(list, 'object')).toBe('list');
    expect(getAt(list, 'data', 0)).toMatchObject({
      id: 'test/scripted',
      object: 'model',
      owned_by: 'demo',
      type: 'chat',
      description: 'Returns the output that the test provides.',
      capabilities: { vision: false, files: false, audio: false, tools: false, thinking: false },
    });
    expect(getAt(list, 'data', 0, 'created')).toBeTypeOf('number');
    expect([1, 2, 3, 4, 5].map((index) => getAt(list, 'data', index, 'id'))).toEqual([
      'demo/meaning-en',
      'demo/embedding-8B',
      'demo/embedding-4B',
      'demo/embedding-0.6B',
      'demo/embedding-fixed',
    ]);
    expect(getAt(list, 'data', 4, 'type')).toBe('embedding');
  });

  it('returns 404 model_not_found with the available IDs', async () => {
    const response = await gateway(createChatPost({ model: 'north/one' }));
    expect(await response.clone().text()).toContain('test/scripted');
    expect(await readError(response)).toEqual({ status: 404, type: 'model_not_found', code: '404' });
  });

  it('names the right route if an embedding model is used for chat', async () => {
    const response = await gateway(createChatPost({ model: 'demo/embedding-8B' }));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('POST /v1/embeddings');
  });
});

describe('request ID (§4)', () => {
  it.each(['/v1/models', '/nowhere'])('echoes the request ID on responses and errors: %s', async (path) => {
    const response = await gateway(createGetRequest(path, { ...authHeaders, 'x-request-id': 'trace_1.a-B' }));
    expect(response.headers.get('x-request-id')).toBe('trace_1.a-B');
  });

  it.each([
    ['nothing', ''],
    ['a space', 'a b'],
    ['markup', '<script>'],
    ['129 characters', 'x'.repeat(129)],
  ])('generates a request ID if the client sent %s', async (_name, id) => {
    const createdId = (await gateway(createGetRequest('/healthz', { 'x-request-id': id }))).headers.get(
      'x-request-id',
    );
    expect(createdId).toMatch(/^[A-Za-z0-9._-]{8,}$/);
    expect(createdId).not.toBe(id);
  });
});

function post(body: BodyInit, headers: Record<string, string>): Promise<Response> {
  const init = { method: 'POST', headers: { ...authHeaders, ...headers }, body };
  return gateway(new Request('http://demo.test/v1/chat/completions', init));
}

describe('request body', () => {
  const jsonHeaders = { 'content-type': 'application/json' };

  it('returns 415 for a body that is compressed or not application/json', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post('{}', { 'content-type': 'application/jsonp' })).status).toBe(415);
    expect((await post('{}', { ...jsonHeaders, 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post('{}', { 'content-type': 'application/json; charset=utf-8' })).status).toBe(400);
  });

  it.each([
    ['an empty body', ''],
    ['an incomplete object', '{'],
    ['a list', '[]'],
    ['a string', '"text"'],
    ['null', 'null'],
    ['text in invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
  ])('rejects %s instead of a JSON object in UTF-8', async (_name, body) => {
    const response = await post(body, jsonHeaders);
    expect(await readError(response)).toEqual({ status: 400, type: 'invalid_request', code: '400' });
  });

  it('returns 413 for a body above 20 MiB and stops reading it', async () => {
    let sentBytes = 0;
    const endlessBody = new ReadableStream<Uint8Array>({
      pull(controller) {
        sentBytes += 1_000_000;
        controller.enqueue(new Uint8Array(1_000_000));
      },
    });
    const init = {
      method: 'POST',
      headers: { ...authHeaders, ...jsonHeaders },
      body: endlessBody,
      duplex: 'half',
    };
    const response = await gateway(new Request('http://demo.test/v1/chat/completions', init));
    expect(await readError(response)).toEqual({ status: 413, type: 'request_too_large', code: '413' });
    expect(sentBytes).toBeLessThan(24_000_000);
  });

  it('ignores hostile keys such as __proto__ in a body', async () => {
    const body =
      '{"model":"test/scripted","messages":[{"role":"user","content":"x","__proto__":{"bad":1}}],"__proto__":{"stream":true}}';
    const response = await post(body, jsonHeaders);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(getAt({}, 'bad')).toBeUndefined();
    expect(Reflect.get({}, 'stream')).toBeUndefined();
  });
});

describe('limit of requests per minute (§8)', () => {
  it('returns 429 with the seconds to wait, based on a sliding 60-second window', async () => {
    let nowMs = 1_000_000;
    const limitedGateway = createDemoGateway({
      key: demoKey,
      requestsPerMinute: 2,
      now: () => nowMs,
      models: [createScriptedModel([])],
    });
    const fetchStatus = async () => (await limitedGateway(createChatPost({}))).status;
    expect(await fetchStatus()).toBe(200);
    nowMs += 20_000;
    expect(await fetchStatus()).toBe(200);
    nowMs += 10_500;
    const rejected = await limitedGateway(createChatPost({}));
    expect(rejected.headers.get('retry-after')).toBe('30');
    expect(await readError(rejected)).toEqual({ status: 429, type: 'rate_limit_exceeded', code: '429' });
    nowMs += 29_500;
    expect(await fetchStatus()).toBe(200);
    expect(await fetchStatus()).toBe(429);
  });

  it('counts neither model list requests nor requests with a wrong key towards the limit', async () => {
    const limitedGateway = createDemoGateway({ key: demoKey, requestsPerMinute: 1 });
    await limitedGateway(createChatPost({}, { headers: { 'content-type': 'application/json' } }));
    await limitedGateway(createGetRequest('/v1/models'));
    expect(
      (await limitedGateway(createDemoPost('/v1/embeddings', { model: 'demo/embedding-fixed', input: 'a' })))
        .status,
    ).toBe(200);
    expect((await limitedGateway(createGetRequest('/v1/models'))).status).toBe(200);
    expect(
      (await limitedGateway(createDemoPost('/v1/embeddings', { model: 'demo/embedding-fixed', input: 'a' })))
        .status,
    ).toBe(429);
  });
});

describe('failing demo model', () => {
  const brokenGateway = createDemoGateway({
    key: demoKey,
    models: [
      createScriptedModel(function* () {
        yield { text: 'so far' };
        throw new Error('out of paper');
      }),
    ],
  });

  it('returns a 500 in the standard error shape if the model throws', async () => {
    const response = await brokenGateway(createChatPost({}));
    expect(await response.clone().text()).toContain('out of paper');
    expect(await readError(response)).toEqual({ status: 500, type: 'internal_error', code: '500' });
  });

  it('sends an error event without the end marker if the model throws in a stream', async () => {
    const text = await (await brokenGateway(createChatPost({ stream: true }))).text();
    expect(text).toContain('"internal_error"');
    expect(text).not.toContain('[DONE]');
  });
});

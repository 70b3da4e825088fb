import { describe, expect, it } from 'vitest';

import { getAt, demoKey, createDemoPost } from '../../testing/demo-requests.ts';
import { createDemoGateway } from '../gateway.ts';
import { computeCosine } from './lexical-embedding.ts';

const gateway = createDemoGateway({ key: demoKey });
const smallModelId = 'demo/embedding-0.6B';

function post(fields: Record<string, unknown>, init: RequestInit = {}): Promise<Response> {
  return gateway(
    createDemoPost('/v1/embeddings', { model: smallModelId, input: 'some text', ...fields }, init),
  );
}

async function fetchVector(fields: Record<string, unknown>, index = 0): Promise<Float32Array> {
  const embedding = getAt(await (await post(fields)).json(), 'data', index, 'embedding');
  if (!Array.isArray(embedding)) throw new Error('The vector is missing');
  return Float32Array.from(embedding, Number);
}

const allowedDimensions: [string, number, number[]][] = [
  ['demo/embedding-8B', 4096, [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560, 4096]],
  ['demo/embedding-4B', 2560, [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560]],
  ['demo/embedding-0.6B', 1024, [64, 128, 256, 512, 768, 1024]],
];
const everyDimension = allowedDimensions[0]?.[2] ?? [];

describe('embeddings request (§2.6)', () => {
  const rejectedRequests: [Record<string, unknown>, string[]][] = [
    [{ model: undefined }, ['model is missing', smallModelId]],
    [{ model: 'demo/guide' }, ['demo/guide', 'POST /v1/chat/completions', smallModelId]],
    [{ input: undefined }, ['input is missing', 'none of them empty']],
    [{ input: null }, ['input is missing']],
    [{ input: '' }, ['input is ""']],
    [{ input: [] }, ['input is []']],
    [{ input: [''] }, ['input[0] is ""']],
    [{ input: ['a', ''] }, ['input[1] is ""', 'a string that is not empty']],
    [{ input: [[]] }, ['input[0] is []']],
    [{ input: [[1], []] }, ['input[1] is []', 'an array of token numbers']],
    [{ input: ['a', [1]] }, ['input[1] is [1]']],
    [{ input: [[1], 'a'] }, ['input[1] is "a"']],
    [{ input: [1, 'a'] }, ['input[0] is 1']],
    [{ input: [1.5] }, ['input[0] is 1.5']],
    [{ input: [[-1]] }, ['input[0] is [-1]']],
    [{ input: 5 }, ['input is 5']],
    [{ input: {} }, ['input is {}']],
    [{ input: 'word '.repeat(8193) }, ['input has 8194 tokens', 'at most 8192']],
    [{ input: ['a', Array<number>(8193).fill(1)] }, ['input[1] is [1,1']],
    [{ input: [[1], Array<number>(8193).fill(1)] }, ['input[1] has 8193 tokens', 'at most 8192']],
    [{ input: Array<string>(2049).fill('a') }, ['input has 2049 items', 'at most 2048']],
    [{ encoding_format: 'hex' }, ['encoding_format is "hex"', '"float" or "base64"']],
    [{ dimensions: 0 }, ['dimensions is 0']],
    [{ dimensions: '64' }, ['dimensions is "64"']],
    [{ dimensions: 65 }, ['dimensions is 65', 'one of 64, 128, 256, 512, 768, 1024 for demo/embedding-0.6B']],
    [{ dimensions: 1536 }, ['dimensions is 1536']],
    [{ model: 'demo/embedding-4B', dimensions: 4096 }, ['dimensions is 4096']],
    [{ model: 'demo/embedding-fixed', dimensions: 384 }, ['dimensions is 384', 'always returns 384']],
  ];
  it('rejects invalid embeddings requests and names the field, its value and the allowed values', async () => {
    for (const [fields, expectedTexts] of rejectedRequests) {
      const response = await post(fields);
      const body: unknown = await response.json();
      expect([response.status, getAt(body, 'error', 'type')], expectedTexts[0]).toEqual([
        400,
        'invalid_request',
      ]);
      for (const expectedText of expectedTexts)
        expect(getAt(body, 'error', 'message')).toContain(expectedText);
    }
  });

  it.each(allowedDimensions)(
    'accepts exactly the documented dimensions for %s, with a default of %d',
    async (model, defaultSize, dimensions) => {
      expect(await fetchVector({ model })).toHaveLength(defaultSize);
      const lengths = await Promise.all(
        everyDimension.map(async (dimension) => {
          const body: unknown = await (await post({ model, dimensions: dimension })).json();
          const embedding = getAt(body, 'data', 0, 'embedding');
          return Array.isArray(embedding) ? embedding.length : getAt(body, 'error', 'type');
        }),
      );
      expect(lengths).toEqual(
        everyDimension.map((dimension) => (dimensions.includes(dimension) ? dimension : 'invalid_request')),
      );
    },
  );

  it.each([
    ['a text', 'two words', 1, 2],
    ['texts', ['two words', 'three more words'], 2, 5],
    ['token numbers', [11, 12, 13], 1, 3],
    ['arrays of token numbers', [[11, 12], [13]], 2, 3],
  ])(
    'returns embeddings for %s under their indexes and counts the tokens',
    async (_, input, count, tokens) => {
      const body: unknown = await (await post({ input })).json();
      const indexes = Array.from({ length: count }, (__, index) => getAt(body, 'data', index, 'index'));
      expect(indexes).toEqual([...indexes.keys()]);
      expect(getAt(body, 'data', count)).toBeUndefined();
      expect(getAt(body, 'usage')).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
      expect([getAt(body, 'object'), getAt(body, 'model'), getAt(body, 'data', 0, 'object')]).toEqual([
        'list',
        smallModelId,
        'embedding',
      ]);
    },
  );

  it('accepts up to 2,048 items and an item of 8,192 tokens', async () => {
    expect((await post({ input: Array<string>(2048).fill('a'), dimensions: 64 })).status).toBe(200);
    expect((await post({ input: Array<number>(8192).fill(1) })).status).toBe(200);
  });

  it('encodes the same vector as little-endian float32 in base64', async () => {
    const body: unknown = await (await post({ encoding_format: 'base64' })).json();
    const bytes = Buffer.from(String(getAt(body, 'data', 0, 'embedding')), 'base64');
    expect(bytes).toHaveLength(4096);
    const decoded = Float32Array.from({ length: 1024 }, (_, index) => bytes.readFloatLE(index * 4));
    expect(decoded).toEqual(await fetchVector({}));
  });

  it('returns 499 when an embeddings request is aborted', async () => {
    const stop = new AbortController();
    const responsePromise = post(
      { model: 'demo/embedding-8B', input: Array<string>(2048).fill('a few words more') },
      { signal: stop.signal },
    );
    setImmediate(() => stop.abort());
    expect((await responsePromise).status).toBe(499);
  });
});

describe('embeddings of token numbers', () => {
  it('gives similar vectors to token lists that share numbers, regardless of the digits', async () => {
    const input = [
      [101, 102, 103, 104],
      [101, 102, 103, 999],
      [1011, 1022, 1033, 1044],
    ];
    const [first, near, far] = await Promise.all(
      [0, 1, 2].map((index) => fetchVector({ model: 'demo/embedding-8B', input }, index)),
    );
    if (!first || !near || !far) throw new Error('The vectors are missing');
    expect(computeCosine(first, near)).toBeGreaterThan(0.6);
    expect(Math.abs(computeCosine(first, far))).toBeLessThan(0.1);
  });
});

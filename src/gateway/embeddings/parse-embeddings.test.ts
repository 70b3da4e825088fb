import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { createSeededRandom } from '../../lib/random.ts';
import { readVector } from './embedding-vector.ts';
import { findElementType, parseEmbeddings, type RequestedEmbeddings } from './parse-embeddings.ts';

const encodeBase64 = (numbers: ArrayLike<number> & { buffer: ArrayBufferLike }) =>
  Buffer.from(numbers.buffer).toString('base64');

/** Returns a seeded unit vector like those of models. */
function createUnitVector(seed: number, length = 64): Float32Array<ArrayBuffer> {
  const random = createSeededRandom(seed);
  const raw = Float64Array.from({ length }, () => random() - 0.5);
  const norm = Math.hypot(...raw);
  return Float32Array.from(raw, (value) => value / norm);
}

const encodeFloat16 = (value: number): number => {
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  return sign | ((exponent + 15) << 10) | Math.round((magnitude / 2 ** exponent - 1) * 1024);
};
const encodeBfloat16 = (value: number): number =>
  (new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0) >>> 16;

const requested: RequestedEmbeddings = { count: 2, model: 'm', format: 'base64' };
const createResponseBody = (...embeddings: unknown[]) => ({
  object: 'list',
  model: 'm',
  usage: { prompt_tokens: 2, total_tokens: 2 },
  data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
});
const formatFindings = (reading: { findings: { kind: string; severity: string }[] }) =>
  reading.findings.map(({ kind, severity }) => `${kind} ${severity}`);

describe('valid embeddings response', () => {
  it('returns every vector at its index without findings', () => {
    const reading = parseEmbeddings(
      createResponseBody(encodeBase64(createUnitVector(1)), encodeBase64(createUnitVector(2))),
      requested,
    );
    expect(reading.findings).toEqual([]);
    expect(reading.length).toBe(64);
    expect(reading.encoding).toBe('base64');
    expect(reading.items.map((item) => item.ok && item.vector)).toEqual([
      createUnitVector(1),
      createUnitVector(2),
    ]);
  });
});

describe('faulty embeddings response', () => {
  const first = createUnitVector(1);
  const good = encodeBase64(first);
  const nan = Float32Array.from(createUnitVector(2));
  nan[5] = Number.NaN;

  it.each<[string, unknown[], string, RequestedEmbeddings?]>([
    [
      '16-bit floats',
      [good, encodeBase64(Uint16Array.from(createUnitVector(2, 128), encodeFloat16))],
      'half-precision fault',
    ],
    [
      'bfloat16 values with a known length',
      [good, encodeBase64(Uint16Array.from(createUnitVector(2), encodeBfloat16))],
      'half-precision fault',
      { ...requested, length: 64 },
    ],
    [
      'numbers in big-endian order',
      [good, Buffer.from(createUnitVector(2).buffer.slice(0)).swap32().toString('base64')],
      'byte-order fault',
    ],
    ['NaN in base64', [good, encodeBase64(nan)], 'not-a-number fault'],
    ['null in a list', [good, [0.1, null, 0.2]], 'not-a-number fault'],
    ['the string NaN in a list', [good, [0.1, 'NaN', 0.2]], 'not-a-number fault'],
    ['another string in a list', [good, [0.1, 'x', 0.2]], 'unreadable fault'],
    ['an infinity', [good, [1, Number.POSITIVE_INFINITY]], 'not-a-number fault'],
    ['zeros in base64', [good, encodeBase64(new Float32Array(64))], 'zero fault'],
    ['zeros in a list', [good, Array.from({ length: 64 }, () => 0)], 'zero fault'],
    ['a list for each token', [good, [Array.from(first), Array.from(first)]], 'nested fault'],
    ['an empty list', [good, []], 'empty fault'],
    ['an empty base64 string', [good, ''], 'empty fault'],
    [
      'a number of bytes that is not a multiple of 4',
      [good, Buffer.of(1, 2, 3).toString('base64')],
      'unreadable fault',
    ],
    ['a list within a list of numbers', [good, [0.1, [0.2]]], 'unreadable fault'],
    ['text that is not base64', [good, '%%%'], 'unreadable fault'],
    ['truncated base64', [good, encodeBase64(createUnitVector(2)).slice(0, -5)], 'unreadable fault'],
    ['an object', [good, { values: [1] }], 'unreadable fault'],
    [
      'a vector shorter than the others',
      [good, encodeBase64(createUnitVector(2).slice(0, 32))],
      'uneven fault',
      { ...requested, length: 64 },
    ],
  ])('reports a fault and drops the vector for %s', (_what, embeddings, finding, request = requested) => {
    const reading = parseEmbeddings(createResponseBody(...embeddings), request);
    expect(formatFindings(reading).filter((kind) => kind.endsWith('fault'))).toEqual([finding]);
    expect(reading.items.map((item) => item.ok)).toEqual([true, false]);
    expect(reading.findings.find(({ severity }) => severity === 'fault')?.items).toEqual([1]);
  });

  it('reports a missing item and has no vector for it', () => {
    const reading = parseEmbeddings(createResponseBody(good), requested);
    expect(formatFindings(reading)).toEqual(['missing fault']);
    expect(reading.items[1]).toEqual({ ok: false, fault: 'missing' });
  });

  it('rejects two items with the same index', () => {
    const data = [
      { index: 0, embedding: good },
      { index: 0, embedding: encodeBase64(createUnitVector(2)) },
    ];
    const reading = parseEmbeddings({ ...createResponseBody(), data }, requested);
    expect(formatFindings(reading)).toEqual(['index-twice fault', 'missing fault']);
    expect(reading.items.map((item) => item.ok)).toEqual([false, false]);
  });

  it('ignores an item whose index matches no input', () => {
    const data = [
      ...createResponseBody(good, encodeBase64(createUnitVector(2))).data,
      { index: 7, embedding: good },
    ];
    const reading = parseEmbeddings({ ...createResponseBody(), data }, requested);
    expect(formatFindings(reading)).toEqual(['index-outside note']);
    expect(reading.items.map((item) => item.ok)).toEqual([true, true]);
  });

  it('rejects items without an index if there are fewer items than inputs', () => {
    const reading = parseEmbeddings({ ...createResponseBody(), data: [{ embedding: good }] }, requested);
    expect(formatFindings(reading)).toEqual(['index-missing fault']);
    expect(reading.items.map((item) => item.ok)).toEqual([false, false]);
  });
});

describe('repairable embeddings response', () => {
  const [first, second] = [createUnitVector(1), createUnitVector(2)];

  it('repairs a list in place of base64, and base64 in place of a list', () => {
    const listReading = parseEmbeddings(createResponseBody(Array.from(first), Array.from(second)), requested);
    expect(formatFindings(listReading)).toEqual(['format-ignored repaired']);
    expect(listReading.items.map((item) => item.ok && item.vector)).toEqual([first, second]);
    const base64Reading = parseEmbeddings(createResponseBody(encodeBase64(first), encodeBase64(second)), {
      ...requested,
      format: 'float',
    });
    expect(base64Reading.findings).toMatchObject([
      { kind: 'format-ignored', expected: 'float', received: 'base64', items: [0, 1] },
    ]);
    expect(base64Reading.encoding).toBe('base64');
  });

  it.each([undefined, 64, 128])('reads 8-byte numbers if the known length is %s', (length) => {
    const wide = [first, second].map((vector) => encodeBase64(Float64Array.from(vector)));
    const reading = parseEmbeddings(createResponseBody(...wide), {
      ...requested,
      ...(length === 64 ? { length } : {}),
      ...(length === 128 ? { dimensions: length } : {}),
    });
    expect(formatFindings(reading)).toContain('float64 repaired');
    expect(reading.items.map((item) => item.ok && item.vector)).toEqual([first, second]);
  });

  it('restores the order of items that arrive in another order', () => {
    const data = createResponseBody(encodeBase64(first), encodeBase64(second)).data.toReversed();
    const reading = parseEmbeddings({ ...createResponseBody(), data }, requested);
    expect(formatFindings(reading)).toEqual(['out-of-order repaired']);
    expect(reading.items.map((item) => item.ok && item.vector)).toEqual([first, second]);
  });

  it('assigns items by order if no item has an index', () => {
    const data = [{ embedding: encodeBase64(first) }, { embedding: encodeBase64(second) }];
    const reading = parseEmbeddings({ ...createResponseBody(), data }, requested);
    expect(formatFindings(reading)).toEqual(['index-missing repaired']);
    expect(reading.items.map((item) => item.ok && item.vector)).toEqual([first, second]);
  });

  it('reports a number of dimensions that differs from the requested number', () => {
    const reading = parseEmbeddings(createResponseBody(encodeBase64(first), encodeBase64(second)), {
      ...requested,
      dimensions: 32,
    });
    expect(reading.findings).toMatchObject([{ kind: 'dimensions-ignored', expected: '32', received: '64' }]);
    expect(reading.length).toBe(64);
  });

  it('notes vectors that are not normalised, a different model and missing usage', () => {
    const { data } = createResponseBody(encodeBase64(first.map((value) => value * 3)), encodeBase64(second));
    const reading = parseEmbeddings({ object: 'list', model: 'other', data }, requested);
    expect(formatFindings(reading)).toEqual(['not-normalised note', 'other-model note', 'no-usage note']);
    expect(reading.findings[0]?.received).toBe('3.000');
  });
});

describe('details of findings', () => {
  const [first, second] = [createUnitVector(1), createUnitVector(2)];
  const createItem = (embedding: unknown, index?: unknown) => ({ index, embedding });
  const parse = (data: unknown[], overrides: Partial<RequestedEmbeddings> = {}) =>
    parseEmbeddings({ model: 'm', usage: {}, data }, { ...requested, ...overrides });

  it('reports the expected and the received value of each finding', () => {
    const wide = encodeBase64(Float64Array.from(first));
    const tripled = encodeBase64(second.map((value) => value * 3));
    expect(parse([createItem(wide, 0), createItem(tripled, 1)]).findings).toEqual([
      {
        kind: 'float64',
        severity: 'repaired',
        items: [0],
        expected: '4 bytes per number',
        received: '8 bytes per number',
      },
      { kind: 'not-normalised', severity: 'note', items: [1], expected: '1', received: '3.000' },
    ]);
    expect(parse([createItem(Array.from(first), 0), createItem(encodeBase64(second), 1)]).findings).toEqual([
      { kind: 'format-ignored', severity: 'repaired', items: [0], expected: 'base64', received: 'float' },
    ]);
    expect(parse([createItem(encodeBase64(first))]).findings).toEqual([
      { kind: 'index-missing', severity: 'fault', items: [], expected: '2', received: '1' },
    ]);
    expect(
      parseEmbeddings({ model: 'n', data: [createItem(encodeBase64(first), 0)] }, { ...requested, count: 1 })
        .findings,
    ).toEqual([
      { kind: 'other-model', severity: 'note', items: [], expected: 'm', received: 'n' },
      { kind: 'no-usage', severity: 'note', items: [] },
    ]);
    expect(
      parse([createItem(encodeBase64(first), 0), createItem(encodeBase64(second), 1)], { dimensions: 32 })
        .findings,
    ).toEqual([
      { kind: 'dimensions-ignored', severity: 'repaired', items: [], expected: '32', received: '64' },
    ]);
  });

  it.each([
    ['one past the last', 2, '2'],
    ['negative', -1, '-1'],
    ['a fraction', 0.5, '0.5'],
    ['a string', '1', '"1"'],
  ])('reports an index that is %s', (_name, index, received) => {
    const { findings } = parse([
      createItem(encodeBase64(first), 0),
      createItem(encodeBase64(second), 1),
      createItem(encodeBase64(second), index),
    ]);
    expect(findings).toEqual([
      { kind: 'index-outside', severity: 'note', items: [], expected: '0 to 1', received },
    ]);
  });

  it('expects the most frequent vector length, or the first, if no length is known', () => {
    const parseLengths = (...lengths: number[]) =>
      parse(
        lengths.map((length, index) => createItem(encodeBase64(createUnitVector(index + 1, length)), index)),
        { count: lengths.length },
      );
    expect(parseLengths(32, 64, 64)).toMatchObject({
      length: 64,
      findings: [{ kind: 'uneven', items: [0], expected: '64', received: '32' }],
    });
    expect(parseLengths(64, 64, 32).length).toBe(64);
    expect(parseLengths(32, 64).length).toBe(32);
    expect(parse([])).not.toHaveProperty('length');
  });

  it('omits findings about a missing model, and about the length if no vector is usable', () => {
    expect(
      parseEmbeddings({ usage: {}, data: [createItem(encodeBase64(first), 0)] }, { ...requested, count: 1 })
        .findings,
    ).toEqual([]);
    expect(formatFindings(parse([createItem('%%%', 0)], { count: 1, dimensions: 64 }))).toEqual([
      'unreadable fault',
    ]);
  });

  it('reports base64 as the encoding if more than half of the items use it', () => {
    const [text, list] = [encodeBase64(first), Array.from(first)];
    expect(parse([createItem(text, 0), createItem(list, 1)]).encoding).toBe('float');
    expect(
      parse([createItem(text, 0), createItem(text, 1), createItem(list, 2)], { count: 3 }).encoding,
    ).toBe('base64');
    expect(parse([createItem('%%%', 0), createItem(7, 1)]).encoding).toBe('float');
  });

  it('accepts rounding errors in a norm of 1', () => {
    const createScaledItem = (factor: number) =>
      createItem(encodeBase64(first.map((value) => value * factor)), 0);
    expect(parse([createScaledItem(1.0009)], { count: 1 }).findings).toEqual([]);
    expect(formatFindings(parse([createScaledItem(0.998)], { count: 1 }))).toEqual(['not-normalised note']);
  });
});

describe('items without an index', () => {
  it('reads a missing index as 0 if other items have one, in any order of items and keys', () => {
    const arbitraryShape = fc.integer({ min: 2, max: 12 }).chain((count) =>
      fc.record({
        order: fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }),
        isNull: fc.boolean(),
        hasObject: fc.boolean(),
        isIndexFirst: fc.boolean(),
        isBase64: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(arbitraryShape, ({ order, isNull, hasObject, isIndexFirst, isBase64 }) => {
        const vectors = order.map((_, index) => createUnitVector(index + 1, 16));
        const data = order.map((index) => {
          const vector = vectors[index] ?? createUnitVector(99);
          const indexField = index > 0 ? { index } : isNull ? { index: null } : {};
          const embedding = { embedding: isBase64 ? encodeBase64(vector) : Array.from(vector) };
          const itemFields = hasObject ? { ...embedding, object: 'embedding' } : embedding;
          return isIndexFirst ? { ...indexField, ...itemFields } : { ...itemFields, ...indexField };
        });
        const reading = parseEmbeddings(
          { data, model: 'm', usage: {} },
          { count: order.length, model: 'm', format: isBase64 ? 'base64' : 'float' },
        );
        expect(reading.items.map((item) => item.ok && item.vector)).toEqual(vectors);
        const isOrdered = order.every((index, position) => index === position);
        expect(formatFindings(reading)).toEqual([
          'index-zero repaired',
          ...(isOrdered ? [] : ['out-of-order repaired']),
        ]);
      }),
    );
  });

  it('rejects several items that would all have index 0', () => {
    const data = [{ embedding: [1, 2] }, { index: 1, embedding: [2, 1] }, { embedding: [3, 4] }];
    const reading = parseEmbeddings(
      { ...createResponseBody(), data },
      { ...requested, count: 3, format: 'float' },
    );
    expect(reading.items.map((item) => item.ok)).toEqual([false, true, false]);
    expect(formatFindings(reading)).toContain('index-twice fault');
  });
});

describe('quantised vectors', () => {
  const createIntegers = (seed: number, length: number, min: number, max: number) =>
    Array.from(createUnitVector(seed, length), (value) =>
      Math.max(min, Math.min(max, Math.round(value * 400))),
    );
  const parse = (embedding: unknown, overrides: Partial<RequestedEmbeddings> = {}) =>
    parseEmbeddings(createResponseBody(embedding), { ...requested, count: 1, format: 'float', ...overrides });

  it('accepts lists of 8-bit integers with a note, whatever was requested', () => {
    const signed = createIntegers(1, 64, -128, 127);
    for (const overrides of [{}, { elementType: 'int8' as const }, { length: 64 }]) {
      const reading = parse(signed, overrides);
      expect(reading.findings).toEqual([
        { kind: 'integers', severity: 'note', items: [0], received: 'int8' },
      ]);
      expect(reading.items[0]).toMatchObject({ ok: true, vector: Float32Array.from(signed) });
    }
    expect(parse(signed.map((value) => value + 128)).findings).toMatchObject([{ received: 'uint8' }]);
    expect(parse([3, 0, 4], { elementType: 'int8' }).findings).toMatchObject([{ received: 'int8' }]);
  });

  it('reads base64 of 8-bit integers if the request or the length indicates it', () => {
    const signed = Int8Array.from(createIntegers(2, 64, -128, 127));
    for (const overrides of [{ elementType: 'int8' as const }, { length: 64 }]) {
      const reading = parse(encodeBase64(signed), { ...overrides, format: 'base64' });
      expect(reading.items[0]).toMatchObject({ ok: true, vector: Float32Array.from(signed) });
      expect(formatFindings(reading)).toEqual(['integers note']);
    }
    const unsigned = Uint8Array.from(signed, (value) => value + 128);
    const reading = parse(encodeBase64(unsigned), { elementType: 'uint8', format: 'base64' });
    expect(reading.items[0]).toMatchObject({ ok: true, vector: Float32Array.from(unsigned) });
  });

  it('reports packed bits and never uses them as coordinates', () => {
    const packed = Int8Array.from(createUnitVector(3, 32), (value) => Math.round(value * 1000));
    const requests: [unknown, Partial<RequestedEmbeddings>][] = [
      [Array.from(packed), { elementType: 'bits' }],
      [Array.from(new Uint8Array(packed.buffer)), { elementType: 'bits' }],
      [Array.from(packed), { dimensions: 256 }],
      [encodeBase64(packed), { elementType: 'bits', format: 'base64' }],
      [encodeBase64(packed), { length: 256, format: 'base64' }],
    ];
    for (const [embedding, overrides] of requests) {
      const reading = parse(embedding, overrides);
      expect(reading.items, JSON.stringify(overrides)).toEqual([{ ok: false, fault: 'packed-bits' }]);
      expect(formatFindings(reading)).toEqual(['packed-bits fault']);
    }
  });

  it('reads floats if the server ignores the requested integer type', () => {
    for (const elementType of ['int8', 'uint8', 'bits'] as const) {
      const listReading = parse(Array.from(createUnitVector(4)), { elementType });
      expect(listReading.items[0]).toMatchObject({ ok: true, vector: createUnitVector(4) });
      const base64Reading = parse(encodeBase64(createUnitVector(4)), { elementType, format: 'base64' });
      expect(base64Reading.items[0]).toMatchObject({ ok: true, vector: createUnitVector(4) });
      expect([...listReading.findings, ...base64Reading.findings]).toEqual([]);
    }
    // Unpacked signs are ordinary coordinates.
    const signs = Array.from(createUnitVector(5), Math.sign);
    expect(parse(signs, { elementType: 'bits' }).items[0]).toMatchObject({ ok: true });
  });

  it('finds the requested element type in any extra field, alone or in a list of one', () => {
    const body = { model: 'int8', input: ['binary'] };
    expect(findElementType(body)).toBeUndefined();
    expect(findElementType({ ...body, output_dtype: 'ubinary' })).toEqual({
      field: 'output_dtype',
      type: 'bits',
    });
    expect(findElementType({ ...body, kinds: ['int8'] })).toEqual({ field: 'kinds', type: 'int8' });
    expect(findElementType({ ...body, kinds: ['float', 'int8'] })).toBeUndefined();
  });
});

describe('base64 of numbers', () => {
  it('accepts coordinates up to a million and norms from a millionth', () => {
    const large = Float32Array.of(900_000, 900_000);
    expect(readVector(encodeBase64(large))).toMatchObject({ ok: true, encoding: 'float32', vector: large });
    expect(readVector(encodeBase64(Float32Array.of(2_000_000, 1, 1)))).toMatchObject({ ok: false });
    expect(readVector(encodeBase64(Float32Array.of(2e-6, 0)))).toMatchObject({ ok: true });
    expect(readVector(encodeBase64(Float32Array.of(2e-7, 0, 0)))).toMatchObject({ ok: false });
  });
});

it('detects 16-bit floats only if the length indicates them', () => {
  const halves = encodeBase64(Uint16Array.from(createUnitVector(2), encodeBfloat16));
  expect(readVector(halves, 64)).toMatchObject({ ok: false, fault: 'half-precision' });
  expect(readVector(halves, 32)).toMatchObject({ ok: true, encoding: 'float32' });
  expect(readVector(halves)).toMatchObject({ ok: true, encoding: 'float32' });
  expect(readVector(encodeBase64(createUnitVector(2, 32)), 64)).toMatchObject({
    ok: true,
    encoding: 'float32',
  });
});

it('reports every vector as missing if the response has no list', () => {
  for (const value of [{ data: 'x' }, 'x', undefined]) {
    const reading = parseEmbeddings(value, requested);
    expect(reading.items).toEqual([
      { ok: false, fault: 'missing' },
      { ok: false, fault: 'missing' },
    ]);
    expect(formatFindings(reading)).toEqual(['missing fault', 'no-usage note']);
    expect(reading).not.toHaveProperty('length');
  }
});

it('sums every number of a vector of any length', () => {
  for (let length = 1; length <= 9; length += 1) {
    const numbers = Array.from({ length }, (_, index) => index + 1);
    const norm = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
    expect(readVector(numbers)).toMatchObject({ ok: true, norm });
  }
});

describe('base64 decoding with and without browser support', () => {
  const prototype: object = Uint8Array.prototype;
  const originalDescriptor = Object.getOwnPropertyDescriptor(prototype, 'setFromBase64');
  const replaceDecoder = (property: PropertyDescriptor | undefined) => {
    Reflect.deleteProperty(prototype, 'setFromBase64');
    if (property) Object.defineProperty(prototype, 'setFromBase64', property);
  };
  afterEach(() => replaceDecoder(originalDescriptor));

  it('decodes and rejects the same texts with both base64 implementations', () => {
    // Inserts line breaks as long as one more number.
    const broken = `${encodeBase64(createUnitVector(5)).slice(0, 40)}${'\n'.repeat(5)}${encodeBase64(createUnitVector(5)).slice(40)}`;
    const texts = [
      encodeBase64(createUnitVector(3)),
      encodeBase64(createUnitVector(4)).slice(0, -7),
      '%%%',
      '',
      'AAAA',
      broken,
    ];
    replaceDecoder(undefined);
    const baseline = texts.map((text) => readVector(text));
    const decodedTexts: string[] = [];
    replaceDecoder({
      configurable: true,
      value(this: Uint8Array, text: string) {
        decodedTexts.push(text);
        if (!/^[\w+/]*={0,2}$/.test(text) || text.length % 4 === 1)
          throw new SyntaxError('The embedding must be base64');
        const bytes = Buffer.from(text, 'base64');
        this.set(bytes);
        return { read: text.length, written: bytes.length };
      },
    });
    expect(texts.map((text) => readVector(text))).toEqual(baseline);
    expect(decodedTexts).toEqual(texts);
    expect(baseline.map((reading) => reading.ok)).toEqual([true, false, false, false, false, false]);
  });
});

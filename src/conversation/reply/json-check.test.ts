import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseExactJson } from '../../lib/exact-json.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { validateValue, formatJsonPath } from './json-check-schema.ts';
import { checkJson } from './json-check.ts';
import { getRequestedFormat, parseJsonReply } from './json-reply-text.ts';

describe('incremental JSON check', () => {
  it('accepts every prefix of a JSON text as valid so far', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        for (let end = 0; end < text.length; end += 1) {
          expect(checkJson(text.slice(0, end)).state).not.toBe('broken');
        }
        expect(checkJson(text)).toEqual({ state: 'whole' });
      }),
    );
  });

  it('agrees with JSON.parse on arbitrary texts', () => {
    const tokens = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      'a',
      '1',
      '0',
      '-',
      '.',
      'e',
      ' ',
      '\\',
      'u',
      'true',
      'null',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(checkJson(text).state === 'whole').toBe(parseJson(text).ok);
      }),
      { numRuns: getCaseCount(3000) },
    );
  });

  it('returns the offset of the first error and the expected token', () => {
    const rows = [
      ['{"a": 1,}', 8, 'a name in quotes'],
      ['{"a" 1}', 5, ': after the name'],
      ['{"a": [1,, 2]}', 9, 'a value'],
      ['{a: 1}', 1, 'a name in quotes or }'],
      ['[1 2]', 3, ', or ]'],
      ['[1}', 2, ', or ]'],
      ['[1]]', 3, 'nothing after the end of the JSON'],
      ['{"a": truely}', 10, ', or }'],
      ['{"a": tru}', 6, 'a value'],
      ['{"a": 01}', 7, ', or }'],
      ['["a\nb"]', 3, 'no line break or control character inside a string'],
      ['["\\x"]', 2, 'one of the letters "\\/bfnrtu after \\'],
      ['["\\u12"]', 2, '4 hexadecimal digits after \\u'],
      ['{} and more', 3, 'nothing after the end of the JSON'],
      ['Sure: {}', 0, 'a value'],
      ["{'a': 1}", 1, 'a name in quotes or }'],
    ] as const;
    for (const [text, offset, expected] of rows) {
      expect(checkJson(text)).toEqual({ state: 'broken', offset, expected });
      // The offset is the earliest one: the text before it could still become valid JSON.
      expect(checkJson(text.slice(0, offset)).state, text).not.toBe('broken');
    }
  });

  it('distinguishes blank text from incomplete JSON', () => {
    expect(checkJson(' \n').state).toBe('empty');
  });
});

describe('replies shown as JSON', () => {
  const parseReply = (text: string, isStreaming = false, isRequested = false) =>
    parseJsonReply(text, isStreaming, isRequested)?.text;

  it('shows a reply as JSON if the whole text is one object or list', () => {
    expect(parseReply(' {"a": 1} ')).toBe(' {"a": 1} ');
    expect(parseReply('[1]')).toBe('[1]');
    expect(parseReply('{"a": 1} is the answer')).toBeUndefined();
    expect(parseReply('42')).toBeUndefined();
    expect(parseReply('[link](https://example.com)')).toBeUndefined();
  });

  it('shows a reply as JSON if it is a single code fence with JSON', () => {
    expect(parseReply('```json\n{"a": 1}\n```')).toBe('{"a": 1}');
    expect(parseReply('Here:\n```json\n{"a": 1}\n```')).toBeUndefined();
    expect(parseReply('```json\n{"a": 1\n```')).toBeUndefined();
  });

  it('shows a streaming reply as JSON while it can still become JSON', () => {
    expect(parseReply('{"a": [1, tr', true)).toBe('{"a": [1, tr');
    expect(parseReply('[{"a"', true)).toBe('[{"a"');
    expect(parseReply('[x] done', true)).toBeUndefined();
    expect(parseReply('- {', true)).toBeUndefined();
  });

  it('always shows a reply as JSON if JSON was requested', () => {
    expect(parseReply('Sure, here you are', false, true)).toBe('Sure, here you are');
    expect(parseReply('```json\n{"a": 1}\n```', false, true)).toBe('{"a": 1}');
    expect(parseReply('', false, true)).toBeUndefined();
  });

  it('reads the requested format and schema from response_format', () => {
    const getFormat = (text: string) => getRequestedFormat({ response_format: { sent: true, text } });
    expect(getFormat('json_object')).toEqual({ type: 'json_object' });
    expect(getFormat('text')).toBeUndefined();
    expect(getRequestedFormat({ response_format: { sent: false, text: 'json_object' } })).toBeUndefined();
    const schema = { type: 'object' };
    expect(getFormat(JSON.stringify({ type: 'json_schema', json_schema: { name: 'x', schema } }))).toEqual({
      type: 'json_schema',
      schema,
    });
  });
});

describe('schema validation of numbers', () => {
  const validateNumbers = (value: string, schema: string) => {
    const [read, format] = [parseExactJson(value), parseExactJson(`{"schema":${schema}}`)];
    if (!read.ok || !format.ok || !isJsonObject(format.value)) throw new Error('Both texts must be JSON');
    const { schema: parsedSchema } = format.value;
    const result = validateValue(read.value, isJsonObject(parsedSchema) ? parsedSchema : {});
    return result.state === 'fails' ? result.problem.message : result.state;
  };

  const rows: [value: string, schema: string, sentence: string][] = [
    ['9007199254740993', '{"const":9007199254740993}', 'fits'],
    [
      '9007199254740992',
      '{"const":9007199254740993}',
      'The answer must be 9007199254740993; it is 9007199254740992.',
    ],
    [
      '{"id":12345678901234567890}',
      '{"properties":{"id":{"enum":[12345678901234567891,1e400]}}}',
      'id must be one of 12345678901234567891, 1e400; it is 12345678901234567890.',
    ],
    ['{"id":10e399}', '{"properties":{"id":{"enum":[12345678901234567891,1e400]}}}', 'fits'],
    [
      '9007199254740993',
      '{"maximum":9007199254740992}',
      'The answer: 9007199254740993 is greater than 9007199254740992.',
    ],
    ['9007199254740993', '{"exclusiveMinimum":9007199254740992,"maximum":9007199254740994}', 'fits'],
    ['[9007199254740993,9007199254740992]', '{"uniqueItems":true}', 'fits'],
    ['[1,1.0]', '{"uniqueItems":true}', 'The answer: Duplicate items at indexes 0 and 1.'],
    ['1.0', '{"type":"integer","const":1}', 'fits'],
    ['1', '{"type":"integer","const":1.0}', 'fits'],
    ['-0', '{"type":"integer","minimum":0}', 'fits'],
    ['1e400', '{"type":"integer"}', 'fits'],
    ['5.00000000000000000001', '{"type":"integer"}', 'The answer must be an integer; it is a number.'],
    ['[4.99999999999999999999,5]', '{"contains":{"type":"integer"},"items":{"maximum":5}}', 'fits'],
    ['{"a":1e400,"a":{"b":1.0}}', '{"properties":{"a":{"required":["b"]}}}', 'fits'],
    [
      '{"a":1,"a":1.0,"b":"x"}',
      '{"properties":{"b":{"type":"number"}}}',
      'b must be a number; it is a string.',
    ],
  ];

  it('validates numbers by their digits instead of as doubles', () => {
    expect(rows.map(([value, schema]) => [value, schema, validateNumbers(value, schema)])).toEqual(rows);
  });

  it('compares numbers with schema limits as exactly as BigInt', () => {
    const arbitraryInteger = fc.oneof(fc.bigInt(), fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }));
    fc.assert(
      fc.property(
        fc.array(arbitraryInteger, { minLength: 1, maxLength: 6 }),
        arbitraryInteger,
        (values, limit) => {
          const schema = `{"items":{"type":"integer","maximum":${limit}}}`;
          const fits = values.every((value) => value <= limit);
          expect(validateNumbers(`[${values.join(',')}]`, schema) === 'fits').toBe(fits);
          const unique = new Set(values).size === values.length;
          expect(validateNumbers(`[${values.join(',')}]`, '{"uniqueItems":true}') === 'fits').toBe(unique);
        },
      ),
      { numRuns: getCaseCount(300) },
    );
  });
});

describe('JSON Schema validation', () => {
  const order = {
    $defs: { price: { type: 'number', minimum: 0 } },
    type: 'object',
    properties: {
      state: { enum: ['open', 'closed'] },
      items: {
        type: 'array',
        items: { type: 'object', properties: { price: { $ref: '#/$defs/price' } }, required: ['price'] },
      },
      note: { type: ['string', 'null'] },
      pay: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    },
    required: ['items'],
    additionalProperties: false,
  };
  const validateOrder = (value: Parameters<typeof validateValue>[0]) => {
    const check = validateValue(value, order);
    return check.state === 'fails' ? [check.problem.path.join('/'), check.problem.message] : check.state;
  };

  it('accepts a matching value and reports the failing path of any other value', () => {
    const rows: [Parameters<typeof validateOrder>[0], string | string[]][] = [
      [{ items: [{ price: 1 }], note: null }, 'fits'],
      [[], ['', 'The answer must be an object; it is an array.']],
      [{}, ['', 'items is missing.']],
      [{ items: [{ price: 1 }, {}] }, ['items/1', 'items[1].price is missing.']],
      [{ items: [{ price: '1' }] }, ['items/0/price', 'items[0].price must be a number; it is a string.']],
      [{ items: [], state: 'gone' }, ['state', 'state must be one of "open", "closed"; it is "gone".']],
      [{ items: [], extra: 1 }, ['extra', 'Unexpected field: extra.']],
      [{ items: [], note: 4 }, ['note', 'note must be a string or null; it is a number.']],
      [{ items: [], pay: true }, ['pay', 'pay matches none of the allowed schemas.']],
    ];
    expect(rows.map(([value]) => validateOrder(value))).toEqual(rows.map(([, expected]) => expected));
  });

  it('reports an unusable schema', () => {
    expect(validateValue({}, { $ref: '#/nowhere' }).state).toBe('unusable');
  });

  it('formats paths like property access in code', () => {
    expect(formatJsonPath(['a', '0', 'b c', 'd'])).toBe('a[0]["b c"].d');
  });
});

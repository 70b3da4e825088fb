import { Validator } from '@cfworker/json-schema';
import { array, assert, constantFrom, letrec, oneof, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isJsonObject, parseJson, type Json, type JsonObject } from '../../lib/json.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { generateFromSchema } from './generate-from-schema.ts';

const createObjectSchema = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
});
const stringSchema = { type: 'string' };

/** Returns the value generated for a single required property. */
const generateProperty = (name: string, schema: JsonObject, text: string): Json | undefined => {
  const { value } = generateFromSchema(createObjectSchema({ [name]: schema }), text);
  return isJsonObject(value) ? value[name] : undefined;
};

describe('value next to the name of its property', () => {
  it.each<[string, JsonObject, string, Json]>([
    ['order', { type: 'integer' }, 'Where is order 4711?', 4711],
    ['order_id', stringSchema, 'Cancel order 4711, please', '4711'],
    ['orderId', stringSchema, 'Cancel order id: AB-1234.', 'AB-1234'],
    ['city', stringSchema, 'The weather in the city of New York today', 'New York'],
    ['city', stringSchema, 'the city is oslo', 'oslo'],
    ['destination_city', stringSchema, 'to city Rome', 'Rome'],
    ['title', stringSchema, 'Note with title "Buy milk, eggs" for me', 'Buy milk, eggs'],
    ['subject', stringSchema, 'subject: Lunch on Friday, body: Where?', 'Lunch on Friday'],
    ['email', { type: 'string', format: 'email' }, 'Her email is ann@example.com.', 'ann@example.com'],
    [
      'link',
      { type: 'string', format: 'uri' },
      'link https://example.com/a?b=c.',
      'https://example.com/a?b=c',
    ],
    ['date', { type: 'string', format: 'date' }, 'on date 2027-05-03', '2027-05-03'],
    ['num_days', { type: 'integer' }, 'for 5 days', 5],
    ['party_size', { type: 'integer' }, 'a party size of 4', 4],
    ['guests', { type: 'integer' }, 'for 12 more guests', 12],
    ['price', { type: 'number' }, 'price = 1,250.50', 1250.5],
    ['urgent', { type: 'boolean' }, 'urgent: yes', true],
    [
      'tags',
      { type: 'array', items: stringSchema },
      'tags: red, green and dark blue. Thanks',
      ['red', 'green', 'dark blue'],
    ],
    ['numbers', { type: 'array', items: { type: 'integer' } }, 'numbers 3, 5 and 8', [3, 5, 8]],
  ])('fills %s from the text next to its name, row %#', (name, schema, text, value) => {
    expect(generateProperty(name, schema, text)).toEqual(value);
  });

  it('ignores a value next to the name that does not fit the schema', () => {
    expect(generateProperty('count', { type: 'integer', maximum: 10, default: 3 }, 'count 40')).toBe(3);
    expect(generateProperty('city', { type: 'string', default: 'Oslo' }, 'Which city is it?')).toBe('Oslo');
  });
});

describe('property that the text does not name', () => {
  const units = { type: 'string', enum: ['celsius', 'fahrenheit'] };

  it('uses an enum member or example that the text mentions', () => {
    expect(generateProperty('unit', units, 'in Fahrenheit, please')).toBe('fahrenheit');
    expect(generateProperty('room', { enum: ['room', 'living room'] }, 'light in the living-room')).toBe(
      'living room',
    );
    expect(generateProperty('level', { type: 'integer', enum: [1, 2, 3] }, 'the 2 of them')).toBe(2);
    expect(
      generateProperty('city', { ...stringSchema, examples: ['Rome', 'Paris'] }, 'weather in Paris'),
    ).toBe('Paris');
    expect(generateProperty('units', { type: 'array', items: units }, 'celsius or Fahrenheit')).toEqual([
      'fahrenheit',
      'celsius',
    ]);
  });

  it('falls back to the default, the first enum member or a placeholder of the type', () => {
    expect(generateProperty('unit', { ...units, default: 'fahrenheit' }, '')).toBe('fahrenheit');
    expect(generateProperty('unit', units, '')).toBe('celsius');
    expect(generateProperty('text', stringSchema, '')).toBe('unknown');
    expect(generateProperty('count', { type: 'integer' }, '')).toBe(0);
    expect(generateProperty('maybe', { type: ['string', 'null'] }, '')).toBeNull();
    expect(generateProperty('tags', { type: 'array', items: stringSchema, default: ['new'] }, '')).toEqual([
      'new',
    ]);
    expect(
      generateProperty(
        'guest',
        { ...createObjectSchema({ name: stringSchema }), type: ['object', 'null'] },
        '',
      ),
    ).toBeNull();
    expect(generateProperty('either', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, '')).toBeNull();
    expect(generateProperty('either', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 'either 7')).toBe(
      7,
    );
  });

  it('omits optional properties that the text does not provide', () => {
    const schema = createObjectSchema({ city: stringSchema, days: { type: 'integer' } }, []);
    expect(generateFromSchema(schema, 'hello').value).toEqual({});
    expect(generateFromSchema(schema, '3 days').value).toEqual({ days: 3 });
  });

  it('lists the path of every placeholder value', () => {
    const schema = createObjectSchema({
      city: stringSchema,
      guest: createObjectSchema({ email: stringSchema, age: { default: 18 } }),
    });
    expect(generateFromSchema(schema, 'hello').missing).toEqual(['city', 'guest.email']);
    expect(generateFromSchema(schema, 'city Oslo, email ann@example.com').missing).toEqual([]);
  });
});

const messages = [
  '',
  'hello',
  'do it for name Anna Berg and 3 people on day 2027-06-05, count 250, urgent: yes, blue and red, code AB-1234',
  'from Paris to Rome, 12 numbers, "quoted words", link https://example.com/a?b=c. Twice.',
  '北京 3 emoji ✈️ ünïcode -5.5 § ¶ "unclosed',
];

const listSchemaErrors = (schema: JsonObject, message: string) => {
  const { value } = generateFromSchema(schema, message);
  const { errors } = new Validator(structuredClone(schema), '2020-12').validate(value);
  return errors.map(({ error, instanceLocation }) => `${message}: ${instanceLocation} ${error}`);
};

const definitions: JsonObject = {
  size: { enum: ['S', 'M', 'L'] },
  node: createObjectSchema({
    name: stringSchema,
    next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
  }),
};
const properties: [string, JsonObject][] = [
  ['short', { type: 'string', maxLength: 3 }],
  ['long', { type: 'string', minLength: 40 }],
  ['code', { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' }],
  ['colour', { type: 'string', pattern: '^#(?:[0-9a-f]{3}){1,2}$' }],
  ['phone', { type: 'string', pattern: '^\\+?[0-9 ]{7,15}$' }],
  ['version', { type: 'string', pattern: '^v?(0|[1-9]\\d*)\\.(\\d+)(-rc\\.\\d+)?$' }],
  ['slug', { type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', minLength: 1 }],
  ...['date', 'date-time', 'time', 'duration', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname'].map(
    (format): [string, JsonObject] => [format, { type: 'string', format }],
  ),
  ['count', { type: 'integer', minimum: 1, maximum: 10 }],
  ['step', { type: 'number', multipleOf: 5, exclusiveMinimum: 10 }],
  ['tenths', { type: 'number', multipleOf: 0.1, minimum: 0.25 }],
  ['share', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['below', { type: 'number', exclusiveMaximum: -3 }],
  ['nothing', { type: 'null' }],
  ['fixed', { const: 'yes' }],
  ['either', { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 7 }] }],
  [
    'one',
    {
      oneOf: [
        { type: 'integer', minimum: 7 },
        { type: 'number', maximum: 9 },
      ],
    },
  ],
  [
    'both',
    {
      allOf: [
        createObjectSchema({ name: stringSchema }),
        createObjectSchema({ age: { type: 'integer', minimum: 18 } }),
      ],
    },
  ],
  ['tags', { type: 'array', items: stringSchema, minItems: 2, maxItems: 3, uniqueItems: true }],
  ['numbers', { type: 'array', items: { type: 'integer' }, maxItems: 2 }],
  ['pair', { type: 'array', prefixItems: [stringSchema, { type: 'integer' }], items: false, minItems: 2 }],
  ['people', { type: 'array', items: createObjectSchema({ name: stringSchema }), minItems: 1 }],
  ['some', { type: 'object', properties: { a: stringSchema, b: stringSchema }, minProperties: 2 }],
  ['referred', { $ref: '#/$defs/size' }],
  ['chain', { $ref: '#/$defs/node' }],
  ['untyped', {}],
];

describe('generated values', () => {
  it.each(properties)('generates a value that fits the schema with %s required', (name, schema) => {
    const rootSchema = { ...createObjectSchema({ [name]: schema }), $defs: definitions };
    expect(messages.flatMap((message) => listSchemaErrors(rootSchema, message))).toEqual([]);
  });

  it.each([
    ['all of them required', properties.map(([name]) => name)],
    ['none of them required', []],
  ])('generates values that fit a schema with many properties, %s', (_, required) => {
    const rootSchema = {
      ...createObjectSchema(Object.fromEntries(properties), required),
      $defs: definitions,
    };
    expect(messages.flatMap((message) => listSchemaErrors(rootSchema, message))).toEqual([]);
  });

  it('generates values that fit arbitrarily combined schemas', () => {
    const scalars = properties.map(([, schema]) => schema).filter((schema) => !('$ref' in schema));
    const { schema } = letrec<{ schema: JsonObject }>((tie) => ({
      schema: oneof(
        { maxDepth: 4, withCrossShrink: true },
        constantFrom(...scalars),
        record({ a: tie('schema'), b: tie('schema') }).map((inner) => createObjectSchema(inner)),
        record({ a: tie('schema'), b: tie('schema') }).map((inner) => createObjectSchema(inner, ['b'])),
        tie('schema').map((items): JsonObject => ({ type: 'array', items, minItems: 1 })),
        array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf): JsonObject => ({ anyOf })),
      ),
    }));
    assert(
      property(schema, constantFrom(...messages), (generatedSchema, message) => {
        expect(listSchemaErrors(generatedSchema, message)).toEqual([]);
      }),
      { numRuns: getCaseCount(200) },
    );
  });
});

describe('hostile schema', () => {
  it('fills a property named __proto__ like any other property', () => {
    const parsed = parseJson(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    const { value } = generateFromSchema(parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}, 'go');
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('limits the depth of a schema that refers to itself', () => {
    const node = createObjectSchema({ left: { $ref: '#' }, right: { $ref: '#' }, name: stringSchema });
    expect(JSON.stringify(generateFromSchema(node, 'go').value).length).toBeLessThan(100_000);
  });

  it('tries a slow pattern only on short words', () => {
    const slowSchema = { type: 'string', pattern: '^(a+)+$' };
    const text = `word ${'a'.repeat(5000)}!`;
    expect(generateProperty('word', slowSchema, text)).toBe('a');
    expect(generateProperty('word', { anyOf: [slowSchema, stringSchema] }, text)).toBe('a');
  });

  it.each<[string, JsonObject]>([
    ['has a dangling reference', { $ref: '#/$defs/none' }],
    ['has an invalid pattern', { type: 'string', pattern: '[' }],
    [
      'has two parts with the same ID',
      { allOf: [{ $id: 'https://a.example/' }, { $id: 'https://a.example/' }] },
    ],
    ['is thousands of levels deep', JSON.parse(`${'{"items":'.repeat(5000)}{}${'}'.repeat(5000)}`)],
  ])('generates a value for a schema that %s', (_, schema) => {
    expect(generateFromSchema(schema, 'go').value).toBeDefined();
  });
});

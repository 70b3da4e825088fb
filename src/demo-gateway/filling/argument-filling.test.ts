import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';

import { isRecord, parseJson, type JsonObject } from '../../lib/json.ts';
import { fillArguments } from './argument-filling.ts';

const now = Date.UTC(2026, 10, 21, 12);

describe('the arguments of a tool call', () => {
  const messages = [
    '',
    'hello',
    'do it for Anna Berg and 3 others on 5 June 2027 in Oslo, at most 250, yes, blue and red, id AB-1234, anna@example.com',
    'from Paris to Rome, 12 items, "quoted words", https://example.com/a?b=c. Twice.',
    '北京 3 emoji ✈️ ünïcode -5.5 § ¶ "unclosed',
  ];
  const properties: [string, JsonObject][] = [
    ['plain', { type: 'string' }],
    ['short', { type: 'string', maxLength: 3 }],
    ['long', { type: 'string', minLength: 40 }],
    ['message', { type: 'string', minLength: 5, maxLength: 12 }],
    ['code', { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$' }],
    ['day', { type: 'string', format: 'date' }],
    ['at', { type: 'string', format: 'date-time' }],
    ['time', { type: 'string', format: 'time' }],
    ['email', { type: 'string', format: 'email' }],
    ['link', { type: 'string', format: 'uri' }],
    ['key', { type: 'string', format: 'uuid' }],
    ['colour', { type: 'string', enum: ['red', 'green', 'blue'] }],
    ['level', { type: 'integer', enum: [1, 2, 3] }],
    ['count', { type: 'integer', minimum: 1, maximum: 10 }],
    ['step', { type: 'number', multipleOf: 5, exclusiveMinimum: 10 }],
    ['below', { type: 'number', exclusiveMaximum: -3 }],
    ['urgent', { type: 'boolean' }],
    ['nothing', { type: 'null' }],
    ['fixed', { const: 'yes' }],
    ['maybe', { type: ['string', 'null'] }],
    ['either', { anyOf: [{ type: 'null' }, { type: 'integer', minimum: 7 }] }],
    ['tags', { type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 3 }],
    [
      'colours',
      { type: 'array', items: { type: 'string', enum: ['red', 'green', 'blue'] }, uniqueItems: true },
    ],
    ['numbers', { type: 'array', items: { type: 'integer' }, maxItems: 2 }],
    [
      'person',
      {
        type: 'object',
        properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 18 } },
        required: ['name', 'age'],
      },
    ],
    [
      'people',
      {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        minItems: 1,
      },
    ],
    ['referred', { $ref: '#/$defs/size' }],
    ['default', { type: 'string', default: 'as given' }],
    ['untyped', {}],
  ];
  const definitions: JsonObject = { size: { type: 'string', enum: ['S', 'M', 'L'] } };

  const problemsOf = (parameters: JsonObject, message: string) => {
    const { values } = fillArguments(parameters, message, now);
    const { errors } = new Validator({ ...parameters }, '2020-12').validate(values);
    return errors.map(({ error, instanceLocation }) => `${message}: ${instanceLocation} ${error}`);
  };

  it.each(properties)('fills the required argument %s so that it fits', (name, schema) => {
    const parameters: JsonObject = {
      type: 'object',
      properties: { [name]: schema },
      required: [name],
      $defs: definitions,
    };
    expect(messages.flatMap((message) => problemsOf(parameters, message))).toEqual([]);
  });

  it.each([
    ['all of them required', properties.map(([name]) => name)],
    ['none of them required', []],
  ])('fills many arguments at once, %s', (_, required) => {
    const parameters: JsonObject = {
      type: 'object',
      properties: Object.fromEntries(properties),
      required,
      $defs: definitions,
    };
    expect(messages.flatMap((message) => problemsOf(parameters, message))).toEqual([]);
  });

  it('leaves an optional argument out when the message gives nothing for it', () => {
    const parameters: JsonObject = {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, detailed: { type: 'boolean' } },
    };
    expect(fillArguments(parameters, 'hello', now)).toEqual({ values: {}, missing: [] });
    expect(fillArguments(parameters, 'in Oslo for 3 days', now).values).toEqual({ city: 'Oslo', days: 3 });
  });

  it('names each required argument that the message does not give', () => {
    const parameters: JsonObject = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        guest: { type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
      },
      required: ['city', 'guest'],
    };
    expect(fillArguments(parameters, 'hello', now).missing).toEqual(['city', 'guest.email']);
    expect(fillArguments(parameters, 'in Oslo, for ann@example.com', now).missing).toEqual([]);
  });

  it('takes a hostile name as an ordinary one', () => {
    const reading = parseJson(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    );
    const parameters = reading.ok && isRecord(reading.value) ? reading.value : {};
    const { values } = fillArguments(parameters, 'go to Oslo', now);
    expect(Object.keys(values)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  it('follows a schema that refers to itself to some depth only', () => {
    const node: JsonObject = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/node' }, name: { type: 'string' } },
      required: ['name', 'next'],
    };
    const { values } = fillArguments({ ...node, $defs: { node } }, 'go', now);
    expect(JSON.stringify(values).length).toBeLessThan(1000);
  });

  it('tries a pattern on short words only, so that a bad one does not run for ever', () => {
    const parameters: JsonObject = {
      type: 'object',
      properties: { word: { type: 'string', pattern: '^(a+)+$' } },
      required: ['word'],
    };
    expect(fillArguments(parameters, `${'a'.repeat(5000)}!`, now).values['word']).toMatch(/^a+$/);
  });
});

/** Generates a plausible result for a tool call from the result schema, an example in the description, or the name. */
import { formatExactJson, parseExactJson, parseExactNumbers, writeExactJson } from '../../lib/exact-json.ts';
import {
  isDeeperThan,
  isJsonObject,
  isRecord,
  JsonSource,
  maxJsonDepth,
  getOwnProperty,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';

/** Keys that providers and protocols use for the result schema of a tool. */
const resultSchemaKeys = ['returns', 'result', 'response', 'output_schema', 'outputSchema', 'result_schema'];

/**
 * Returns indented JSON text that the tool could have returned; deterministic for the same call. `tool` is the entry in
 * the request's tools, `undefined` if it no longer exists.
 */
export function createSampleResult(name: string, argumentsText: string, tool: Json | undefined): string {
  const definition = getOwnProperty(tool, 'function') ?? tool;
  const args = parseArguments(argumentsText);
  const value =
    createSampleFromSchema(definition) ??
    findDescriptionExample(getStringProperty(definition, 'description') ?? '') ??
    createSampleFromName(name, args);
  return formatExactJson(value);
}

/** Error result in a form that many tools use. */
export const sampleError = JSON.stringify({ error: { message: 'The tool could not be reached.' } }, null, 2);

function parseArguments(text: string): JsonObject {
  const parsed = parseExactNumbers(text);
  if (!parsed.ok || !isJsonObject(parsed.value)) return {};
  return isDeeperThan(maxJsonDepth, parsed.value) ? {} : parsed.value;
}

function createSampleFromSchema(definition: unknown): Json | undefined {
  for (const key of resultSchemaKeys) {
    const schema = getOwnProperty(definition, key);
    if (isRecord(schema)) return createSampleValue(schema);
  }
  return undefined;
}

const maxSchemaDepth = 8;

/** Returns a value that matches the basic keywords of the schema: type, properties, items, enum, examples. */
export function createSampleValue(schema: unknown, name = '', depth = 0): Json {
  if (!isRecord(schema) || depth > maxSchemaDepth) return {};
  for (const key of ['const', 'default', 'example']) {
    const stated = toJson(getOwnProperty(schema, key));
    if (stated !== undefined) return stated;
  }
  for (const key of ['examples', 'enum']) {
    const list = getOwnProperty(schema, key);
    const first = Array.isArray(list) ? toJson(list[0]) : undefined;
    if (first !== undefined) return first;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = getOwnProperty(schema, key);
    if (Array.isArray(list) && list.length > 0) return createSampleValue(list[0], name, depth + 1);
  }
  return createTypeSample(schema, name, depth);
}

function createTypeSample(schema: Record<string, unknown>, name: string, depth: number): Json {
  const types = schema['type'];
  const type: unknown = Array.isArray(types) ? types.find((item) => item !== 'null') : types;
  const properties = getOwnProperty(schema, 'properties');
  if (type === 'object' || isRecord(properties)) {
    const entries = isRecord(properties) ? Object.entries(properties) : [];
    return Object.fromEntries(entries.map(([key, inner]) => [key, createSampleValue(inner, key, depth + 1)]));
  }
  if (type === 'array') return [createSampleValue(schema['items'] ?? { type: 'string' }, name, depth + 1)];
  if (type === 'integer' || type === 'number') return createNumberSample(schema, type === 'integer');
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return createTextSample(getStringProperty(schema, 'format') ?? '', name);
}

function createNumberSample(schema: Record<string, unknown>, isInteger: boolean): Json {
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' || minimum instanceof JsonSource) return minimum;
  if (typeof maximum === 'number') return Math.min(maximum, 1);
  return isInteger ? 1 : 1.5;
}

const formatSamples: Record<string, string> = {
  date: '2026-06-14',
  'date-time': '2026-06-14T16:42:00Z',
  time: '16:42:00',
  email: 'ada@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '3b241101-e2bb-4255-8caf-4136c566a962',
};

function createTextSample(format: string, name: string): string {
  if (Object.hasOwn(formatSamples, format)) return formatSamples[format] ?? '';
  if (/e-?mail/i.test(name)) return 'ada@example.com';
  if (/url|uri|link/i.test(name)) return 'https://example.com/';
  if (/(?:^|_)(?:date|day)$/i.test(name)) return '2026-06-14';
  if (/(?:_at|time|timestamp)$/i.test(name)) return '2026-06-14T16:42:00Z';
  if (/(?:^|_)id$/i.test(name)) return 'id-1';
  return name === '' ? 'text' : name.replaceAll('_', ' ');
}

/** Returns the JSON object or list that a description contains as an example result. */
function findDescriptionExample(description: string): Json | undefined {
  const exampleIndex = description.search(/\b(?:returns?|result|example|responds? with)\b/i);
  if (exampleIndex < 0) return undefined;
  const textAfter = description.slice(exampleIndex);
  const endIndex = Math.max(textAfter.lastIndexOf('}'), textAfter.lastIndexOf(']'));
  const parsed = parseExactJson(textAfter.slice(textAfter.search(/[{[]/), endIndex + 1));
  return parsed.ok ? parsed.value : undefined;
}

interface SampleRule {
  pattern: RegExp;
  createSample: (args: JsonObject) => JsonObject;
}

const findId = (args: JsonObject, fallback: string): Json =>
  Object.entries(args).find(([key]) => /(?:^|_)(?:id|number)$/i.test(key))?.[1] ?? fallback;

const sampleRules: readonly SampleRule[] = [
  {
    pattern: /weather|forecast|temperature/,
    createSample: (args) => ({
      ...args,
      temperature: 18,
      unit: 'celsius',
      condition: 'light rain',
      humidity: 0.71,
      ...args,
    }),
  },
  { pattern: /time|clock/, createSample: (args) => ({ ...args, time: '2026-06-14T16:42:00+02:00' }) },
  {
    pattern: /order|parcel|shipment|delivery|scan/,
    createSample: (args) => ({
      order_id: findId(args, '48213'),
      status: 'delivered',
      items: 2,
      delivered_at: '2026-06-14T16:42:00Z',
    }),
  },
  {
    pattern: /search|find|lookup|look_up|query|retrieve|list/,
    createSample: (args) => ({
      ...args,
      results: [
        { title: 'First result', url: 'https://example.com/first', extract: 'What the first result says.' },
        {
          title: 'Second result',
          url: 'https://example.com/second',
          extract: 'What the second result says.',
        },
      ],
    }),
  },
  {
    pattern: /calc|compute|evaluate|math|add|sum|multiply/,
    createSample: (args) => ({ ...args, result: 57 }),
  },
  {
    pattern: /convert|exchange|currency|rate/,
    createSample: (args) => ({ ...args, result: 92.4, rate: 0.924 }),
  },
  {
    pattern: /price|stock|quote|cost/,
    createSample: (args) => ({ ...args, price: 187.32, currency: 'EUR' }),
  },
  { pattern: /translat/, createSample: (args) => ({ ...args, translation: 'The translated text.' }) },
  {
    pattern: /create|open|book|reserve|schedule|send|post|write|update|delete|remove|cancel|set/,
    createSample: (args) => ({ ok: true, id: findId(args, 'id-1') }),
  },
];

/** Returns a result based on the words of the name and the arguments, otherwise the arguments with a neutral result. */
function createSampleFromName(name: string, args: JsonObject): Json {
  const normalizedName = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const sampleRule = sampleRules.find(({ pattern }) => pattern.test(normalizedName));
  return sampleRule ? sampleRule.createSample(args) : { ...args, result: 'What the tool found.' };
}

function toJson(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const parsed = parseExactJson(writeExactJson(value));
  return parsed.ok ? parsed.value : undefined;
}

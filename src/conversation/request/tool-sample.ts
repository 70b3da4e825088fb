/** A likely result of a call: from the schema of the result, from an example in the description, from the name. */
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

/** Where providers and protocols put the schema of what a tool returns. */
const resultSchemaKeys = ['returns', 'result', 'response', 'output_schema', 'outputSchema', 'result_schema'];

/**
 * JSON text, two spaces deep, that this tool may have returned for these arguments. Always the same for the
 * same call. `tool` is the entry of the request's tools, undefined where it is not known any more.
 */
export function sampleResult(name: string, argumentsText: string, tool: Json | undefined): string {
  const definition = getOwnProperty(tool, 'function') ?? tool;
  const given = objectOf(argumentsText);
  const value =
    fromSchema(definition) ??
    fromDescription(getStringProperty(definition, 'description') ?? '') ??
    fromName(name, given);
  return formatExactJson(value);
}

/** What a tool says when it fails, in the shape that most of them use. */
export const sampleError = JSON.stringify({ error: { message: 'The tool could not be reached.' } }, null, 2);

function objectOf(text: string): JsonObject {
  const reading = parseExactNumbers(text);
  if (!reading.ok || !isJsonObject(reading.value)) return {};
  return isDeeperThan(maxJsonDepth, reading.value) ? {} : reading.value;
}

function fromSchema(definition: unknown): Json | undefined {
  for (const key of resultSchemaKeys) {
    const schema = getOwnProperty(definition, key);
    if (isRecord(schema)) return sampleOfSchema(schema);
  }
  return undefined;
}

const mostDepth = 8;

/** One value that fits the schema as far as its plain keywords go: type, properties, items, enum, examples. */
export function sampleOfSchema(schema: unknown, name = '', depth = 0): Json {
  if (!isRecord(schema) || depth > mostDepth) return {};
  for (const key of ['const', 'default', 'example']) {
    const stated = jsonOf(getOwnProperty(schema, key));
    if (stated !== undefined) return stated;
  }
  for (const key of ['examples', 'enum']) {
    const list = getOwnProperty(schema, key);
    const first = Array.isArray(list) ? jsonOf(list[0]) : undefined;
    if (first !== undefined) return first;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const list = getOwnProperty(schema, key);
    if (Array.isArray(list) && list.length > 0) return sampleOfSchema(list[0], name, depth + 1);
  }
  return sampleOfType(schema, name, depth);
}

function sampleOfType(schema: Record<string, unknown>, name: string, depth: number): Json {
  const types = schema['type'];
  const type: unknown = Array.isArray(types) ? types.find((each) => each !== 'null') : types;
  const properties = getOwnProperty(schema, 'properties');
  if (type === 'object' || isRecord(properties)) {
    const entries = isRecord(properties) ? Object.entries(properties) : [];
    return Object.fromEntries(entries.map(([key, inner]) => [key, sampleOfSchema(inner, key, depth + 1)]));
  }
  if (type === 'array') return [sampleOfSchema(schema['items'] ?? { type: 'string' }, name, depth + 1)];
  if (type === 'integer' || type === 'number') return sampleNumber(schema, type === 'integer');
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return sampleText(getStringProperty(schema, 'format') ?? '', name);
}

function sampleNumber(schema: Record<string, unknown>, isInteger: boolean): Json {
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

function sampleText(format: string, name: string): string {
  if (Object.hasOwn(formatSamples, format)) return formatSamples[format] ?? '';
  if (/e-?mail/i.test(name)) return 'ada@example.com';
  if (/url|uri|link/i.test(name)) return 'https://example.com/';
  if (/(?:^|_)(?:date|day)$/i.test(name)) return '2026-06-14';
  if (/(?:_at|time|timestamp)$/i.test(name)) return '2026-06-14T16:42:00Z';
  if (/(?:^|_)id$/i.test(name)) return 'id-1';
  return name === '' ? 'text' : name.replaceAll('_', ' ');
}

/** The JSON object or list that a description gives as an example of what comes back. */
function fromDescription(description: string): Json | undefined {
  const announced = description.search(/\b(?:returns?|result|example|responds? with)\b/i);
  if (announced < 0) return undefined;
  const behind = description.slice(announced);
  const to = Math.max(behind.lastIndexOf('}'), behind.lastIndexOf(']'));
  const reading = parseExactJson(behind.slice(behind.search(/[{[]/), to + 1));
  return reading.ok ? reading.value : undefined;
}

interface NamedSample {
  pattern: RegExp;
  sample: (given: JsonObject) => JsonObject;
}

const idOf = (given: JsonObject, fallback: string): Json =>
  Object.entries(given).find(([key]) => /(?:^|_)(?:id|number)$/i.test(key))?.[1] ?? fallback;

const namedSamples: readonly NamedSample[] = [
  {
    pattern: /weather|forecast|temperature/,
    sample: (given) => ({
      ...given,
      temperature: 18,
      unit: 'celsius',
      condition: 'light rain',
      humidity: 0.71,
      ...given,
    }),
  },
  { pattern: /time|clock/, sample: (given) => ({ ...given, time: '2026-06-14T16:42:00+02:00' }) },
  {
    pattern: /order|parcel|shipment|delivery|scan/,
    sample: (given) => ({
      order_id: idOf(given, '48213'),
      status: 'delivered',
      items: 2,
      delivered_at: '2026-06-14T16:42:00Z',
    }),
  },
  {
    pattern: /search|find|lookup|look_up|query|retrieve|list/,
    sample: (given) => ({
      ...given,
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
  { pattern: /calc|compute|evaluate|math|add|sum|multiply/, sample: (given) => ({ ...given, result: 57 }) },
  { pattern: /convert|exchange|currency|rate/, sample: (given) => ({ ...given, result: 92.4, rate: 0.924 }) },
  { pattern: /price|stock|quote|cost/, sample: (given) => ({ ...given, price: 187.32, currency: 'EUR' }) },
  { pattern: /translat/, sample: (given) => ({ ...given, translation: 'The translated text.' }) },
  {
    pattern: /create|open|book|reserve|schedule|send|post|write|update|delete|remove|cancel|set/,
    sample: (given) => ({ ok: true, id: idOf(given, 'id-1') }),
  },
];

/** What the words of the name suggest, with the arguments in it; else the arguments and a neutral result. */
function fromName(name: string, given: JsonObject): Json {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
  const known = namedSamples.find(({ pattern }) => pattern.test(words));
  return known ? known.sample(given) : { ...given, result: 'What the tool found.' };
}

function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return undefined;
  const reading = parseExactJson(writeExactJson(value));
  return reading.ok ? reading.value : undefined;
}

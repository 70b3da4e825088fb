/** Fills the arguments of a tool by their JSON schema from the words of a message. */
import {
  isRecord,
  numberProperty,
  ownProperty,
  stringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { dateOfMilliseconds } from './calendar.ts';
import { evidenceOf, type Evidence } from './evidence.ts';
import { nearestNumber, takeNumber } from './number-filling.ts';
import { propertiesOf, type Schema } from './offered-tools.ts';
import { fallbackText, isFreeText, textFor } from './text-filling.ts';

/** missing: paths of required arguments that the message does not give; they hold a fallback. */
export interface FilledArguments {
  values: JsonObject;
  missing: string[];
}

interface FillingContext {
  /** Epoch milliseconds. */
  now: number;
  /** The whole schema of the parameters, for references into it. */
  root: Schema;
}

/** The arguments for one call. Required ones are always filled and fit their schema; others only where the text gives them. */
export function fillArguments(parameters: Schema, text: string, now: number): FilledArguments {
  const missing: string[] = [];
  const value = objectFor(parameters, evidenceOf(text), { now, root: parameters }, '', missing);
  return { values: value, missing };
}

/** Bounds how deep schemas that refer to themselves are followed. */
const deepest = 6;

/** Of alternatives the first that is not null; of references what they refer to. */
function resolved(schema: Schema, root: Schema, depth = 0): Schema {
  const reference = stringProperty(schema, '$ref');
  if (depth > deepest) return schema;
  if (reference?.startsWith('#/') === true) {
    let target: unknown = root;
    for (const key of reference.slice(2).split('/'))
      target = ownProperty(target, key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return isRecord(target) ? resolved(target, root, depth + 1) : schema;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = ownProperty(schema, key);
    if (!Array.isArray(parts)) continue;
    const records = parts.filter(isRecord);
    const part =
      key === 'allOf'
        ? Object.assign({}, ...records)
        : records.find((candidate) => candidate['type'] !== 'null');
    if (isRecord(part)) return resolved({ ...schema, [key]: undefined, ...part }, root, depth + 1);
  }
  return schema;
}

function typeOf(schema: Schema): string {
  const type = ownProperty(schema, 'type');
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const named = types.find((candidate) => typeof candidate === 'string' && candidate !== 'null');
  if (typeof named === 'string') return named;
  if (types.includes('null')) return 'null';
  if (ownProperty(schema, 'properties') !== undefined) return 'object';
  return ownProperty(schema, 'items') === undefined ? 'string' : 'array';
}

function objectFor(
  schema: Schema,
  evidence: Evidence,
  context: FillingContext,
  path: string,
  missing: string[],
): JsonObject {
  const values: JsonObject = {};
  const required = requiredOf(schema);
  const properties = propertiesOf(schema).map(([name, property]): [string, Schema] => [
    name,
    resolved(property, context.root),
  ]);
  for (const [name, property] of properties.toSorted((left, right) => orderOf(left) - orderOf(right))) {
    const place = path === '' ? name : `${path}.${name}`;
    const isRequired = required.has(name);
    const value = valueFor(name, property, evidence, context, { path: place, isRequired, missing });
    // defineProperty keeps an own "__proto__" an ordinary key.
    if (value !== undefined)
      Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
  }
  for (const name of required) {
    if (Object.hasOwn(values, name)) continue;
    values[name] = '';
    missing.push(path === '' ? name : `${path}.${name}`);
  }
  return values;
}

function requiredOf(schema: Schema): Set<string> {
  const required = ownProperty(schema, 'required');
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
}

/** What is told apart most surely takes its words first; free text takes what is left. */
function orderOf([name, schema]: [string, Schema]): number {
  if (ownProperty(schema, 'enum') !== undefined || ownProperty(schema, 'const') !== undefined) return 0;
  const type = typeOf(schema);
  if (type === 'boolean') return 1;
  if (
    type === 'string' &&
    (ownProperty(schema, 'format') !== undefined || ownProperty(schema, 'pattern') !== undefined)
  )
    return 2;
  if (type === 'string' && /mail|url|date|day|time|phone|expression|code|_?id$/iu.test(name)) return 2;
  if (type === 'integer' || type === 'number') return 3;
  if (type === 'array') return 5;
  if (type === 'object') return 6;
  return isFreeText(name) ? 7 : /^(?:from|to)|origin|destination|source|target/iu.test(name) ? 3.5 : 4;
}

interface Place {
  path: string;
  isRequired: boolean;
  missing: string[];
}

function valueFor(
  name: string,
  schema: Schema,
  evidence: Evidence,
  context: FillingContext,
  place: Place,
): Json | undefined {
  const constant = jsonProperty(schema, 'const');
  if (constant !== undefined) return constant;
  if (typeOf(schema) === 'object' && ownProperty(schema, 'enum') === undefined)
    return nestedObject(schema, evidence, context, place);
  const found = foundValue(name, schema, evidence, context);
  if (found !== undefined || !place.isRequired) return found;
  const given = jsonProperty(schema, 'default');
  place.missing.push(place.path);
  return given ?? fallbackFor(name, schema, evidence, context);
}

/** An optional object is left out when the message gives nothing for it. */
function nestedObject(
  schema: Schema,
  evidence: Evidence,
  context: FillingContext,
  { path, isRequired, missing }: Place,
): JsonObject | undefined {
  if (path.split('.').length > deepest) return isRequired ? {} : undefined;
  const gaps: string[] = [];
  const value = objectFor(schema, evidence, context, path, gaps);
  const hasOwnEvidence = Object.keys(value).length > gaps.length;
  if (!isRequired && !hasOwnEvidence) return undefined;
  missing.push(...gaps);
  return value;
}

function foundValue(
  name: string,
  schema: Schema,
  evidence: Evidence,
  context: FillingContext,
): Json | undefined {
  const allowed = ownProperty(schema, 'enum');
  if (Array.isArray(allowed)) return enumValue(allowed.filter(isJsonScalar), evidence);
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return takeNumber(name, schema, evidence);
    case 'boolean':
      return mentioned(name, evidence);
    case 'null':
      return null;
    case 'array':
      return arrayFor(name, schema, evidence, context);
    default:
      return textFor(name, schema, evidence, dateOfMilliseconds(context.now));
  }
}

function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function jsonProperty(schema: Schema, key: string): Json | undefined {
  const value = ownProperty(schema, key);
  if (isJsonScalar(value)) return value;
  if (Array.isArray(value) && value.every(isJsonScalar)) return value;
  return undefined;
}

/** Other names under which units and the like are asked for. */
const enumAliases: Readonly<Record<string, string>> = {
  celsius: '°\\s?C|centigrade|degrees C',
  fahrenheit: '°\\s?F|degrees F',
  c: 'celsius|°\\s?C',
  f: 'fahrenheit|°\\s?F',
  metric: 'celsius|kilomet(?:er|re)s?',
  imperial: 'fahrenheit|miles',
  kelvin: '°?\\s?K',
};

function enumValue(
  allowed: readonly (string | number | boolean | null)[],
  evidence: Evidence,
): Json | undefined {
  const byLength = allowed.toSorted((left, right) => String(right).length - String(left).length);
  for (const value of byLength) {
    const words = String(value)
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
      .split(/[\s_-]+/u)
      .map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    const spellings = [
      `${words.join('[\\s_-]*')}(?:s|es)?`,
      ...(Object.hasOwn(enumAliases, String(value)) ? [enumAliases[String(value)]] : []),
    ];
    // A single letter such as "a" is a word of the sentence more often than a value.
    const flags = String(value).length === 1 && spellings.length === 1 ? 'u' : 'iu';
    if (
      evidence.take(new RegExp(`(?<![\\p{L}\\p{N}])(?:${spellings.join('|')})(?![\\p{L}\\p{N}])`, flags)) !==
      undefined
    )
      return value;
  }
  return undefined;
}

function mentioned(name: string, evidence: Evidence): boolean | undefined {
  const words = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[\s_-]+/u)
    .filter((word) => !/^(?:is|has|include|with|use|enable|allow|only|should)$/iu.test(word));
  if (words.length === 0) return undefined;
  const key = words
    .map((word) =>
      word
        .toLowerCase()
        .replace(/(?:ed|s|e)$/u, '')
        .replace(/[^\p{L}\p{N}]/gu, ''),
    )
    .join('\\w*[\\s_-]+');
  const explicit = evidence.take(
    new RegExp(`${key}\\w*\\s*(?:[:=]|is|to)\\s*(true|false|yes|no|on|off)\\b`, 'iu'),
  );
  if (explicit !== undefined) return /^(?:true|yes|on)$/iu.test(explicit);
  if (
    evidence.take(
      new RegExp(
        `\\b(?:no|not|without|don't|do not|never|exclud\\w+|skip|disable)\\b(?:\\s+\\w+){0,2}?\\s+${key}\\w*`,
        'iu',
      ),
    ) !== undefined
  )
    return false;
  if (new RegExp(`\\b${key}`, 'iu').test(evidence.rest())) return true;
  return undefined;
}

function arrayFor(
  name: string,
  schema: Schema,
  evidence: Evidence,
  context: FillingContext,
): Json[] | undefined {
  const items = ownProperty(schema, 'items');
  const item = resolved(isRecord(items) ? items : {}, context.root);
  const most = numberProperty(schema, 'maxItems') ?? 20;
  const found: Json[] = [];
  if (typeOf(item) === 'object') {
    const gaps: string[] = [];
    const value = objectFor(item, evidence, context, name, gaps);
    if (Object.keys(value).length > gaps.length) found.push(value);
  } else if (typeOf(item) === 'string' && ownProperty(item, 'enum') === undefined)
    found.push(...listFor(name, item, evidence, context));
  else {
    for (
      let next = foundValue(name, item, evidence, context);
      next !== undefined && found.length < most;
      next = foundValue(name, item, evidence, context)
    )
      found.push(next);
  }
  const kept = (ownProperty(schema, 'uniqueItems') === true ? [...new Set(found)] : found).slice(0, most);
  return kept.length === 0 || kept.length < (numberProperty(schema, 'minItems') ?? 0) ? undefined : kept;
}

/** "milk, eggs and bread": the longest enumeration that is left, else single values. */
function listFor(name: string, item: Schema, evidence: Evidence, context: FillingContext): string[] {
  const word = String.raw`[\p{L}\p{N}][\p{L}\p{N}'’.@-]*(?: [\p{L}\p{N}][\p{L}\p{N}'’-]*)??`;
  const isPlain = ownProperty(item, 'format') === undefined && ownProperty(item, 'pattern') === undefined;
  const list =
    isPlain && !/["“]/u.test(evidence.rest())
      ? evidence.take(
          new RegExp(
            `(${word}(?:, ${word})*,? (?:and|or) ${word})(?=$|[.;?!]| (?:to|in|on|from|for|with|at|by|of|as|into|§)\\b| §)`,
            'u',
          ),
        )
      : undefined;
  if (list !== undefined) {
    const entries = list.split(/,? (?:and|or) |, /u).map((entry) => entry.trim());
    // The first entry may bring the words before it along: "Add milk".
    return [entries[0]?.split(' ').at(-1) ?? '', ...entries.slice(1)];
  }
  const found: string[] = [];
  const today = dateOfMilliseconds(context.now);
  for (
    let next = textFor(name, item, evidence, today);
    next !== undefined && found.length < 20;
    next = textFor(name, item, evidence, today)
  )
    found.push(next);
  return found;
}

/** A value that fits the schema and claims nothing. */
function fallbackFor(name: string, schema: Schema, evidence: Evidence, context: FillingContext): Json {
  const allowed = ownProperty(schema, 'enum');
  if (Array.isArray(allowed)) return allowed.find(isJsonScalar) ?? null;
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return nearestNumber(0, schema);
    case 'boolean':
      return false;
    case 'array': {
      const items = ownProperty(schema, 'items');
      const item = resolved(isRecord(items) ? items : {}, context.root);
      const one = () =>
        typeOf(item) === 'object'
          ? objectFor(item, evidence, context, name, [])
          : fallbackFor(name, item, evidence, context);
      return Array.from({ length: Math.min(numberProperty(schema, 'minItems') ?? 0, 20) }, one);
    }
    default:
      return fallbackText(name, schema, evidence, dateOfMilliseconds(context.now));
  }
}

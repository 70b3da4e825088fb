/** Fills the arguments of a tool by their JSON schema from the words of a message. */
import { isRecord, numberProperty, ownProperty, type Json, type JsonObject } from '../../lib/json.ts';
import { evidenceOf, type Evidence } from '../models/evidence.ts';
import { fallbackText } from '../models/text-fallback.ts';
import { dateOfMilliseconds } from '../questions/calendar.ts';
import { enumValue, mentioned } from './choice-filling.ts';
import { nearestNumber, takeNumber } from './number-filling.ts';
import { propertiesOf, type Schema } from './offered-tools.ts';
import { deepest, isJsonScalar, jsonProperty, requiredOf, resolved, typeOf } from './schema-reading.ts';
import { isFreeText, textFor } from './text-filling.ts';

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

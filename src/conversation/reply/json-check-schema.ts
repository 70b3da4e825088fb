/** A JSON value against a JSON Schema: the first place that fails, in words. Carries the validator: load it lazily. */
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';

import { wordsOf } from '../../lib/error-words.ts';
import { isJsonObject, parseJson, stringProperty, type Json, type JsonObject } from '../../lib/json.ts';

export type JsonPath = readonly string[];

/** `path` is empty where the reply as a whole fails. */
export interface SchemaProblem {
  path: JsonPath;
  sentence: string;
}

/** unusable: the schema itself cannot be read, for this reason. */
export type SchemaCheck =
  | { state: 'fits' }
  | { state: 'fails'; problem: SchemaProblem }
  | { state: 'unusable'; reason: string };

export function checkAgainstSchema(value: Json, schema: JsonObject): SchemaCheck {
  try {
    const { valid, errors } = new Validator(schema, draftOf(schema)).validate(value);
    if (valid) return { state: 'fits' };
    const failing = deepest(errors);
    if (!failing)
      return { state: 'fails', problem: { path: [], sentence: 'The reply does not match the schema.' } };
    const path = pathOf(failing.instanceLocation);
    return { state: 'fails', problem: problemAt(path, failing, value) };
  } catch (error) {
    const [reason = ''] = wordsOf(error).split('\n');
    return { state: 'unusable', reason };
  }
}

function draftOf(schema: JsonObject): SchemaDraft {
  const named = stringProperty(schema, '$schema') ?? '';
  if (named.includes('draft-04')) return '4';
  if (named.includes('draft-07') || named.includes('draft-06')) return '7';
  return named.includes('2019-09') ? '2019-09' : '2020-12';
}

/** Errors come from the outside in; a choice between schemas is where that ends, since its branches all failed. */
const choices = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames', 'dependentSchemas']);

function deepest(errors: readonly OutputUnit[]): OutputUnit | undefined {
  return errors.find(({ keyword }) => choices.has(keyword)) ?? errors.at(-1);
}

function pathOf(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((key) => decodeURI(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `order.items[0].price`, or "The reply" for the whole. */
export function pathWords(path: JsonPath): string {
  if (path.length === 0) return 'The reply';
  return path.reduce((words, key) => {
    if (/^\d+$/.test(key)) return `${words}[${key}]`;
    const isPlain = /^[\p{L}_$][\p{L}\d_$-]*$/u.test(key);
    return isPlain ? `${words}${words === '' ? '' : '.'}${key}` : `${words}[${JSON.stringify(key)}]`;
  }, '');
}

/** What stands behind the first `before` up to an `after` at the very end; empty where one is not there. */
function between(text: string, before: string, after: string): string {
  const at = text.indexOf(before);
  return at < 0 || !text.endsWith(after) ? '' : text.slice(at + before.length, -after.length);
}

function problemAt(path: JsonPath, { keyword, error }: OutputUnit, value: Json): SchemaProblem {
  const name = pathWords(path);
  const found = JSON.stringify(at(value, path) ?? null);
  // What the keyword expected is in the validator's message, also where the schema is behind a reference.
  const wanted = between(error, ' match ', '.').replace(/^any of /, '');
  switch (keyword) {
    case 'type':
      return { path, sentence: `${name} must be ${typeWords(error)}; it is ${kindOf(at(value, path))}.` };
    case 'required': {
      const missing = between(error, 'property "', '".');
      return { path, sentence: `${pathWords([...path, missing])} is missing.` };
    }
    case 'false':
      return { path, sentence: `Unexpected field: ${name}.` };
    case 'enum':
      return { path, sentence: `${name} must be ${oneOf(wanted)}; it is ${found}.` };
    case 'const':
      return { path, sentence: `${name} must be ${wanted}; it is ${found}.` };
    case 'anyOf':
      return { path, sentence: `${name} matches none of the allowed shapes.` };
    case 'oneOf': {
      const matches = Number(/\((\d+) matches\)/.exec(error)?.[1] ?? 0);
      const shapes =
        matches === 0
          ? 'none of the allowed shapes'
          : `${matches} of the allowed shapes, but must match only one`;
      return { path, sentence: `${name} matches ${shapes}.` };
    }
    case 'format':
      return {
        path,
        sentence: `${name} must have the format ${/"(.+)"/.exec(error)?.[1] ?? 'given in the schema'}.`,
      };
    default:
      return { path, sentence: `${name}: ${error}` };
  }
}

function at(value: Json, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

function typeWords(error: string): string {
  const wanted = error.slice(error.indexOf('Expected'));
  return [...wanted.matchAll(/"(\w+)"/g)].map(([, type = '']) => kinds[type] ?? type).join(' or ');
}

/** "one of 1, 2" from the JSON text of a list. */
function oneOf(list: string): string {
  const reading = parseJson(list);
  const values =
    reading.ok && Array.isArray(reading.value) ? reading.value.map((each) => JSON.stringify(each)) : [list];
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

function kindOf(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'boolean' ? String(value) : (kinds[typeof value] ?? 'nothing');
}

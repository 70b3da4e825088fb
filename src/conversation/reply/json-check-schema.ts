/** A JSON value against a JSON Schema: the places that fail, in words. Carries the validator: load it lazily. */
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';

import { parsePartialJson } from '../../gateway/stream/partial-json.ts';
import {
  parseExactJson,
  parseExactNumbers,
  withoutDoubledKeys,
  writeExactJson,
} from '../../lib/exact-json.ts';
import { formatError } from '../../lib/format-error.ts';
import { getPathOffset, getLineAndColumn, findToken } from '../../lib/json-scan.ts';
import {
  isDeeperThan,
  isJsonObject,
  JsonSource,
  maxJsonDepth,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { toComparableNumbers, type ComparableJson } from './json-check-numbers.ts';
import { checkJson } from './json-check.ts';
import type { ShownJson } from './json-reply-text.ts';

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
    const comparable = toComparableNumbers(value, schema);
    const validator = new Validator(comparable.schema, draftOf(schema));
    const { valid, errors } = validator.validate(comparable.value);
    if (valid) return { state: 'fits' };
    const failing = deepest(errors);
    if (!failing)
      return { state: 'fails', problem: { path: [], sentence: 'The reply does not match the schema.' } };
    const path = pathOf(failing.instanceLocation);
    const problem = problemAt(path, withDigits(failing, comparable), withoutDoubledKeys(value));
    return { state: 'fails', problem };
  } catch (error) {
    const [reason = ''] = formatError(error).split('\n');
    return { state: 'unusable', reason };
  }
}

/** missing: required and not there. wrapped: around the JSON stands what a program has to take off. */
export interface SchemaFault {
  kind: 'missing' | 'wrong' | 'unexpected' | 'wrapped';
  sentence: string;
  /** Where it is in the reply, or what it is missing in. */
  path: JsonPath;
  /** Of the text as it is shown, from 1: where it is, or what it is missing in begins. */
  line: number;
}

/** How a field that the schema names, or a reply as a whole, does. `open`: it has not arrived yet. */
export interface SchemaField {
  name: string;
  state: 'fits' | 'wrong' | 'missing' | 'open';
}

/** `fits` of `fields.length` are there, expected and valid; optional ones that are left out do not count. */
export interface SchemaReading {
  state: 'so far' | 'fits' | 'fails' | 'unusable';
  fields: readonly SchemaField[];
  fits: number;
  /** Missing ones first, then what is wrong, unexpected, and wrapped. */
  faults: readonly SchemaFault[];
  /** Why the schema cannot be used. */
  reason?: string;
}

const unusable = (reason: string): SchemaReading => ({
  state: 'unusable',
  fields: [],
  fits: 0,
  faults: [],
  reason,
});

/** Every fault of a reply, as it is shown, and how many of its fields fit; of one that streams, how many so far. */
export function readAgainstSchema(shown: ShownJson, schema: JsonObject, live: boolean): SchemaReading {
  const { text, from, json, isFenced } = shown;
  const check = checkJson(json);
  const reading = check.state === 'whole' ? parseExactNumbers(json) : undefined;
  const value = reading?.ok ? reading.value : parsePartialJson(json, parseExactNumbers);
  if (value !== undefined && isDeeperThan(maxJsonDepth, value))
    return unusable(`the reply is nested more than ${maxJsonDepth} levels deep.`);
  let errors: readonly OutputUnit[];
  try {
    const comparable = toComparableNumbers(value ?? null, schema);
    const validator = new Validator(comparable.schema, draftOf(schema), false);
    const all = value === undefined ? [] : ownErrors(validator.validate(comparable.value).errors);
    errors = all.map((error) => withDigits(error, comparable));
  } catch (error) {
    return unusable(formatError(error).split('\n')[0] ?? '');
  }
  const names = fieldNames(schema, value);
  const failing = new Set(errors.flatMap((error) => failingField(error)));
  const there = isJsonObject(value) ? Object.keys(value) : [];
  const arrived = live && check.state === 'open' ? there.slice(0, membersBefore(json)) : there;
  const stateOf = (name: string): SchemaField['state'] => {
    if (!arrived.includes(name)) return live ? 'open' : 'missing';
    return failing.has(name) ? 'wrong' : 'fits';
  };
  const whole = value !== undefined && errors.length === 0 ? 'fits' : 'wrong';
  const fields: SchemaField[] =
    names.length > 0
      ? names.map((name) => ({ name, state: stateOf(name) }))
      : [{ name: 'the reply', state: live ? 'open' : whole }];
  const fits = fields.filter(({ state }) => state === 'fits').length;
  if (live) return { state: 'so far', fields, fits, faults: [] };
  const lineAt = (offset: number) => getLineAndColumn(text, from + offset).line;
  const faults: SchemaFault[] = errors.map((error) => {
    const path = pathOf(error.instanceLocation);
    const { sentence } = problemAt(path, error, value ?? null);
    const kind =
      error.keyword === 'required' ? 'missing' : error.keyword === 'false' ? 'unexpected' : 'wrong';
    return { kind, sentence, path, line: lineAt(getPathOffset(json, keysOf(path, value ?? null))) };
  });
  if (check.state === 'broken') {
    const { line, column } = getLineAndColumn(text, from + check.at);
    faults.push({
      kind: 'wrong',
      sentence: `Not JSON from line ${line}, column ${column}: expected ${check.expected}.`,
      path: [],
      line,
    });
  } else if (check.state !== 'whole') {
    faults.push({
      kind: 'wrong',
      sentence: 'Incomplete JSON: the end is missing.',
      path: [],
      line: lineAt(json.length),
    });
  }
  if (isFenced)
    faults.push({
      kind: 'wrapped',
      sentence: 'Wrapped in a code fence that a program must strip.',
      path: [],
      line: 1,
    });
  const isFit = faults.every(({ kind }) => kind === 'wrapped');
  return {
    state: isFit ? 'fits' : 'fails',
    fields,
    fits,
    faults: faultOrder.flatMap((kind) => faults.filter((fault) => fault.kind === kind)),
  };
}

const faultOrder = ['missing', 'wrong', 'unexpected', 'wrapped'] as const;

/** How many members of the outermost object or list of a text that still grows are over. */
function membersBefore(json: string): number {
  let [depth, members] = [0, 0];
  for (let token = findToken(json, 0); token; token = findToken(json, token.end)) {
    if (token.kind === '{' || token.kind === '[') depth += 1;
    else if (token.kind === '}' || token.kind === ']') depth -= 1;
    else if (token.kind === ',' && depth === 1) members += 1;
  }
  return members;
}

/** A message that asks for the same answer without these faults. */
export function faultsMessage(faults: readonly SchemaFault[]): string {
  const lines = faults.map(({ sentence }) => `- ${sentence}`);
  return [
    'Your last answer does not fit the JSON schema:',
    ...lines,
    'Send the whole JSON again without these faults, and nothing else.',
  ].join('\n');
}

function withDigits(error: OutputUnit, { restoreDigits }: ComparableJson): OutputUnit {
  return { ...error, error: restoreDigits(error.error) };
}

/** What only says that something in it failed. */
const wrappers = new Set(
  'properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems $ref $dynamicRef $recursiveRef allOf if'.split(
    ' ',
  ),
);

/** The errors that name a fault: not those around them, nor those of the branches of a choice, which all failed. */
function ownErrors(errors: readonly OutputUnit[]): OutputUnit[] {
  const choosing = errors.filter(({ keyword }) => choices.has(keyword));
  const isInBranch = (error: OutputUnit) =>
    choosing.some(
      (choice) =>
        choice !== error &&
        error.instanceLocation.startsWith(choice.instanceLocation) &&
        error.keywordLocation.startsWith(`${choice.keywordLocation}/`),
    );
  const own = errors.filter((error) => !wrappers.has(error.keyword) && !isInBranch(error));
  const seen = new Set<string>();
  return own.filter(({ instanceLocation, keyword, error }) => {
    const key = JSON.stringify([instanceLocation, keyword, error]);
    return !seen.has(key) && seen.add(key);
  });
}

/** The field of the reply that an error is in, or that is missing. */
function failingField({ instanceLocation, keyword, error }: OutputUnit): string[] {
  const [first] = pathOf(instanceLocation);
  if (first !== undefined) return [first];
  return keyword === 'required' ? [between(error, 'property "', '".')] : [];
}

/** Of an object: the fields that must be there, and those of the others that are. */
function fieldNames(schema: JsonObject, value: Json | undefined): string[] {
  const { properties, required } = joinedSchema(schema, schema, 0);
  const there = isJsonObject(value) ? Object.keys(value) : [];
  return [...new Set([...properties, ...required])].filter(
    (name) => required.includes(name) || there.includes(name),
  );
}

/** Names that the schema gives to fields, also behind references and in parts that all hold. */
function joinedSchema(
  schema: JsonObject,
  root: JsonObject,
  depth: number,
): { properties: string[]; required: string[] } {
  const { properties, required, allOf, $ref } = schema;
  const referred = typeof $ref === 'string' && $ref.startsWith('#/') ? at(root, pathOf($ref)) : undefined;
  const parts = depth > 8 ? [] : [referred, ...(Array.isArray(allOf) ? allOf : [])].filter(isJsonObject);
  const inner = parts.map((part) => joinedSchema(part, root, depth + 1));
  return {
    properties: [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...inner.flatMap((part) => part.properties),
    ],
    required: [
      ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
      ...inner.flatMap((part) => part.required),
    ],
  };
}

/** The path with numbers where it goes into lists. */
function keysOf(path: JsonPath, value: Json): (string | number)[] {
  return path.map((key, index) => (Array.isArray(at(value, path.slice(0, index))) ? Number(key) : key));
}

function draftOf(schema: JsonObject): SchemaDraft {
  const named = getStringProperty(schema, '$schema') ?? '';
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
  const found = writeExactJson(at(value, path) ?? null);
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
  const reading = parseExactJson(list);
  const values =
    reading.ok && Array.isArray(reading.value) ? reading.value.map((each) => writeExactJson(each)) : [list];
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

function kindOf(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof JsonSource) return 'a number';
  return typeof value === 'boolean' ? String(value) : (kinds[typeof value] ?? 'nothing');
}

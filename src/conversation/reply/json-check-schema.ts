/**
 * Validates a JSON value against a JSON Schema and describes the failing parts. Includes the validator, so import it
 * lazily.
 */
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';

import { parsePartialJson } from '../../gateway/stream/partial-json.ts';
import {
  parseExactJson,
  parseExactNumbers,
  withoutDuplicateKeys,
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
import type { FormattedJson } from './json-reply-text.ts';

export type JsonPath = readonly string[];

/** Violation of the schema; `path` is empty if it concerns the whole reply. */
export interface SchemaProblem {
  path: JsonPath;
  message: string;
}

/** Result of a validation; `unusable` means that the schema itself is invalid. */
export type SchemaCheck =
  | { state: 'fits' }
  | { state: 'fails'; problem: SchemaProblem }
  | { state: 'unusable'; reason: string };

export function validateValue(value: Json, schema: JsonObject): SchemaCheck {
  try {
    const comparable = toComparableNumbers(value, schema);
    const validator = new Validator(comparable.schema, detectDraft(schema));
    const { valid, errors } = validator.validate(comparable.value);
    if (valid) return { state: 'fits' };
    const deepestError = findDeepestError(errors);
    if (!deepestError)
      return { state: 'fails', problem: { path: [], message: 'The answer does not match the schema.' } };
    const path = parsePointer(deepestError.instanceLocation);
    const problem = createProblem(path, withDigits(deepestError, comparable), withoutDuplicateKeys(value));
    return { state: 'fails', problem };
  } catch (error) {
    const [reason = ''] = formatError(error).split('\n');
    return { state: 'unusable', reason };
  }
}

/**
 * Violation of the schema. `missing`: a required field is absent. `wrapped`: the JSON is enclosed in text that a
 * program must strip.
 */
export interface SchemaFault {
  kind: 'missing' | 'wrong' | 'unexpected' | 'wrapped';
  message: string;
  /** Path of the value, or of the object with a missing field. */
  path: JsonPath;
  /** Line in the displayed text, from 1, where `path` starts. */
  line: number;
}

/** State of a field in the schema, or of the whole reply; `open` has not arrived yet. */
export interface SchemaFieldStatus {
  name: string;
  state: 'fits' | 'wrong' | 'missing' | 'open';
}

/**
 * Validation report: `fitCount` of `fields.length` fields are present and valid. Omitted optional fields are not
 * counted.
 */
export interface SchemaReport {
  state: 'so far' | 'fits' | 'fails' | 'unusable';
  fields: readonly SchemaFieldStatus[];
  fitCount: number;
  /** Faults ordered by kind: missing, wrong, unexpected, wrapped. */
  faults: readonly SchemaFault[];
  /** Reason why the schema cannot be used. */
  reason?: string;
}

const createUnusableReport = (reason: string): SchemaReport => ({
  state: 'unusable',
  fields: [],
  fitCount: 0,
  faults: [],
  reason,
});

/**
 * Returns all faults of a displayed reply and the number of valid fields; for a streaming reply, only the number of
 * valid fields so far.
 */
export function validateReply(reply: FormattedJson, schema: JsonObject, isStreaming: boolean): SchemaReport {
  const { text, jsonOffset, json, hasCodeFence } = reply;
  const check = checkJson(json);
  const reading = check.state === 'whole' ? parseExactNumbers(json) : undefined;
  const value = reading?.ok ? reading.value : parsePartialJson(json, parseExactNumbers);
  if (value !== undefined && isDeeperThan(maxJsonDepth, value))
    return createUnusableReport(`the answer is nested more than ${maxJsonDepth} levels deep.`);
  let errors: readonly OutputUnit[];
  try {
    const comparable = toComparableNumbers(value ?? null, schema);
    const validator = new Validator(comparable.schema, detectDraft(schema), false);
    const allErrors = value === undefined ? [] : listFaultErrors(validator.validate(comparable.value).errors);
    errors = allErrors.map((error) => withDigits(error, comparable));
  } catch (error) {
    return createUnusableReport(formatError(error).split('\n')[0] ?? '');
  }
  const names = listFieldNames(schema, value);
  const failingFields = new Set(errors.flatMap((error) => getFailingField(error)));
  const presentKeys = isJsonObject(value) ? Object.keys(value) : [];
  const receivedKeys =
    isStreaming && check.state === 'open' ? presentKeys.slice(0, countCompleteMembers(json)) : presentKeys;
  const getFieldState = (name: string): SchemaFieldStatus['state'] => {
    if (!receivedKeys.includes(name)) return isStreaming ? 'open' : 'missing';
    return failingFields.has(name) ? 'wrong' : 'fits';
  };
  const wholeState = value !== undefined && errors.length === 0 ? 'fits' : 'wrong';
  const fields: SchemaFieldStatus[] =
    names.length > 0
      ? names.map((name) => ({ name, state: getFieldState(name) }))
      : [{ name: 'the answer', state: isStreaming ? 'open' : wholeState }];
  const fitCount = fields.filter(({ state }) => state === 'fits').length;
  if (isStreaming) return { state: 'so far', fields, fitCount, faults: [] };
  const getLine = (offset: number) => getLineAndColumn(text, jsonOffset + offset).line;
  const faults: SchemaFault[] = errors.map((error) => {
    const path = parsePointer(error.instanceLocation);
    const { message } = createProblem(path, error, value ?? null);
    const kind =
      error.keyword === 'required' ? 'missing' : error.keyword === 'false' ? 'unexpected' : 'wrong';
    return { kind, message, path, line: getLine(getPathOffset(json, toPathKeys(path, value ?? null))) };
  });
  if (check.state === 'broken') {
    const { line, column } = getLineAndColumn(text, jsonOffset + check.offset);
    faults.push({
      kind: 'wrong',
      message: `Invalid JSON at line ${line}, column ${column}: expected ${check.expected}.`,
      path: [],
      line,
    });
  } else if (check.state !== 'whole') {
    faults.push({
      kind: 'wrong',
      message: 'Incomplete JSON: the end is missing.',
      path: [],
      line: getLine(json.length),
    });
  }
  if (hasCodeFence)
    faults.push({
      kind: 'wrapped',
      message: 'Wrapped in a code fence, so programs cannot parse it directly.',
      path: [],
      line: 1,
    });
  const fitsSchema = faults.every(({ kind }) => kind === 'wrapped');
  return {
    state: fitsSchema ? 'fits' : 'fails',
    fields,
    fitCount,
    faults: faultOrder.flatMap((kind) => faults.filter((fault) => fault.kind === kind)),
  };
}

const faultOrder = ['missing', 'wrong', 'unexpected', 'wrapped'] as const;

/** Returns the number of complete members of the outermost object or list in incomplete JSON. */
function countCompleteMembers(json: string): number {
  let [depth, members] = [0, 0];
  for (let token = findToken(json, 0); token; token = findToken(json, token.end)) {
    if (token.kind === '{' || token.kind === '[') depth += 1;
    else if (token.kind === '}' || token.kind === ']') depth -= 1;
    else if (token.kind === ',' && depth === 1) members += 1;
  }
  return members;
}

/** Builds a message that asks the model to send the answer again without these faults. */
export function buildFaultsMessage(faults: readonly SchemaFault[]): string {
  const lines = faults.map(({ message }) => `- ${message}`);
  return [
    'Your last answer does not match the JSON schema:',
    ...lines,
    'Fix these problems and reply with the complete JSON only.',
  ].join('\n');
}

function withDigits(error: OutputUnit, { restoreDigits }: ComparableJson): OutputUnit {
  return { ...error, error: restoreDigits(error.error) };
}

/** Keywords whose errors only report that a nested keyword failed. */
const wrapperKeywords = new Set(
  'properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems $ref $dynamicRef $recursiveRef allOf if'.split(
    ' ',
  ),
);

/**
 * Returns the errors that name a fault. Wrapping errors are omitted, as are errors in the branches of a choice, because
 * all of its branches failed.
 */
function listFaultErrors(errors: readonly OutputUnit[]): OutputUnit[] {
  const choiceErrors = errors.filter(({ keyword }) => choiceKeywords.has(keyword));
  const isInBranch = (error: OutputUnit) =>
    choiceErrors.some(
      (choice) =>
        choice !== error &&
        error.instanceLocation.startsWith(choice.instanceLocation) &&
        error.keywordLocation.startsWith(`${choice.keywordLocation}/`),
    );
  const faultErrors = errors.filter((error) => !wrapperKeywords.has(error.keyword) && !isInBranch(error));
  const seen = new Set<string>();
  return faultErrors.filter(({ instanceLocation, keyword, error }) => {
    const key = JSON.stringify([instanceLocation, keyword, error]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Returns the top-level field that contains the error, or that is missing. */
function getFailingField({ instanceLocation, keyword, error }: OutputUnit): string[] {
  const [first] = parsePointer(instanceLocation);
  if (first !== undefined) return [first];
  return keyword === 'required' ? [extractBetween(error, 'property "', '".')] : [];
}

/** Returns the required fields of an object schema and the optional ones present in the value. */
function listFieldNames(schema: JsonObject, value: Json | undefined): string[] {
  const { properties, required } = collectSchemaFields(schema, schema, 0);
  const presentKeys = isJsonObject(value) ? Object.keys(value) : [];
  return [...new Set([...properties, ...required])].filter(
    (name) => required.includes(name) || presentKeys.includes(name),
  );
}

/** Collects field names of the schema, also from local references and allOf. */
function collectSchemaFields(
  schema: JsonObject,
  root: JsonObject,
  depth: number,
): { properties: string[]; required: string[] } {
  const { properties, required, allOf, $ref } = schema;
  const referencedSchema =
    typeof $ref === 'string' && $ref.startsWith('#/') ? getValueAt(root, parsePointer($ref)) : undefined;
  const parts =
    depth > 8 ? [] : [referencedSchema, ...(Array.isArray(allOf) ? allOf : [])].filter(isJsonObject);
  const partFields = parts.map((part) => collectSchemaFields(part, root, depth + 1));
  return {
    properties: [
      ...(isJsonObject(properties) ? Object.keys(properties) : []),
      ...partFields.flatMap((part) => part.properties),
    ],
    required: [
      ...(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
      ...partFields.flatMap((part) => part.required),
    ],
  };
}

/** Returns the path with numeric indexes where it enters lists. */
function toPathKeys(path: JsonPath, value: Json): (string | number)[] {
  return path.map((key, index) =>
    Array.isArray(getValueAt(value, path.slice(0, index))) ? Number(key) : key,
  );
}

function detectDraft(schema: JsonObject): SchemaDraft {
  const schemaUri = getStringProperty(schema, '$schema') ?? '';
  if (schemaUri.includes('draft-04')) return '4';
  if (schemaUri.includes('draft-07') || schemaUri.includes('draft-06')) return '7';
  return schemaUri.includes('2019-09') ? '2019-09' : '2020-12';
}

/**
 * Keywords that choose between schemas. Errors are ordered from outer to inner, and descending stops at a choice
 * because all its branches failed.
 */
const choiceKeywords = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames', 'dependentSchemas']);

function findDeepestError(errors: readonly OutputUnit[]): OutputUnit | undefined {
  return errors.find(({ keyword }) => choiceKeywords.has(keyword)) ?? errors.at(-1);
}

function parsePointer(location: string): string[] {
  return location
    .split('/')
    .slice(1)
    .map((key) => decodeURI(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Returns a path such as `order.items[0].price`, or "The answer" for the whole. */
export function formatJsonPath(path: JsonPath): string {
  if (path.length === 0) return 'The answer';
  return path.reduce((text, key) => {
    if (/^\d+$/.test(key)) return `${text}[${key}]`;
    const isPlain = /^[\p{L}_$][\p{L}\d_$-]*$/u.test(key);
    return isPlain ? `${text}${text === '' ? '' : '.'}${key}` : `${text}[${JSON.stringify(key)}]`;
  }, '');
}

/** Returns the text between the first `prefix` and the final `suffix`, or an empty string if either is missing. */
function extractBetween(text: string, prefix: string, suffix: string): string {
  const index = text.indexOf(prefix);
  return index < 0 || !text.endsWith(suffix) ? '' : text.slice(index + prefix.length, -suffix.length);
}

function createProblem(path: JsonPath, { keyword, error }: OutputUnit, value: Json): SchemaProblem {
  const name = formatJsonPath(path);
  const actualJson = writeExactJson(getValueAt(value, path) ?? null);
  // The expected value is taken from the validator's message, which also covers schemas behind a reference.
  const expectedText = extractBetween(error, ' match ', '.').replace(/^any of /, '');
  switch (keyword) {
    case 'type':
      return {
        path,
        message: `${name} must be ${formatTypes(error)}; it is ${describeKind(getValueAt(value, path))}.`,
      };
    case 'required': {
      const missing = extractBetween(error, 'property "', '".');
      return { path, message: `${formatJsonPath([...path, missing])} is missing.` };
    }
    case 'false':
      return { path, message: `Unexpected field: ${name}.` };
    case 'enum':
      return { path, message: `${name} must be ${formatAllowedValues(expectedText)}; it is ${actualJson}.` };
    case 'const':
      return { path, message: `${name} must be ${expectedText}; it is ${actualJson}.` };
    case 'anyOf':
      return { path, message: `${name} matches none of the allowed schemas.` };
    case 'oneOf': {
      const matchCount = Number(/\((\d+) matches\)/.exec(error)?.[1] ?? 0);
      const shapes =
        matchCount === 0
          ? 'none of the allowed schemas'
          : `${matchCount} of the allowed schemas, but must match only one`;
      return { path, message: `${name} matches ${shapes}.` };
    }
    case 'format':
      return {
        path,
        message: `${name} must have the format ${/"(.+)"/.exec(error)?.[1] ?? 'given in the schema'}.`,
      };
    default:
      return { path, message: `${name}: ${error}` };
  }
}

function getValueAt(value: Json, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined;
  }, value);
}

const kindLabels: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function formatTypes(error: string): string {
  const wanted = error.slice(error.indexOf('Expected'));
  return [...wanted.matchAll(/"(\w+)"/g)].map(([, type = '']) => kindLabels[type] ?? type).join(' or ');
}

/** Formats the JSON text of a list as "one of 1, 2". */
function formatAllowedValues(list: string): string {
  const reading = parseExactJson(list);
  const values =
    reading.ok && Array.isArray(reading.value) ? reading.value.map((item) => writeExactJson(item)) : [list];
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

function describeKind(value: Json | undefined): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof JsonSource) return 'a number';
  return typeof value === 'boolean' ? String(value) : (kindLabels[typeof value] ?? 'nothing');
}

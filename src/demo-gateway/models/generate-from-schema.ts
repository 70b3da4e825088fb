/** Fills a JSON schema from the words of a message, for tool arguments and structured answers. */
import { dereference, validate } from '@cfworker/json-schema';

import {
  isDeeperThan,
  isJsonObject,
  maxJsonDepth,
  getNumberProperty,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';

export interface GeneratedValue {
  value: Json;
  /** True if any part of the value is from the message. */
  isFromMessage: boolean;
  /** Paths of placeholder values, for which the message contains no value. */
  missing: string[];
}

interface GenerationContext {
  text: string;
  /** Targets of schema references, as resolved by the validator. */
  lookup: ReturnType<typeof dereference>;
  /** Returns true if the value is valid, or if the schema is unreadable. */
  fits: (value: Json, schema: JsonObject) => boolean;
  shouldFillOptional: boolean;
  /**
   * Maximum length of texts to try; short if the schema has patterns, since a badly written pattern could run for a
   * long time.
   */
  maxTextChars: number;
  /** Number of schemas that may still be filled; limits schemas that branch into themselves. */
  remainingSchemas: number;
}

const maxDepth = 12;
const isLimitExceeded = (depth: number, { remainingSchemas }: GenerationContext) =>
  depth > maxDepth || remainingSchemas < 0;

/**
 * Fills each property with the text next to its name, otherwise an enum member or example that the message mentions,
 * otherwise the default, the first enum member or a placeholder of the right type. Optional properties are omitted
 * unless the message provides them. The value fits the schema if a fitting value is found.
 */
export function generateFromSchema(schema: JsonObject, text: string): GeneratedValue {
  if (isDeeperThan(maxJsonDepth, schema)) return { value: {}, isFromMessage: false, missing: [] };
  // The validator modifies its schema.
  const root = structuredClone(schema);
  const lookup: GenerationContext['lookup'] = {};
  const acceptIfUnreadable = (check: () => boolean) => {
    try {
      return check();
    } catch {
      return true;
    }
  };
  acceptIfUnreadable(() => dereference(root, lookup) === lookup);
  const fits: GenerationContext['fits'] = (value, subschema) =>
    acceptIfUnreadable(() => validate(value, subschema, '2020-12', lookup).valid);
  const maxTextChars = JSON.stringify(root).includes('"pattern') ? 24 : 1000;
  const generateWith = (shouldFillOptional: boolean) =>
    fill(root, '', 0, { text, lookup, fits, shouldFillOptional, maxTextChars, remainingSchemas: 2000 });
  const requiredOnly = generateWith(false);
  if (fits(requiredOnly.value, root)) return requiredOnly;
  // Keywords such as minProperties may demand more than the required properties.
  const complete = generateWith(true);
  return fits(complete.value, root) ? complete : requiredOnly;
}

function fill(
  rawSchema: JsonObject,
  name: string,
  depth: number,
  context: GenerationContext,
): GeneratedValue {
  context.remainingSchemas -= 1;
  const schema = resolveSchema(rawSchema, context);
  const branches = isLimitExceeded(depth, context) ? [] : listBranches(schema, context);
  const branchValues = branches.map((branch) => fill(branch, name, depth + 1, context));
  const fittingValues = branchValues.filter(({ value }) => context.fits(value, rawSchema));
  const nullResult = fittingValues.find(({ value }) => value === null);
  const best =
    fittingValues.find(({ isFromMessage }) => isFromMessage) ??
    nullResult ??
    fittingValues[0] ??
    branchValues[0];
  if (best) return best;
  const generated = fillByType(schema, name, depth, context);
  const isNullable = schema['type'] === 'null' || getList(schema, 'type').includes('null');
  const statedValues = [schema['const'], schema['default'], isNullable ? null : undefined];
  const fixedValue = statedValues.find((value) => value !== undefined && context.fits(value, schema));
  return generated.isFromMessage || fixedValue === undefined
    ? generated
    : { value: fixedValue, isFromMessage: false, missing: [] };
}

function fillByType(
  schema: JsonObject,
  name: string,
  depth: number,
  context: GenerationContext,
): GeneratedValue {
  const type = getSchemaType(schema);
  if (type !== 'object' && type !== 'array') return fillScalar(schema, name, context);
  if (isLimitExceeded(depth, context))
    return { value: type === 'array' ? [] : {}, isFromMessage: false, missing: [''] };
  return type === 'array' ? fillArray(schema, name, depth, context) : fillObject(schema, depth, context);
}

function fillObject(schema: JsonObject, depth: number, context: GenerationContext): GeneratedValue {
  const properties = getObject(schema, 'properties');
  const required = new Set(getList(schema, 'required').filter((name) => typeof name === 'string'));
  const filledProperties = [...new Set([...required, ...Object.keys(properties)])].flatMap((name) => {
    const isOwn = Object.hasOwn(properties, name);
    const property = isOwn ? getObject(properties, name) : getObject(schema, 'additionalProperties');
    const filled = fill(property, name, depth + 1, context);
    return required.has(name) || filled.isFromMessage || context.shouldFillOptional ? [{ name, filled }] : [];
  });
  return {
    value: Object.fromEntries(filledProperties.map(({ name, filled }) => [name, filled.value])),
    isFromMessage: filledProperties.some(({ filled }) => filled.isFromMessage),
    missing: filledProperties.flatMap(({ name, filled }) =>
      filled.missing.map((path) => (path === '' ? name : `${name}.${path}`)),
    ),
  };
}

function fillArray(
  schema: JsonObject,
  name: string,
  depth: number,
  context: GenerationContext,
): GeneratedValue {
  const fillNext = (item: JsonObject) => fill(item, name, depth + 1, context);
  const prefixValues = getList(schema, 'prefixItems').filter(isJsonObject).map(fillNext);
  const item = getObject(schema, 'items');
  const resolvedItem = resolveSchema(item, context);
  const generatedItem = fillNext(item);
  const listedItems = parseListedValues(resolvedItem, name, context).filter((value) =>
    context.fits(value, item),
  );
  const mentionedItems =
    listedItems.length === 0 && generatedItem.isFromMessage ? [generatedItem.value] : listedItems;
  const itemsFromMessage = schema['items'] === false ? [] : mentionedItems;
  const values = [...prefixValues.map(({ value }) => value), ...new Set(itemsFromMessage)];
  const placeholders = schema['uniqueItems'] === true ? listPlaceholders(resolvedItem) : [];
  while (values.length < Math.min(getNumberProperty(schema, 'minItems') ?? 0, 100)) {
    const unused = placeholders.find((value) => !values.includes(value) && context.fits(value, item));
    values.push(unused ?? generatedItem.value);
  }
  const isFromMessage = itemsFromMessage.length > 0 || prefixValues.some((filled) => filled.isFromMessage);
  const maxItems = getNumberProperty(schema, 'maxItems') ?? values.length;
  return { value: values.slice(0, maxItems), isFromMessage, missing: isFromMessage ? [] : [''] };
}

/** Parses lists such as "tags: red, green and blue"; members mentioned anywhere in the text come first. */
function parseListedValues(
  item: JsonObject,
  name: string,
  { text, maxTextChars }: GenerationContext,
): Json[] {
  const mentionedValues = findMentionedValues(text, item);
  if (mentionedValues.length > 0) return mentionedValues;
  const textAfterName =
    findNameMentions(name, text).find(({ textAfter }) => !smallWordPattern.test(textAfter))?.textAfter ?? '';
  const entries = textAfterName.split(/,|\band\b|\bor\b/u).filter((entry) => entry.length <= maxTextChars);
  return entries.flatMap((entry) => parseValues(entry, item));
}

function fillScalar(
  schema: JsonObject,
  name: string,
  { text, maxTextChars, fits }: GenerationContext,
): GeneratedValue {
  const fitsSchema = (value: Json) => fits(value, schema);
  const nearbyTexts = findTextsBesideName(name, text).filter((candidate) => candidate.length <= maxTextChars);
  const match = [
    ...nearbyTexts.flatMap((candidate) => parseValues(candidate, schema)),
    ...findMentionedValues(text, schema),
  ].find(fitsSchema);
  if (match !== undefined) return { value: match, isFromMessage: true, missing: [] };
  return {
    value: listPlaceholders(schema).find(fitsSchema) ?? 'unknown',
    isFromMessage: false,
    missing: [''],
  };
}

/** Parses the text as the type of the schema; an empty list if it does not fit. */
function parseValues(rawText: string, schema: JsonObject): Json[] {
  const text = rawText.trim().replace(/[.:!?)]$/u, '');
  if (text === '') return [];
  const type = getSchemaType(schema);
  const isYes = /^(?:true|yes|on)$/iu.test(text);
  if (type === 'boolean') return isYes || /^(?:false|no|off)$/iu.test(text) ? [isYes] : [];
  const numbers = /^-?\d[\d,]*(?:\.\d+)?$/.test(text) ? [Number(text.replaceAll(',', ''))] : [];
  if (type === 'integer' || type === 'number') return numbers;
  return type === 'string' ? [text] : [];
}

/** Returns the words of a text, or of a name such as "orderId". */
function splitWords(text: string): string[] {
  return text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * Returns singular patterns for a name: all of its words, its last word and, for names such as "order_id", the words
 * before the ending.
 */
function buildNamePatterns(name: string): string[] {
  const words = splitWords(name).map((word) => word.replace(/s$/u, ''));
  const isEnding = /^(?:id|number|name|code|key)$/iu.test(words.at(-1) ?? '');
  const labels = [words, words.slice(-1), isEnding ? words.slice(0, -1) : []];
  return [...new Set(labels.map((label) => label.join('[\\s_-]*')))].filter((label) => label !== '');
}

/** Finds mentions of the name, each with the number before it ("5 days") and the rest of the sentence after it. */
function findNameMentions(
  name: string,
  text: string,
): { numberBefore: string; textAfter: string; hasColon: boolean }[] {
  const numberPattern = '(?:(-?\\d[\\d,.]*)[\\s-]+(?:\\p{L}+ )?)?(?<![\\p{L}\\p{N}])';
  const connectorPattern = '(?:\\s*([:=])\\s*|\\s*#|\\s+(?:(?:is|are|of|named|called|number|the)\\s+)*|)';
  return buildNamePatterns(name).flatMap((label) =>
    [
      ...text.matchAll(new RegExp(`${numberPattern}${label}s?(?![\\p{L}\\p{N}])${connectorPattern}`, 'giu')),
    ].map((match) => ({
      numberBefore: match[1] ?? '',
      textAfter: text.slice(match.index + match[0].length).split(/[;\n]|[.!?](?:\s|$)/u, 1)[0] ?? '',
      hasColon: match[2] !== undefined,
    })),
  );
}

/** Words that only continue the sentence and are never values. */
const smallWordPattern =
  /^(?:an?|and|are|as|at|by|do|does|for|from|i|in|is|it|not|on|or|please|than|that|then|this|to|what|when|where|which|with|you)(?:\s|$)/iu;

/**
 * Lists possible values: quoted text, text after a colon up to a comma, a capitalised name, a single word, or the
 * preceding number.
 */
function findTextsBesideName(name: string, text: string): string[] {
  const candidates = findNameMentions(name, text).flatMap(({ numberBefore, textAfter, hasColon }) => [
    /^["“]([^"”]+)["”]/u.exec(textAfter)?.[1],
    hasColon ? textAfter.split(/,(?!\d)/u, 1)[0] : undefined,
    /^\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*(?=[\s,.)]|$)/u.exec(textAfter)?.[0],
    /^(?:[^\s,]|,(?=\d))+/u.exec(textAfter)?.[0],
    numberBefore,
  ]);
  return candidates.flatMap((value) => (value === undefined || smallWordPattern.test(value) ? [] : [value]));
}

/** Returns the enum members and examples that the text mentions, longest first. */
function findMentionedValues(text: string, schema: JsonObject): Json[] {
  const toSpacedWords = (value: string | number | boolean) =>
    ` ${splitWords(String(value)).join(' ').toLowerCase()} `;
  return [...getList(schema, 'enum'), ...getList(schema, 'examples'), schema['const'] ?? null]
    .filter((value) => typeof value !== 'object')
    .filter((value) => toSpacedWords(text).includes(toSpacedWords(value)))
    .toSorted((left, right) => String(right).length - String(left).length);
}

const formatSamples =
  '2026-01-01 2026-01-01T00:00:00Z 00:00:00Z P1D unknown@example.com https://example.com/ example.com 192.0.2.1 ::1 00000000-0000-0000-0000-000000000000 /'.split(
    ' ',
  );

/** Lists neutral placeholder values, the simplest first. Not all of them fit a given schema. */
function listPlaceholders(schema: JsonObject): Json[] {
  const lowest = getNumberProperty(schema, 'minimum') ?? getNumberProperty(schema, 'exclusiveMinimum');
  const highest = getNumberProperty(schema, 'maximum') ?? getNumberProperty(schema, 'exclusiveMaximum');
  const step = getNumberProperty(schema, 'multipleOf') ?? 1;
  const first = Math.floor((lowest ?? highest ?? 0) / step);
  const steps = Array.from({ length: 40 }, (_, index) => first + (index % 2 === 0 ? index : -index - 1) / 2);
  const nearbyNumbers = steps.map((count) => Number((count * step).toPrecision(12)));
  const numbers = [0, ...nearbyNumbers, ((lowest ?? 0) + (highest ?? 0)) / 2];
  const minLength = Math.min(getNumberProperty(schema, 'minLength') ?? 0, 10_000);
  const length = Math.max(minLength, Math.min(getNumberProperty(schema, 'maxLength') ?? 7, 7));
  const plainText = 'unknown '.repeat(length / 8 + 1).slice(0, length);
  const pattern = getStringProperty(schema, 'pattern');
  const otherTexts = steps.map((_, index) => `unknown ${index + 2}`);
  const texts =
    pattern === undefined ? [plainText, ...formatSamples, ...otherTexts] : [generateFromPattern(pattern)];
  return [...getList(schema, 'enum'), ...texts, ...numbers, false, true, ...getList(schema, 'examples')];
}

/** Generates a short text for a simple pattern: first alternatives, one character per class, minimum repeats. */
function generateFromPattern(pattern: string): string {
  const repeat = '(?:([*?])|\\+|\\{(\\d+)[^}]*\\})\\??';
  const repeatText = (text: string, zeroQuantifier?: string, count = '1') =>
    zeroQuantifier === undefined ? text.repeat(Math.min(Number(count), 100)).slice(0, 1000) : '';
  const flattenPattern = (text: string) =>
    (text.split('|', 1)[0] ?? '').replace(
      new RegExp(`(.)${repeat}`, 'gsu'),
      (_, character: string, zeroQuantifier?: string, count?: string) =>
        repeatText(character, zeroQuantifier, count),
    );
  const classSamples: Record<string, string> = { d: '0', w: 'x', s: ' ', p: 'x' };
  // Escaped characters and classes move to private code points, so that they are not read as syntax.
  const toPrivateChar = (character: string) => String.fromCharCode(0xe000 + character.charCodeAt(0));
  let remainingPattern = pattern
    .slice(0, 200)
    .replace(/\[([^\]\\])[^\]]*\]/g, (_, character: string) =>
      toPrivateChar(character === '^' ? '_' : character),
    )
    .replace(/\[?\\(.)(?:\{\p{L}+\})?(?:[^[\]]*\])?/gu, (_, character: string) =>
      toPrivateChar(classSamples[character] ?? character),
    )
    .replace(/[$^]/g, '');
  const group = new RegExp(`\\((?:\\?:)?([^()]*)\\)(?:${repeat})?`, 'u');
  for (let round = 0; round < 20; round += 1)
    remainingPattern = remainingPattern.replace(
      group,
      (_, inner: string, zeroQuantifier?: string, count?: string) =>
        repeatText(flattenPattern(inner), zeroQuantifier, count),
    );
  return flattenPattern(remainingPattern).replace(/[\ue000-\uf8ff]/g, (character) =>
    String.fromCharCode(character.charCodeAt(0) - 0xe000),
  );
}

/** Returns the schema with its references and allOf parts merged in. */
function resolveSchema(schema: JsonObject, context: GenerationContext, depth = 0): JsonObject {
  const { $ref: _ref, allOf: _all, ...ownSchema } = schema;
  if (depth > maxDepth) return ownSchema;
  return [context.lookup[getStringProperty(schema, '__absolute_ref__') ?? ''], ...getList(schema, 'allOf')]
    .filter(isJsonObject)
    .reduce((merged, part) => mergeSchemas(merged, resolveSchema(part, context, depth + 1)), ownSchema);
}

function mergeSchemas(left: JsonObject, right: JsonObject): JsonObject {
  const properties = { ...getObject(left, 'properties'), ...getObject(right, 'properties') };
  const required = [...getList(left, 'required'), ...getList(right, 'required')];
  const isObject = Object.keys(properties).length + required.length > 0;
  return { ...left, ...right, ...(isObject ? { properties, required } : {}) };
}

/** Lists the alternatives of a schema, each merged with the common parts. */
function listBranches(
  { anyOf, oneOf, ...commonSchema }: JsonObject,
  context: GenerationContext,
): JsonObject[] {
  const branches = [anyOf ?? [], oneOf ?? []].flat().filter(isJsonObject);
  return branches.map((branch) => mergeSchemas(commonSchema, resolveSchema(branch, context)));
}

/** Returns the first type other than null; if none is given, infers the type from other keywords. */
function getSchemaType(schema: JsonObject): string {
  const type = [schema['type'] ?? []].flat().find((typeName) => typeName !== 'null');
  if ('enum' in schema || 'const' in schema) return 'string';
  if (typeof type === 'string') return type;
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}

/** Returns the object at a key; {} if there is none. */
export function getObject(value: Json | undefined, key: string): JsonObject {
  const member = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(member) ? member : {};
}

function getList(schema: JsonObject, key: string): Json[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

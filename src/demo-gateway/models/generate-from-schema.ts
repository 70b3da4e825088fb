/** Fills a JSON schema from the words of a message: arguments of tool calls and structured answers come from here. */
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

export interface Filled {
  value: Json;
  /** Whether any of it is from the message. */
  isGiven: boolean;
  /** Paths of what holds a stand-in, since the message does not give it. */
  missing: string[];
}

interface Filling {
  text: string;
  /** What each reference refers to, as the validator found it. */
  lookup: ReturnType<typeof dereference>;
  /** A schema that cannot be read refuses nothing. */
  fits: (value: Json, schema: JsonObject) => boolean;
  fillsOptional: boolean;
  /** Patterns come with the request: where there are any only short texts are tried, so that a bad one cannot run for long. */
  longestText: number;
  /** How many more schemas may be filled: some branch into themselves. */
  left: number;
}

const deepest = 12;
const isTooDeep = (depth: number, { left }: Filling) => depth > deepest || left < 0;

/**
 * A value is what stands beside the name of its property, else a member of the enum or an example that the message
 * mentions, else the default, the first of the enum, or one of the right type. What is not required is left out unless
 * the message gives it. The value fits the schema wherever one that does is found.
 */
export function fillSchema(schema: JsonObject, text: string): Filled {
  if (isDeeperThan(maxJsonDepth, schema)) return { value: {}, isGiven: false, missing: [] };
  // The validator writes into its schema.
  const root = structuredClone(schema);
  const lookup: Filling['lookup'] = {};
  const unlessUnreadable = (check: () => boolean) => {
    try {
      return check();
    } catch {
      return true;
    }
  };
  unlessUnreadable(() => dereference(root, lookup) === lookup);
  const fits: Filling['fits'] = (value, part) =>
    unlessUnreadable(() => validate(value, part, '2020-12', lookup).valid);
  const longestText = JSON.stringify(root).includes('"pattern') ? 24 : 1000;
  const filledWith = (fillsOptional: boolean) =>
    fill(root, '', 0, { text, lookup, fits, fillsOptional, longestText, left: 2000 });
  const lean = filledWith(false);
  if (fits(lean.value, root)) return lean;
  // Rules such as minProperties ask for more than what is required by name.
  const whole = filledWith(true);
  return fits(whole.value, root) ? whole : lean;
}

function fill(written: JsonObject, name: string, depth: number, filling: Filling): Filled {
  filling.left -= 1;
  const schema = resolved(written, filling);
  const branches = isTooDeep(depth, filling) ? [] : branchesOf(schema, filling);
  const filled = branches.map((branch) => fill(branch, name, depth + 1, filling));
  const fitting = filled.filter(({ value }) => filling.fits(value, written));
  const nothing = fitting.find(({ value }) => value === null);
  const best = fitting.find(({ isGiven }) => isGiven) ?? nothing ?? fitting[0] ?? filled[0];
  if (best) return best;
  const own = fillOwn(schema, name, depth, filling);
  const isNullable = schema['type'] === 'null' || listAt(schema, 'type').includes('null');
  const stated = [schema['const'], schema['default'], isNullable ? null : undefined];
  const fixed = stated.find((value) => value !== undefined && filling.fits(value, schema));
  return own.isGiven || fixed === undefined ? own : { value: fixed, isGiven: false, missing: [] };
}

function fillOwn(schema: JsonObject, name: string, depth: number, filling: Filling): Filled {
  const type = typeOf(schema);
  if (type !== 'object' && type !== 'array') return fillScalar(schema, name, filling);
  if (isTooDeep(depth, filling)) return { value: type === 'array' ? [] : {}, isGiven: false, missing: [''] };
  return type === 'array' ? fillArray(schema, name, depth, filling) : fillObject(schema, depth, filling);
}

function fillObject(schema: JsonObject, depth: number, filling: Filling): Filled {
  const properties = objectAt(schema, 'properties');
  const required = new Set(listAt(schema, 'required').filter((name) => typeof name === 'string'));
  const kept = [...new Set([...required, ...Object.keys(properties)])].flatMap((name) => {
    const isOwn = Object.hasOwn(properties, name);
    const property = isOwn ? objectAt(properties, name) : objectAt(schema, 'additionalProperties');
    const filled = fill(property, name, depth + 1, filling);
    return required.has(name) || filled.isGiven || filling.fillsOptional ? [{ name, filled }] : [];
  });
  return {
    value: Object.fromEntries(kept.map(({ name, filled }) => [name, filled.value])),
    isGiven: kept.some(({ filled }) => filled.isGiven),
    missing: kept.flatMap(({ name, filled }) =>
      filled.missing.map((path) => (path === '' ? name : `${name}.${path}`)),
    ),
  };
}

function fillArray(schema: JsonObject, name: string, depth: number, filling: Filling): Filled {
  const fillNext = (item: JsonObject) => fill(item, name, depth + 1, filling);
  const first = listAt(schema, 'prefixItems').filter(isJsonObject).map(fillNext);
  const item = objectAt(schema, 'items');
  const plain = resolved(item, filling);
  const one = fillNext(item);
  const listed = listedValues(plain, name, filling).filter((value) => filling.fits(value, item));
  const found = listed.length === 0 && one.isGiven ? [one.value] : listed;
  const given = schema['items'] === false ? [] : found;
  const values = [...first.map(({ value }) => value), ...new Set(given)];
  const spare = schema['uniqueItems'] === true ? standIns(plain) : [];
  while (values.length < Math.min(getNumberProperty(schema, 'minItems') ?? 0, 100)) {
    const unused = spare.find((value) => !values.includes(value) && filling.fits(value, item));
    values.push(unused ?? one.value);
  }
  const isGiven = given.length > 0 || first.some((filled) => filled.isGiven);
  const most = getNumberProperty(schema, 'maxItems') ?? values.length;
  return { value: values.slice(0, most), isGiven, missing: isGiven ? [] : [''] };
}

/** "tags: red, green and blue", else the members that are mentioned. */
function listedValues(item: JsonObject, name: string, { text, longestText }: Filling): Json[] {
  const mentioned = mentionedIn(text, item);
  if (mentioned.length > 0) return mentioned;
  const behind = placesOf(name, text).find(({ after }) => !smallWords.test(after))?.after ?? '';
  const entries = behind.split(/,|\band\b|\bor\b/u).filter((entry) => entry.length <= longestText);
  return entries.flatMap((entry) => valuesOf(entry, item));
}

function fillScalar(schema: JsonObject, name: string, { text, longestText, fits }: Filling): Filled {
  const accepted = (value: Json) => fits(value, schema);
  const beside = textsBeside(name, text).filter((found) => found.length <= longestText);
  const given = [...beside.flatMap((found) => valuesOf(found, schema)), ...mentionedIn(text, schema)].find(
    accepted,
  );
  if (given !== undefined) return { value: given, isGiven: true, missing: [] };
  return { value: standIns(schema).find(accepted) ?? 'unknown', isGiven: false, missing: [''] };
}

/** The written text as the type of the schema has it; none where it cannot be read so. */
function valuesOf(written: string, schema: JsonObject): Json[] {
  const text = written.trim().replace(/[.:!?)]$/u, '');
  if (text === '') return [];
  const type = typeOf(schema);
  const isYes = /^(?:true|yes|on)$/iu.test(text);
  if (type === 'boolean') return isYes || /^(?:false|no|off)$/iu.test(text) ? [isYes] : [];
  const number = /^-?\d[\d,]*(?:\.\d+)?$/.test(text) ? [Number(text.replaceAll(',', ''))] : [];
  if (type === 'integer' || type === 'number') return number;
  return type === 'string' ? [text] : [];
}

/** The words of a text or of a name such as "orderId". */
function wordsOf(text: string): string[] {
  return text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The name as it is said, its last word, and of "order_id" the words before such an ending; as patterns, in the singular. */
function labelsOf(name: string): string[] {
  const words = wordsOf(name).map((word) => word.replace(/s$/u, ''));
  const isEnding = /^(?:id|number|name|code|key)$/iu.test(words.at(-1) ?? '');
  const labels = [words, words.slice(-1), isEnding ? words.slice(0, -1) : []];
  return [...new Set(labels.map((label) => label.join('[\\s_-]*')))].filter((label) => label !== '');
}

/** The places at which the text names it: the number before, as in "5 days", and what follows in the sentence. */
function placesOf(name: string, text: string): { before: string; after: string; hasColon: boolean }[] {
  const before = '(?:(-?\\d[\\d,.]*)[\\s-]+(?:\\p{L}+ )?)?(?<![\\p{L}\\p{N}])';
  const link = '(?:\\s*([:=])\\s*|\\s*#|\\s+(?:(?:is|are|of|named|called|number|the)\\s+)*|)';
  return labelsOf(name).flatMap((label) =>
    [...text.matchAll(new RegExp(`${before}${label}s?(?![\\p{L}\\p{N}])${link}`, 'giu'))].map((match) => ({
      before: match[1] ?? '',
      after: text.slice(match.index + match[0].length).split(/[;\n]|[.!?](?:\s|$)/u, 1)[0] ?? '',
      hasColon: match[2] !== undefined,
    })),
  );
}

/** Words that only continue the sentence. */
const smallWords =
  /^(?:an?|and|are|as|at|by|do|does|for|from|i|in|is|it|not|on|or|please|than|that|then|this|to|what|when|where|which|with|you)(?:\s|$)/iu;

/** What may be the value: quoted, all up to a comma behind a colon, a name in capitals, a word, or the number before. */
function textsBeside(name: string, text: string): string[] {
  const found = placesOf(name, text).flatMap(({ before, after, hasColon }) => [
    /^["“]([^"”]+)["”]/u.exec(after)?.[1],
    hasColon ? after.split(/,(?!\d)/u, 1)[0] : undefined,
    /^\p{Lu}[\p{L}\p{N}'’-]*(?: \p{Lu}[\p{L}\p{N}'’-]*)*(?=[\s,.)]|$)/u.exec(after)?.[0],
    /^(?:[^\s,]|,(?=\d))+/u.exec(after)?.[0],
    before,
  ]);
  return found.flatMap((value) => (value === undefined || smallWords.test(value) ? [] : [value]));
}

/** The members of the enum and the examples that the text mentions, longest first. */
function mentionedIn(text: string, schema: JsonObject): Json[] {
  const spaced = (value: string | number | boolean) => ` ${wordsOf(String(value)).join(' ').toLowerCase()} `;
  return [...listAt(schema, 'enum'), ...listAt(schema, 'examples'), schema['const'] ?? null]
    .filter((value) => typeof value !== 'object')
    .filter((value) => spaced(text).includes(spaced(value)))
    .toSorted((left, right) => String(right).length - String(left).length);
}

const formatted =
  '2026-01-01 2026-01-01T00:00:00Z 00:00:00Z P1D unknown@example.com https://example.com/ example.com 192.0.2.1 ::1 00000000-0000-0000-0000-000000000000 /'.split(
    ' ',
  );

/** Values that claim nothing, the plainest first; of each schema only some fit. */
function standIns(schema: JsonObject): Json[] {
  const lowest = getNumberProperty(schema, 'minimum') ?? getNumberProperty(schema, 'exclusiveMinimum');
  const highest = getNumberProperty(schema, 'maximum') ?? getNumberProperty(schema, 'exclusiveMaximum');
  const step = getNumberProperty(schema, 'multipleOf') ?? 1;
  const first = Math.floor((lowest ?? highest ?? 0) / step);
  const steps = Array.from({ length: 40 }, (_, index) => first + (index % 2 === 0 ? index : -index - 1) / 2);
  const near = steps.map((count) => Number((count * step).toPrecision(12)));
  const numbers = [0, ...near, ((lowest ?? 0) + (highest ?? 0)) / 2];
  const shortest = Math.min(getNumberProperty(schema, 'minLength') ?? 0, 10_000);
  const length = Math.max(shortest, Math.min(getNumberProperty(schema, 'maxLength') ?? 7, 7));
  const plain = 'unknown '.repeat(length / 8 + 1).slice(0, length);
  const pattern = getStringProperty(schema, 'pattern');
  const other = steps.map((_, index) => `unknown ${index + 2}`);
  const texts = pattern === undefined ? [plain, ...formatted, ...other] : [sampleOf(pattern)];
  return [...listAt(schema, 'enum'), ...texts, ...numbers, false, true, ...listAt(schema, 'examples')];
}

/** A short text that a plain pattern allows: first alternatives, one sign for each class, the least of each repeat. */
function sampleOf(pattern: string): string {
  const repeat = '(?:([*?])|\\+|\\{(\\d+)[^}]*\\})\\??';
  const repeated = (text: string, none?: string, count = '1') =>
    none === undefined ? text.repeat(Math.min(Number(count), 100)).slice(0, 1000) : '';
  const flat = (text: string) =>
    (text.split('|', 1)[0] ?? '').replace(
      new RegExp(`(.)${repeat}`, 'gsu'),
      (_, sign: string, none?: string, count?: string) => repeated(sign, none, count),
    );
  const signs: Record<string, string> = { d: '0', w: 'x', s: ' ', p: 'x' };
  // Escaped signs and classes must not be read as syntax: they are moved to code points of their own.
  const moved = (sign: string) => String.fromCharCode(0xe000 + sign.charCodeAt(0));
  let rest = pattern
    .slice(0, 200)
    .replace(/\[([^\]\\])[^\]]*\]/g, (_, sign: string) => moved(sign === '^' ? '_' : sign))
    .replace(/\[?\\(.)(?:\{\p{L}+\})?(?:[^[\]]*\])?/gu, (_, sign: string) => moved(signs[sign] ?? sign))
    .replace(/[$^]/g, '');
  const group = new RegExp(`\\((?:\\?:)?([^()]*)\\)(?:${repeat})?`, 'u');
  for (let round = 0; round < 20; round += 1)
    rest = rest.replace(group, (_, inner: string, none?: string, count?: string) =>
      repeated(flat(inner), none, count),
    );
  return flat(rest).replace(/[\ue000-\uf8ff]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xe000));
}

/** References followed, and parts that all hold joined into one. */
function resolved(schema: JsonObject, filling: Filling, depth = 0): JsonObject {
  const { $ref: _ref, allOf: _all, ...own } = schema;
  if (depth > deepest) return own;
  return [filling.lookup[getStringProperty(schema, '__absolute_ref__') ?? ''], ...listAt(schema, 'allOf')]
    .filter(isJsonObject)
    .reduce((all, part) => joined(all, resolved(part, filling, depth + 1)), own);
}

function joined(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectAt(one, 'properties'), ...objectAt(other, 'properties') };
  const required = [...listAt(one, 'required'), ...listAt(other, 'required')];
  const isObject = Object.keys(properties).length + required.length > 0;
  return { ...one, ...other, ...(isObject ? { properties, required } : {}) };
}

/** What the schema leaves to choose between, each with all that holds in any case. */
function branchesOf({ anyOf, oneOf, ...own }: JsonObject, filling: Filling): JsonObject[] {
  const parts = [anyOf ?? [], oneOf ?? []].flat().filter(isJsonObject);
  return parts.map((part) => joined(own, resolved(part, filling)));
}

/** The first type that is not null; where none is named, what the other keywords are for. */
function typeOf(schema: JsonObject): string {
  const type = [schema['type'] ?? []].flat().find((named) => named !== 'null');
  if ('enum' in schema || 'const' in schema) return 'string';
  if (typeof type === 'string') return type;
  if ('properties' in schema || 'required' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'string';
}

/** {} where there is none. */
export function objectAt(value: Json | undefined, key: string): JsonObject {
  const found = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
}

function listAt(schema: JsonObject, key: string): Json[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

/** Operations of an OpenAPI 3 description as function tools (§2.1 tools). */
import type { Tool } from '../../gateway/wire.ts';
import { parseExactJson, writeExactJson } from '../../lib/exact-json.ts';
import {
  isJsonObject,
  isRecord,
  JsonSource,
  getOwnProperty,
  getStringProperty,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { trimEndChars, trimStartChars } from '../../lib/text/trim.ts';

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options', 'trace'];
const mostRefs = 12;

/** The tools of all operations, and what of the description does not fit into a function. */
export interface OpenApiTools {
  tools: Tool[];
  remarks: string[];
}

/** True where the value has paths: a whole description, or a part of one. */
export function isOpenApi(value: unknown): boolean {
  return pathsOf(value) !== undefined;
}

/** Reads a whole description, its `paths`, or some of its paths. */
export function openApiTools(description: unknown): OpenApiTools {
  const tools: Tool[] = [];
  const remarks = new Set<string>();
  for (const [path, item] of Object.entries(pathsOf(description) ?? {})) {
    const resolved = resolve(description, item);
    for (const method of methods) {
      const operation = getOwnProperty(resolved, method);
      if (isRecord(operation))
        tools.push(toolOf({ description, path, method, item: resolved, operation, remarks }));
    }
  }
  return { tools, remarks: [...remarks] };
}

function pathsOf(value: unknown): Record<string, unknown> | undefined {
  const paths = getOwnProperty(value, 'paths');
  if (isRecord(paths)) return paths;
  const isPaths =
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key.startsWith('/'));
  return isPaths ? value : undefined;
}

interface Operation {
  description: unknown;
  path: string;
  method: string;
  item: unknown;
  operation: Record<string, unknown>;
  remarks: Set<string>;
}

function toolOf({ description, path, method, item, operation, remarks }: Operation): Tool {
  const properties = new Map<string, JsonObject>();
  const required = new Set<string>();
  for (const raw of [...listOf(item, 'parameters'), ...listOf(operation, 'parameters')]) {
    const parameter = resolve(description, raw);
    const name = getStringProperty(parameter, 'name');
    const place = getStringProperty(parameter, 'in') ?? 'query';
    if (name === undefined) continue;
    if (place === 'header' || place === 'cookie') {
      remarks.add(`Parameters in a ${place} are omitted: whoever runs the tool sets them.`);
      continue;
    }
    const schema = schemaOf(description, getOwnProperty(parameter, 'schema') ?? firstContent(parameter));
    properties.set(name, described(schema, getStringProperty(parameter, 'description')));
    if (place === 'path' || getOwnProperty(parameter, 'required') === true) required.add(name);
  }
  addBody(description, operation, properties, required);
  const name = getStringProperty(operation, 'operationId') ?? `${method} ${path}`;
  const about = [getStringProperty(operation, 'summary'), getStringProperty(operation, 'description')];
  const words = about.filter((text) => text !== undefined && text.trim() !== '').join('\n');
  return {
    type: 'function',
    function: {
      name: toolName(name),
      description: words === '' ? `${method.toUpperCase()} ${path}` : words,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.size > 0 ? { required: [...required] } : {}),
      },
    },
  };
}

/** The fields of a body that is an object stand beside the other parameters, unless a name is taken. */
function addBody(
  description: unknown,
  operation: Record<string, unknown>,
  properties: Map<string, JsonObject>,
  required: Set<string>,
): void {
  const body = resolve(description, getOwnProperty(operation, 'requestBody'));
  const raw = firstContent(body);
  if (raw === undefined) return;
  const schema = schemaOf(description, raw);
  const fields = Object.entries(recordOf(schema['properties']));
  const isNeeded = getOwnProperty(body, 'required') === true;
  if (fields.length === 0 || fields.some(([name]) => properties.has(name))) {
    properties.set('body', described(schema, getStringProperty(body, 'description')));
    if (isNeeded) required.add('body');
    return;
  }
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, field] of fields) {
    properties.set(name, recordOf(field));
    if (needed.includes(name)) required.add(name);
  }
}

/** The schema of application/json, else of the first kind of content. */
function firstContent(holder: unknown): unknown {
  const content = getOwnProperty(holder, 'content');
  if (!isRecord(content)) return undefined;
  const kind = Object.keys(content).find((name) => /[/+]json\b/i.test(name)) ?? Object.keys(content)[0];
  return kind === undefined ? undefined : getOwnProperty(content[kind], 'schema');
}

function listOf(holder: unknown, key: string): unknown[] {
  const list = getOwnProperty(holder, key);
  return Array.isArray(list) ? list : [];
}

function described(schema: JsonObject, words: string | undefined): JsonObject {
  return words === undefined || schema['description'] !== undefined
    ? schema
    : { ...schema, description: words };
}

/** What a local reference points at; anything else as it is. */
function resolve(description: unknown, value: unknown): unknown {
  let found = value;
  for (let count = 0; count < mostRefs; count += 1) {
    const pointer = getStringProperty(found, '$ref');
    if (pointer === undefined || !pointer.startsWith('#/')) return found;
    found = pointer
      .slice(2)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((holder, key) => getOwnProperty(holder, key), description);
  }
  return undefined;
}

/** A JSON Schema without references: each is put in where it stands, and a circle ends as an open object. */
function schemaOf(description: unknown, raw: unknown): JsonObject {
  return recordOf(inlined(description, raw, []));
}

function inlined(description: unknown, value: unknown, above: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item) => inlined(description, item, above));
  if (!isRecord(value) || value instanceof JsonSource) return jsonOf(value);
  const pointer = getStringProperty(value, '$ref');
  if (pointer !== undefined) {
    if (above.includes(pointer) || above.length > mostRefs) return { type: 'object' };
    return inlined(description, resolve(description, value) ?? {}, [...above, pointer]);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, Json][] =>
      openApiOnly.has(key) ? [] : [[key, inlined(description, inner, above)]],
    ),
  );
}

/** Keywords of OpenAPI that JSON Schema does not know. */
const openApiOnly = new Set(['xml', 'discriminator', 'externalDocs', 'readOnly', 'writeOnly', 'nullable']);

function jsonOf(value: unknown): Json {
  const reading = value === undefined ? undefined : parseExactJson(writeExactJson(value));
  return reading?.ok ? reading.value : null;
}

function recordOf(value: unknown): JsonObject {
  const json = Array.isArray(value) || !isRecord(value) ? {} : jsonOf(value);
  return isJsonObject(json) ? json : {};
}

/** Letters, digits, _ and -, at most 64: what every provider takes. */
export function toolName(text: string): string {
  const words = text.replaceAll(/[{}]/g, '').replaceAll(/[^a-zA-Z0-9_-]+/g, '_');
  const name = trimEndChars(trimStartChars(words, '_'), '_').slice(0, 64);
  return name === '' ? 'tool' : name;
}

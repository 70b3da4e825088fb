/** Converts the operations of an OpenAPI 3 description to function tools (§2.1 tools). */
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
const maxRefs = 12;

/** Tools for all operations, with remarks about details that a function cannot express. */
export interface OpenApiTools {
  tools: Tool[];
  remarks: string[];
}

/** Returns true if the value has paths: a complete description or part of one. */
export function isOpenApi(value: unknown): boolean {
  return findPaths(value) !== undefined;
}

/** Parses a complete description, its `paths` or some of its paths. */
export function parseOpenApiTools(openApiDocument: unknown): OpenApiTools {
  const tools: Tool[] = [];
  const remarks = new Set<string>();
  for (const [path, rawPathItem] of Object.entries(findPaths(openApiDocument) ?? {})) {
    const pathItem = resolveReference(openApiDocument, rawPathItem);
    for (const method of methods) {
      const operation = getOwnProperty(pathItem, method);
      if (isRecord(operation))
        tools.push(buildTool({ openApiDocument, path, method, pathItem, operation, remarks }));
    }
  }
  return { tools, remarks: [...remarks] };
}

function findPaths(value: unknown): Record<string, unknown> | undefined {
  const paths = getOwnProperty(value, 'paths');
  if (isRecord(paths)) return paths;
  const isPaths =
    isRecord(value) &&
    Object.keys(value).length > 0 &&
    Object.keys(value).every((key) => key.startsWith('/'));
  return isPaths ? value : undefined;
}

interface OperationContext {
  openApiDocument: unknown;
  path: string;
  method: string;
  pathItem: unknown;
  operation: Record<string, unknown>;
  remarks: Set<string>;
}

function buildTool({ openApiDocument, path, method, pathItem, operation, remarks }: OperationContext): Tool {
  const properties = new Map<string, JsonObject>();
  const required = new Set<string>();
  for (const rawParameter of [...getList(pathItem, 'parameters'), ...getList(operation, 'parameters')]) {
    const parameter = resolveReference(openApiDocument, rawParameter);
    const name = getStringProperty(parameter, 'name');
    const location = getStringProperty(parameter, 'in') ?? 'query';
    if (name === undefined) continue;
    if (location === 'header' || location === 'cookie') {
      remarks.add(`Parameters in a ${location} are omitted. Set them where the tool runs.`);
      continue;
    }
    const schema = resolveSchema(
      openApiDocument,
      getOwnProperty(parameter, 'schema') ?? getContentSchema(parameter),
    );
    properties.set(name, withDescription(schema, getStringProperty(parameter, 'description')));
    if (location === 'path' || getOwnProperty(parameter, 'required') === true) required.add(name);
  }
  addBody(openApiDocument, operation, properties, required);
  const name = getStringProperty(operation, 'operationId') ?? `${method} ${path}`;
  const descriptions = [getStringProperty(operation, 'summary'), getStringProperty(operation, 'description')];
  const descriptionText = descriptions.filter((text) => text !== undefined && text.trim() !== '').join('\n');
  return {
    type: 'function',
    function: {
      name: toToolName(name),
      description: descriptionText === '' ? `${method.toUpperCase()} ${path}` : descriptionText,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.size > 0 ? { required: [...required] } : {}),
      },
    },
  };
}

/** Adds the fields of an object body to the other parameters, unless a name is already used. */
function addBody(
  openApiDocument: unknown,
  operation: Record<string, unknown>,
  properties: Map<string, JsonObject>,
  required: Set<string>,
): void {
  const body = resolveReference(openApiDocument, getOwnProperty(operation, 'requestBody'));
  const rawSchema = getContentSchema(body);
  if (rawSchema === undefined) return;
  const schema = resolveSchema(openApiDocument, rawSchema);
  const fields = Object.entries(toJsonObject(schema['properties']));
  const isBodyRequired = getOwnProperty(body, 'required') === true;
  if (fields.length === 0 || fields.some(([name]) => properties.has(name))) {
    properties.set('body', withDescription(schema, getStringProperty(body, 'description')));
    if (isBodyRequired) required.add('body');
    return;
  }
  const requiredFields = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const [name, field] of fields) {
    properties.set(name, toJsonObject(field));
    if (requiredFields.includes(name)) required.add(name);
  }
}

/** Returns the schema of application/json, otherwise that of the first content type. */
function getContentSchema(value: unknown): unknown {
  const content = getOwnProperty(value, 'content');
  if (!isRecord(content)) return undefined;
  const mediaType = Object.keys(content).find((name) => /[/+]json\b/i.test(name)) ?? Object.keys(content)[0];
  return mediaType === undefined ? undefined : getOwnProperty(content[mediaType], 'schema');
}

function getList(value: unknown, key: string): unknown[] {
  const list = getOwnProperty(value, key);
  return Array.isArray(list) ? list : [];
}

function withDescription(schema: JsonObject, description: string | undefined): JsonObject {
  return description === undefined || schema['description'] !== undefined
    ? schema
    : { ...schema, description };
}

/** Returns the target of a local reference, or any other value unchanged. */
function resolveReference(openApiDocument: unknown, value: unknown): unknown {
  let target = value;
  for (let count = 0; count < maxRefs; count += 1) {
    const pointer = getStringProperty(target, '$ref');
    if (pointer === undefined || !pointer.startsWith('#/')) return target;
    target = pointer
      .slice(2)
      .split('/')
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((node, key) => getOwnProperty(node, key), openApiDocument);
  }
  return undefined;
}

/** Inlines all references of a JSON Schema; a cycle ends with an object schema without restrictions. */
function resolveSchema(openApiDocument: unknown, rawSchema: unknown): JsonObject {
  return toJsonObject(inlineReferences(openApiDocument, rawSchema, []));
}

function inlineReferences(openApiDocument: unknown, value: unknown, activePointers: readonly string[]): Json {
  if (Array.isArray(value))
    return value.map((item) => inlineReferences(openApiDocument, item, activePointers));
  if (!isRecord(value) || value instanceof JsonSource) return toJson(value);
  const pointer = getStringProperty(value, '$ref');
  if (pointer !== undefined) {
    if (activePointers.includes(pointer) || activePointers.length > maxRefs) return { type: 'object' };
    return inlineReferences(openApiDocument, resolveReference(openApiDocument, value) ?? {}, [
      ...activePointers,
      pointer,
    ]);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, Json][] =>
      openApiKeywords.has(key) ? [] : [[key, inlineReferences(openApiDocument, inner, activePointers)]],
    ),
  );
}

/** OpenAPI keywords that are not part of JSON Schema. */
const openApiKeywords = new Set([
  'xml',
  'discriminator',
  'externalDocs',
  'readOnly',
  'writeOnly',
  'nullable',
]);

function toJson(value: unknown): Json {
  const parsed = value === undefined ? undefined : parseExactJson(writeExactJson(value));
  return parsed?.ok ? parsed.value : null;
}

function toJsonObject(value: unknown): JsonObject {
  const json = Array.isArray(value) || !isRecord(value) ? {} : toJson(value);
  return isJsonObject(json) ? json : {};
}

/** Converts text to a name of letters, digits, _ and -, at most 64 characters, which every provider accepts. */
export function toToolName(text: string): string {
  const safeText = text.replaceAll(/[{}]/g, '').replaceAll(/[^a-zA-Z0-9_-]+/g, '_');
  const name = trimEndChars(trimStartChars(safeText, '_'), '_').slice(0, 64);
  return name === '' ? 'tool' : name;
}

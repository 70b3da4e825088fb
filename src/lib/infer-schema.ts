/** Infers a JSON Schema from an example. */
import { isJsonObject, JsonSource, parseJson, type Json, type JsonObject } from './json.ts';

const maxSchemaDepth = 20;

/**
 * Returns a schema that this value matches, with all its fields required. Lists accept the shapes of all their items.
 */
export function inferSchema(value: Json, depth = 0): JsonObject {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    if (value.length === 0 || depth > maxSchemaDepth) return { type: 'array', items: {} };
    return {
      type: 'array',
      items: value.map((item) => inferSchema(item, depth + 1)).reduce((a, b) => mergeSchemas(a, b)),
    };
  }
  if (value instanceof JsonSource) return inferSourceSchema(value, depth);
  switch (typeof value) {
    case 'object': {
      if (depth > maxSchemaDepth) return { type: 'object' };
      const properties = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, inferSchema(field, depth + 1)]),
      );
      return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
    }
    case 'number':
      return { type: Number.isInteger(value) ? 'integer' : 'number' };
    case 'boolean':
      return { type: 'boolean' };
    default:
      return { type: 'string' };
  }
}

/** Returns the schema of a JSON source; exact digits do not matter for a schema. */
function inferSourceSchema({ text }: JsonSource, depth: number): JsonObject {
  const parsed = parseJson(text);
  return parsed.ok ? inferSchema(parsed.value, depth) : {};
}

/** Returns a schema that accepts everything that either schema accepts, with one branch per type. */
function mergeSchemas(a: JsonObject, b: JsonObject): JsonObject {
  const branches = [...getBranches(a)];
  for (const branch of getBranches(b)) {
    const index = branches.findIndex((candidate) => getKind(candidate) === getKind(branch));
    const existingBranch = branches[index];
    if (existingBranch === undefined) branches.push(branch);
    else branches[index] = mergeSameKind(existingBranch, branch);
  }
  const [onlyBranch] = branches;
  return branches.length === 1 && onlyBranch ? onlyBranch : { anyOf: branches };
}

function getBranches(schema: JsonObject): JsonObject[] {
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [schema];
}

function getKind({ type }: JsonObject): Json {
  return type === 'integer' ? 'number' : (type ?? null);
}

/** Merges two schemas of one type; fields that are present in only one of them become optional. */
function mergeSameKind(a: JsonObject, b: JsonObject): JsonObject {
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  if (getKind(a) === 'number') return { type: 'number' };
  const getSubschemas = (key: string) => [a[key], b[key]].map((field) => (isJsonObject(field) ? field : {}));
  if (a['type'] === 'array') {
    const [left = {}, right = {}] = getSubschemas('items');
    const openItems = [left, right].find((items) => Object.keys(items).length === 0);
    return {
      type: 'array',
      items: openItems ? (openItems === left ? right : left) : mergeSchemas(left, right),
    };
  }
  if (a['type'] !== 'object') return a;
  const [left = {}, right = {}] = getSubschemas('properties');
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const properties = names.map((name): [string, Json] => {
    const [first, second] = [left[name], right[name]];
    return [
      name,
      isJsonObject(first) && isJsonObject(second) ? mergeSchemas(first, second) : (first ?? second ?? {}),
    ];
  });
  const required = names.filter((name) =>
    [a, b].every(
      ({ required: requiredNames }) => Array.isArray(requiredNames) && requiredNames.includes(name),
    ),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

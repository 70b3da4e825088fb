/** A JSON Schema made from an example. */
import { isJsonObject, JsonSource, parseJson, type Json, type JsonObject } from './json.ts';

const deepest = 20;

/** A schema that this value fits, with every field of it required. Lists take the shapes of all their items. */
export function schemaOfValue(value: Json, depth = 0): JsonObject {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) {
    if (value.length === 0 || depth > deepest) return { type: 'array', items: {} };
    return {
      type: 'array',
      items: value.map((item) => schemaOfValue(item, depth + 1)).reduce((one, other) => joined(one, other)),
    };
  }
  if (value instanceof JsonSource) return schemaOfSource(value, depth);
  switch (typeof value) {
    case 'object': {
      if (depth > deepest) return { type: 'object' };
      const properties = Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, schemaOfValue(field, depth + 1)]),
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

/** Returns the schema of the plain value of the source; exact digits do not matter. */
function schemaOfSource({ text }: JsonSource, depth: number): JsonObject {
  const reading = parseJson(text);
  return reading.ok ? schemaOfValue(reading.value, depth) : {};
}

/** One that fits what either of them fits: a branch for each type, where they differ. */
function joined(one: JsonObject, other: JsonObject): JsonObject {
  const branches = [...branchesOf(one)];
  for (const branch of branchesOf(other)) {
    const index = branches.findIndex((known) => kindOf(known) === kindOf(branch));
    const known = branches[index];
    if (known === undefined) branches.push(branch);
    else branches[index] = ofOneKind(known, branch);
  }
  const [only] = branches;
  return branches.length === 1 && only ? only : { anyOf: branches };
}

function branchesOf(schema: JsonObject): JsonObject[] {
  return Array.isArray(schema['anyOf']) ? schema['anyOf'].filter(isJsonObject) : [schema];
}

function kindOf({ type }: JsonObject): Json {
  return type === 'integer' ? 'number' : (type ?? null);
}

/** Fields that only one of them has are optional. */
function ofOneKind(one: JsonObject, other: JsonObject): JsonObject {
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  if (kindOf(one) === 'number') return { type: 'number' };
  const inner = (key: string) => [one[key], other[key]].map((each) => (isJsonObject(each) ? each : {}));
  if (one['type'] === 'array') {
    const [left = {}, right = {}] = inner('items');
    const isOpen = [left, right].find((items) => Object.keys(items).length === 0);
    return { type: 'array', items: isOpen ? (isOpen === left ? right : left) : joined(left, right) };
  }
  if (one['type'] !== 'object') return one;
  const [left = {}, right = {}] = inner('properties');
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  const properties = names.map((name): [string, Json] => {
    const [first, second] = [left[name], right[name]];
    return [
      name,
      isJsonObject(first) && isJsonObject(second) ? joined(first, second) : (first ?? second ?? {}),
    ];
  });
  const required = names.filter((name) =>
    [one, other].every(({ required: of }) => Array.isArray(of) && of.includes(name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

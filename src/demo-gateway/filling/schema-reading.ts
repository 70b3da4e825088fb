/** Reads the JSON schemas of arguments. */
import { isRecord, ownProperty, stringProperty, type Json } from '../../lib/json.ts';
import type { Schema } from './offered-tools.ts';

/** Bounds how deep schemas that refer to themselves are followed. */
export const deepest = 6;

/** Of alternatives the first that is not null; of references what they refer to. */
export function resolved(schema: Schema, root: Schema, depth = 0): Schema {
  const reference = stringProperty(schema, '$ref');
  if (depth > deepest) return schema;
  if (reference?.startsWith('#/') === true) {
    let target: unknown = root;
    for (const key of reference.slice(2).split('/'))
      target = ownProperty(target, key.replaceAll('~1', '/').replaceAll('~0', '~'));
    return isRecord(target) ? resolved(target, root, depth + 1) : schema;
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const parts = ownProperty(schema, key);
    if (!Array.isArray(parts)) continue;
    const records = parts.filter(isRecord);
    const part: Schema | undefined =
      key === 'allOf'
        ? Object.fromEntries(records.flatMap((record) => Object.entries(record)))
        : records.find((candidate) => candidate['type'] !== 'null');
    if (part) return resolved({ ...schema, [key]: undefined, ...part }, root, depth + 1);
  }
  return schema;
}

/** The first type that is not null; a text where the schema says nothing. */
export function typeOf(schema: Schema): string {
  const type = ownProperty(schema, 'type');
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const named = types.find((candidate) => typeof candidate === 'string' && candidate !== 'null');
  if (typeof named === 'string') return named;
  if (types.includes('null')) return 'null';
  if (ownProperty(schema, 'properties') !== undefined) return 'object';
  return ownProperty(schema, 'items') === undefined ? 'string' : 'array';
}

/** The names of the required properties. */
export function requiredOf(schema: Schema): Set<string> {
  const required = ownProperty(schema, 'required');
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
}

export function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** A keyword whose value is a scalar or a list of scalars, such as const or default. */
export function jsonProperty(schema: Schema, key: string): Json | undefined {
  const value = ownProperty(schema, key);
  if (isJsonScalar(value)) return value;
  if (Array.isArray(value) && value.every(isJsonScalar)) return value;
  return undefined;
}

import { formatError } from './format-error.ts';
import { findTooDeepOffset } from './json-scan.ts';

/** JSON text of a value that parsing and writing would change (exact-json.ts). */
export class JsonSource {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Returns the value as JSON.parse would, for code that does not support exact values. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Any JSON value. */
export type Json = string | number | boolean | null | JsonSource | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Result of parsing JSON: the value, or an error message and offset. */
export type JsonParseResult = { ok: true; value: Json } | { ok: false; message: string; offset?: number };

/** Replaces the `any` returned by JSON.parse, which only returns JSON values. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** Maximum nesting depth. Depth is much more expensive than length: a million levels take the engine half a second. */
const maxParseDepth = 100_000;

/** Parses JSON text with at most 100,000 levels of nesting. Never throws. */
export function parseJson(text: string): JsonParseResult {
  if (text.length > maxParseDepth && findTooDeepOffset(text, maxParseDepth) !== undefined)
    return { ok: false, message: `Nested more than ${maxParseDepth} levels deep` };
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? { ok: true, value } : { ok: false, message: 'Nothing to read' };
  } catch (error) {
    const message = formatError(error);
    const position = /position (\d+)/.exec(message)?.[1];
    return position === undefined ? { ok: false, message } : { ok: false, message, offset: Number(position) };
  }
}

/** Returns true for objects other than null and arrays. Use it to narrow `unknown`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true for JSON objects among JSON values. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value) && !(value instanceof JsonSource);
}

/** Sorts the keys of all objects, so that equal values give equal text. */
export function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [key, withSortedKeys(member)]);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Maximum nesting depth for recursive processing, far beyond readable data; JSON.stringify itself fails at a few
 * thousand levels.
 */
export const maxJsonDepth = 200;

/**
 * Maximum number of characters that are formatted; longer JSON is shown as received, because formatting would block the
 * page.
 */
export const maxFormattedJsonChars = 500_000;

/** Returns true if nesting exceeds `levels`, without descending further. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof JsonSource) return findTooDeepOffset(value.text, levels) !== undefined;
  const children: unknown[] = Object.values(value);
  return levels === 0 || children.some((inner) => isDeeperThan(levels - 1, inner));
}

/** Returns an own property of an untrusted object, or `undefined`. Never reads the prototype chain. */
export function getOwnProperty(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns an own string property, or `undefined`. */
export function getStringProperty(value: unknown, key: string): string | undefined {
  const propertyValue = getOwnProperty(value, key);
  return typeof propertyValue === 'string' ? propertyValue : undefined;
}

/** Returns an own property that is a finite number, or `undefined`. */
export function getNumberProperty(value: unknown, key: string): number | undefined {
  const propertyValue = getOwnProperty(value, key);
  return typeof propertyValue === 'number' && Number.isFinite(propertyValue) ? propertyValue : undefined;
}

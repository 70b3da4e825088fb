import { formatError } from './format-error.ts';
import { findTooDeepOffset } from './json-scan.ts';

/** JSON text of a value that would change when parsed and written (exact-json.ts). */
export class JsonSource {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Returns the value as JSON.parse reads it, for code without exact values. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** A value that JSON can hold. */
export type Json = string | number | boolean | null | JsonSource | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** Result of reading text as JSON: the value, or where and why it is not JSON. Never throws. */
export type JsonParseResult = { ok: true; value: Json } | { ok: false; message: string; offset?: number };

/** JSON.parse gives nothing but JSON: its `any` gets that name here. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** Levels cost far more than letters: a million of them take the engine half a second. */
const maxParseDepth = 100_000;

/** The text as JSON, nested 100,000 levels deep at most. */
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

/** True for a JSON object: not null, not an array. The way in for everything that is still `unknown`. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same for what is JSON already. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value) && !(value instanceof JsonSource);
}

/** Sorts the keys of all objects, so that equal JSON is written alike. */
export function withSortedKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [key, withSortedKeys(member)]);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** More levels than this are not data that anyone reads; JSON.stringify itself gives up at a few thousand. */
export const maxJsonDepth = 200;

/** Longer JSON is shown as the text that came: to build it, lay it out and draw it would hold the page up. */
export const maxFormattedJsonChars = 500_000;

/** True where lists and objects stand in each other more than `levels` deep. Goes no deeper itself. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof JsonSource) return findTooDeepOffset(value.text, levels) !== undefined;
  const children: unknown[] = Object.values(value);
  return levels === 0 || children.some((inner) => isDeeperThan(levels - 1, inner));
}

/** An own property of a foreign object, or undefined. Never reads the prototype chain. */
export function getOwnProperty(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** An own property that is a string, or undefined. */
export function getStringProperty(value: unknown, key: string): string | undefined {
  const propertyValue = getOwnProperty(value, key);
  return typeof propertyValue === 'string' ? propertyValue : undefined;
}

/** An own property that is a finite number, or undefined. */
export function getNumberProperty(value: unknown, key: string): number | undefined {
  const propertyValue = getOwnProperty(value, key);
  return typeof propertyValue === 'number' && Number.isFinite(propertyValue) ? propertyValue : undefined;
}

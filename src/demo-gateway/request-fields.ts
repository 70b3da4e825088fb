import { isRecord, type JsonObject } from '../lib/json.ts';
import { ApiError } from './api-error.ts';

const maxValueChars = 60;

/** Creates an error that names the field, its value and the allowed values. */
export function createFieldError(path: string, value: unknown, allowed: string): ApiError {
  const problem = value === undefined ? 'is missing' : `is ${formatValue(value)}`;
  return new ApiError('invalid_request', `${path} ${problem}; it must be ${allowed}.`);
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= maxValueChars ? text : `${text.slice(0, maxValueChars)}…`;
}

/** Returns the body without null fields, which clients send for unset values. */
export function omitNullFields(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export interface NumberRule {
  min?: number;
  /** Lower bound that the number must exceed. */
  exclusiveMin?: number;
  max?: number;
  isInteger?: boolean;
  /** Origin of a rule that does not come from the specification. */
  note?: string;
}

/** Reads the field as a number and validates it; `undefined` if absent. */
export function readOptionalNumber(fields: JsonObject, name: string, rule: NumberRule): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const isValid =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (!rule.isInteger || Number.isSafeInteger(value)) &&
    value >= (rule.min ?? Number.NEGATIVE_INFINITY) &&
    value > (rule.exclusiveMin ?? Number.NEGATIVE_INFINITY) &&
    value <= (rule.max ?? Number.POSITIVE_INFINITY);
  if (!isValid) throw createFieldError(name, value, describeRule(rule));
  return value;
}

function describeRule({ min, exclusiveMin, max, isInteger, note }: NumberRule): string {
  const kind = isInteger ? 'a whole number' : 'a number';
  const low =
    min === undefined ? (exclusiveMin === undefined ? undefined : `above ${exclusiveMin}`) : `from ${min}`;
  const high = max === undefined ? (min === undefined ? '' : ' up') : ` to ${max}`;
  return `${kind}${low === undefined ? '' : ` ${low}${high}`}${note === undefined ? '' : ` (${note})`}`;
}

/** Reads the field as a boolean; false if absent. `path` identifies the field in errors if it is nested. */
export function readOptionalBoolean(fields: JsonObject, name: string, path = name): boolean {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'boolean') throw createFieldError(path, value, 'true or false');
  return value ?? false;
}

/** Reads the field as text; `undefined` if absent. */
export function readOptionalString(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'string') throw createFieldError(name, value, 'a string');
  return value;
}

/** Reads the field as an object; `undefined` if absent. */
export function readOptionalObject(fields: JsonObject, name: string): JsonObject | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw createFieldError(name, value, 'an object');
  return value;
}

/** Returns the value if it is one of the options; throws an ApiError otherwise. */
export function readEnum<Word extends string>(path: string, value: unknown, options: readonly Word[]): Word {
  const match = options.find((option) => option === value);
  if (match === undefined)
    throw createFieldError(path, value, options.map((option) => `"${option}"`).join(' or '));
  return match;
}

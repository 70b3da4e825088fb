import { isRecord, type JsonObject } from '../lib/json.ts';
import { ApiError } from './api-error.ts';

const maxValueChars = 60;

/** A refusal that names the field, what it holds and what it may hold. */
export function createFieldError(path: string, value: unknown, allowed: string): ApiError {
  const problem = value === undefined ? 'is missing' : `is ${formatValue(value)}`;
  return new ApiError('invalid_request', `${path} ${problem}; it must be ${allowed}.`);
}

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= maxValueChars ? text : `${text.slice(0, maxValueChars)}…`;
}

/** The body without the fields that are null: clients send null for what they leave unset. */
export function omitNullFields(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export interface NumberRule {
  min?: number;
  /** The number must be greater than this one. */
  exclusiveMin?: number;
  max?: number;
  isInteger?: boolean;
  /** Whose rule it is, where it is not the specification's. */
  note?: string;
}

/** The field as a number within the rule, or undefined where it is absent. */
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

/** The field as true or false; false where it is absent. `path` names it where it is not a field of the body itself. */
export function readOptionalBoolean(fields: JsonObject, name: string, path = name): boolean {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'boolean') throw createFieldError(path, value, 'true or false');
  return value ?? false;
}

/** Reads the field as text; undefined if absent. */
export function readOptionalString(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'string') throw createFieldError(name, value, 'a string');
  return value;
}

/** The field as an object, or undefined where it is absent. */
export function readOptionalObject(fields: JsonObject, name: string): JsonObject | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw createFieldError(name, value, 'an object');
  return value;
}

/** The value as one of the given words. */
export function readEnum<Word extends string>(path: string, value: unknown, options: readonly Word[]): Word {
  const match = options.find((option) => option === value);
  if (match === undefined)
    throw createFieldError(path, value, options.map((option) => `"${option}"`).join(' or '));
  return match;
}

import { isRecord, type JsonObject } from '../lib/json.ts';
import { ApiError } from './api-error.ts';

const shownCharacters = 60;

/** A refusal that names the field, what it holds and what it may hold. */
export function refusedField(path: string, value: unknown, allowed: string): ApiError {
  const found = value === undefined ? 'is missing' : `is ${shown(value)}`;
  return new ApiError('invalid_request', `${path} ${found}; it must be ${allowed}.`);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}

/** The body without the fields that are null: clients send null for what they leave unset. */
export function presentFields(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export interface NumberRule {
  min?: number;
  /** The number must be greater than this one. */
  above?: number;
  max?: number;
  integer?: boolean;
  /** Whose rule it is, where it is not the specification's. */
  note?: string;
}

/** The field as a number within the rule, or undefined where it is absent. */
export function optionalNumber(fields: JsonObject, name: string, rule: NumberRule): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  const isRight =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (!rule.integer || Number.isSafeInteger(value)) &&
    value >= (rule.min ?? Number.NEGATIVE_INFINITY) &&
    value > (rule.above ?? Number.NEGATIVE_INFINITY) &&
    value <= (rule.max ?? Number.POSITIVE_INFINITY);
  if (!isRight) throw refusedField(name, value, sentenceOf(rule));
  return value;
}

function sentenceOf({ min, above, max, integer, note }: NumberRule): string {
  const what = integer ? 'a whole number' : 'a number';
  const low = min === undefined ? (above === undefined ? undefined : `above ${above}`) : `from ${min}`;
  const high = max === undefined ? (min === undefined ? '' : ' up') : ` to ${max}`;
  return `${what}${low === undefined ? '' : ` ${low}${high}`}${note === undefined ? '' : ` (${note})`}`;
}

/** The field as true or false; false where it is absent. `path` names it where it is not a field of the body itself. */
export function optionalSwitch(fields: JsonObject, name: string, path = name): boolean {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'boolean') throw refusedField(path, value, 'true or false');
  return value ?? false;
}

/** Reads the field as text; undefined if absent. */
export function optionalText(fields: JsonObject, name: string): string | undefined {
  const value = fields[name];
  if (value !== undefined && typeof value !== 'string') throw refusedField(name, value, 'a string');
  return value;
}

/** The field as an object, or undefined where it is absent. */
export function optionalObject(fields: JsonObject, name: string): JsonObject | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (!isRecord(value)) throw refusedField(name, value, 'an object');
  return value;
}

/** The value as one of the given words. */
export function oneOfWords<Word extends string>(path: string, value: unknown, words: readonly Word[]): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw refusedField(path, value, words.map((each) => `"${each}"`).join(' or '));
  return word;
}

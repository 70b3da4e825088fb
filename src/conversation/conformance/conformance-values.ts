/** Checks values of any type against the field types of the API description. */
import { formatList } from '../../lib/format.ts';
import { isRecord, getOwnProperty } from '../../lib/json.ts';
import { isKnownField } from '../trace/known-response-fields.ts';

interface FieldRule {
  field: string;
  type: string;
  matches: (value: unknown) => boolean;
}

export const isString = (value: unknown): boolean => typeof value === 'string';
export const isInteger = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value);

export const createStringRule = (field: string): FieldRule => ({
  field,
  type: 'a string',
  matches: isString,
});
export const createIntegerRule = (field: string): FieldRule => ({
  field,
  type: 'an integer',
  matches: isInteger,
});
export const createArrayRule = (field: string): FieldRule => ({
  field,
  type: 'an array',
  matches: Array.isArray,
});
export const createObjectRule = (field: string): FieldRule => ({
  field,
  type: 'an object',
  matches: isRecord,
});

/** Returns the problems of an object's fields, such as `id is missing` or `created is "12", not an integer`. */
export function findFieldProblems(value: unknown, rules: readonly FieldRule[], pathPrefix = ''): string[] {
  return rules.flatMap(({ field, type, matches }) => {
    const fieldValue = getOwnProperty(value, field);
    if (fieldValue === undefined) return [`${pathPrefix}${field} is missing`];
    return matches(fieldValue) ? [] : [`${pathPrefix}${field} is ${formatShort(fieldValue)}, not ${type}`];
  });
}

/** Formats a value in at most 40 characters. */
export function formatShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** Returns the paths of an object's fields that are not known. */
export function listUnknownPaths(value: unknown, pathPrefix = ''): string[] {
  if (!isRecord(value)) return [];
  return Object.keys(value)
    .map((key) => pathPrefix + key)
    .filter((path) => !isKnownField(path));
}

/** Joins items with a limit: `a, b and 3 more`. */
export function joinWithLimit(items: Iterable<string>, maxItems = 6): string {
  const uniqueItems = [...new Set(items)];
  const omittedCount = Math.max(0, uniqueItems.length - maxItems);
  return formatList([
    ...uniqueItems.slice(0, maxItems),
    ...(omittedCount > 0 ? [`${omittedCount} more`] : []),
  ]);
}

const usageRules = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map(createIntegerRule);

/** Returns the problems of a usage object (§2.4). */
export function findUsageProblems(usage: unknown): string[] {
  return findFieldProblems(usage, usageRules, 'usage.');
}

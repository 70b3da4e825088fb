/** The types that the API description gives to fields, told of values of any kind. */
import { isRecord, getOwnProperty } from '../../lib/json.ts';

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

/** What is wrong with these fields of an object: `id is missing`, `created is "12", not an integer`. */
export function findFieldProblems(value: unknown, rules: readonly FieldRule[], pathPrefix = ''): string[] {
  return rules.flatMap(({ field, type, matches }) => {
    const fieldValue = getOwnProperty(value, field);
    if (fieldValue === undefined) return [`${pathPrefix}${field} is missing`];
    return matches(fieldValue) ? [] : [`${pathPrefix}${field} is ${formatShort(fieldValue)}, not ${type}`];
  });
}

/** A value in few characters. */
export function formatShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** The keys of an object that are not among these. */
export function findUnknownKeys(value: unknown, knownKeys: ReadonlySet<string>, pathPrefix = ''): string[] {
  return isRecord(value)
    ? Object.keys(value)
        .filter((key) => !knownKeys.has(key))
        .map((key) => pathPrefix + key)
    : [];
}

/** `a, b and 3 more` */
export function joinWithLimit(items: Iterable<string>, maxItems = 6): string {
  const uniqueItems = [...new Set(items)];
  if (uniqueItems.length <= 1) return uniqueItems[0] ?? '';
  if (uniqueItems.length <= maxItems)
    return `${uniqueItems.slice(0, -1).join(', ')} and ${uniqueItems.at(-1) ?? ''}`;
  return `${uniqueItems.slice(0, maxItems).join(', ')} and ${uniqueItems.length - maxItems} more`;
}

const usageRules = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map(createIntegerRule);

/** §2.4: what is wrong with a usage object. */
export function findUsageProblems(usage: unknown): string[] {
  return findFieldProblems(usage, usageRules, 'usage.');
}

/** The types that the API description gives to fields, told of values of any kind. */
import { isRecord, getOwnProperty } from '../../lib/json.ts';

interface FieldRule {
  field: string;
  type: string;
  is: (value: unknown) => boolean;
}

export const isString = (value: unknown): boolean => typeof value === 'string';
export const isInteger = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value);

export const stringField = (field: string): FieldRule => ({ field, type: 'a string', is: isString });
export const integerField = (field: string): FieldRule => ({ field, type: 'an integer', is: isInteger });
export const arrayField = (field: string): FieldRule => ({ field, type: 'an array', is: Array.isArray });
export const objectField = (field: string): FieldRule => ({ field, type: 'an object', is: isRecord });

/** What is wrong with these fields of an object: `id is missing`, `created is "12", not an integer`. */
export function fieldProblems(value: unknown, rules: readonly FieldRule[], at = ''): string[] {
  return rules.flatMap(({ field, type, is }) => {
    const found = getOwnProperty(value, field);
    if (found === undefined) return [`${at}${field} is missing`];
    return is(found) ? [] : [`${at}${field} is ${shown(found)}, not ${type}`];
  });
}

/** A value in few characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

/** The keys of an object that are not among these. */
export function otherKeys(value: unknown, known: ReadonlySet<string>, at = ''): string[] {
  return isRecord(value)
    ? Object.keys(value)
        .filter((key) => !known.has(key))
        .map((key) => at + key)
    : [];
}

/** `a, b and 3 more` */
export function listed(words: Iterable<string>, most = 6): string {
  const all = [...new Set(words)];
  if (all.length <= 1) return all[0] ?? '';
  if (all.length <= most) return `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
  return `${all.slice(0, most).join(', ')} and ${all.length - most} more`;
}

const usageRules = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map(integerField);

/** §2.4: what is wrong with a usage object. */
export function usageProblems(usage: unknown): string[] {
  return fieldProblems(usage, usageRules, 'usage.');
}

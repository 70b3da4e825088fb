/**
 * Prepares values and schemas for a validator limited to doubles. Numbers that would round to the same double get
 * distinct doubles in the same order, so const, enum, uniqueItems, type and limits apply to the received digits.
 */
import { hasJsonSource, withoutDuplicateKeys } from '../../lib/exact-json.ts';
import { isJsonObject, JsonSource, type Json, type JsonObject } from '../../lib/json.ts';
import { compareDecimals } from '../../lib/text/decimal.ts';

export interface ComparableJson {
  value: Json;
  schema: JsonObject;
  /** Restores the received digits in an error message of the validator. */
  restoreDigits: (sentence: string) => string;
}

/** Replaces each JsonSource in value and schema with a double. The results may only be compared with each other. */
export function toComparableNumbers(value: Json, schema: JsonObject): ComparableJson {
  if (!hasJsonSource(value) && !hasJsonSource(schema))
    return { value, schema, restoreDigits: (sentence) => sentence };
  const [exactValue, exactSchema] = [withoutDuplicateKeys(value), withoutDuplicateKeys(schema)];
  const doubles = assignDoubles(new Set([...listNumbers(exactValue), ...listNumbers(exactSchema)]));
  const plainSchema = replaceNumbers(exactSchema, doubles);
  const replaced = [...doubles].filter(([text, double]) => compareDecimals(text, String(double)) !== 0);
  const digits = new Map(replaced.map(([text, double]) => [String(double), text]));
  return {
    value: replaceNumbers(exactValue, doubles),
    schema: isJsonObject(plainSchema) ? plainSchema : {},
    restoreDigits: (sentence) =>
      sentence.replaceAll(/-?\d+(?:\.\d+)?(?:e[-+]\d+)?/g, (number) => digits.get(number) ?? number),
  };
}

function* listNumbers(value: Json): Generator<string> {
  if (typeof value === 'number') yield String(value);
  else if (value instanceof JsonSource) yield value.text;
  else if (typeof value === 'object' && value !== null)
    for (const member of Object.values(value)) yield* listNumbers(member);
}

function replaceNumbers(value: Json, doubles: ReadonlyMap<string, number>): Json {
  if (value instanceof JsonSource) return doubles.get(value.text) ?? null;
  if (typeof value === 'number') return doubles.get(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => replaceNumbers(item, doubles));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, replaceNumbers(member, doubles)]),
  );
}

function assignDoubles(texts: ReadonlySet<string>): Map<string, number> {
  const doubles = new Map<string, number>();
  let last: { text: string; double: number } | undefined;
  for (const text of [...texts].toSorted(compareDecimals)) {
    let double = findNearDouble(text);
    if (last && compareDecimals(last.text, text) === 0) double = last.double;
    else if (last && double <= last.double) double = stepDouble(last.double, 1);
    doubles.set(text, double);
    last = { text, double };
  }
  return doubles;
}

/**
 * Returns a double that is an integer if and only if the number is one, and that never equals a different number below
 * 2^53.
 */
function findNearDouble(text: string): number {
  const double = Number(text);
  if (!Number.isFinite(double)) return Math.sign(double) * Number.MAX_VALUE;
  const order = Math.abs(double) < 2 ** 53 ? compareDecimals(text, String(double)) : 0;
  return order === 0 ? double : stepDouble(double, order < 0 ? -1 : 1);
}

function stepDouble(double: number, step: 1 | -1): number {
  if (double === 0) return step * Number.MIN_VALUE;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, double);
  bytes.setBigInt64(0, bytes.getBigInt64(0) + BigInt(double > 0 ? step : -step));
  return bytes.getFloat64(0);
}

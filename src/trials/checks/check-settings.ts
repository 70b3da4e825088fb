/** Settings of each kind of check, parsed from the stored JSON. */
import * as v from 'valibot';

import { hasJsonSource, parseExactNumbers, writeExactJson } from '../../lib/exact-json.ts';
import { isJsonObject, isRecord, type Json, type JsonObject } from '../../lib/json.ts';
import type { Check } from '../trial.ts';

const flag = v.optional(v.boolean(), false);
const count = v.pipe(v.number(), v.minValue(0));
const jsonObject = v.pipe(
  v.unknown(),
  v.transform((stored) => (typeof stored === 'string' ? parseStoredObject(stored) : stored)),
  v.custom<JsonObject>((value) => isRecord(value)),
);

const textSettings = v.object({
  kind: v.picklist(['equals', 'one of']),
  ignoreCase: flag,
  ignoreSpace: flag,
  ignoreLastStop: flag,
  ignoreQuotes: flag,
});
const patternSettings = v.object({
  kind: v.picklist(['matches', 'matches none']),
  pattern: v.string(),
  flags: v.optional(v.string(), ''),
});
/** If omitted, the column's response_format provides the schema. */
const schemaSettings = v.object({ kind: v.literal('fits schema'), schema: v.exactOptional(jsonObject) });
const numberSettings = v.object({
  kind: v.literal('number within'),
  tolerance: v.optional(count, 0),
  unit: v.optional(v.picklist(['absolute', 'percent']), 'absolute'),
  which: v.optional(v.picklist(['only', 'first', 'last']), 'only'),
  decimal: v.optional(v.picklist(['point', 'comma']), 'point'),
});
const noToolSettings = v.object({ kind: v.literal('called tool'), none: v.literal(true) });
const toolSettings = v.object({
  kind: v.literal('called tool'),
  name: v.string(),
  arguments: v.exactOptional(jsonObject),
});
const lengthSettings = v.object({
  kind: v.literal('length'),
  atLeast: v.exactOptional(count),
  atMost: v.exactOptional(count),
  unit: v.optional(v.picklist(['characters', 'words', 'tokens']), 'characters'),
});

const settingsSchema = v.variant('kind', [
  textSettings,
  v.object({ kind: v.literal('contains'), ignoreCase: flag, all: flag }),
  v.object({ kind: v.literal('contains none'), ignoreCase: flag }),
  patternSettings,
  v.object({ kind: v.literal('is JSON'), allowFence: flag }),
  schemaSettings,
  numberSettings,
  v.object({ kind: v.literal('finish reason'), reason: v.string() }),
  noToolSettings,
  toolSettings,
  lengthSettings,
  v.object({ kind: v.picklist(['first token within', 'whole answer within']), ms: count }),
  v.object({ kind: v.literal('marks') }),
]);

/** An object as stored and sent to workers, or its JSON text if a plain object would lose digits. */
export type StoredObject = JsonObject | string;

export function toStoredObject(value: JsonObject): StoredObject {
  return hasJsonSource(value) ? writeExactJson(value) : value;
}

/** Returns the object with its stored digits; `undefined` if the text is not an object. */
export function parseStoredObject(stored: StoredObject): JsonObject | undefined {
  if (typeof stored !== 'string') return stored;
  const parsed = parseExactNumbers(stored);
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
}

export type CheckSettings = v.InferOutput<typeof settingsSchema>;
export type TextSettings = v.InferOutput<typeof textSettings>;
export type NumberSettings = v.InferOutput<typeof numberSettings>;
export type ToolSettings = v.InferOutput<typeof toolSettings> | v.InferOutput<typeof noToolSettings>;
export type LengthSettings = v.InferOutput<typeof lengthSettings>;

/** Returns the settings with defaults filled in; `undefined` if they do not fit the kind of check. */
export function parseCheckSettings({
  kind,
  settings,
}: Pick<Check, 'kind' | 'settings'>): CheckSettings | undefined {
  const result = v.safeParse(settingsSchema, { ...settings, kind });
  return result.success ? result.output : undefined;
}

/** Returns the value at a path such as `team` or `items[0].price`; `undefined` if there is none. */
export function getValueAtPath(value: Json, path: string): Json | undefined {
  const keys = [...path.matchAll(/[^.[\]]+/g)].map(([key]) => key);
  return keys.reduce<Json | undefined>((node, key) => {
    if (Array.isArray(node)) return /^\d+$/.test(key) ? node[Number(key)] : undefined;
    return isJsonObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }, value);
}

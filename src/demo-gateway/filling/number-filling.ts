/** Numbers for the arguments of a tool. */
import { numberProperty, ownProperty } from '../../lib/json.ts';
import type { Evidence } from '../models/evidence.ts';
import type { Schema } from './offered-tools.ts';

const words = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const numberPattern = String.raw`(?<![\p{L}\d.:-])-?\d[\d,]*(?:\.\d+)?(?![\d:]|-\d)|\b(?:${words.join('|')})\b`;

/** The number that the text names together with the argument's own words, else the first one that is left and fits. */
export function takeNumber(name: string, schema: Schema, evidence: Evidence): number | undefined {
  const fits = (found: string) => fitsSchema(numberOf(found), schema);
  for (const stem of stemsOf(name)) {
    const near =
      evidence.take(new RegExp(`\\b${stem}\\w*\\s*(?:[:=]|is|of|to)?\\s*(${numberPattern})`, 'iu'), fits) ??
      evidence.take(new RegExp(`(${numberPattern})(?=[\\s-]+(?:\\w+\\s+)?${stem})`, 'iu'), fits);
    if (near !== undefined) return numberOf(near);
  }
  const found = evidence.take(new RegExp(`(${numberPattern})`, 'iu'), fits);
  return found === undefined ? undefined : numberOf(found);
}

/** "num_days" is asked for as "5 days", "party_size" as "for 4 people". */
function stemsOf(name: string): string[] {
  const parts = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .split(/[\s_-]+/u)
    .map((part) => part.toLowerCase().replace(/[^\p{L}]/gu, ''));
  const own = parts
    .filter((part) => part.length > 2 && !/^(?:num|number|count|amount|value|total|max|min|the)$/u.test(part))
    .map((part) => part.replace(/s$/u, ''));
  if (/party|guest|people|person|passenger|seat/iu.test(name))
    own.push('people', 'person', 'guest', 'passenger', 'adult', 'seat');
  if (/limit|max|count|num|top|size|results/iu.test(name)) own.push('result', 'item', 'entr');
  return own;
}

function numberOf(found: string): number {
  const word = words.indexOf(found.toLowerCase());
  return word >= 0 ? word : Number(found.replaceAll(',', ''));
}

function fitsSchema(value: number, schema: Schema): boolean {
  return Number.isFinite(value) && nearestNumber(value, schema) === value;
}

/** The number nearest to the value that the schema allows. */
export function nearestNumber(value: number, schema: Schema): number {
  const step = numberProperty(schema, 'multipleOf') ?? (ownProperty(schema, 'type') === 'integer' ? 1 : 0);
  const exclusiveStep = step > 0 ? step : 1;
  const least =
    numberProperty(schema, 'minimum') ??
    raised(numberProperty(schema, 'exclusiveMinimum'), exclusiveStep) ??
    Number.NEGATIVE_INFINITY;
  const most =
    numberProperty(schema, 'maximum') ??
    raised(numberProperty(schema, 'exclusiveMaximum'), -exclusiveStep) ??
    Number.POSITIVE_INFINITY;
  const inside = Math.min(most, Math.max(least, value));
  if (step === 0) return inside;
  const rounded = Math.round(inside / step) * step;
  return rounded < least
    ? Math.ceil(least / step) * step
    : rounded > most
      ? Math.floor(most / step) * step
      : rounded;
}

function raised(bound: number | undefined, by: number): number | undefined {
  return bound === undefined ? undefined : bound + by;
}

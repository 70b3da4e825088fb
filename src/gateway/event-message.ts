import { isDeeperThan, isRecord, ownProperty } from '../lib/json.ts';
import { errorWordsOf } from './errors/error-details.ts';
import { isEmpty, speakingKeys } from './errors/error-value.ts';
import { identity, textsIn } from './models/known-fields.ts';

/**
 * What is said by a value that stands where a chunk should: under one of the usual names, else in any text. Undefined
 * where it says nothing, and for a chunk, which speaks through its choices.
 */
export function speechOf(value: unknown): string | undefined {
  if (!isRecord(value)) return textsIn(value).join('; ') || undefined;
  const choices = ownProperty(value, 'choices');
  if (Array.isArray(choices) ? choices.length > 0 : !isEmpty(choices)) return undefined;
  const isChunk = choices !== undefined || !isEmpty(ownProperty(value, 'usage'));
  const usual = isChunk ? usualWordsOf(value) : undefined;
  if (choices !== undefined) return usual;
  const words = usual ?? errorWordsOf(value)?.message ?? textsIn(value).join('; ');
  // A state or a code alone says something, too.
  return words || textsIn(value, identity).join('; ') || undefined;
}

/** What a value says under one of the names that errors and remarks are usually said in. */
export function usualWordsOf(value: Record<string, unknown>): string | undefined {
  if (!speakingKeys.some((key) => Object.hasOwn(value, key))) return undefined;
  return errorWordsOf(Object.fromEntries(speakingKeys.map((key) => [key, ownProperty(value, key)])))?.message;
}

const beat =
  /^[\s:[(]*(?:ping|pong|heart[ _-]?beat|hb|(?:keep|stay|still)?[ _-]?alive|no[ _-]?op|nop|tick|idle)(?: ok)?[\s\])!.…]*$/i;
/** Dots and dashes, as some programs print while they wait. */
const dots = /^[\s.…·*~_-]*$/;

/** True for a value that says nothing, or only that the connection lives; `event`: what its event calls itself. */
export function isHeartbeat(value: unknown, event?: string): boolean {
  const isNamed = isBeat(event);
  if (typeof value === 'string') return dots.test(value) || isBeat(value) || (isNamed && isTime(value));
  if (isNothing(value)) return true;
  if (typeof value !== 'object' || value === null) return isNamed && typeof value === 'number';
  // Nobody nests a heartbeat, and how deep words are looked for is limited.
  if (Object.hasOwn(value, 'choices') || isDeeperThan(2, value)) return false;
  const names = ['type', 'event', 'object', 'kind', 'status', 'message'].map((key) =>
    ownProperty(value, key),
  );
  const isCalledSo = isNamed || names.some(isBeat) || Object.keys(value).every(isBeat);
  return isCalledSo && textsIn(value).every((text) => isBeat(text) || isTime(text));
}

/** Nothing, however many lists and objects it is in. */
function isNothing(value: unknown, depth = 0): boolean {
  if (isEmpty(value)) return true;
  if (typeof value !== 'object' || value === null || depth > 2 || Object.hasOwn(value, 'choices'))
    return false;
  return Object.values(value).every((inner) => isNothing(inner, depth + 1));
}

function isBeat(name: unknown): boolean {
  return typeof name === 'string' && beat.test(name);
}

function isTime(text: string): boolean {
  return /^[\d\s:.,TZ+-]+$/.test(text);
}

import { isDeeperThan, isRecord, ownProperty } from '../lib/json.ts';
import { isEmpty, speakingKeys } from './errors/error-value.ts';
import { errorWordsOf } from './errors/error-words.ts';
import { textsIn } from './models/known-fields.ts';

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
  return usual ?? errorWordsOf(value)?.message ?? (textsIn(value).join('; ') || undefined);
}

/** What a value says under one of the names that errors and remarks are usually said in. */
export function usualWordsOf(value: Record<string, unknown>): string | undefined {
  if (!speakingKeys.some((key) => Object.hasOwn(value, key))) return undefined;
  return errorWordsOf(Object.fromEntries(speakingKeys.map((key) => [key, ownProperty(value, key)])))?.message;
}

const beat = /^[\s:[(]*(?:ping|pong|heart[ _-]?beat|keep[ _-]?alive)[\s\])]*$/i;

/** True for a value that says nothing, or only that the connection lives; `event`: what its event calls itself. */
export function isHeartbeat(value: unknown, event?: string): boolean {
  const isNamed = isBeat(event);
  if (typeof value === 'string') return value.trim() === '' || isBeat(value) || (isNamed && isTime(value));
  if (typeof value !== 'object') return isNamed && typeof value === 'number';
  if (value === null) return true;
  // Nobody nests a heartbeat, and how deep words are looked for is limited.
  if (Object.hasOwn(value, 'choices') || isDeeperThan(2, value)) return false;
  const names = ['type', 'event', 'object', 'kind', 'status', 'message'].map((key) =>
    ownProperty(value, key),
  );
  const isCalledSo = isNamed || names.some(isBeat) || Object.keys(value).every(isBeat);
  return isCalledSo && textsIn(value).every((text) => isBeat(text) || isTime(text));
}

function isBeat(name: unknown): boolean {
  return typeof name === 'string' && beat.test(name);
}

function isTime(text: string): boolean {
  return /^[\d\s:.,TZ+-]+$/.test(text);
}

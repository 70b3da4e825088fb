import { isRecord, ownProperty } from '../lib/json.ts';
import { isEmpty, speakingKeys } from './error-value.ts';
import { errorWordsOf } from './error-words.ts';

/** What names an object, counts or dates it: no words of anybody. */
const naming =
  /^(?:id|object|model|type|status|event|role|index|code|created|created_at|provider|service_tier|system_fingerprint|usage|timings|metrics|__proto__)$|(?:_|^x_)id$/;
const deepest = 4;
const mostTexts = 50;

/**
 * What is said by a value that stands where a chunk should: under one of the usual names, else in any text. Undefined
 * where it says nothing, and for a chunk, which speaks through its choices.
 */
export function speechOf(value: unknown): string | undefined {
  if (!isRecord(value)) return textsIn(value).join('; ') || undefined;
  const choices = ownProperty(value, 'choices');
  if (Array.isArray(choices) ? choices.length > 0 : !isEmpty(choices)) return undefined;
  const isChunk = choices !== undefined || !isEmpty(ownProperty(value, 'usage'));
  const words = errorWordsOf(
    isChunk ? Object.fromEntries(speakingKeys.map((key) => [key, ownProperty(value, key)])) : value,
  );
  return words?.message ?? (isChunk ? undefined : textsIn(value).join('; ') || undefined);
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.entries(value)
    .slice(0, mostTexts)
    .flatMap(([key, inner]) => (naming.test(key) ? [] : textsIn(inner, depth + 1)))
    .slice(0, mostTexts);
}

const beat = /^[\s:[(]*(?:ping|pong|heart[ _-]?beat|keep[ _-]?alive)[\s\])]*$/i;

/** True for what an event calls itself that only keeps a connection open. */
export function isHeartbeatName(name: unknown): boolean {
  return typeof name === 'string' && beat.test(name);
}

/** True for a value that says nothing, or only that the connection lives. */
export function isHeartbeat(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || beat.test(value);
  if (typeof value !== 'object') return false;
  if (value === null || Object.keys(value).length === 0) return true;
  if (Object.hasOwn(value, 'choices')) return false;
  const names = ['type', 'event', 'object', 'kind', 'status', 'message'].map((key) =>
    ownProperty(value, key),
  );
  return names.some(isHeartbeatName) || Object.keys(value).every(isHeartbeatName);
}

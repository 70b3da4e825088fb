import { isDeeperThan, isRecord, getOwnProperty } from '../lib/json.ts';
import { readErrorDetails } from './errors/error-details.ts';
import { isBlankValue, messageKeys } from './errors/error-value.ts';
import { identityFields, collectTexts } from './models/known-fields.ts';

/**
 * Returns the message of a value received in place of a chunk: the text under a usual name, otherwise all texts.
 * `undefined` if there is none, and for a chunk, whose text is in its choices.
 */
export function extractMessage(value: unknown): string | undefined {
  if (!isRecord(value)) return collectTexts(value).join('; ') || undefined;
  const choices = getOwnProperty(value, 'choices');
  if (Array.isArray(choices) ? choices.length > 0 : !isBlankValue(choices)) return undefined;
  const isChunk = choices !== undefined || !isBlankValue(getOwnProperty(value, 'usage'));
  const fieldMessage = isChunk ? findMessageField(value) : undefined;
  if (choices !== undefined) return fieldMessage;
  const message = fieldMessage ?? readErrorDetails(value)?.message ?? collectTexts(value).join('; ');
  // A state or a code alone is also a message.
  return message || collectTexts(value, identityFields).join('; ') || undefined;
}

/** Returns the text under one of the usual names for errors and remarks. */
export function findMessageField(value: Record<string, unknown>): string | undefined {
  if (!messageKeys.some((key) => Object.hasOwn(value, key))) return undefined;
  return readErrorDetails(Object.fromEntries(messageKeys.map((key) => [key, getOwnProperty(value, key)])))
    ?.message;
}

const heartbeatPattern =
  /^[\s:[(]*(?:ping|pong|heart[ _-]?beat|hb|(?:keep|stay|still)?[ _-]?alive|no[ _-]?op|nop|tick|idle)(?: ok)?[\s\])!.…]*$/i;
/** Dots and dashes that some programs print while waiting. */
const dotsPattern = /^[\s.…·*~_-]*$/;

/** Returns true for a value that is empty or only keeps the connection alive. `eventName` is the name of its event. */
export function isHeartbeat(value: unknown, eventName?: string): boolean {
  const hasHeartbeatName = isHeartbeatName(eventName);
  if (typeof value === 'string')
    return dotsPattern.test(value) || isHeartbeatName(value) || (hasHeartbeatName && isTimeText(value));
  if (isEmptyValue(value)) return true;
  if (typeof value !== 'object' || value === null) return hasHeartbeatName && typeof value === 'number';
  // Heartbeats are never nested, and the search depth is limited.
  if (Object.hasOwn(value, 'choices') || isDeeperThan(2, value)) return false;
  const names = ['type', 'event', 'object', 'kind', 'status', 'message'].map((key) =>
    getOwnProperty(value, key),
  );
  const isHeartbeatLike =
    hasHeartbeatName || names.some(isHeartbeatName) || Object.keys(value).every(isHeartbeatName);
  return isHeartbeatLike && collectTexts(value).every((text) => isHeartbeatName(text) || isTimeText(text));
}

/** Returns true for an empty value, or one that contains only empty values. */
function isEmptyValue(value: unknown, depth = 0): boolean {
  if (isBlankValue(value)) return true;
  if (typeof value !== 'object' || value === null || depth > 2 || Object.hasOwn(value, 'choices'))
    return false;
  return Object.values(value).every((inner) => isEmptyValue(inner, depth + 1));
}

function isHeartbeatName(name: unknown): boolean {
  return typeof name === 'string' && heartbeatPattern.test(name);
}

function isTimeText(text: string): boolean {
  return /^[\d\s:.,TZ+-]+$/.test(text);
}

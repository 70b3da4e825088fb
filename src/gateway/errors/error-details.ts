import { isRecord, numberProperty, ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import { errorOfChoice, failedBaseOf, isEmpty, isErrorMember } from './error-value.ts';

/** Reads the message of an error body of any shape. */
export interface ErrorWords {
  message?: string;
  type?: string;
  code?: string;
  /** A status as a number among its fields. */
  status?: number;
  fields?: { path: string; message: string }[];
  /** It names a provider behind the gateway. */
  isProvider?: true;
}

const messageKeys = [
  'message',
  'detail',
  'details',
  'error',
  'msg',
  'error_description',
  'error_message',
  'error_msg',
  'status_msg',
  'reason',
  'text',
  'title',
];
const deepest = 4;

/** Reads the JSON value of an error answer or of an error event. Undefined when it holds no word of an error. */
export function errorWordsOf(value: unknown, depth = 0): ErrorWords | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : wordsOfText(value, depth);
  if (depth > deepest) return undefined;
  if (Array.isArray(value)) return wordsOfList(value, depth);
  if (!isRecord(value)) return undefined;

  const inner = innerErrorOf(value);
  if (isRecord(inner) || Array.isArray(inner)) {
    const words = errorWordsOf(inner, depth + 1);
    if (words) return { ...identifiersOf(value), ...words };
  }
  const words: ErrorWords = identifiersOf(value);
  for (const key of messageKeys) {
    const found = ownProperty(value, key);
    const foundWords = errorWordsOf(found, depth + 1);
    if (!foundWords?.message) continue;
    Object.assign(words, { ...foundWords, ...words, message: foundWords.message });
    break;
  }
  const list = ownProperty(value, 'errors');
  if (!words.message && Array.isArray(list)) Object.assign(words, errorWordsOf(list, depth + 1));
  const parameter = stringProperty(value, 'param');
  if (parameter && words.message && !words.fields)
    words.fields = [{ path: parameter, message: words.message }];
  return withProvider(value, words, depth);
}

/** The part of a value that is the error, where only a part is. */
export function innerErrorOf(value: unknown): unknown {
  const own = ownProperty(value, 'error');
  return isErrorMember(own) ? own : (errorOfChoice(value) ?? failedBaseOf(value));
}

const identifiers = new Set(['type', 'code', 'status', 'status_code', 'statusCode', 'object', 'param']);

/** True where an error has more to show than what names it, in fields of which none is known. */
export function holdsMore(value: unknown): boolean {
  const error = innerErrorOf(value) ?? value;
  if (typeof error !== 'object' || error === null) return false;
  return Object.entries(error).some(([key, field]) => {
    const isNamed = identifiers.has(key) && typeof field !== 'object';
    return !isNamed && !isEmpty(field);
  });
}

/** OpenRouter keeps the provider's own error in `metadata.raw`; vLLM and SGLang say `object: "error"`. */
function withProvider(value: unknown, words: ErrorWords, depth: number): ErrorWords | undefined {
  const metadata = ownProperty(value, 'metadata');
  const provider = stringProperty(metadata, 'provider_name');
  const rawWords = errorWordsOf(ownProperty(metadata, 'raw'), depth + 1);
  if (rawWords?.message && rawWords.message !== words.message) {
    const outer = provider ? `${words.message ?? 'Error'} (${provider})` : (words.message ?? 'Error');
    words.message = `${outer}: ${rawWords.message}`;
  }
  if (provider || rawWords || ownProperty(value, 'object') === 'error') words.isProvider = true;
  return words.message === undefined && words.type === undefined && words.code === undefined
    ? undefined
    : words;
}

function identifiersOf(value: unknown): ErrorWords {
  const words: ErrorWords = {};
  const type = stringProperty(value, 'type') ?? stringProperty(value, 'status');
  const code =
    stringProperty(value, 'code') ??
    numberProperty(value, 'code') ??
    numberProperty(value, 'status_code') ??
    numberProperty(value, 'error_code') ??
    numberProperty(value, 'error');
  const status = numberProperty(value, 'status') ?? numberProperty(value, 'statusCode');
  if (type) words.type = type;
  if (code !== undefined && code !== '') words.code = String(code);
  if (status !== undefined) words.status = status;
  return words;
}

/** FastAPI's `detail` , or a list of errors of any shape. */
function wordsOfList(list: unknown[], depth: number): ErrorWords | undefined {
  const fields: { path: string; message: string }[] = [];
  const messages: string[] = [];
  let first: ErrorWords | undefined;
  for (const item of list.slice(0, 50)) {
    const words = errorWordsOf(item, depth + 1);
    if (!words?.message) continue;
    first ??= words;
    const place = ownProperty(item, 'loc');
    const path = Array.isArray(place)
      ? (place[0] === 'body' ? place.slice(1) : place).map(String).join('.')
      : '';
    if (path) fields.push({ path, message: words.message });
    messages.push(path ? `${path}: ${words.message}` : words.message);
  }
  if (!first) return undefined;
  return { ...first, message: messages.join('; '), ...(fields.length > 0 ? { fields } : {}) };
}

/**
 * A message may hold the JSON of the layer below (`litellm.BadRequestError: BedrockException - {…}`):
 * the words of both layers are kept, and the JSON is left to the raw text.
 */
function wordsOfText(text: string, depth: number): ErrorWords {
  const isProvider = /^litellm\.|\b(?:provider|upstream) (?:returned|error)/i.test(text);
  const words: ErrorWords = isProvider ? { message: text, isProvider } : { message: text };
  const start = text.indexOf('{');
  if (start === -1 || depth > deepest) return words;
  const reading = parseJson(text.slice(start, text.lastIndexOf('}') + 1));
  const inner = reading.ok ? errorWordsOf(reading.value, depth + 1) : undefined;
  if (!inner?.message) return words;
  const outer = text.slice(0, start).trim();
  return { ...inner, ...words, message: outer ? `${outer} ${inner.message}` : inner.message };
}

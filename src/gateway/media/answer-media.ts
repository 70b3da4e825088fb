/** Reads images and audio from answers in all common shapes. */
import { findToken } from '../../lib/json-scan.ts';
import { isRecord, getOwnProperty, parseJson, getStringProperty } from '../../lib/json.ts';
import type { TapeEntry } from '../stream/tape.ts';

/** `data` is base64 or its next piece; `format` is a name such as `wav`, or a media type. */
export interface Sound {
  data: string;
  format?: string;
}

const maxDepth = 6;
/** Shorter texts are names or IDs. */
const minBase64Chars = 16;
const base64Pattern = /^[A-Za-z0-9+/]+={0,2}$/;
const storedImagePattern = /^bench-image:[0-9a-f]{64}$/;
const dataUrlPattern = /^data:([a-z]+\/[\w.+-]+)(?:;[\w.+=-]+)*;base64,/i;

/** First base64 characters of image formats. */
const imageStarts: readonly [start: string, mediaType: string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk0', 'image/bmp'],
];

/** Converts base64 to the standard alphabet, without spaces. */
function toPlainBase64(text: string): string {
  return text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
}

function isBase64(text: string): boolean {
  return text.length >= minBase64Chars && text.length % 4 !== 1 && base64Pattern.test(text);
}

/** Returns a base64 data URL, a web URL or a reference to a stored image; `undefined` for other text. */
function toImageAddress(text: string, mediaType: string | undefined): string | undefined {
  if (storedImagePattern.test(text) || /^https?:\/\/\S+$/i.test(text)) return text;
  const [head, namedType] = dataUrlPattern.exec(text) ?? [];
  if (head === undefined && /^[a-z]+:/i.test(text)) return undefined;
  const data = toPlainBase64(text.slice(head?.length ?? 0));
  if (!isBase64(data)) return undefined;
  const type = namedType ?? mediaType ?? imageStarts.find(([start]) => data.startsWith(start))?.[1];
  return type !== undefined && /^image\//i.test(type)
    ? `data:${type.toLowerCase()};base64,${data}`
    : undefined;
}

const imageFields = [
  'image_url',
  'imageUrl',
  'url',
  'image',
  'inline_data',
  'inlineData',
  'source',
  'b64_json',
  'base64',
  'data',
  'result',
];

/** Finds an image URL in a value, at any depth. */
export function findImageAddress(value: unknown, mediaType?: string, depth = 0): string | undefined {
  if (typeof value === 'string') return toImageAddress(value.trim(), mediaType);
  if (!isRecord(value) || depth > maxDepth) return undefined;
  const namedType = findMediaType(value) ?? mediaType;
  for (const field of imageFields) {
    const address = findImageAddress(getOwnProperty(value, field), namedType, depth + 1);
    if (address !== undefined) return address;
  }
  return undefined;
}

function findMediaType(value: Record<string, unknown>): string | undefined {
  for (const field of ['mime_type', 'mimeType', 'media_type', 'mediaType', 'content_type']) {
    const type = getStringProperty(value, field);
    if (type?.includes('/')) return type;
  }
  return undefined;
}

/** Returns true for a part that contains an image, with or without a type. */
export function isImagePart(part: Record<string, unknown>): boolean {
  const type = getStringProperty(part, 'type') ?? '';
  const inlineData = getOwnProperty(part, 'inline_data') ?? getOwnProperty(part, 'inlineData');
  return (
    /image/i.test(type) ||
    'image_url' in part ||
    /^image\//i.test(findMediaType(isRecord(inlineData) ? inlineData : {}) ?? '')
  );
}

export function isSoundPart(part: Record<string, unknown>): boolean {
  return /audio/i.test(getStringProperty(part, 'type') ?? '');
}

/** Finds the audio in an `audio` field or part. A piece may be cut anywhere, even inside a group of four characters. */
export function findSound(value: unknown, depth = 0): Sound | undefined {
  if (!isRecord(value) || depth > maxDepth) return undefined;
  const format = getStringProperty(value, 'format') ?? findMediaType(value);
  for (const field of ['data', 'b64_json', 'base64', 'url']) {
    const text = getStringProperty(value, field)?.trim() ?? '';
    const [head = '', type] = dataUrlPattern.exec(text) ?? [];
    const data = toPlainBase64(text.slice(head.length));
    const namedFormat = format ?? type;
    if (data !== '' && /^[A-Za-z0-9+/=]+$/.test(data))
      return namedFormat === undefined ? { data } : { data, format: namedFormat };
  }
  for (const field of ['audio', 'input_audio', 'output_audio', 'audio_url']) {
    const sound = findSound(getOwnProperty(value, field), depth + 1);
    if (sound) return sound;
  }
  return undefined;
}

/** Returns the transcript of the audio. */
export function findTranscript(value: unknown): string {
  return (
    getStringProperty(value, 'transcript') ??
    getStringProperty(getOwnProperty(value, 'audio'), 'transcript') ??
    ''
  );
}

/** Replaces image data in the entry with references and leaves all other bytes unchanged. */
export function withImageReferences(entry: TapeEntry, references: ReadonlyMap<string, string>): TapeEntry {
  const referencesByData = new Map(
    [...references].map(([url, reference]) => [url.slice(url.indexOf(',') + 1), reference]),
  );
  if ('data' in entry) return { ...entry, data: withReferences(entry.data, referencesByData) };
  return 'body' in entry ? { ...entry, body: withReferences(entry.body, referencesByData) } : entry;
}

function withReferences(json: string, referencesByData: ReadonlyMap<string, string>): string {
  let text = '';
  let copiedEnd = 0;
  for (let token = findToken(json, 0); token; token = findToken(json, token.end)) {
    if (token.kind !== 'string' || token.end - token.start < minBase64Chars) continue;
    const parsed = parseJson(json.slice(token.start, token.end));
    if (!parsed.ok || typeof parsed.value !== 'string') continue;
    const value = parsed.value.trim();
    const reference = referencesByData.get(
      toPlainBase64(value.slice(dataUrlPattern.exec(value)?.[0].length ?? 0)),
    );
    if (reference === undefined) continue;
    text += json.slice(copiedEnd, token.start) + JSON.stringify(reference);
    copiedEnd = token.end;
  }
  return text + json.slice(copiedEnd);
}

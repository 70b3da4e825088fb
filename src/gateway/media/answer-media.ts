/** Reads images and sound of answers in all common shapes. */
import { tokenFrom } from '../../lib/json-scan.ts';
import { isRecord, ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import type { TapeEntry } from '../stream/tape.ts';

/** `data` is base64, or the next piece of it; `format` is a name such as `wav`, or a media type. */
export interface Sound {
  data: string;
  format?: string;
}

const deepest = 6;
/** Shorter texts are names or ids. */
const minBase64Chars = 16;
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const storedImage = /^bench-image:[0-9a-f]{64}$/;
const dataUrl = /^data:([a-z]+\/[\w.+-]+)(?:;[\w.+=-]+)*;base64,/i;

/** The first characters of files in base64. */
const imageStarts: readonly [start: string, mediaType: string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk0', 'image/bmp'],
];

/** Converts base64 to the standard alphabet, without spaces. */
function plainBase64(text: string): string {
  return text.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/');
}

function isBase64(text: string): boolean {
  return text.length >= minBase64Chars && text.length % 4 !== 1 && base64.test(text);
}

/** Returns a data URL in base64, a web address or a reference to a stored image; undefined for other text. */
function toImageAddress(text: string, mediaType: string | undefined): string | undefined {
  if (storedImage.test(text) || /^https?:\/\/\S+$/i.test(text)) return text;
  const [head, namedType] = dataUrl.exec(text) ?? [];
  if (head === undefined && /^[a-z]+:/i.test(text)) return undefined;
  const data = plainBase64(text.slice(head?.length ?? 0));
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

/** Finds the address of the image in a value, at any depth. */
export function findImageAddress(value: unknown, mediaType?: string, depth = 0): string | undefined {
  if (typeof value === 'string') return toImageAddress(value.trim(), mediaType);
  if (!isRecord(value) || depth > deepest) return undefined;
  const named = findMediaType(value) ?? mediaType;
  for (const field of imageFields) {
    const address = findImageAddress(ownProperty(value, field), named, depth + 1);
    if (address !== undefined) return address;
  }
  return undefined;
}

function findMediaType(value: Record<string, unknown>): string | undefined {
  for (const field of ['mime_type', 'mimeType', 'media_type', 'mediaType', 'content_type']) {
    const type = stringProperty(value, field);
    if (type?.includes('/')) return type;
  }
  return undefined;
}

/** True for a part that holds an image, with or without a type. */
export function isImagePart(part: Record<string, unknown>): boolean {
  const type = stringProperty(part, 'type') ?? '';
  const inline = ownProperty(part, 'inline_data') ?? ownProperty(part, 'inlineData');
  return (
    /image/i.test(type) ||
    'image_url' in part ||
    /^image\//i.test(findMediaType(isRecord(inline) ? inline : {}) ?? '')
  );
}

export function isSoundPart(part: Record<string, unknown>): boolean {
  return /audio/i.test(stringProperty(part, 'type') ?? '');
}

/** Finds the sound in an `audio` field or part. A piece may be cut anywhere, also inside a group of four characters. */
export function findSound(value: unknown, depth = 0): Sound | undefined {
  if (!isRecord(value) || depth > deepest) return undefined;
  const format = stringProperty(value, 'format') ?? findMediaType(value);
  for (const field of ['data', 'b64_json', 'base64', 'url']) {
    const text = stringProperty(value, field)?.trim() ?? '';
    const [head = '', type] = dataUrl.exec(text) ?? [];
    const data = plainBase64(text.slice(head.length));
    const named = format ?? type;
    if (data !== '' && /^[A-Za-z0-9+/=]+$/.test(data))
      return named === undefined ? { data } : { data, format: named };
  }
  for (const field of ['audio', 'input_audio', 'output_audio', 'audio_url']) {
    const sound = findSound(ownProperty(value, field), depth + 1);
    if (sound) return sound;
  }
  return undefined;
}

/** Returns the transcript of the sound. */
export function findTranscript(value: unknown): string {
  return (
    stringProperty(value, 'transcript') ?? stringProperty(ownProperty(value, 'audio'), 'transcript') ?? ''
  );
}

/** Replaces image data in the entry by references and keeps every other byte. */
export function withImageReferences(entry: TapeEntry, references: ReadonlyMap<string, string>): TapeEntry {
  const byData = new Map(
    [...references].map(([url, reference]) => [url.slice(url.indexOf(',') + 1), reference]),
  );
  if ('data' in entry) return { ...entry, data: withReferences(entry.data, byData) };
  return 'body' in entry ? { ...entry, body: withReferences(entry.body, byData) } : entry;
}

function withReferences(json: string, byData: ReadonlyMap<string, string>): string {
  let text = '';
  let copiedTo = 0;
  for (let token = tokenFrom(json, 0); token; token = tokenFrom(json, token.end)) {
    if (token.kind !== 'string' || token.end - token.start < minBase64Chars) continue;
    const reading = parseJson(json.slice(token.start, token.end));
    if (!reading.ok || typeof reading.value !== 'string') continue;
    const value = reading.value.trim();
    const reference = byData.get(plainBase64(value.slice(dataUrl.exec(value)?.[0].length ?? 0)));
    if (reference === undefined) continue;
    text += json.slice(copiedTo, token.start) + JSON.stringify(reference);
    copiedTo = token.end;
  }
  return text + json.slice(copiedTo);
}

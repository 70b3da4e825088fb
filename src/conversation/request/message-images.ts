/**
 * Handles images, documents and sounds in messages. Their bytes are stored once under their SHA-256; messages and the
 * bodies on tapes refer to them as `bench-image:HASH`, whatever their type. The data replaces these references in the
 * request that is sent.
 */
import type { ContentPart, Message } from '../../gateway/wire.ts';
import type { Run } from '../session/types.ts';

/** Maximum request body in bytes that the Bench proxy accepts. */
export const maxRequestBytes = 20 * 1024 * 1024;

export type ImagePart = Extract<ContentPart, { type: 'image_url' }>;

/** Part whose bytes are stored apart from the message. */
export type MediaPart = Exclude<ContentPart, { type: 'text' }>;

export const mediaTypes = ['image_url', 'file', 'input_audio'] as const;

export type MediaType = MediaPart['type'];

/** Returns the reference, URL or data of an image, document or sound. */
export function getMediaSource(part: MediaPart): string {
  if (part.type === 'image_url') return part.image_url.url;
  return part.type === 'file' ? part.file.file_data : part.input_audio.data;
}

const scheme = 'bench-image:';

/** Returns the reference to a stored image. `hash` has 64 hexadecimal digits. */
export function toImageUrl(hash: string): string {
  return scheme + hash;
}

/** Returns the hash in an image reference, `undefined` for any other URL. */
export function parseImageHash(url: string): string | undefined {
  return /^bench-image:([0-9a-f]{64})$/.exec(url)?.[1];
}

/** Returns a string for text alone, otherwise parts with the text before the attachments (§2.3). */
export function buildContent(text: string, attachments: readonly ContentPart[]): string | ContentPart[] {
  if (attachments.length === 0) return text;
  return text.trim() === '' ? [...attachments] : [{ type: 'text', text }, ...attachments];
}

/** Creates an image part; without `detail` the field is not sent (§2.3). */
export function toImagePart({ url, detail }: { url: string; detail?: string }): ImagePart {
  return { type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } };
}

/** Returns the URLs of all images in the messages, in order, with duplicates. */
export function findImageUrls(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
      : [],
  );
}

/** Returns the hashes of the stored images, documents and sounds in the messages, without duplicates. */
export function findMediaHashes(messages: readonly Message[]): string[] {
  return [...new Set(listMedia(messages).flatMap((part) => parseImageHash(getMediaSource(part)) ?? []))];
}

/** Returns the images, documents and sounds in the messages, in order. */
export function listMedia(messages: readonly Message[]): MediaPart[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.flatMap((part) => (part.type === 'text' ? [] : part)) : [],
  );
}

/** Returns the hashes of the stored images in the answers, without duplicates. */
export function findRunImageHashes(runs: readonly Pick<Run, 'choices'>[]): string[] {
  const urls = runs.flatMap(({ choices }) =>
    choices.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'image' ? [part.url] : []))),
  );
  return [...new Set(urls.flatMap((url) => parseImageHash(url) ?? []))];
}

/** Returns the message without the parts that the model rejects (§2.3). */
export function withoutMedia(message: Message, rejectedTypes: readonly MediaType[]): Message {
  if (message.role === 'tool' || !Array.isArray(message.content)) return message;
  const parts = message.content.filter(({ type }) => type === 'text' || !rejectedTypes.includes(type));
  if (parts.length === message.content.length) return message;
  const [onlyPart] = parts;
  if (onlyPart === undefined) return { ...message, content: '' };
  return { ...message, content: parts.length === 1 && onlyPart.type === 'text' ? onlyPart.text : parts };
}

/** Estimates the length in characters of a data URL, accurate enough for a warning. */
export function estimateDataUrlLength(bytes: number): number {
  return Math.ceil(bytes / 3) * 4 + 32;
}

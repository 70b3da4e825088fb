/**
 * Handles images in messages. Image bytes are stored once under their SHA-256; messages and the bodies on tapes refer
 * to them as `bench-image:HASH`. Data URLs replace these references in the request that is sent.
 */
import type { ChatRequest, ContentPart, Message } from '../../gateway/wire.ts';
import type { Run } from '../session/types.ts';

/** Maximum request body in bytes that the Bench proxy accepts. */
export const maxRequestBytes = 20 * 1024 * 1024;

export type ImagePart = Extract<ContentPart, { type: 'image_url' }>;

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

/** Returns the hashes of the stored images in the messages, without duplicates. */
export function findImageHashes(messages: readonly Message[]): string[] {
  return [...new Set(findImageUrls(messages).flatMap((url) => parseImageHash(url) ?? []))];
}

/** Returns the hashes of the stored images in the answers, without duplicates. */
export function findRunImageHashes(runs: readonly Pick<Run, 'choices'>[]): string[] {
  const urls = runs.flatMap(({ choices }) =>
    choices.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'image' ? [part.url] : []))),
  );
  return [...new Set(urls.flatMap((url) => parseImageHash(url) ?? []))];
}

/** Replaces image references in the body with data URLs (§2.3). References without a data URL stay unchanged. */
export function withImageData(body: ChatRequest, dataUrls: ReadonlyMap<string, string>): ChatRequest {
  const urls = new Map([...dataUrls].map(([hash, url]) => [toImageUrl(hash), url]));
  return { ...body, messages: withImageUrls(body.messages, urls) };
}

/** Replaces image URLs in the messages; `urls` maps current URLs to new ones. */
export function withImageUrls(messages: readonly Message[], urls: ReadonlyMap<string, string>): Message[] {
  const replaceUrl = (part: ContentPart): ContentPart => {
    const url = part.type === 'image_url' ? urls.get(part.image_url.url) : undefined;
    return part.type === 'image_url' && url !== undefined
      ? { ...part, image_url: { ...part.image_url, url } }
      : part;
  };
  return messages.map((message): Message => {
    if (message.role === 'tool' || !Array.isArray(message.content)) return message;
    return { ...message, content: message.content.map(replaceUrl) };
  });
}

/** Returns the message without its images, for models that accept only text (§2.3). */
export function withoutImages(message: Message): Message {
  if (message.role === 'tool' || !Array.isArray(message.content)) return message;
  const parts = message.content.filter((part) => part.type !== 'image_url');
  if (parts.length === message.content.length) return message;
  const [onlyPart] = parts;
  if (onlyPart === undefined) return { ...message, content: '' };
  return { ...message, content: parts.length === 1 ? onlyPart.text : parts };
}

/** Estimates the length in characters of a data URL, accurate enough for a warning. */
export function estimateDataUrlLength(bytes: number): number {
  return Math.ceil(bytes / 3) * 4 + 32;
}

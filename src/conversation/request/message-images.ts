/**
 * Images in messages. Their bytes are stored once under the SHA-256 of them; messages, and the bodies on
 * tapes, refer to them as `bench-image:HASH`, and the request that leaves carries data URLs in their place.
 */
import type { ChatRequest, ContentPart, Message } from '../../gateway/wire.ts';
import type { Run } from '../session/types.ts';

/** Our proxy takes bodies up to this size. */
export const maxRequestBytes = 20 * 1024 * 1024;

export type ImagePart = Extract<ContentPart, { type: 'image_url' }>;

const scheme = 'bench-image:';

/** How a message refers to a stored image; `hash` is 64 hexadecimal digits. */
export function toImageUrl(hash: string): string {
  return scheme + hash;
}

/** The hash in a reference, or undefined for every other address. */
export function parseImageHash(url: string): string | undefined {
  return /^bench-image:([0-9a-f]{64})$/.exec(url)?.[1];
}

/** §2.3: a string where there are only words, else parts, the words before the images. */
export function buildContent(text: string, images: readonly ImagePart[]): string | ContentPart[] {
  if (images.length === 0) return text;
  return text.trim() === '' ? [...images] : [{ type: 'text', text }, ...images];
}

/** §2.3: without `detail` the field is not sent. */
export function toImagePart({ url, detail }: { url: string; detail?: string }): ImagePart {
  return { type: 'image_url', image_url: detail === undefined ? { url } : { url, detail } };
}

/** Addresses of all images in these messages, in order, each as often as it stands there. */
export function findImageUrls(messages: readonly Message[]): string[] {
  return messages.flatMap(({ content }) =>
    Array.isArray(content)
      ? content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []))
      : [],
  );
}

/** Hashes of the stored images that these messages refer to, each once. */
export function findImageHashes(messages: readonly Message[]): string[] {
  return [...new Set(findImageUrls(messages).flatMap((url) => parseImageHash(url) ?? []))];
}

/** Lists the hashes of the stored images in these answers, each once. */
export function findRunImageHashes(runs: readonly Pick<Run, 'choices'>[]): string[] {
  const urls = runs.flatMap(({ choices }) =>
    choices.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'image' ? [part.url] : []))),
  );
  return [...new Set(urls.flatMap((url) => parseImageHash(url) ?? []))];
}

/** §2.3: the body with data URLs in place of references. Those without one stay as they are. */
export function withImageData(body: ChatRequest, dataUrls: ReadonlyMap<string, string>): ChatRequest {
  const urls = new Map([...dataUrls].map(([hash, url]) => [toImageUrl(hash), url]));
  return { ...body, messages: withImageUrls(body.messages, urls) };
}

/** Replaces the addresses of images, by their present address. */
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

/** §2.3: the words of a message without its images, for models that take none. */
export function withoutImages(message: Message): Message {
  if (message.role === 'tool' || !Array.isArray(message.content)) return message;
  const parts = message.content.filter((part) => part.type !== 'image_url');
  if (parts.length === message.content.length) return message;
  const [onlyPart] = parts;
  if (onlyPart === undefined) return { ...message, content: '' };
  return { ...message, content: parts.length === 1 ? onlyPart.text : parts };
}

/** Length of the data URL that so many bytes become, near enough for a warning. */
export function estimateDataUrlLength(bytes: number): number {
  return Math.ceil(bytes / 3) * 4 + 32;
}

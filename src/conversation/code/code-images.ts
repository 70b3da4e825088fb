/** Replaces large images of a request with files that the code reads, because their data would dominate the code. */
import type { ChatRequest, ContentPart, Message } from '../../gateway/wire.ts';
import { JsonSource } from '../../lib/json.ts';
import { parseImageHash } from '../request/message-images.ts';
import { CodeExpression, type CodeValue } from './code-literal.ts';

/** Image file that the code reads. */
export interface CodeImage {
  /** Name of the file next to the code, such as `image-1.png`. */
  file: string;
  /** Media type of the file; `isGuessed` is true if the request only refers to a stored image of unknown type. */
  mediaType: string;
  isGuessed: boolean;
  /** Origin of the image: a data URL, or `bench-image:HASH`. */
  source: string;
  /** Number from 1; the variables are named `image_1` or `image1`. */
  number: number;
}

/** Data URLs above this length, in characters, are moved out of the code. */
const maxInlineUrlChars = 160;

/** Matches only the canonical base64 form, so that encoding the file again yields an identical request. */
const canonicalDataUrl =
  /^data:([\w.+-]+\/[\w.+-]+);base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

const fileExtensions: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
};

/**
 * Returns the images that are too large for the code, without duplicates, in order of appearance. `mediaTypes` maps
 * hashes of stored images to media types.
 */
export function findCodeImages(
  messages: readonly Message[],
  mediaTypes: ReadonlyMap<string, string> = new Map(),
): CodeImage[] {
  const images = new Map<string, CodeImage>();
  for (const { content } of messages) {
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type !== 'image_url' || images.has(part.image_url.url)) continue;
      const image = createCodeImage(part.image_url.url, images.size + 1, mediaTypes);
      if (image) images.set(image.source, image);
    }
  }
  return [...images.values()];
}

function createCodeImage(
  url: string,
  number: number,
  mediaTypes: ReadonlyMap<string, string>,
): CodeImage | undefined {
  const hash = parseImageHash(url);
  const inlineMediaType =
    hash === undefined && url.length > maxInlineUrlChars ? canonicalDataUrl.exec(url)?.[1] : undefined;
  const knownMediaType = hash === undefined ? inlineMediaType : mediaTypes.get(hash);
  if (hash === undefined && inlineMediaType === undefined) return undefined;
  const mediaType = knownMediaType ?? 'image/png';
  const fileExtension = Object.hasOwn(fileExtensions, mediaType) ? fileExtensions[mediaType] : undefined;
  return {
    file: `image-${number}.${fileExtension ?? 'bin'}`,
    mediaType,
    isGuessed: knownMediaType === undefined,
    source: url,
    number,
  };
}

/** Returns the messages with image data replaced by variables. */
export function withImageVariables(
  messages: ChatRequest['messages'],
  images: readonly CodeImage[],
  getVariable: (image: CodeImage) => string,
): readonly CodeValue[] {
  const expressions = new Map(images.map((image) => [image.source, new CodeExpression(getVariable(image))]));
  const toCodePart = (part: ContentPart): CodeValue => {
    const expression = part.type === 'image_url' ? expressions.get(part.image_url.url) : undefined;
    if (part.type !== 'image_url' || !expression) return toCodeValue(part);
    return { ...part, image_url: { ...part.image_url, url: expression } };
  };
  return messages.map((message): CodeValue => {
    const { content } = message;
    if (!Array.isArray(content)) return toCodeValue(message);
    return { ...toCodeRecord(message), content: content.map(toCodePart) };
  });
}

/** Returns the code comment for an image. */
export function describeCodeImage(image: CodeImage): string {
  const guess = image.isGuessed ? ` Change ${image.mediaType} if the file has another type.` : '';
  return `An image of the request. Save it next to this file.${guess}`;
}

/** Converts plain data to code values; only the type changes. */
function toCodeValue(value: Message | ContentPart): CodeValue {
  return toCodeRecord(value);
}

function toCodeRecord(value: object): { readonly [key: string]: CodeValue } {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
      const codeValue = convertValue(item);
      return codeValue === undefined ? [] : [[key, codeValue] as const];
    }),
  );
}

function convertValue(value: unknown): CodeValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  if (value instanceof JsonSource) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => convertValue(item) ?? null);
  return typeof value === 'object' ? toCodeRecord(value) : undefined;
}

/**
 * Replaces large images, documents and sounds of a request with files that the code reads, because their data would
 * dominate the code.
 */
import type { ChatRequest, ContentPart, Message } from '../../gateway/wire.ts';
import { JsonSource } from '../../lib/json.ts';
import { getMediaSource, listMedia, parseImageHash, type MediaPart } from '../request/message-images.ts';
import { CodeExpression, type CodeValue } from './code-literal.ts';

/** File that the code reads. */
export interface CodeFile {
  /** First part of its names, such as "image" in `image-1.png`, `image_1` and `image1`. */
  kind: 'image' | 'file' | 'audio';
  /** Name of the file next to the code, such as `image-1.png`. */
  file: string;
  /** Media type of the file; `isGuessed` is true if the request only refers to a stored image of unknown type. */
  mediaType: string;
  isGuessed: boolean;
  /** Origin of the file: a data URL, base64, or `bench-image:HASH`. */
  source: string;
  /** Number from 1. */
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

const kinds = { image_url: 'image', file: 'file', input_audio: 'audio' } as const;

/**
 * Returns the files that are too large for the code, without duplicates, in order of appearance. `mediaTypes` maps
 * hashes of stored files to media types.
 */
export function findCodeFiles(
  messages: readonly Message[],
  mediaTypes: ReadonlyMap<string, string> = new Map(),
): CodeFile[] {
  const files = new Map<string, CodeFile>();
  for (const part of listMedia(messages)) {
    const key = getFileKey(part);
    const file = files.has(key) ? undefined : createCodeFile(part, files.size + 1, mediaTypes);
    if (file) files.set(key, file);
  }
  return [...files.values()];
}

/** Returns the same key for parts that use the same file in the same form. */
function getFileKey(part: MediaPart): string {
  return `${part.type} ${getMediaSource(part)}`;
}

function createCodeFile(
  part: MediaPart,
  number: number,
  mediaTypes: ReadonlyMap<string, string>,
): CodeFile | undefined {
  const source = getMediaSource(part);
  const kind = kinds[part.type];
  const hash = parseImageHash(source);
  const dataUrl =
    part.type === 'input_audio' ? `data:audio/${part.input_audio.format};base64,${source}` : source;
  const inlineMediaType =
    hash === undefined && source.length > maxInlineUrlChars ? canonicalDataUrl.exec(dataUrl)?.[1] : undefined;
  const knownMediaType = hash === undefined ? inlineMediaType : mediaTypes.get(hash);
  if (hash === undefined && inlineMediaType === undefined) return undefined;
  const mediaType = knownMediaType ?? (part.type === 'file' ? 'application/pdf' : 'image/png');
  return {
    kind,
    file: `${kind}-${number}.${getFileExtension(part, mediaType)}`,
    mediaType,
    // The data of a sound is sent without its type.
    isGuessed: knownMediaType === undefined && part.type !== 'input_audio',
    source,
    number,
  };
}

function getFileExtension(part: MediaPart, mediaType: string): string {
  if (part.type === 'image_url')
    return (Object.hasOwn(fileExtensions, mediaType) ? fileExtensions[mediaType] : undefined) ?? 'bin';
  const name = part.type === 'file' ? part.file.filename : `.${part.input_audio.format}`;
  return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin';
}

/** Returns the messages with the data of files replaced by variables. */
export function withFileVariables(
  messages: ChatRequest['messages'],
  files: readonly CodeFile[],
  getVariable: (file: CodeFile) => string,
): readonly CodeValue[] {
  const toCodePart = (part: ContentPart): CodeValue => {
    if (part.type === 'text') return toCodeValue(part);
    const file = files.find(
      ({ kind, source }) => kind === kinds[part.type] && source === getMediaSource(part),
    );
    if (!file) return toCodeValue(part);
    const expression = new CodeExpression(getVariable(file));
    if (part.type === 'image_url') return { ...part, image_url: { ...part.image_url, url: expression } };
    if (part.type === 'file') return { ...part, file: { ...part.file, file_data: expression } };
    return { type: part.type, input_audio: { ...part.input_audio, data: expression } };
  };
  return messages.map((message): CodeValue => {
    const { content } = message;
    if (!Array.isArray(content)) return toCodeValue(message);
    return { ...toCodeRecord(message), content: content.map(toCodePart) };
  });
}

/** Returns the text before the base64 data of a file; empty for sounds, which are sent without a media type. */
export function getDataPrefix({ kind, mediaType }: CodeFile): string {
  return kind === 'audio' ? '' : `data:${mediaType};base64,`;
}

/** Returns the code comment for a file. */
export function describeCodeFile({ kind, isGuessed, mediaType }: CodeFile): string {
  const noun = { image: 'An image', file: 'A file', audio: 'A sound' }[kind];
  const guess = isGuessed ? ` Change ${mediaType} if the file has another type.` : '';
  return `${noun} of the request. Save it next to this file.${guess}`;
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

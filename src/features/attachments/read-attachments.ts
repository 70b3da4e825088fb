import { createFilePart, maxFileBytes } from '../../conversation/request/file-blocks.ts';
import type { FilePart } from '../../conversation/request/message-files.ts';
import { maxRequestBytes, toImageUrl } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { formatBytes, pluralize } from '../../lib/format.ts';
import { decodeText, describeBinary, type Encoding } from '../../lib/table/decode-text.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import type { ImageStore } from '../../state/drafts/image-store.ts';

/** Maximum size of an image in bytes; larger ones exhaust memory before they can be scaled down. */
const maxImageBytes = 100_000_000;

/** Number of bytes from which the kind of a file that is too large is determined. */
const maxHeadBytes = 4_000;

/** Maximum size of a document or sound in bytes, whose base64 form fits into one request. */
const maxMediaFileBytes = Math.floor((maxRequestBytes / 4) * 3) - 1_000;

/** Media types of sounds by extension, which is also their `format` in the request. */
const audioTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  aiff: 'audio/aiff',
};

/** Media types of documents by extension. Only models that list file input read more than PDFs. */
const documentTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
};

export interface ReadAttachments {
  images: DraftImage[];
  files: FilePart[];
  /** Sentences about files that were not attached, or not without loss. */
  problem?: string;
}

interface ReadResult {
  image?: DraftImage;
  file?: FilePart;
  problem?: string;
}

export interface AttachOptions {
  store: ImageStore;
  /** True if a model lists file input, so that documents other than PDFs can be attached. */
  acceptsDocuments: boolean;
}

/** Stores images, documents and sounds, and decodes text files. Describes those that cannot be attached. */
export async function readAttachments(
  files: readonly File[],
  options: AttachOptions,
): Promise<ReadAttachments> {
  const results = await Promise.all(files.map((file) => readAttachment(file, options)));
  const problems = results.flatMap(({ problem }) => problem ?? []);
  return {
    images: results.flatMap(({ image }) => image ?? []),
    files: results.flatMap(({ file }) => file ?? []),
    ...(problems.length === 0 ? {} : { problem: problems.join(' ') }),
  };
}

async function readAttachment(file: File, options: AttachOptions): Promise<ReadResult> {
  const isImage = file.type.startsWith('image/');
  const name = sanitizeForSentence(file.name || (isImage ? 'Pasted image' : 'Pasted file'));
  try {
    if (isImage) return await readImage(file, name, options.store);
    if (file.size === 0) return { problem: `${name} is empty.` };
    return (await readMediaFile(file, name, options)) ?? (await readTextFile(file, name));
  } catch {
    // A dropped folder cannot be read, and neither can a file that was moved meanwhile.
    return { problem: `Could not read ${name}.` };
  }
}

async function readImage(file: File, name: string, store: ImageStore): Promise<ReadResult> {
  if (file.type === 'image/svg+xml') {
    return { problem: `${name} is an SVG image. Models accept PNG, JPEG, WebP or GIF.` };
  }
  if (file.size > maxImageBytes) {
    return {
      problem: `${name} is ${formatBytes(file.size)}; the limit is ${formatBytes(maxImageBytes)}.`,
    };
  }
  const dimensions = await readImageSize(file);
  if (!dimensions) return { problem: `Could not read ${name} as an image.` };
  // Stores only the bytes, without the file's name and date.
  const hash = await store.add(new Blob([file], { type: file.type }));
  return { image: { url: toImageUrl(hash), name, detail: 'auto', bytes: file.size, ...dimensions } };
}

async function readImageSize(file: Blob): Promise<{ width: number; height: number } | undefined> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return undefined;
  }
}

/** Stores a document or sound; returns `undefined` for other files. */
async function readMediaFile(
  file: File,
  name: string,
  { store, acceptsDocuments }: AttachOptions,
): Promise<ReadResult | undefined> {
  const [, extension = ''] = /\.([a-z0-9]+)$/.exec(file.name.toLowerCase()) ?? [];
  const audioFormat = findFormat(audioTypes, extension, file.type);
  const format = audioFormat ?? (await detectDocumentFormat(file, extension));
  if (format === undefined) return undefined;
  if (audioFormat === undefined && format !== 'pdf' && !acceptsDocuments)
    return {
      problem: `${name} can only be sent to a model that lists file input. Choose one, or attach it as a PDF or as text.`,
    };
  if (file.size > maxMediaFileBytes)
    return {
      problem: `${name} is ${formatBytes(file.size)}; the limit for this kind of file is ${formatBytes(maxMediaFileBytes)}.`,
    };
  const type = audioTypes[format] ?? documentTypes[format] ?? '';
  // Stores only the bytes, without the file's name and date.
  const source = toImageUrl(await store.add(new Blob([file], { type })));
  const filename = file.name || `Pasted file.${format}`;
  return audioFormat === undefined
    ? { file: { type: 'file', file: { filename, file_data: source } } }
    : { file: { type: 'input_audio', input_audio: { data: source, format: audioFormat }, name: filename } };
}

/** Returns the format of a document from its first bytes and, if these are those of any archive, from its name. */
async function detectDocumentFormat(file: File, extension: string): Promise<string | undefined> {
  const binaryKind = describeBinary(new Uint8Array(await file.slice(0, maxHeadBytes).arrayBuffer()));
  if (binaryKind === 'a PDF') return 'pdf';
  return binaryKind === 'a spreadsheet or an archive'
    ? findFormat(documentTypes, extension, file.type)
    : undefined;
}

/** Returns the extension of a known type, from the name of the file or its media type. */
function findFormat(
  types: Readonly<Record<string, string>>,
  extension: string,
  mediaType: string,
): string | undefined {
  if (Object.hasOwn(types, extension)) return extension;
  return Object.keys(types).find((format) => types[format] === mediaType);
}

/** Encoding names for the description of a file. */
const encodingNames: Partial<Record<Encoding, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

async function readTextFile(file: File, name: string): Promise<ReadResult> {
  const isTooLarge = file.size > maxFileBytes;
  const bytes = new Uint8Array(await (isTooLarge ? file.slice(0, maxHeadBytes) : file).arrayBuffer());
  const { text, encoding, unreadableCount } = decodeText(bytes);
  const binaryKind = describeBinary(bytes) ?? (isBinary(text) ? 'not a text file' : undefined);
  if (binaryKind !== undefined)
    return { problem: `${name} is ${binaryKind}. Only images, text files, PDFs and audio can be attached.` };
  if (isTooLarge)
    return { problem: `${name} is ${formatBytes(file.size)}; the limit for text files is 1 MB.` };
  const encodingName = encodingNames[encoding];
  const part = createFilePart(text, {
    name: file.name || 'Pasted file',
    bytes: file.size,
    ...(encodingName === undefined ? {} : { encoding: encodingName }),
  });
  if (unreadableCount === 0) return { file: part };
  return { file: part, problem: `${pluralize(unreadableCount, 'character')} of ${name} could not be read.` };
}

/** Control characters that occur in binary data but not in text, and characters that could not be decoded. */
const binaryPattern = /[^\P{Cc}\t\n\f\r]|\uFFFD/gu;

/** Returns true for decoded text with a zero character, or with many control characters. */
function isBinary(text: string): boolean {
  return text.includes('\0') || 20 * (text.match(binaryPattern)?.length ?? 0) > text.length;
}

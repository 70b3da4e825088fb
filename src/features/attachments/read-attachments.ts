import { createFilePart, maxFileBytes } from '../../conversation/request/file-blocks.ts';
import type { FilePart } from '../../conversation/request/message-files.ts';
import { toImageUrl } from '../../conversation/request/message-images.ts';
import type { DraftImage } from '../../conversation/session/draft.ts';
import { formatBytes, pluralize } from '../../lib/format.ts';
import { decodeText, describeBinary, type Encoding } from '../../lib/table/decode-text.ts';
import { sanitizeForSentence } from '../../lib/text/safe-text.ts';
import type { ImageStore } from '../../state/drafts/image-store.ts';

/** Maximum size of an image in bytes; larger ones exhaust memory before they can be scaled down. */
const maxImageBytes = 100_000_000;

/** Number of bytes from which the kind of a file that is too large is determined. */
const maxHeadBytes = 4_000;

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

/** Stores the images and decodes the text files. Describes those that cannot be attached. */
export async function readAttachments(files: readonly File[], store: ImageStore): Promise<ReadAttachments> {
  const results = await Promise.all(files.map((file) => readAttachment(file, store)));
  const problems = results.flatMap(({ problem }) => problem ?? []);
  return {
    images: results.flatMap(({ image }) => image ?? []),
    files: results.flatMap(({ file }) => file ?? []),
    ...(problems.length === 0 ? {} : { problem: problems.join(' ') }),
  };
}

async function readAttachment(file: File, store: ImageStore): Promise<ReadResult> {
  const isImage = file.type.startsWith('image/');
  const name = sanitizeForSentence(file.name || (isImage ? 'Pasted image' : 'Pasted file'));
  try {
    return isImage ? await readImage(file, name, store) : await readTextFile(file, name);
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

/** Encoding names for the description of a file. */
const encodingNames: Partial<Record<Encoding, string>> = {
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

async function readTextFile(file: File, name: string): Promise<ReadResult> {
  if (file.size === 0) return { problem: `${name} is empty.` };
  const isTooLarge = file.size > maxFileBytes;
  const bytes = new Uint8Array(await (isTooLarge ? file.slice(0, maxHeadBytes) : file).arrayBuffer());
  const { text, encoding, unreadableCount } = decodeText(bytes);
  const binaryKind = describeBinary(bytes) ?? (isBinary(text) ? 'not a text file' : undefined);
  if (binaryKind !== undefined)
    return { problem: `${name} is ${binaryKind}. Only images and text files can be attached.` };
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

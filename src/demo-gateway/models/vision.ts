/** Reads the headers of attached images, documents and sounds, and reports only what these contain. */
import type { Message } from '../../gateway/wire.ts';
import type { Json } from '../../lib/json.ts';
import type { DemoModel } from '../model.ts';
import { formatFileInfo, readFileInfo, toFileValue } from './file-header.ts';
import { listMessageMedia, type MediaPart } from './prompt-text.ts';
import { toTextOutput, toJsonOutput } from './text-output.ts';

export const vision: DemoModel = {
  id: 'demo/vision',
  description:
    'Reports the format and size of attached images, documents and sounds. Does not recognise their content.',
  abilities: { vision: true, files: true, audio: true, tools: false, thinking: false },
  reply: ({ messages, isJsonMode }) => {
    const { media, areFromEarlierMessage } = findLatestMedia(messages);
    const images = media.flatMap((part) =>
      part.type === 'image_url' ? [readImageInfo(part.image_url.url)] : [],
    );
    const files = media.flatMap((part) => (part.type === 'image_url' ? [] : [readFileInfo(part)]));
    return isJsonMode
      ? toJsonOutput({
          images: images.map(toImageValue),
          ...(files.length > 0 ? { files: files.map(toFileValue) } : {}),
        })
      : toTextOutput(formatMedia(images, files, areFromEarlierMessage));
  },
};

/** Returns the attachments of the last message that has any, so that a follow-up question also refers to them. */
function findLatestMedia(messages: readonly Message[]): {
  media: MediaPart[];
  areFromEarlierMessage: boolean;
} {
  const userMessages = messages.filter(({ role }) => role === 'user');
  const messageIndex = userMessages.findLastIndex((message) => listMessageMedia(message).length > 0);
  const message = userMessages[messageIndex];
  return {
    media: message ? listMessageMedia(message) : [],
    areFromEarlierMessage: messageIndex < userMessages.length - 1,
  };
}

/** Information from the first bytes of an image file. */
interface ImageHeader {
  format: 'PNG' | 'JPEG' | 'GIF' | 'WebP';
  width: number;
  height: number;
  /** Other properties, as text. */
  details: string;
  hasAlpha: boolean;
}

type ImageInfo = { header: ImageHeader; bytes: number; declaredType: string } | { problem: string };

const formats = 'PNG, JPEG, GIF or WebP';

function readImageInfo(url: string): ImageInfo {
  const [prefix, declaredType = '', base64] = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,/iu.exec(url) ?? [];
  if (prefix === undefined) return { problem: describeUrlProblem(url) };
  const bytes = base64 === undefined ? undefined : decodeBase64(url.slice(prefix.length));
  if (!bytes) return { problem: 'Its data URL is not valid base64, so there is nothing to read.' };
  const header = readHeader(bytes);
  const size = `${bytes.length.toLocaleString('en-US')} bytes`;
  return header
    ? { header, bytes: bytes.length, declaredType: declaredType.toLowerCase() }
    : { problem: `Its ${size} are not a ${formats} file, or its header is incomplete.` };
}

function describeUrlProblem(url: string): string {
  const shortUrl = (url.length > 120 ? `${url.slice(0, 120)}…` : url).replaceAll('`', '');
  return /^https?:/iu.test(url)
    ? `It is at \`${shortUrl}\`. I do not download images from the web. Attach the file itself.`
    : 'Its address is neither a data URL nor a web address, so there is nothing to read.';
}

function decodeBase64(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(decodeURIComponent(base64)), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns the header; `undefined` if the format is unknown or the bytes end within the header. */
function readHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const leadingText = String.fromCharCode(...bytes.subarray(0, 4096));
  try {
    const header = leadingText.startsWith('\x89PNG\r\n\x1a\n')
      ? readPngHeader(view, leadingText)
      : leadingText.startsWith('\xff\xd8')
        ? readJpegHeader(view)
        : /^GIF8[79]a/.test(leadingText)
          ? readGifHeader(view, leadingText)
          : /^RIFF[^]{4}WEBP/.test(leadingText)
            ? readWebpHeader(view, leadingText.slice(12, 16))
            : undefined;
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // DataView throws a RangeError beyond the end: the file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPngHeader(view: DataView, leadingText: string): ImageHeader {
  const colourType = view.getUint8(25);
  const colours = ['grey', '', 'RGB', 'palette', 'grey with alpha', '', 'RGB with alpha'][colourType];
  return {
    format: 'PNG',
    width: view.getUint32(16),
    height: view.getUint32(20),
    details: `${colours ?? 'unknown colours'}, ${view.getUint8(24)} bits per channel`,
    hasAlpha: colourType >= 4 || leadingText.includes('tRNS'),
  };
}

function readJpegHeader(view: DataView): ImageHeader | undefined {
  for (let offset = 2; offset < view.byteLength;) {
    const marker = view.getUint16(offset);
    if (marker >> 8 !== 0xff) return undefined;
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) {
      return {
        format: 'JPEG',
        width: view.getUint16(offset + 7),
        height: view.getUint16(offset + 5),
        details: `${view.getUint8(offset + 9)} channels${marker === 0xffc2 ? ', progressive' : ''}`,
        hasAlpha: false,
      };
    }
    // Markers may be padded, and some have no payload.
    if (marker === 0xffff) offset += 1;
    else if (marker >= 0xffd0 && marker <= 0xffd8) offset += 2;
    else offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

function readGifHeader(view: DataView, leadingText: string): ImageHeader {
  // The flags of a graphic control block show whether one colour is transparent.
  const controlIndex = leadingText.indexOf('!\xf9\x04', 13);
  return {
    format: 'GIF',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    details: `version ${leadingText.slice(3, 6)}`,
    hasAlpha: controlIndex > 0 && (view.getUint8(controlIndex + 3) & 1) === 1,
  };
}

function readWebpHeader(view: DataView, kind: string): ImageHeader | undefined {
  const common = { format: 'WebP' as const };
  if (kind === 'VP8 ') {
    const [width, height] = [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    return { ...common, width, height, details: 'lossy', hasAlpha: false };
  }
  if (kind === 'VP8L') {
    const packed = view.getUint32(21, true);
    const [width, height] = [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1];
    return { ...common, width, height, details: 'lossless', hasAlpha: ((packed >>> 28) & 1) === 1 };
  }
  if (kind !== 'VP8X') return undefined;
  const flags = view.getUint8(20);
  const readSize = (offset: number) => view.getUint16(offset, true) + view.getUint8(offset + 2) * 65_536 + 1;
  const details = flags & 2 ? 'animated' : 'extended';
  return { ...common, width: readSize(24), height: readSize(27), details, hasAlpha: (flags & 16) !== 0 };
}

const limitsText =
  'These values are from the file header. I am a small program and cannot see what an image shows.';
const fileLimitsText =
  'These values are from the file headers. I am a small program and cannot read what a file contains.';

function formatMedia(
  images: readonly ImageInfo[],
  files: readonly ReturnType<typeof readFileInfo>[],
  areFromEarlierMessage: boolean,
): string {
  const count = images.length + files.length;
  if (count === 0)
    return 'There is no image or file in this conversation. Attach one with the Attach button, drop it on the page or paste it to see its format and size.';
  const intro = areFromEarlierMessage
    ? ['The last message has no attachment, so this is about an earlier one.']
    : [];
  const parts = [
    ...images.map((image, index) => [`Image ${index + 1}`, formatImage(image)] as const),
    ...files.map((file, index) => [`File ${index + 1}`, formatFileInfo(file)] as const),
  ].map(([title, text]) => `${count > 1 ? `**${title}**\n\n` : ''}${text}`);
  return [...intro, ...parts, files.length > 0 ? fileLimitsText : limitsText].join('\n\n');
}

function formatImage(image: ImageInfo): string {
  if ('problem' in image) return image.problem;
  const { header, bytes, declaredType } = image;
  const formatCount = (value: number) => value.toLocaleString('en-US');
  const table = [
    '| Header | Value |',
    '| --- | --- |',
    `| Format | ${header.format}, ${header.details} |`,
    `| Size | ${formatCount(bytes)} bytes |`,
    `| Width × height | ${formatCount(header.width)} × ${formatCount(header.height)} pixels |`,
    `| Transparency | ${header.hasAlpha ? 'possible' : 'none'} |`,
  ].join('\n');
  const isMislabelled =
    declaredType !== `image/${header.format.toLowerCase()}` && declaredType !== 'image/jpg';
  return isMislabelled
    ? `${table}\n\nThe message declares it as \`${declaredType.replaceAll('`', '')}\`, but its bytes are ${header.format}.`
    : table;
}

function toImageValue(image: ImageInfo): Json {
  if ('problem' in image) return image;
  const { format, width, height, hasAlpha } = image.header;
  return { format, bytes: image.bytes, width, height, alpha: hasAlpha };
}

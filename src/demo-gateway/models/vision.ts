/** Reads the headers of attached images and says only what stands there. */
import type { Message } from '../../gateway/wire.ts';
import type { Json } from '../../lib/json.ts';
import type { DemoModel } from '../model.ts';
import { imagesOf } from './prompt-text.ts';
import { textPieces, valuePieces } from './text-output.ts';

export const vision: DemoModel = {
  id: 'demo/vision',
  about: 'Reads format, size and transparency of attached images. It does not see what they show.',
  abilities: { vision: true, tools: false, thinking: false },
  reply: ({ messages, wantsJson }) => {
    const { urls, areEarlier } = latestImages(messages);
    const facts = urls.map(factsOf);
    return wantsJson
      ? valuePieces({ images: facts.map(factsValue) })
      : textPieces(factsText(facts, areEarlier));
  },
};

/** The images of the last message that has any, so that a question after it is about them as well. */
function latestImages(messages: readonly Message[]): { urls: string[]; areEarlier: boolean } {
  const said = messages.filter(({ role }) => role === 'user');
  const place = said.findLastIndex((message) => imagesOf(message).length > 0);
  const message = said[place];
  return { urls: message ? imagesOf(message) : [], areEarlier: place < said.length - 1 };
}

/** What the first bytes of an image file say. */
interface Header {
  format: 'PNG' | 'JPEG' | 'GIF' | 'WebP';
  width: number;
  height: number;
  /** Further facts, in words. */
  details: string;
  hasAlpha: boolean;
}

type Facts = { header: Header; bytes: number; declaredType: string } | { problem: string };

const formats = 'PNG, JPEG, GIF or WebP';

function factsOf(url: string): Facts {
  const [prefix, declaredType = '', base64] = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,/iu.exec(url) ?? [];
  if (prefix === undefined) return { problem: remoteProblem(url) };
  const bytes = base64 === undefined ? undefined : bytesOf(url.slice(prefix.length));
  if (!bytes) return { problem: 'Its data URL is not valid base64, so there is nothing to read.' };
  const header = readHeader(bytes);
  const size = `${bytes.length.toLocaleString('en-US')} bytes`;
  return header
    ? { header, bytes: bytes.length, declaredType: declaredType.toLowerCase() }
    : { problem: `Its ${size} are not a ${formats} file, or it is cut within the header.` };
}

function remoteProblem(url: string): string {
  const shown = (url.length > 120 ? `${url.slice(0, 120)}…` : url).replaceAll('`', '');
  return /^https?:/iu.test(url)
    ? `It is at \`${shown}\`. I do not fetch pictures from the web. Attach the file itself.`
    : 'Its address is neither a data URL nor a web address, so there is nothing to read.';
}

function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(decodeURIComponent(base64)), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The header, or undefined where the bytes are none of the formats or end within it. */
function readHeader(bytes: Uint8Array): Header | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = String.fromCharCode(...bytes.subarray(0, 4096));
  try {
    const header = start.startsWith('\x89PNG\r\n\x1a\n')
      ? pngHeader(view, start)
      : start.startsWith('\xff\xd8')
        ? jpegHeader(view)
        : /^GIF8[79]a/.test(start)
          ? gifHeader(view, start)
          : /^RIFF[^]{4}WEBP/.test(start)
            ? webpHeader(view, start.slice(12, 16))
            : undefined;
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // DataView throws it for a place behind the end: the file is cut within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function pngHeader(view: DataView, start: string): Header {
  const colourType = view.getUint8(25);
  const colours = ['grey', '', 'RGB', 'palette', 'grey with alpha', '', 'RGB with alpha'][colourType];
  return {
    format: 'PNG',
    width: view.getUint32(16),
    height: view.getUint32(20),
    details: `${colours ?? 'unknown colours'}, ${view.getUint8(24)} bits per channel`,
    hasAlpha: colourType >= 4 || start.includes('tRNS'),
  };
}

function jpegHeader(view: DataView): Header | undefined {
  for (let at = 2; at < view.byteLength;) {
    const marker = view.getUint16(at);
    if (marker >> 8 !== 0xff) return undefined;
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) {
      return {
        format: 'JPEG',
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        details: `${view.getUint8(at + 9)} channels${marker === 0xffc2 ? ', progressive' : ''}`,
        hasAlpha: false,
      };
    }
    // A marker may be padded, and some stand alone.
    if (marker === 0xffff) at += 1;
    else if (marker >= 0xffd0 && marker <= 0xffd8) at += 2;
    else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function gifHeader(view: DataView, start: string): Header {
  // A graphic control block: its flags say whether one colour stands for nothing.
  const control = start.indexOf('!\xf9\x04', 13);
  return {
    format: 'GIF',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    details: `version ${start.slice(3, 6)}`,
    hasAlpha: control > 0 && (view.getUint8(control + 3) & 1) === 1,
  };
}

function webpHeader(view: DataView, kind: string): Header | undefined {
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
  const size = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
  const details = flags & 2 ? 'animated' : 'extended';
  return { ...common, width: size(24), height: size(27), details, hasAlpha: (flags & 16) !== 0 };
}

const limits = 'This is what the header says. I am a small program and do not see what a picture shows.';

function factsText(facts: readonly Facts[], areEarlier: boolean): string {
  if (facts.length === 0)
    return 'There is no image in this conversation. Attach one with the Image button, drop it on the page or paste it, and I read its format, size and transparency.';
  const intro = areEarlier ? ['The last message has no image, so this is about the one before it.'] : [];
  const parts = facts.map(
    (fact, index) => `${facts.length > 1 ? `**Image ${index + 1}**\n\n` : ''}${imageText(fact)}`,
  );
  return [...intro, ...parts, limits].join('\n\n');
}

function imageText(facts: Facts): string {
  if ('problem' in facts) return facts.problem;
  const { header, bytes, declaredType } = facts;
  const count = (value: number) => value.toLocaleString('en-US');
  const table = [
    '| Header | Value |',
    '| --- | --- |',
    `| Format | ${header.format}, ${header.details} |`,
    `| Size | ${count(bytes)} bytes |`,
    `| Width × height | ${count(header.width)} × ${count(header.height)} pixels |`,
    `| Transparency | ${header.hasAlpha ? 'possible' : 'none'} |`,
  ].join('\n');
  const isMislabelled =
    declaredType !== `image/${header.format.toLowerCase()}` && declaredType !== 'image/jpg';
  return isMislabelled
    ? `${table}\n\nThe message calls it \`${declaredType.replaceAll('`', '')}\`, and its bytes are ${header.format}.`
    : table;
}

function factsValue(facts: Facts): Json {
  if ('problem' in facts) return facts;
  const { format, width, height, hasAlpha } = facts.header;
  return { format, bytes: facts.bytes, width, height, alpha: hasAlpha };
}

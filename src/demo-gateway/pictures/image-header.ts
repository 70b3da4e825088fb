/** What the first bytes of an image file say about it. */

export interface ImageHeader {
  format: 'PNG' | 'JPEG' | 'GIF' | 'WebP' | 'BMP';
  width: number;
  height: number;
  /** Further facts of the header, in words. */
  details: string[];
  /** Whether the file can hold transparency at all, where the header says so. */
  canBeTransparent?: boolean;
}

/** The header, or undefined where the bytes are none of the five formats or end within it. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const header = headerOf(bytes, view);
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // DataView throws it for a place behind the end: the file is cut within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Formats that are recognised and not measured. */
export function otherFormat(bytes: Uint8Array): string | undefined {
  const brand = ascii(bytes, 4, 12);
  if (brand.startsWith('ftyp'))
    return /avi[fs]/.test(brand) ? 'AVIF' : /hei|mif/.test(brand) ? 'HEIC' : 'a video';
  const start = ascii(bytes, 0, 200).trimStart();
  if (/^(?:<\?xml[\s\S]*)?<svg/i.test(start)) return 'SVG';
  if (start.startsWith('%PDF')) return 'PDF';
  return start.startsWith('II*\0') || start.startsWith('MM\0*') ? 'TIFF' : undefined;
}

export function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

function headerOf(bytes: Uint8Array, view: DataView): ImageHeader | undefined {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return pngHeader(bytes, view);
  if (view.getUint16(0) === 0xffd8) return jpegHeader(view);
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return gifHeader(bytes, view);
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return webpHeader(bytes, view);
  return ascii(bytes, 0, 2) === 'BM' ? bmpHeader(view) : undefined;
}

const pngColours = new Map([
  [0, 'grey'],
  [2, 'RGB'],
  [3, 'palette'],
  [4, 'grey with alpha'],
  [6, 'RGB with alpha'],
]);

function pngHeader(bytes: Uint8Array, view: DataView): ImageHeader {
  const colourType = view.getUint8(25);
  const text = ascii(bytes, 0, Math.min(bytes.length, 4096));
  const details = [
    `${pngColours.get(colourType) ?? 'unknown colours'}, ${view.getUint8(24)} bits per channel`,
  ];
  if (view.getUint8(28) === 1) details.push('interlaced');
  if (text.includes('acTL')) details.push('animated');
  return {
    format: 'PNG',
    width: view.getUint32(16),
    height: view.getUint32(20),
    details,
    canBeTransparent: colourType >= 4 || text.includes('tRNS'),
  };
}

function jpegHeader(view: DataView): ImageHeader | undefined {
  for (let at = 2; at < view.byteLength;) {
    const marker = view.getUint16(at);
    if (marker >> 8 !== 0xff) return undefined;
    // A marker may be padded; markers without a length stand alone.
    if (marker === 0xffff) at += 1;
    else if ((marker >= 0xffd0 && marker <= 0xffd8) || marker === 0xff01) at += 2;
    else if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)) {
      const channels = view.getUint8(at + 9);
      const details = [channels === 1 ? 'grey' : channels === 4 ? 'four channels' : 'three channels'];
      if (marker === 0xffc2) details.push('progressive');
      return {
        format: 'JPEG',
        width: view.getUint16(at + 7),
        height: view.getUint16(at + 5),
        details,
        canBeTransparent: false,
      };
    } else at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

function gifHeader(bytes: Uint8Array, view: DataView): ImageHeader {
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let frames = 0;
  let canBeTransparent = false;
  const skipBlocks = () => {
    while ((bytes[at] ?? 0) !== 0) at += (bytes[at] ?? 0) + 1;
    at += 1;
  };
  while (at < bytes.length) {
    const block = bytes[at];
    if (block === 0x21) {
      if (bytes[at + 1] === 0xf9) canBeTransparent ||= ((bytes[at + 3] ?? 0) & 1) === 1;
      at += 2;
      skipBlocks();
    } else if (block === 0x2c) {
      frames += 1;
      const local = bytes[at + 9] ?? 0;
      at += 11 + (local & 0x80 ? 3 * 2 ** ((local & 7) + 1) : 0);
      skipBlocks();
    } else break;
  }
  const details = [
    `version ${ascii(bytes, 3, 6)}`,
    frames > 1 ? `animated, ${frames} frames` : `${frames} frame`,
  ];
  return {
    format: 'GIF',
    width: view.getUint16(6, true),
    height: view.getUint16(8, true),
    details,
    canBeTransparent,
  };
}

function webpHeader(bytes: Uint8Array, view: DataView): ImageHeader | undefined {
  const kind = ascii(bytes, 12, 16);
  if (kind === 'VP8 ') {
    return {
      format: 'WebP',
      width: view.getUint16(26, true) & 0x3fff,
      height: view.getUint16(28, true) & 0x3fff,
      details: ['lossy'],
      canBeTransparent: false,
    };
  }
  if (kind === 'VP8L') {
    const packed = view.getUint32(21, true);
    return {
      format: 'WebP',
      width: (packed & 0x3fff) + 1,
      height: ((packed >>> 14) & 0x3fff) + 1,
      details: ['lossless'],
      canBeTransparent: ((packed >>> 28) & 1) === 1,
    };
  }
  if (kind !== 'VP8X') return undefined;
  const flags = view.getUint8(20);
  const size = (at: number) => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1;
  return {
    format: 'WebP',
    width: size(24),
    height: size(27),
    details: flags & 2 ? ['animated'] : ['extended'],
    canBeTransparent: (flags & 16) !== 0,
  };
}

function bmpHeader(view: DataView): ImageHeader {
  const bitsAPixel = view.getUint16(28, true);
  return {
    format: 'BMP',
    width: Math.abs(view.getInt32(18, true)),
    height: Math.abs(view.getInt32(22, true)),
    details: [`${bitsAPixel} bits per pixel`],
  };
}

/** Decodes a PNG file of any kind into pixels. */
import { ascii } from './image-header.ts';
import { inflate } from './inflate.ts';

/** Four bytes per pixel: red, green, blue, alpha; row by row from the top. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

interface PngFile {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  interlaced: boolean;
  palette: Uint8Array;
  transparency: Uint8Array;
  compressed: Uint8Array;
}

const channelsOf = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** The pixels, or undefined where the file is damaged. */
export function decodePng(bytes: Uint8Array): Pixels | undefined {
  const file = readChunks(bytes);
  const channels = file && channelsOf.get(file.colourType);
  if (!file || channels === undefined || ![1, 2, 4, 8, 16].includes(file.depth)) return undefined;
  const passes = file.interlaced ? adam7 : [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
  const sizes = passes.map(({ x, y, stepX, stepY }) => {
    const width = Math.ceil((file.width - x) / stepX);
    const height = width > 0 ? Math.max(0, Math.ceil((file.height - y) / stepY)) : 0;
    return { width, height, rowBytes: Math.ceil((Math.max(0, width) * channels * file.depth) / 8) };
  });
  const expected = sizes.reduce((sum, { height, rowBytes }) => sum + height * (rowBytes + 1), 0);
  const raw = inflate(file.compressed, expected);
  if (raw.length < expected) return undefined;
  const data = new Uint8Array(file.width * file.height * 4);
  let at = 0;
  for (const [index, pass] of passes.entries()) {
    const { width, height, rowBytes } = sizes[index] ?? { width: 0, height: 0, rowBytes: 0 };
    const rows = raw.subarray(at, at + height * (rowBytes + 1));
    at += rows.length;
    unfilter(rows, rowBytes, Math.max(1, (channels * file.depth) >> 3));
    for (let row = 0; row < height; row += 1) {
      const line = rows.subarray(row * (rowBytes + 1) + 1, (row + 1) * (rowBytes + 1));
      for (let column = 0; column < width; column += 1) {
        const place = ((pass.y + row * pass.stepY) * file.width + pass.x + column * pass.stepX) * 4;
        writePixel(data, place, line, column, file, channels);
      }
    }
  }
  return { width: file.width, height: file.height, data };
}

const adam7 = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

function readChunks(bytes: Uint8Array): PngFile | undefined {
  if (bytes.length < 33) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let palette: Uint8Array = new Uint8Array();
  let transparency: Uint8Array = new Uint8Array();
  for (let at = 8; at + 8 <= bytes.length;) {
    const length = view.getUint32(at);
    const type = ascii(bytes, at + 4, at + 8);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    else if (type === 'IDAT') parts.push(body);
    else if (type === 'IEND') break;
    at += 12 + length;
  }
  const compressed = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let filled = 0;
  for (const part of parts) {
    compressed.set(part, filled);
    filled += part.length;
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  const [depth, colourType, interlace] = [view.getUint8(24), view.getUint8(25), view.getUint8(28)];
  return { width, height, depth, colourType, interlaced: interlace === 1, palette, transparency, compressed };
}

/** Undoes the filter of each row in place; a row begins with the number of its filter. */
function unfilter(rows: Uint8Array, rowBytes: number, pixelBytes: number): void {
  const stride = rowBytes + 1;
  for (let start = 0; start < rows.length; start += stride) {
    const filter = rows[start] ?? 0;
    if (filter === 0) continue;
    for (let index = 1; index <= rowBytes; index += 1) {
      const at = start + index;
      const left = index > pixelBytes ? (rows[at - pixelBytes] ?? 0) : 0;
      const above = start > 0 ? (rows[at - stride] ?? 0) : 0;
      const corner = start > 0 && index > pixelBytes ? (rows[at - stride - pixelBytes] ?? 0) : 0;
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? above
            : filter === 3
              ? (left + above) >> 1
              : paeth(left, above, corner);
      rows[at] = ((rows[at] ?? 0) + guess) & 255;
    }
  }
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const byLeft = Math.abs(estimate - left);
  const byAbove = Math.abs(estimate - above);
  const byCorner = Math.abs(estimate - corner);
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

function writePixel(
  data: Uint8Array,
  place: number,
  line: Uint8Array,
  column: number,
  file: PngFile,
  channels: number,
): void {
  const { depth, colourType, palette, transparency } = file;
  const first = sampleAt(line, column * channels, depth);
  if (colourType === 3) {
    for (let channel = 0; channel < 3; channel += 1)
      data[place + channel] = palette[first * 3 + channel] ?? 0;
    data[place + 3] = transparency[first] ?? 255;
    return;
  }
  const isGrey = colourType === 0 || colourType === 4;
  const most = 2 ** depth - 1;
  for (let channel = 0; channel < 3; channel += 1) {
    const sample = isGrey ? first : sampleAt(line, column * channels + channel, depth);
    data[place + channel] = most === 255 ? sample : Math.round((sample * 255) / most);
  }
  if (colourType >= 4) {
    const alpha = sampleAt(line, (column + 1) * channels - 1, depth);
    data[place + 3] = most === 255 ? alpha : Math.round((alpha * 255) / most);
  } else data[place + 3] = isKeyColour(line, column, file, channels) ? 0 : 255;
}

/** Without an alpha channel one colour may stand for "transparent". */
function isKeyColour(
  line: Uint8Array,
  column: number,
  { transparency, depth }: PngFile,
  channels: number,
): boolean {
  if (transparency.length < channels * 2) return false;
  for (let channel = 0; channel < channels; channel += 1) {
    const key = (transparency[channel * 2] ?? 0) * 256 + (transparency[channel * 2 + 1] ?? 0);
    if (sampleAt(line, column * channels + channel, depth) !== key) return false;
  }
  return true;
}

function sampleAt(line: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return line[index] ?? 0;
  if (depth === 16) return (line[index * 2] ?? 0) * 256 + (line[index * 2 + 1] ?? 0);
  const bit = index * depth;
  return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
}

import { inflateSync } from 'node:zlib';

export interface Pixels {
  width: number;
  height: number;
  /** Bytes of one pixel: red, green, blue, and in some files alpha. */
  channels: number;
  data: Uint8Array;
}

const channelsOfType = new Map([
  [2, 3],
  [6, 4],
]);

/** The pixels of a PNG file with 8 bits a colour, not interlaced: what browsers take and what `aPicture` makes. */
export function readPng(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = channelsOfType.get(png.readUInt8(25));
  if (png.readUInt8(24) !== 8 || channels === undefined || png.readUInt8(28) !== 0)
    throw new Error('The picture is a PNG of a kind that is not read here');
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const filtered = inflateSync(Buffer.concat(packed));
  const stride = width * channels;
  const data = new Uint8Array(stride * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * (stride + 1);
    const filter = filtered[from] ?? 0;
    const to = row * stride;
    for (let x = 0; x < stride; x += 1) {
      const left = x < channels ? 0 : (data[to + x - channels] ?? 0);
      const above = row === 0 ? 0 : (data[to + x - stride] ?? 0);
      const corner = row === 0 || x < channels ? 0 : (data[to + x - stride - channels] ?? 0);
      data[to + x] = (filtered[from + 1 + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return { width, height, channels, data };
}

/** What the file's filter took away from each byte. */
function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const byLeft = Math.abs(above - corner);
      const byAbove = Math.abs(left - corner);
      const byCorner = Math.abs(left + above - 2 * corner);
      if (byLeft <= byAbove && byLeft <= byCorner) return left;
      return byAbove <= byCorner ? above : corner;
    }
    default:
      return 0;
  }
}

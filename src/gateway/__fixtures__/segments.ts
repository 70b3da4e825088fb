/** Part of a row's bytes: text as UTF-8, bytes in hexadecimal, or repeated text. */
export type Segment = string | { hex: string } | { repeat: string; times: number };

const utf8 = new TextEncoder();

export function toBytes(segments: readonly Segment[]): Uint8Array<ArrayBuffer> {
  const parts = segments.map((segment) => {
    if (typeof segment === 'string') return utf8.encode(segment);
    if ('repeat' in segment) return utf8.encode(segment.repeat.repeat(segment.times));
    return Uint8Array.from(segment.hex.split(' '), (byte) => Number.parseInt(byte, 16));
  });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** Yields all packet splits that must give the same result: split in two at every position, and byte by byte. */
export function* generateDeliveries(bytes: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>[]> {
  yield Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  for (let index = 1; index < bytes.length; index++) yield [bytes.subarray(0, index), bytes.subarray(index)];
}

/** Decompresses zlib data (RFC 1950, RFC 1951) at once, since a model's reply cannot wait for a stream. */

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const distanceExtra = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Codes by the bits that are read: symbol << 4 | length, 0 for a code that does not exist. */
interface Codes {
  table: Uint16Array;
  bits: number;
}

/** At most `size` bytes; shorter where the data end early or are damaged. What came before the damage is kept. */
export function inflate(data: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(size);
  let written = 0;
  let at = 2;
  let held = 0;
  let heldBits = 0;

  function bits(count: number): number {
    while (heldBits < count) {
      if (at >= data.length + 4) throw new RangeError('The data end too early');
      held |= (data[at] ?? 0) << heldBits;
      at += 1;
      heldBits += 8;
    }
    const value = held & ((1 << count) - 1);
    held >>>= count;
    heldBits -= count;
    return value;
  }

  function symbol({ table, bits: longest }: Codes): number {
    while (heldBits < longest) {
      held |= (data[at] ?? 0) << heldBits;
      at += 1;
      heldBits += 8;
    }
    const entry = table[held & ((1 << longest) - 1)] ?? 0;
    const length = entry & 15;
    if (length === 0 || at > data.length + 4) throw new RangeError('There is no such code');
    held >>>= length;
    heldBits -= length;
    return entry >>> 4;
  }

  function copyStored(): void {
    // Whole bytes that were read ahead are given back.
    at -= heldBits >> 3;
    held = 0;
    heldBits = 0;
    const length = (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8);
    const part = data.subarray(at + 4, Math.min(at + 4 + length, at + 4 + size - written));
    output.set(part, written);
    written += part.length;
    at += 4 + length;
    if (at > data.length) throw new RangeError('The data end too early');
  }

  function decodeBlock(literals: Codes, distances: Codes): void {
    while (written < size) {
      const code = symbol(literals);
      if (code < 256) {
        output[written] = code;
        written += 1;
        continue;
      }
      if (code === 256) return;
      const length = (lengthBase[code - 257] ?? 0) + bits(lengthExtra[code - 257] ?? 0);
      const distanceCode = symbol(distances);
      const distance = (distanceBase[distanceCode] ?? 0) + bits(distanceExtra[distanceCode] ?? 0);
      if (distance === 0 || distance > written) throw new RangeError('A copy from before the start');
      const end = Math.min(size, written + length);
      for (; written < end; written += 1) output[written] = output[written - distance] ?? 0;
    }
  }

  function dynamicCodes(): [Codes, Codes] {
    const literalCount = bits(5) + 257;
    const distanceCount = bits(5) + 1;
    const codeLengths = new Uint8Array(19);
    const codeLengthCount = bits(4) + 4;
    for (const place of codeLengthOrder.slice(0, codeLengthCount)) codeLengths[place] = bits(3);
    const lengthCodes = codesOf(codeLengths);
    const lengths = new Uint8Array(literalCount + distanceCount);
    for (let index = 0; index < lengths.length;) {
      const code = symbol(lengthCodes);
      if (code < 16) {
        lengths[index] = code;
        index += 1;
        continue;
      }
      const repeated = code === 16 ? (lengths[index - 1] ?? 0) : 0;
      const times = code === 16 ? 3 + bits(2) : code === 17 ? 3 + bits(3) : 11 + bits(7);
      lengths.fill(repeated, index, index + times);
      index += times;
    }
    return [codesOf(lengths.subarray(0, literalCount)), codesOf(lengths.subarray(literalCount))];
  }

  try {
    for (let isLast = false; !isLast && written < size;) {
      isLast = bits(1) === 1;
      const kind = bits(2);
      if (kind === 0) copyStored();
      else if (kind === 1) decodeBlock(...fixedCodes());
      else if (kind === 2) decodeBlock(...dynamicCodes());
      else break;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return output.subarray(0, written);
}

function fixedCodes(): [Codes, Codes] {
  const lengths = new Uint8Array(288).fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280);
  return [codesOf(lengths), codesOf(new Uint8Array(30).fill(5))];
}

/** The canonical Huffman codes of these lengths; bits of a code arrive with the highest first. */
function codesOf(lengths: Uint8Array): Codes {
  const longest = Math.max(1, ...lengths);
  const table = new Uint16Array(1 << longest);
  let code = 0;
  for (let length = 1; length <= longest; length += 1) {
    for (let value = 0; value < lengths.length; value += 1) {
      if (lengths[value] !== length) continue;
      let reversed = 0;
      for (let bit = 0; bit < length; bit += 1) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
      for (let place = reversed; place < table.length; place += 1 << length)
        table[place] = (value << 4) | length;
      code += 1;
    }
    code <<= 1;
  }
  return { table, bits: longest };
}

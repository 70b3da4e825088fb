import { createSharedTask } from '../../lib/shared-task.ts';

/**
 * Energy of spelling coordinate i, multiplied by i. Its total share is 2% at 256 coordinates, 6% at 1024 and 9% at
 * 4096.
 */
const spellingEnergy = 0.03;

/**
 * Returns the unit vector of a text with `size` coordinates. Shorter vectors are renormalised prefixes of longer ones.
 */
type MeaningEncoder = (text: string, size: number) => Float32Array;

/** Returns the encoder, loading the model file (2.2 MB) on first use. */
export const getMeaningEncoder: () => Promise<MeaningEncoder> = createSharedTask(async () => {
  const { default: dataUrl } = await import('../models/meaning-model.bin?url&inline');
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  return createMeaningEncoder(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
});

/**
 * Creates a small embedding of English word meanings from the bytes of the model file: summed word vectors and one
 * small layer, distilled from the Universal Sentence Encoder Lite. Unknown words are embedded by their spelling.
 */
function createMeaningEncoder(bytes: Uint8Array): MeaningEncoder {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, version, count = 0, dims = 0, hidden = 0, bits, wordBytes = 0] = Array.from(
    { length: 7 },
    (_, index) => view.getUint32(4 * index, true),
  );
  if (magic !== 0x4e41454d || version !== 1 || bits !== 4)
    throw new Error('Not a meaning model of version 1.');
  const unknownLength = view.getFloat32(28, true);
  let offset = 32;
  const readFloats = (length: number): Float32Array => {
    offset += 4 * length;
    return Float32Array.from({ length }, (_, index) => view.getFloat32(offset + 4 * (index - length), true));
  };
  const readIntegers = (length: number): Int8Array => {
    offset += length;
    return new Int8Array(bytes.buffer, bytes.byteOffset + offset - length, length);
  };
  const [columnScale, rowScale, inScale] = [readFloats(dims), readFloats(count), readFloats(hidden)];
  const [outScale, bias] = [readFloats(hidden), readFloats(hidden)];
  const table = readIntegers((count * dims) / 2);
  const [layerIn, layerOut] = [readIntegers(hidden * dims), readIntegers(hidden * dims)];
  const vocabulary = new TextDecoder().decode(readIntegers(wordBytes)).split('\n');
  const rows = new Map(vocabulary.map((word, row) => [word, row]));

  function embed(text: string, size: number): Float32Array {
    const sum = new Float64Array(dims);
    const unknownWords: string[] = [];
    const words = splitWords(text);
    for (const word of words) {
      const matchingRows = findRows(word, rows);
      for (const row of matchingRows) {
        const scale = rowScale[row] ?? 0;
        for (let i = 0, tableOffset = (row * dims) / 2; i < dims; i += 2, tableOffset += 1) {
          const packed = table[tableOffset] ?? 0;
          sum[i] = (sum[i] ?? 0) + ((packed & 15) - 8) * scale;
          sum[i + 1] = (sum[i + 1] ?? 0) + (((packed >> 4) & 15) - 8) * scale;
        }
      }
      if (matchingRows.length === 0) unknownWords.push(word);
    }
    columnScale.forEach((scale, i) => (sum[i] = (sum[i] ?? 0) * scale));
    const length = normalise(sum);
    if (length > 0) applyLayer(sum);
    // Unknown words are added after the layer, which is not trained on them, and weighted like the same number of known
    // words.
    const unknownVector = buildSpellingVector(unknownWords, dims, 1);
    normalise(unknownVector);
    const unknownVectorLength = unknownLength * Math.sqrt(unknownWords.length);
    sum.forEach((value, i) => (sum[i] = value * length + (unknownVector[i] ?? 0) * unknownVectorLength));
    if (normalise(sum) === 0) sum[0] = 1; // Without any words, uses a fixed direction instead of zeros.
    const vector = new Float64Array(size);
    vector.set(sum.subarray(0, size));
    const tail = buildSpellingVector(words, size - dims, 2);
    for (let i = dims; i < size; i += 1) vector[i] = (tail[i - dims] ?? 0) * Math.sqrt(spellingEnergy / i);
    normalise(vector);
    return Float32Array.from(vector);
  }

  /** Computes unit(u + relu(u A + c) B), which captures combinations of words. */
  function applyLayer(u: Float64Array): void {
    const residual = new Float64Array(dims);
    for (let h = 0, base = 0; h < hidden; h += 1, base += dims) {
      let active = 0;
      for (let i = 0; i < dims; i += 1) active += (u[i] ?? 0) * (layerIn[base + i] ?? 0);
      active = active * (inScale[h] ?? 0) + (bias[h] ?? 0);
      if (active <= 0) continue;
      active *= outScale[h] ?? 0;
      for (let i = 0; i < dims; i += 1) residual[i] = (residual[i] ?? 0) + active * (layerOut[base + i] ?? 0);
    }
    u.forEach((value, i) => (u[i] = value + (residual[i] ?? 0)));
    normalise(u);
  }

  return embed;
}

/**
 * Returns lower-case words without accents and possessive 's; in other scripts, returns uninterrupted runs of
 * characters.
 */
function splitWords(text: string): string[] {
  const plainText = text
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .replaceAll('\u2019', "'");
  return (plainText.match(/[a-z]+(?:'[a-z]+)?|[0-9]+|[^\p{ASCII}\p{P}\p{S}\s]+/gu) ?? []).map((w) =>
    w.replace(/'s$/, ''),
  );
}

/**
 * Returns the rows for a word: its exact or base form, its two parts if it is a compound, or the most frequent word one
 * typo away.
 */
function findRows(word: string, rows: ReadonlyMap<string, number>): readonly number[] {
  const bases = inflectionRules
    .filter(({ ending }) => ending.test(word))
    .map(({ ending, base }) => word.replace(ending, base));
  const knownForm = [word, ...bases].find((candidate) => rows.has(candidate));
  if (knownForm !== undefined) return [rows.get(knownForm) ?? 0];
  if (word.includes("'")) return findRows(word.slice(0, word.indexOf("'")), rows);
  for (let cut = word.length - 3; word.length >= 7 && cut > 3; cut -= 1) {
    const [left, right] = [rows.get(word.slice(0, cut)), rows.get(word.slice(cut))];
    if (left !== undefined && right !== undefined) return [left, right];
  }
  if (!/^[a-z]{6,20}$/.test(word)) return [];
  let best = Infinity; // Rows are sorted by frequency.
  for (let index = 1; index <= word.length; index += 1) {
    const [head, tail] = [word.slice(0, index), word.slice(index)];
    const corrections = [head + tail.slice(1), head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2)];
    for (const letter of 'abcdefghijklmnopqrstuvwxyz')
      corrections.push(head + letter + tail, head + letter + tail.slice(1));
    for (const correction of corrections) best = Math.min(best, rows.get(correction) ?? Infinity);
  }
  return best === Infinity ? [] : [best];
}

/** Rules that map an inflected word to its base form, the most likely first: pattern and replacement. */
const inflectionRules = (
  '(.+)ies $1y|(.{2,}[^s])s $1|(.{2,})es $1|(.{2,})ied $1y|(.{2,}([^ls]))\\2(?:ed/ing) $1|(.{2,}[^wxy])(?:ed/ing) $1e|' +
  '(.{3,})(?:ed/ing) $1|(.{2,}([ls]))\\2(?:ed/ing) $1|(.{3,})ly $1|(.{2,})ily $1y'
)
  .split('|')
  .map((rule) => rule.replace('/', '|').split(' '))
  .map(([ending = '', base = '']) => ({ ending: new RegExp(`^${ending}$`), base }));

/**
 * Returns the sum of the words' trigrams, each a vector of signs derived from its spelling; most coordinates are about
 * 1 in size.
 */
function buildSpellingVector(words: readonly string[], size: number, seed: number): Float64Array {
  const sum = new Float64Array(Math.max(size, 0));
  const groups = new Map<string, number>();
  const allGroups = words.flatMap((word) =>
    Array.from(word, (_, start) => `^${word}$`.slice(start, start + 3)),
  );
  for (const group of size > 0 ? allGroups : []) groups.set(group, (groups.get(group) ?? 0) + 1);
  const length = Math.hypot(...groups.values());
  for (const [group, count] of groups) {
    let state = seed;
    for (let i = 0; i < group.length; i += 1) state = mixBits(state ^ group.charCodeAt(i));
    for (let i = 0; i < sum.length; i += 1) {
      if (i % 32 === 0) state = mixBits(state + 0x9e3779b9);
      sum[i] = (sum[i] ?? 0) + (((state >>> (i % 32)) & 1) === 1 ? count : -count) / length;
    }
  }
  return sum;
}

function mixBits(value: number): number {
  const hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ (hash >>> 16);
}

/** Scales the vector to length 1 in place and returns its previous length. Zero vectors stay unchanged. */
function normalise(vector: Float64Array): number {
  const length = Math.sqrt(vector.reduce((squares, value) => squares + value * value, 0));
  if (length > 0) for (const [i, value] of vector.entries()) vector[i] = value / length;
  return length;
}

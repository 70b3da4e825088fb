import { createSharedTask } from '../../lib/shared-task.ts';

/** Energy of the spelling's coordinate i, times i: 2 % come with the first 256, 6 % with 1024, 9 % with 4096. */
const spellingEnergy = 0.03;

/** The text as `size` coordinates of length 1; a shorter vector is a prefix of a longer one, renormalised. */
type MeaningEncoder = (text: string, size: number) => Float32Array;

/** The encoder over the model file, which is read when it is first asked for: 2.2 MB. */
export const getMeaningEncoder: () => Promise<MeaningEncoder> = createSharedTask(async () => {
  const { default: dataUrl } = await import('../models/meaning-model.bin?url&inline');
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  return createMeaningEncoder(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
});

/**
 * A small embedding that knows the meaning of English: word vectors summed, then one small layer, distilled from the
 * Universal Sentence Encoder Lite. The model file comes as bytes. A word it does not know counts by its spelling.
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
    // Unknown words join after the layer, which has no idea of them, as strong as so many known ones.
    const unknownVector = buildSpellingVector(unknownWords, dims, 1);
    normalise(unknownVector);
    const unknownVectorLength = unknownLength * Math.sqrt(unknownWords.length);
    sum.forEach((value, i) => (sum[i] = value * length + (unknownVector[i] ?? 0) * unknownVectorLength));
    if (normalise(sum) === 0) sum[0] = 1; // no word at all: a fixed direction rather than zeros
    const vector = new Float64Array(size);
    vector.set(sum.subarray(0, size));
    const tail = buildSpellingVector(words, size - dims, 2);
    for (let i = dims; i < size; i += 1) vector[i] = (tail[i - dims] ?? 0) * Math.sqrt(spellingEnergy / i);
    normalise(vector);
    return Float32Array.from(vector);
  }

  /** unit(u + relu(u A + c) B): it sees which words came together. */
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

/** Lower-case words without accents; a possessive loses its 's; other scripts count as runs. */
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

/** Rows of a word: its own, its base form's, those of the two words it is made of, or of a word one slip away. */
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
  let best = Infinity; // rows are in order of frequency
  for (let index = 1; index <= word.length; index += 1) {
    const [head, tail] = [word.slice(0, index), word.slice(index)];
    const corrections = [head + tail.slice(1), head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2)];
    for (const letter of 'abcdefghijklmnopqrstuvwxyz')
      corrections.push(head + letter + tail, head + letter + tail.slice(1));
    for (const correction of corrections) best = Math.min(best, rows.get(correction) ?? Infinity);
  }
  return best === Infinity ? [] : [best];
}

/** What an inflected word may come from, likeliest first: pattern and base. */
const inflectionRules = (
  '(.+)ies $1y|(.{2,}[^s])s $1|(.{2,})es $1|(.{2,})ied $1y|(.{2,}([^ls]))\\2(?:ed/ing) $1|(.{2,}[^wxy])(?:ed/ing) $1e|' +
  '(.{3,})(?:ed/ing) $1|(.{2,}([ls]))\\2(?:ed/ing) $1|(.{3,})ly $1|(.{2,})ily $1y'
)
  .split('|')
  .map((rule) => rule.replace('/', '|').split(' '))
  .map(([ending = '', base = '']) => ({ ending: new RegExp(`^${ending}$`), base }));

/** The words' groups of three letters as sums of signs which spelling alone decides; about 1 in each coordinate. */
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

/** Makes the vector one of length 1 in place and tells how long it was; zeros stay zeros. */
function normalise(vector: Float64Array): number {
  const length = Math.sqrt(vector.reduce((squares, value) => squares + value * value, 0));
  if (length > 0) for (const [i, value] of vector.entries()) vector[i] = value / length;
  return length;
}

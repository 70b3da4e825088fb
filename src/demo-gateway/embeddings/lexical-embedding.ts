/**
 * Text embedding without model weights, based on spelling rather than meaning. Words, word pairs and character n-grams
 * are hashed with signs into 8,192 buckets. A Walsh-Hadamard rotation spreads each feature over all coordinates, so
 * each renormalised prefix is a shorter embedding that estimates the full cosine.
 */
const bucketCount = 8192;

/** Weights of the three feature families, chosen by measurement. */
const wordWeight = 0.4;
const bigramWeight = 0.2;
const gramWeight = 1;
/** Stop words carry little information about the subject; word beginnings carry much. */
const stopWordFactor = 0.25;
const wordStartFactor = 1.3;

const stopWords = new Set(
  (
    'a about all also am an and any are as at be been but by can could did do does for from had has have he her him his ' +
    'how i if in into is it its just me my no not of on or our please s she should so some t tell than that the their ' +
    'them then there these they this to up us was we were what when where which who why will with would you your'
  ).split(' '),
);

/** Features of an embedding: optional word pairs, and n-grams from 3 characters up to `maxGramLength`. */
export interface LexicalFeatures {
  bigrams: boolean;
  maxGramLength: 3 | 4 | 5;
}

/** All features: words, word pairs, 3- to 5-grams. */
export const fullFeatures: LexicalFeatures = { bigrams: true, maxGramLength: 5 };

/** `size`: number of coordinates, 1 to 8192. `seed`: vectors with different seeds are unrelated. */
interface LexicalOptions {
  size: number;
  seed: number;
  features: LexicalFeatures;
}

/** Returns the unit vector of a text with `size` coordinates. Equal text and options yield identical bits. */
export function embedText(text: string, options: LexicalOptions): Float32Array {
  const plainText = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const words: FeatureFamily = new Map();
  const bigrams: FeatureFamily = new Map();
  const grams: FeatureFamily = new Map();
  let previous: string | undefined;
  for (const [segment] of plainText.matchAll(wordOrIdeographs)) {
    if (leadingIdeograph.test(segment)) {
      addIdeographs(grams, segment);
      previous = undefined;
      continue;
    }
    addFeature(words, `w ${segment}`, getImportance(segment));
    if (previous !== undefined && options.features.bigrams) {
      addFeature(bigrams, `b ${previous} ${segment}`, getImportance(previous) * getImportance(segment));
    }
    addGrams(grams, segment, options.features.maxGramLength);
    previous = segment;
  }
  return buildRotatedVector(
    [
      [words, wordWeight],
      [bigrams, bigramWeight],
      [grams, gramWeight],
    ],
    text,
    options,
  );
}

/** Returns the unit vector of token numbers. Each number counts as a word, without n-grams. */
export function embedTokenNumbers(numbers: readonly number[], options: LexicalOptions): Float32Array {
  const words: FeatureFamily = new Map();
  const bigrams: FeatureFamily = new Map();
  numbers.forEach((number, index) => {
    addFeature(words, `t ${number}`, 1);
    const previous = numbers[index - 1];
    if (previous !== undefined && options.features.bigrams) addFeature(bigrams, `u ${previous} ${number}`, 1);
  });
  return buildRotatedVector(
    [
      [words, wordWeight],
      [bigrams, bigramWeight],
    ],
    numbers.join(' '),
    options,
  );
}

/** Returns the cosine of two unit vectors of the same size, −1 to 1. */
export function computeCosine(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index += 1) sum += (left[index] ?? 0) * (right[index] ?? 0);
  return sum;
}

const ideograph = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const wordOrIdeographs = new RegExp(`[${ideograph}]+|(?:(?![${ideograph}])[\\p{L}\\p{N}])+`, 'gu');
const leadingIdeograph = new RegExp(`^[${ideograph}]`, 'u');

/** Features of one family, with their frequency and importance. */
type FeatureFamily = Map<string, { count: number; importance: number }>;

function addFeature(family: FeatureFamily, feature: string, importance: number): void {
  const entry = family.get(feature);
  if (entry === undefined) family.set(feature, { count: 1, importance });
  else {
    entry.count += 1;
    entry.importance = Math.max(entry.importance, importance);
  }
}

function getImportance(word: string): number {
  return stopWords.has(word) ? stopWordFactor : 1;
}

function addGrams(grams: FeatureFamily, word: string, maxGramLength: number): void {
  const markedWord = `^${word}$`;
  const importance = getImportance(word);
  for (let length = 3; length <= maxGramLength; length += 1) {
    for (let start = 0; start + length <= markedWord.length; start += 1) {
      addFeature(
        grams,
        `g ${markedWord.slice(start, start + length)}`,
        start === 0 ? importance * wordStartFactor : importance,
      );
    }
  }
}

/** Adds single characters and pairs in place of words, since Chinese and Japanese are written without spaces. */
function addIdeographs(grams: FeatureFamily, ideographs: string): void {
  const characters = Array.from(ideographs);
  characters.forEach((character, index) => {
    addFeature(grams, `i ${character}`, 1);
    const next = characters[index + 1];
    if (next !== undefined) addFeature(grams, `i ${character}${next}`, 1);
  });
}

function buildRotatedVector(
  families: [FeatureFamily, number][],
  text: string,
  { size, seed }: LexicalOptions,
): Float32Array {
  const buckets = new Float64Array(bucketCount);
  for (const [family, weight] of families) addFamily(buckets, family, weight, seed);
  // Texts that consist only of symbols, or whose features cancel out, are hashed as a whole instead.
  if (buckets.every((value) => value === 0))
    addFamily(buckets, new Map([[`x ${text}`, { count: 1, importance: 1 }]]), 1, seed);
  applyWalshHadamard(buckets);
  const order = getPermutation(seed);
  const vector = new Float64Array(size);
  let squares = 0;
  for (let index = 0; index < size; index += 1) {
    const value = buckets[order[index] ?? 0] ?? 0;
    vector[index] = value;
    squares += value * value;
  }
  // A prefix of zeros is possible only in theory; dividing by 1 then avoids NaN.
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

function addFamily(buckets: Float64Array, family: FeatureFamily, weight: number, seed: number): void {
  let squares = 0;
  const hashed: [number, number][] = [];
  for (const [feature, { count, importance }] of family) {
    const value = (1 + Math.log(count)) * importance;
    squares += value * value;
    hashed.push([computeHash(feature, seed), value]);
  }
  const scale = squares === 0 ? 0 : weight / Math.sqrt(squares);
  for (const [hash, value] of hashed) {
    const bucket = hash % bucketCount;
    buckets[bucket] = (buckets[bucket] ?? 0) + (hash >= 0x80000000 ? -value : value) * scale;
  }
}

/**
 * Returns FNV-1a over the UTF-16 units with the finaliser of MurmurHash3, since both the bucket and the sign need
 * well-mixed bits.
 */
function computeHash(feature: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let index = 0; index < feature.length; index += 1) {
    hash = Math.imul(hash ^ feature.charCodeAt(index), 0x01000193);
  }
  return mixBits(hash);
}

function mixBits(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Applies the fast Walsh-Hadamard transform in place, without its constant factor, which normalisation removes anyway.
 */
function applyWalshHadamard(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let block = 0; block < values.length; block += 2 * half) {
      for (let index = block; index < block + half; index += 1) {
        const left = values[index] ?? 0;
        const right = values[index + half] ?? 0;
        values[index] = left + right;
        values[index + half] = left - right;
      }
    }
  }
}

const permutations = new Map<number, Uint16Array>();

/** Returns the order in which the rotated coordinates are used: a Fisher-Yates shuffle, cached per seed. */
function getPermutation(seed: number): Uint16Array {
  const cached = permutations.get(seed);
  if (cached !== undefined) return cached;
  const order = Uint16Array.from({ length: bucketCount }, (_, index) => index);
  for (let index = bucketCount - 1; index > 0; index -= 1) {
    const swapIndex = mixBits(Math.imul(index, 0x9e3779b1) ^ mixBits(seed + 1)) % (index + 1);
    const swappedValue = order[index] ?? 0;
    order[index] = order[swapIndex] ?? 0;
    order[swapIndex] = swappedValue;
  }
  permutations.set(seed, order);
  return order;
}

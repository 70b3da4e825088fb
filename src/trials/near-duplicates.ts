/**
 * Finds texts that are nearly the same as another, such as cases made from one template: they are not independent, so
 * they should form a group. Compares sets of shingles, overlapping runs of characters, by the share that two texts have
 * in common (Broder 1997). For a long text, the smallest hashes of its shingles stand for all of them.
 */
import { runToCompletion, type Steps } from '../lib/steps.ts';

/** Largest number of hashes kept for a text. The error of a share estimated from this many is about 0.035. */
const maxHashes = 128;
/** Texts that have at least this percentage of their shingles in common count as nearly the same. */
const minCommonPercent = 80;
/** Number of texts that are processed between two steps. */
const textsPerStep = 50;
const hashRange = 2 ** 32;

/** Returns the groups of at least two texts that are nearly the same, as indexes, each led by its first text. */
export function findNearDuplicates(texts: readonly string[]): number[][] {
  return runToCompletion(findNearDuplicatesStepwise(texts));
}

/**
 * Finds near-duplicates in steps. Each text joins the earliest text that it is nearly the same as, among those that have
 * joined no other. So all texts of a group are nearly the same as its first one.
 */
export function* findNearDuplicatesStepwise(texts: readonly string[]): Steps<number[][]> {
  const sketches: Uint32Array[] = [];
  // Hashes that share a bucket only make a pair a candidate that is not similar.
  const bucketCount = 2 ** Math.ceil(Math.log2(4 * maxHashes * (texts.length + 1)));
  /** Number of texts with hashes in each bucket. */
  const frequencies = new Uint32Array(bucketCount);
  for (const [index, text] of texts.entries()) {
    if (index % textsPerStep === 0) yield;
    const sketch = createSketch(text);
    sketches.push(sketch);
    for (const hash of sketch) frequencies[hash % bucketCount] = (frequencies[hash % bucketCount] ?? 0) + 1;
  }
  const groups = new Map<number, number[]>();
  const leaders = createLeaderIndex(bucketCount, texts.length);
  for (const [index, sketch] of sketches.entries()) {
    if (index % textsPerStep === 0) yield;
    const buckets = selectPrefix(sketch, frequencies);
    const requiredCount = countRequiredHashes(sketch);
    let firstSimilar = index;
    leaders.visit(buckets, (leader, commonCount) => {
      const leaderSketch = sketches[leader] ?? sketch;
      if (leader >= firstSimilar) return;
      if (commonCount < Math.min(requiredCount, countRequiredHashes(leaderSketch))) return;
      if (areSimilar(leaderSketch, sketch)) firstSimilar = leader;
    });
    const group = groups.get(firstSimilar);
    if (group) {
      group.push(index);
      continue;
    }
    groups.set(index, [index]);
    leaders.add(index, buckets);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** Index of texts by the buckets of their hashes. */
interface LeaderIndex {
  add: (text: number, buckets: Uint32Array) => void;
  /** Calls back with each text that has some of these buckets, and with their number. */
  visit: (buckets: Uint32Array, callback: (text: number, commonCount: number) => void) => void;
}

/** Creates an index of linked lists, because most buckets contain no text or a single one. */
function createLeaderIndex(bucketCount: number, textCount: number): LeaderIndex {
  /** Position of the last entry of each bucket, from 1; 0 for an empty bucket. */
  const lastEntries = new Uint32Array(bucketCount);
  const [entryTexts, previousEntries] = [[0], [0]];
  const commonCounts = new Uint16Array(textCount);
  return {
    add: (text, buckets) => {
      for (const bucket of buckets) {
        previousEntries.push(lastEntries[bucket] ?? 0);
        lastEntries[bucket] = entryTexts.push(text) - 1;
      }
    },
    visit: (buckets, callback) => {
      const candidates: number[] = [];
      for (const bucket of buckets)
        for (let entry = lastEntries[bucket] ?? 0; entry > 0; entry = previousEntries[entry] ?? 0) {
          const text = entryTexts[entry] ?? 0;
          const commonCount = (commonCounts[text] ?? 0) + 1;
          commonCounts[text] = commonCount;
          if (commonCount === 1) candidates.push(text);
        }
      for (const text of candidates) {
        callback(text, commonCounts[text] ?? 0);
        commonCounts[text] = 0;
      }
    },
  };
}

/** Returns the smallest hashes of the text's shingles, in ascending order. */
function createSketch(text: string): Uint32Array {
  // Most hashes of a long text are too large to be kept, but a repetitive text may have few small ones.
  const share = Math.min(1, (2 * maxHashes) / text.length);
  const hashes = listHashes(text.toLowerCase(), share * hashRange);
  const sufficientHashes =
    share === 1 || hashes.length >= maxHashes ? hashes : listHashes(text.toLowerCase(), hashRange);
  return sufficientHashes.slice(0, maxHashes);
}

/** Code of the space that stands for any run of spaces and punctuation. */
const space = 32;

/** Returns true for characters that do not belong to a word. */
function isSeparator(code: number): boolean {
  if (code < 128) return !((code >= 97 && code <= 122) || (code >= 48 && code <= 57));
  return code < 0xc0 || (code >= 0x2000 && code <= 0x206f) || (code >= 0x3000 && code <= 0x303f);
}

/**
 * Returns the different hashes below a limit of all runs of five characters, in ascending order. The text begins and
 * ends with a space.
 */
function listHashes(text: string, limit: number): Uint32Array {
  const hashes = new Uint32Array(text.length + 2);
  let count = 0;
  let [first, second, third, fourth, fifth] = [0, 0, 0, 0, space];
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : space;
    const character = isSeparator(code) ? space : code;
    // A text without words has a single run, so that such texts are alike.
    const hasRun = index < text.length || fourth !== 0;
    if (character === space && fifth === space && hasRun) continue;
    [first, second, third, fourth, fifth] = [second, third, fourth, fifth, character];
    // A polynomial, followed by the final mixing of MurmurHash3.
    let hash = first;
    hash = (Math.imul(hash, 0x01000193) + second) | 0;
    hash = (Math.imul(hash, 0x01000193) + third) | 0;
    hash = (Math.imul(hash, 0x01000193) + fourth) | 0;
    hash = (Math.imul(hash, 0x01000193) + fifth) | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash = (hash ^ (hash >>> 16)) >>> 0;
    if (hash >= limit) continue;
    hashes[count] = hash;
    count += 1;
  }
  const sortedHashes = hashes.subarray(0, count).toSorted();
  return sortedHashes.filter((hash, index) => index === 0 || hash !== sortedHashes[index - 1]);
}

/** Returns the number of hashes that the prefixes of two similar texts of this size have in common at least. */
function countRequiredHashes({ length }: Uint32Array): number {
  return 1 + Math.floor(length / 24);
}

/**
 * Returns the buckets of the rarest hashes of a sketch, enough for two similar texts to have the required number in
 * common (prefix filter of set similarity joins; Chaudhuri, Ganti and Kaushik 2006, Wang, Li and Feng 2012).
 */
function selectPrefix(sketch: Uint32Array, frequencies: Uint32Array): Uint32Array {
  const bucketCount = frequencies.length;
  const prefixLength =
    sketch.length - Math.ceil((minCommonPercent * sketch.length) / 100) + countRequiredHashes(sketch);
  const keys = Float64Array.from(
    sketch,
    (hash) => (frequencies[hash % bucketCount] ?? 0) * hashRange + hash,
  ).toSorted();
  return Uint32Array.from(keys.subarray(0, prefixLength), (key) => key % bucketCount);
}

/** Compares two texts by the smallest hashes of both together. */
function areSimilar(first: Uint32Array, second: Uint32Array): boolean {
  const maxCommon = Math.min(first.length, second.length);
  let [common, total, position, otherPosition] = [0, 0, 0, 0];
  for (; total < maxHashes && (position < first.length || otherPosition < second.length); total += 1) {
    const hash = first[position] ?? hashRange;
    const otherHash = second[otherPosition] ?? hashRange;
    if (hash === otherHash) common += 1;
    // The pair has too many differences even if everything else is in common.
    else if (minCommonPercent * (total + 1 - common + maxCommon) > 100 * maxCommon) return false;
    if (hash <= otherHash) position += 1;
    if (otherHash <= hash) otherPosition += 1;
  }
  return 100 * common >= minCommonPercent * total;
}

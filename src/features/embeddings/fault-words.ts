import type { FindingKind } from '../../gateway/embeddings/embeddings-reading.ts';

/** Why a vector that came, or did not, cannot be used, in one sentence. Loaded with the first such text. */
export const faultWords: Record<FindingKind, string> = {
  unreadable: 'Not a vector.',
  nested: 'A list of vectors, one per token, instead of one vector.',
  empty: 'An empty vector.',
  'not-a-number': 'Its vector contains a value that is not a number.',
  zero: 'Its vector is all zeros and has no direction.',
  'half-precision': 'Its vector has 16-bit numbers.',
  'byte-order': 'The bytes of its numbers are in the wrong order.',
  missing: 'The answer contains no vector for it.',
  'index-twice': 'The answer contains two vectors for it.',
  'index-missing': 'The answer does not say which vector belongs to it.',
  'index-outside': 'The answer gave its vector an index that does not exist.',
  'out-of-order': 'Its vector was out of order.',
  uneven: 'Its vector differs in length from the others.',
  'format-ignored': 'Its vector is in another format.',
  float64: 'Its vector has 64-bit numbers.',
  'dimensions-ignored': 'Its vector has the wrong length.',
  'not-normalised': 'Its vector is not of length 1.',
  'other-model': 'It is from another model.',
  'no-usage': 'Its tokens were not reported.',
};

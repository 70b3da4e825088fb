import type { FindingKind } from '../../gateway/embeddings-reading.ts';

/** Why a vector that came, or did not, can not be used, in one sentence. Loaded with the first such text. */
export const faultWords: Record<FindingKind, string> = {
  unreadable: 'What came in its place is no vector.',
  nested: 'A list of vectors came, one a token, instead of one vector.',
  empty: 'An empty vector came.',
  'not-a-number': 'Its vector holds something that is no number.',
  zero: 'Its vector is all zero: it points nowhere.',
  'half-precision': 'Its vector came as 16-bit numbers.',
  'byte-order': 'The bytes of its numbers came in the wrong order.',
  missing: 'The answer holds no vector for it.',
  'index-twice': 'The answer holds two vectors for it.',
  'index-missing': 'The answer does not say which vector is its own.',
  'index-outside': 'The answer gave its vector a place that does not exist.',
  'out-of-order': 'Its vector came out of order.',
  uneven: 'Its vector has another length than the others.',
  'format-ignored': 'Its vector came in another format.',
  float64: 'Its vector came as 64-bit numbers.',
  'dimensions-ignored': 'Its vector has another length than was asked.',
  'not-normalised': 'Its vector is not of length 1.',
  'other-model': 'It came from another model.',
  'no-usage': 'Its tokens were not reported.',
};

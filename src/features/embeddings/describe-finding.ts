import { estimateTokens } from '../../conversation/request/request.ts';
import type { FindingKind, FindingSeverity } from '../../gateway/embeddings/parse-embeddings.ts';
import { formatCount } from '../../lib/format.ts';
import type { ItemFailure } from '../../state/embedding/embedding-job-types.ts';

interface FindingWords {
  title: string;
  /** What was done, and what a client that trusts the answer would make of it. */
  about: string;
}

/** What a finding means; `expected` and `found` are what was asked or usual, and what came. */
export function findingInWords(kind: FindingKind, expected = '', found = ''): FindingWords {
  switch (kind) {
    case 'format-ignored':
      return {
        title: `Received ${found} although ${expected} was requested`,
        about: 'Read as what it is. A client that decodes the requested format gets zeros or an exception.',
      };
    case 'float64':
      return {
        title: 'The numbers are 64 bits wide',
        about: 'Read as 64-bit numbers. A client that reads 32 bits gets twice as many meaningless numbers.',
      };
    case 'half-precision':
      return {
        title: 'The numbers are 16 bits wide',
        about:
          'There are two kinds of 16-bit numbers and the answer does not say which. The vectors were ignored.',
      };
    case 'byte-order':
      return {
        title: 'The bytes of each number are in the wrong order',
        about: 'Little-endian is expected. The vectors were ignored; this server needs a fix.',
      };
    case 'unreadable':
      return {
        title: 'Some embeddings are not vectors',
        about: 'Neither a list of numbers nor base64 of one. Ignored.',
      };
    case 'nested':
      return {
        title: 'One vector per token instead of one per text',
        about: 'Bench does not guess how to pool them. Ignored.',
      };
    case 'empty':
      return { title: 'Some vectors are empty', about: 'Ignored.' };
    case 'not-a-number':
      return {
        title: 'Some vectors contain NaN, infinity or null',
        about: 'Ignored. One such number makes every similarity with that text NaN and the order random.',
      };
    case 'zero':
      return {
        title: 'Some vectors are all zeros',
        about: 'Ignored: they have no direction. Dividing by their length gives NaN.',
      };
    case 'missing':
      return {
        title: 'Some texts have no vector in the answer',
        about:
          'The others were matched by index. A client that relies on order gives every later text the wrong vector.',
      };
    case 'index-twice':
      return { title: 'Two vectors claim the same text', about: 'Both were ignored.' };
    case 'index-missing':
      return {
        title: 'The items have no index',
        about:
          found === ''
            ? 'There are as many items as texts, so the order was trusted.'
            : `Received ${found} for ${expected}, so they cannot be matched. Ignored.`,
      };
    case 'index-zero':
      return {
        title: 'The item of the first text has no index',
        about: 'Read as 0, which some servers leave out. A client that needs the field loses the first text.',
      };
    case 'integers':
      return {
        title: `The numbers are 8-bit integers (${found})`,
        about:
          found === 'uint8'
            ? 'Used unchanged. They have no sign, so scores are higher than with other number types.'
            : 'Used unchanged. Scores differ slightly from those of full vectors.',
      };
    case 'packed-bits':
      return {
        title: 'The vectors are packed bits (8 dimensions per number)',
        about: 'Ignored: cosines of packed bits mean nothing. Compare them by Hamming distance.',
      };
    case 'index-outside':
      return {
        title: `An item has the index ${found}`,
        about: `${expected} were expected. Ignored.`,
      };
    case 'out-of-order':
      return {
        title: 'The items are not in the order of the texts',
        about: 'They were matched by index. A client that relies on order silently mixes up the texts.',
      };
    case 'uneven':
      return {
        title: `Some vectors have ${found} numbers, the others ${expected}`,
        about: 'Ignored: they cannot be compared.',
      };
    case 'dimensions-ignored':
      return {
        title: `Received ${found} dimensions although ${expected} were requested`,
        about: 'Kept unchanged. The views can cut them.',
      };
    case 'not-normalised':
      return {
        title: `The vectors are not of length 1 (the first: ${found})`,
        about:
          'Similarities here are cosines, so it makes no difference. A client that uses dot products as cosines gets wrong results.',
      };
    case 'other-model':
      return {
        title: `The answer names the model ${found}`,
        about: `${expected} was requested. It may be an alias.`,
      };
    default:
      return { title: 'The answer reports no usage', about: 'Tokens are estimated here and marked ~.' };
  }
}

/**
 * Describes two different texts with the same vector. `maxTokens`: the longest input that the model's record lists.
 */
export function describeSameVector(one: string, other: string, maxTokens: number | undefined): string {
  const tokens = Math.max(estimateTokens(one), estimateTokens(other));
  // Estimates are rough: only texts that are far from the limit were certainly not cut.
  const isShort = maxTokens !== undefined && tokens < maxTokens / 3;
  if (isShort || withoutSpelling(one) === withoutSpelling(other))
    return 'same vector: the model does not tell the texts apart';
  const place = maxTokens === undefined ? '' : ` at ${formatCount(maxTokens)} tokens`;
  return `same vector: the model probably cut both texts${place}`;
}

/** Returns the text as a model reads it that ignores letter case and spaces. */
function withoutSpelling(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, '');
}

export const weightWords: Record<FindingSeverity, string> = {
  fault: 'ignored',
  repaired: 'repaired',
  note: 'note',
};

/** Why a text has no vector, in one sentence; the gateway's own words where it refused it. */
export function failureInWords(failure: ItemFailure): string {
  return 'refusal' in failure ? `Rejected: ${failure.refusal.message}` : faultWords[failure.fault];
}

const faultWords: Record<FindingKind, string> = {
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
  'index-zero': 'The answer left out its index.',
  'index-outside': 'The answer gave its vector an index that does not exist.',
  'out-of-order': 'Its vector was out of order.',
  uneven: 'Its vector differs in length from the others.',
  'format-ignored': 'Its vector is in another format.',
  float64: 'Its vector has 64-bit numbers.',
  integers: 'Its vector has 8-bit integers.',
  'packed-bits': 'Its vector is packed bits, which cannot be compared as coordinates.',
  'dimensions-ignored': 'Its vector has the wrong length.',
  'not-normalised': 'Its vector is not of length 1.',
  'other-model': 'It is from another model.',
  'no-usage': 'Its tokens were not reported.',
};

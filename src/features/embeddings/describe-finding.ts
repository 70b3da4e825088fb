import { estimateTokens } from '../../conversation/request/request.ts';
import type { FindingKind, FindingSeverity } from '../../gateway/embeddings/parse-embeddings.ts';
import { formatCount } from '../../lib/format.ts';
import type { ItemFailure } from '../../state/embedding/embedding-job-types.ts';

interface FindingText {
  title: string;
  /** What was done, and what a client that trusts the answer would make of it. */
  description: string;
}

/** What a finding means; `expected` and `received` are what was asked or usual, and what came. */
export function describeFinding(kind: FindingKind, expected = '', received = ''): FindingText {
  switch (kind) {
    case 'format-ignored':
      return {
        title: `Received ${received} although ${expected} was requested`,
        description:
          'Read as what it is. A client that decodes the requested format gets zeros or an exception.',
      };
    case 'float64':
      return {
        title: 'The numbers are 64 bits wide',
        description:
          'Read as 64-bit numbers. A client that reads 32 bits gets twice as many meaningless numbers.',
      };
    case 'half-precision':
      return {
        title: 'The numbers are 16 bits wide',
        description:
          'There are two kinds of 16-bit numbers and the answer does not say which. The vectors were ignored.',
      };
    case 'byte-order':
      return {
        title: 'The bytes of each number are in the wrong order',
        description: 'Little-endian is expected. The vectors were ignored; this server needs a fix.',
      };
    case 'unreadable':
      return {
        title: 'Some embeddings are not vectors',
        description: 'Neither a list of numbers nor base64 of one. Ignored.',
      };
    case 'nested':
      return {
        title: 'One vector per token instead of one per text',
        description: 'Bench does not guess how to pool them. Ignored.',
      };
    case 'empty':
      return { title: 'Some vectors are empty', description: 'Ignored.' };
    case 'not-a-number':
      return {
        title: 'Some vectors contain NaN, infinity or null',
        description:
          'Ignored. One such number makes every similarity with that text NaN and the order random.',
      };
    case 'zero':
      return {
        title: 'Some vectors are all zeros',
        description: 'Ignored: they have no direction. Dividing by their length gives NaN.',
      };
    case 'missing':
      return {
        title: 'Some texts have no vector in the answer',
        description:
          'The others were matched by index. A client that relies on order gives every later text the wrong vector.',
      };
    case 'index-twice':
      return { title: 'Two vectors claim the same text', description: 'Both were ignored.' };
    case 'index-missing':
      return {
        title: 'The items have no index',
        description:
          received === ''
            ? 'There are as many items as texts, so the order was trusted.'
            : `Received ${received} for ${expected}, so they cannot be matched. Ignored.`,
      };
    case 'index-zero':
      return {
        title: 'The item of the first text has no index',
        description:
          'Read as 0, which some servers leave out. A client that needs the field loses the first text.',
      };
    case 'integers':
      return {
        title: `The numbers are 8-bit integers (${received})`,
        description:
          received === 'uint8'
            ? 'Used unchanged. They have no sign, so scores are higher than with other number types.'
            : 'Used unchanged. Scores differ slightly from those of full vectors.',
      };
    case 'packed-bits':
      return {
        title: 'The vectors are packed bits (8 dimensions per number)',
        description: 'Ignored: cosines of packed bits mean nothing. Compare them by Hamming distance.',
      };
    case 'index-outside':
      return {
        title: `An item has the index ${received}`,
        description: `${expected} were expected. Ignored.`,
      };
    case 'out-of-order':
      return {
        title: 'The items are not in the order of the texts',
        description: 'They were matched by index. A client that relies on order silently mixes up the texts.',
      };
    case 'uneven':
      return {
        title: `Some vectors have ${received} numbers, the others ${expected}`,
        description: 'Ignored: they cannot be compared.',
      };
    case 'dimensions-ignored':
      return {
        title: `Received ${received} dimensions although ${expected} were requested`,
        description: 'Kept unchanged. The views can cut them.',
      };
    case 'not-normalised':
      return {
        title: `The vectors are not of length 1 (the first: ${received})`,
        description:
          'Similarities here are cosines, so it makes no difference. A client that uses dot products as cosines gets wrong results.',
      };
    case 'other-model':
      return {
        title: `The answer names the model ${received}`,
        description: `${expected} was requested. It may be an alias.`,
      };
    default:
      return { title: 'The answer reports no usage', description: 'Tokens are estimated here and marked ~.' };
  }
}

/**
 * Describes two different texts with the same vector. `maxTokens`: the longest input that the model's record lists.
 */
export function describeSameVector(textA: string, textB: string, maxTokens: number | undefined): string {
  const tokens = Math.max(estimateTokens(textA), estimateTokens(textB));
  // Estimates are rough: only texts that are far from the limit were certainly not cut.
  const isShort = maxTokens !== undefined && tokens < maxTokens / 3;
  if (isShort || removeCaseAndSpaces(textA) === removeCaseAndSpaces(textB))
    return 'same vector: the model does not tell the texts apart';
  const limitText = maxTokens === undefined ? '' : ` at ${formatCount(maxTokens)} tokens`;
  return `same vector: the model probably cut both texts${limitText}`;
}

/** Returns the text as a model reads it that ignores letter case and spaces. */
function removeCaseAndSpaces(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, '');
}

export const severityLabels: Record<FindingSeverity, string> = {
  fault: 'ignored',
  repaired: 'repaired',
  note: 'note',
};

/** Why a text has no vector, in one sentence; the gateway's own words where it refused it. */
export function describeFailure(failure: ItemFailure): string {
  return 'rejection' in failure ? `Rejected: ${failure.rejection.message}` : faultMessages[failure.fault];
}

const faultMessages: Record<FindingKind, string> = {
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

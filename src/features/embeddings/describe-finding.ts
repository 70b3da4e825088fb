import { estimateTokens } from '../../conversation/request/request.ts';
import type { FindingKind, FindingSeverity } from '../../gateway/embeddings/parse-embeddings.ts';
import { formatCount } from '../../lib/format.ts';
import type { ItemFailure } from '../../state/embedding/embedding-job-types.ts';

interface FindingText {
  title: string;
  /** Explains the finding and its effect on a client that trusts the response. */
  description: string;
}

/** Describes a finding. `expected` is the requested or usual value, `received` the actual one. */
export function describeFinding(kind: FindingKind, expected = '', received = ''): FindingText {
  switch (kind) {
    case 'format-ignored':
      return {
        title: `Received ${received} although ${expected} was requested`,
        description:
          'Decoded as received. A client that decodes the requested format gets zeros or an exception.',
      };
    case 'float64':
      return {
        title: 'The numbers are 64-bit',
        description:
          'Read as 64-bit numbers. A client that reads 32-bit numbers gets twice as many, all meaningless.',
      };
    case 'half-precision':
      return {
        title: 'The numbers are 16-bit',
        description:
          'Two 16-bit formats exist, and the response does not specify one. The vectors were ignored.',
      };
    case 'byte-order':
      return {
        title: 'The bytes of each number are in the wrong order',
        description: 'Little-endian is expected. The vectors were ignored. The server needs a fix.',
      };
    case 'unreadable':
      return {
        title: 'Some embeddings are not vectors',
        description: 'Neither an array of numbers nor base64. Ignored.',
      };
    case 'nested':
      return {
        title: 'One vector per token instead of one per text',
        description: 'Ignored: the pooling method is unknown.',
      };
    case 'empty':
      return { title: 'Some vectors are empty', description: 'Ignored.' };
    case 'not-a-number':
      return {
        title: 'Some vectors contain NaN, infinity or null',
        description: 'Ignored. One such value turns all scores of the text into NaN and breaks the ranking.',
      };
    case 'zero':
      return {
        title: 'Some vectors are all zeros',
        description: 'Ignored: they have no direction. Dividing by their length gives NaN.',
      };
    case 'missing':
      return {
        title: 'Some texts have no vector in the response',
        description:
          'The others were matched by index. A client that relies on order assigns wrong vectors to later texts.',
      };
    case 'index-twice':
      return { title: 'Two vectors have the same index', description: 'Both were ignored.' };
    case 'index-missing':
      return {
        title: 'The items have no index',
        description:
          received === ''
            ? 'Matched by order, as there is one item per text.'
            : `Received ${received} for ${expected}, which cannot be matched. Ignored.`,
      };
    case 'index-zero':
      return {
        title: 'The first item has no index',
        description:
          'Read as 0, which some servers omit. A client that needs the field loses the first text.',
      };
    case 'integers':
      return {
        title: `The numbers are 8-bit integers (${received})`,
        description:
          received === 'uint8'
            ? 'Used unchanged. They are unsigned, so scores are higher than with other number types.'
            : 'Used unchanged. Scores differ slightly from those of full vectors.',
      };
    case 'packed-bits':
      return {
        title: 'The vectors are packed bits (8 dimensions per number)',
        description: 'Ignored: cosines of packed bits are meaningless. Compare them by Hamming distance.',
      };
    case 'index-outside':
      return {
        title: `An item has the index ${received}`,
        description: `${expected} were expected. Ignored.`,
      };
    case 'out-of-order':
      return {
        title: 'The items are out of order',
        description: 'Matched by index. A client that relies on order silently mixes up the texts.',
      };
    case 'uneven':
      return {
        title: `Some vectors have ${received} numbers, the others ${expected}`,
        description: 'Ignored: they cannot be compared.',
      };
    case 'dimensions-ignored':
      return {
        title: `Received ${received} dimensions although ${expected} were requested`,
        description: 'Kept unchanged. The views can truncate them.',
      };
    case 'not-normalised':
      return {
        title: `The vectors are not of length 1 (first: ${received})`,
        description:
          'Scores in Bench are cosines and not affected. A client that treats dot products as cosines gets wrong results.',
      };
    case 'other-model':
      return {
        title: `The response names the model ${received}`,
        description: `${expected} was requested. It may be an alias.`,
      };
    default:
      return { title: 'The response reports no usage', description: 'Tokens are estimated and marked ~.' };
  }
}

/** Describes two different texts with the same vector. `maxTokens` is the longest input listed for the model. */
export function describeSameVector(textA: string, textB: string, maxTokens: number | undefined): string {
  const tokens = Math.max(estimateTokens(textA), estimateTokens(textB));
  // Estimates are rough: only texts far below the limit were certainly not truncated.
  const isShort = maxTokens !== undefined && tokens < maxTokens / 3;
  if (isShort || removeCaseAndSpaces(textA) === removeCaseAndSpaces(textB))
    return 'same vector: the model does not distinguish the texts';
  const limitText = maxTokens === undefined ? '' : ` at ${formatCount(maxTokens)} tokens`;
  return `same vector: the model probably truncated both texts${limitText}`;
}

/** Returns the text in lower case without whitespace, because some models ignore both. */
function removeCaseAndSpaces(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, '');
}

export const severityLabels: Record<FindingSeverity, string> = {
  fault: 'ignored',
  repaired: 'repaired',
  note: 'note',
};

/** Explains in one sentence why a text has no vector; quotes the gateway if it rejected the text. */
export function describeItemFailure(failure: ItemFailure): string {
  return 'rejection' in failure ? `Rejected: ${failure.rejection.message}` : faultMessages[failure.fault];
}

const faultMessages: Record<FindingKind, string> = {
  unreadable: 'Not a vector.',
  nested: 'One vector per token instead of one vector.',
  empty: 'The vector is empty.',
  'not-a-number': 'The vector contains a value that is not a number.',
  zero: 'The vector is all zeros and has no direction.',
  'half-precision': 'The vector has 16-bit numbers.',
  'byte-order': 'The bytes of each number are in the wrong order.',
  missing: 'The response contains no vector for this text.',
  'index-twice': 'The response contains two vectors for this text.',
  'index-missing': 'The response does not show which vector belongs to this text.',
  'index-zero': 'The response omits the index.',
  'index-outside': 'The index of the vector is out of range.',
  'out-of-order': 'The vector was out of order.',
  uneven: 'The vector differs in length from the others.',
  'format-ignored': 'The vector is in another format.',
  float64: 'The vector has 64-bit numbers.',
  integers: 'The vector has 8-bit integers.',
  'packed-bits': 'The vector is packed bits, which cannot be compared as coordinates.',
  'dimensions-ignored': 'The vector has the wrong length.',
  'not-normalised': 'The vector is not of length 1.',
  'other-model': 'The vector is from another model.',
  'no-usage': 'The tokens were not reported.',
};

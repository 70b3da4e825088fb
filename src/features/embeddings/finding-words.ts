import type { FindingKind, FindingWeight } from '../../gateway/embeddings-reading.ts';

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
        title: `${found} came although ${expected} was asked for`,
        about:
          'It was read as what it is. A client that decodes what it asked for gets zeros or an exception.',
      };
    case 'float64':
      return {
        title: 'The numbers are 64 bits wide',
        about:
          'They were read as 64-bit numbers. A client that reads 32 bits gets twice as many wild numbers.',
      };
    case 'half-precision':
      return {
        title: 'The numbers are 16 bits wide',
        about:
          'There are two kinds of 16-bit numbers and the answer does not say which. The vectors were left out.',
      };
    case 'byte-order':
      return {
        title: 'The bytes of each number come in the wrong order',
        about:
          'Little-endian is the custom. The vectors were left out: a server that does this should be repaired.',
      };
    case 'unreadable':
      return {
        title: 'Some embeddings are no vectors',
        about: 'Neither a list of numbers nor base64 of them. Left out.',
      };
    case 'nested':
      return {
        title: 'One vector a token came instead of one a text',
        about: 'How to pool them is not for us to guess. Left out.',
      };
    case 'empty':
      return { title: 'Some vectors are empty', about: 'Left out.' };
    case 'not-a-number':
      return {
        title: 'Some vectors hold NaN, an infinity or null',
        about:
          'Left out. One such number makes every similarity with that text NaN, and sorting by it random.',
      };
    case 'zero':
      return {
        title: 'Some vectors are all zero',
        about: 'Left out: they have no direction. A division by their length gives NaN.',
      };
    case 'missing':
      return {
        title: 'Some texts have no vector in the answer',
        about:
          'The others are placed by index. A client that goes by order gives every later text the wrong vector.',
      };
    case 'index-twice':
      return { title: 'Two vectors claim the same text', about: 'Neither was believed.' };
    case 'index-missing':
      return {
        title: 'The items have no index',
        about:
          found === ''
            ? 'As many came as were sent, so the order was trusted.'
            : `${found} came for ${expected}: which is whose can not be known. Left out.`,
      };
    case 'index-outside':
      return {
        title: `An item has the index ${found}`,
        about: `${expected} were expected. It was left out.`,
      };
    case 'out-of-order':
      return {
        title: 'The items are not in the order of the texts',
        about:
          'They were placed by index. A client that goes by order mixes the texts up, and nothing shows it.',
      };
    case 'uneven':
      return {
        title: `Some vectors have ${found} numbers, the others ${expected}`,
        about: 'Left out: they can not be compared.',
      };
    case 'dimensions-ignored':
      return {
        title: `${found} dimensions came although ${expected} were asked for`,
        about: 'Kept as they came. The views can cut them.',
      };
    case 'not-normalised':
      return {
        title: `The vectors are not of length 1 (the first: ${found})`,
        about:
          'Similarities here are cosines, so it makes no difference. A client that takes dot products for cosines is wrong.',
      };
    case 'other-model':
      return {
        title: `The answer names the model ${found}`,
        about: `${expected} was asked for. It may be an alias.`,
      };
    default:
      return { title: 'The answer reports no usage', about: 'Tokens are counted here and marked ~.' };
  }
}

export const weightWords: Record<FindingWeight, string> = {
  fault: 'left out',
  repaired: 'read as it is',
  note: 'note',
};

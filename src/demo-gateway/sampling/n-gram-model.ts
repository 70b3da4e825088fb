/** A 4-gram language model built from a text, with Witten-Bell smoothing. */

/** Number of preceding words that the model considers. */
export const contextLength = 3;

/** Token that ends a paragraph and precedes the first word. */
export const paragraphEnd = '\n\n';

export interface NGramModel {
  /** All tokens, by index. */
  vocabulary: readonly string[];
  getIndex: (token: string) => number | undefined;
  /** Returns the number of occurrences of a token in the text. */
  getCount: (index: number) => number;
  /**
   * Returns the probability of each token after a context (token indexes, oldest first; only the last three count). The
   * probabilities sum to 1, and none is 0.
   */
  computeProbabilities: (context: readonly number[]) => Float64Array;
}

/** Counts of the tokens that followed a context. */
interface Followers {
  total: number;
  counts: Map<number, number>;
}

const tokenPattern = / ?`[^`\n]+`| ?[\p{L}\p{N}]+(?:[-'./:_]+[\p{L}\p{N}]+)*| ?[^\s\p{L}\p{N}]/gu;

/** Splits a paragraph into words (each with its preceding space), symbols and code spans. */
export function tokenizeParagraph(paragraph: string): string[] {
  return paragraph.match(tokenPattern) ?? [];
}

/** Builds the model from paragraphs. Takes a few ms for a small book. */
export function createNGramModel(paragraphs: readonly string[]): NGramModel {
  const vocabulary: string[] = [];
  const indexes = new Map<string, number>();
  const getOrAddIndex = (token: string) => {
    const existingIndex = indexes.get(token);
    if (existingIndex !== undefined) return existingIndex;
    indexes.set(token, vocabulary.length);
    return vocabulary.push(token) - 1;
  };
  const tokenIndexes = [getOrAddIndex(paragraphEnd)];
  for (const paragraph of paragraphs)
    tokenIndexes.push(...tokenizeParagraph(paragraph).map(getOrAddIndex), getOrAddIndex(paragraphEnd));

  const followersByContext = new Map<string, Followers>();
  for (const [position, tokenIndex] of tokenIndexes.entries()) {
    // The first paragraph end only marks the start of the text.
    if (position === 0) continue;
    for (let length = 0; length <= Math.min(contextLength, position); length += 1) {
      const key = tokenIndexes.slice(position - length, position).join(' ');
      const followers = followersByContext.get(key) ?? { total: 0, counts: new Map<number, number>() };
      followers.total += 1;
      followers.counts.set(tokenIndex, (followers.counts.get(tokenIndex) ?? 0) + 1);
      followersByContext.set(key, followers);
    }
  }

  return {
    vocabulary,
    getIndex: (token) => indexes.get(token),
    getCount: (index) => followersByContext.get('')?.counts.get(index) ?? 0,
    computeProbabilities: (context) => {
      const probabilities = new Float64Array(vocabulary.length).fill(1 / vocabulary.length);
      const recentContext = context.slice(-contextLength);
      for (let length = 0; length <= recentContext.length; length += 1) {
        const followers = followersByContext.get(
          recentContext.slice(recentContext.length - length).join(' '),
        );
        // If a context was never seen, longer contexts were not seen either.
        if (followers === undefined) break;
        mixIn(probabilities, followers);
      }
      return probabilities;
    },
  };
}

/**
 * Mixes in a longer context by Witten-Bell smoothing: the more distinct words followed it, the more weight the shorter
 * context keeps.
 */
function mixIn(probabilities: Float64Array, { total, counts }: Followers): void {
  const previousWeight = counts.size / (total + counts.size);
  for (let index = 0; index < probabilities.length; index += 1)
    probabilities[index] = (probabilities[index] ?? 0) * previousWeight;
  for (const [index, count] of counts)
    probabilities[index] = (probabilities[index] ?? 0) + count / (total + counts.size);
}

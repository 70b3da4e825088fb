/** Which word follows which, counted from a text: a 4-gram model with Witten-Bell smoothing. */

/** How many words before the next one are looked at. */
export const contextLength = 3;

/** Ends a paragraph; also stands before the first word. */
export const paragraphEnd = '\n\n';

export interface NGramModel {
  /** Every token, by its index. */
  vocabulary: readonly string[];
  getIndex: (token: string) => number | undefined;
  /** How often the token of this index occurs in the text. */
  getCount: (index: number) => number;
  /** The probability of every token after these (indexes, oldest first; the last three count). Sums to 1, none is 0. */
  computeProbabilities: (context: readonly number[]) => Float64Array;
}

/** What was seen after one context. */
interface Followers {
  total: number;
  counts: Map<number, number>;
}

const tokenPattern = / ?`[^`\n]+`| ?[\p{L}\p{N}]+(?:[-'./:_]+[\p{L}\p{N}]+)*| ?[^\s\p{L}\p{N}]/gu;

/** A word with the space before it, a sign, or a span of code. */
export function tokenizeParagraph(paragraph: string): string[] {
  return paragraph.match(tokenPattern) ?? [];
}

/** Counts the paragraphs. Takes some milliseconds for a small book. */
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
    // The first paragraph end only opens the text.
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
        // A context that was never seen says nothing; longer ones were not seen either.
        if (followers === undefined) break;
        mixIn(probabilities, followers);
      }
      return probabilities;
    },
  };
}

/** Witten-Bell: the more different words followed a context, the more weight stays with the shorter context. */
function mixIn(probabilities: Float64Array, { total, counts }: Followers): void {
  const previousWeight = counts.size / (total + counts.size);
  for (let index = 0; index < probabilities.length; index += 1)
    probabilities[index] = (probabilities[index] ?? 0) * previousWeight;
  for (const [index, count] of counts)
    probabilities[index] = (probabilities[index] ?? 0) + count / (total + counts.size);
}

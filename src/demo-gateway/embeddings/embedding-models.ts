import { embedText, embedTokenNumbers, fullFeatures, type LexicalFeatures } from './lexical-embedding.ts';
import { getMeaningEncoder } from './meaning-embedding.ts';

/** Returns the embedding of a text or of token numbers at the given size. */
type Embed = (input: string | readonly number[], size: number) => Float32Array;

/** An embedding model of the demo gateway. */
export interface EmbeddingModel {
  id: string;
  /** One sentence for the model list that explains how the model really works. */
  description: string;
  /** Default number of coordinates. */
  size: number;
  /** Allowed values of dimensions (§2.6); `undefined` if the model does not support the field. */
  allowedDimensions: readonly number[] | undefined;
  /** Returns the embedding function, loading its data if needed. */
  load: () => Promise<Embed>;
}

const disclaimer = 'Demo model without weights: compares spelling, not meaning.';

/** Dimensions from the table in §2.6: all models allow those of the 0.6B model; larger models allow more. */
const smallDimensions = [64, 128, 256, 512, 768, 1024];
const mediumDimensions = [...smallDimensions, 1536, 2048, 2560];
const largeDimensions = [...mediumDimensions, 4096];

export const embeddingModels: readonly EmbeddingModel[] = [
  {
    id: 'demo/meaning-en',
    description:
      'Small English demo model: captures word meaning but little grammar. 256 dimensions or fewer.',
    size: 256,
    allowedDimensions: [64, 128, 256],
    load: async () => {
      const encode = await getMeaningEncoder();
      return (input, size) =>
        // Token numbers cannot be mapped to words, so they are compared as numbers.
        typeof input === 'string'
          ? encode(input, size)
          : embedTokenNumbers(input, { size, seed: 5, features: fullFeatures });
    },
  },
  createEmbeddingModel('demo/embedding-8B', 4096, largeDimensions, 8, fullFeatures),
  createEmbeddingModel('demo/embedding-4B', 2560, mediumDimensions, 4, { bigrams: true, maxGramLength: 4 }),
  createEmbeddingModel('demo/embedding-0.6B', 1024, smallDimensions, 6, { bigrams: false, maxGramLength: 4 }),
  createEmbeddingModel('demo/embedding-fixed', 384, undefined, 3, { bigrams: false, maxGramLength: 3 }),
];

function createEmbeddingModel(
  id: string,
  size: number,
  allowedDimensions: readonly number[] | undefined,
  seed: number,
  features: LexicalFeatures,
): EmbeddingModel {
  const embed: Embed = (input, requestedSize) => {
    const options = { size: requestedSize, seed, features };
    return typeof input === 'string' ? embedText(input, options) : embedTokenNumbers(input, options);
  };
  const featureText = `words, ${features.bigrams ? 'word pairs, ' : ''}${describeGrams(features.maxGramLength)}`;
  return {
    id,
    description: `${disclaimer} ${size} dimensions${allowedDimensions ? ' or fewer' : ''}, from ${featureText}.`,
    size,
    allowedDimensions,
    load: () => Promise.resolve(embed),
  };
}

function describeGrams(maxGramLength: number): string {
  return maxGramLength === 3 ? 'groups of 3 letters' : `groups of 3 to ${maxGramLength} letters`;
}

import { embedText, embedTokenNumbers, fullFeatures, type LexicalFeatures } from './lexical-embedding.ts';
import { getMeaningEncoder } from './meaning-embedding.ts';

/** Coordinates of a text, or of its token numbers, at the given size. */
type Embed = (input: string | readonly number[], size: number) => Float32Array;

/** An embedding model of the demo gateway. */
export interface EmbeddingModel {
  id: string;
  /** One sentence of what it really does, for the model list. */
  description: string;
  /** Coordinates where no dimensions are asked. */
  size: number;
  /** §2.6: the allowed values of dimensions; undefined where the model does not take the field. */
  allowedDimensions: readonly number[] | undefined;
  /** What makes its vectors, loaded where it is large. */
  load: () => Promise<Embed>;
}

const disclaimer = 'Demo model without weights: compares spelling, not meaning.';

/** §2.6, the table: the values of the 0.6B model are allowed for all, each larger model has further ones. */
const smallDimensions = [64, 128, 256, 512, 768, 1024];
const mediumDimensions = [...smallDimensions, 1536, 2048, 2560];
const largeDimensions = [...mediumDimensions, 4096];

export const embeddingModels: readonly EmbeddingModel[] = [
  {
    id: 'demo/meaning-en',
    description: 'Small English demo model: word meaning, little grammar. 256 dimensions or fewer.',
    size: 256,
    allowedDimensions: [64, 128, 256],
    load: async () => {
      const encode = await getMeaningEncoder();
      return (input, size) =>
        // Numbers of tokens name no words: they are compared as they are.
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

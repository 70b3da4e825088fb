/** Derives the valid values of `dimensions` (§2.6) from a model's ID. */

/** In ascending order; the last is the size without the field. */
const seriesDimensions = {
  '0.6B': [64, 128, 256, 512, 768, 1024],
  '4B': [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560],
  '8B': [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560, 4096],
} as const;

type SeriesSize = keyof typeof seriesDimensions;

/** Known sizes of models outside the series. */
const otherModelDimensions: Readonly<Record<string, readonly number[]>> = {
  'demo/meaning-en': [64, 128, 256],
};

interface ModelDimensions {
  /** Allowed values in ascending order; the last is the model's size without the field. */
  values: readonly number[];
  native: number;
  /** The ID contains a size but not the series, so the table may not apply. */
  isAssumed: boolean;
}

const sizePatterns: readonly [SeriesSize, RegExp][] = [
  ['0.6B', /(?:^|[^a-z0-9.])0[._-]6b(?![a-z0-9])/i],
  ['4B', /(?:^|[^a-z0-9.])4b(?![a-z0-9])/i],
  ['8B', /(?:^|[^a-z0-9.])8b(?![a-z0-9])/i],
];

/** Returns the sizes indicated by a model's ID; `undefined` if it indicates none or is not an embedding model. */
export function getModelDimensions(modelId: string): ModelDimensions | undefined {
  const size = /embed/i.test(modelId)
    ? sizePatterns.find(([, pattern]) => pattern.test(modelId))?.[0]
    : undefined;
  const values = size === undefined ? otherModelDimensions[modelId] : seriesDimensions[size];
  if (!values) return undefined;
  const isAssumed = size !== undefined && !/qwen3|^demo\//i.test(modelId);
  return { values, native: values.at(-1) ?? 0, isAssumed };
}

/** Returns whether a model is known to accept a size: `no` if its list of sizes is known and does not include it. */
export function getDimensionsSupport(modelId: string, dimensions: number): 'yes' | 'no' | 'unknown' {
  const modelDimensions = getModelDimensions(modelId);
  if (!modelDimensions) return 'unknown';
  if (modelDimensions.values.includes(dimensions)) return modelDimensions.isAssumed ? 'unknown' : 'yes';
  return modelDimensions.isAssumed ? 'unknown' : 'no';
}

/** Returns useful sizes up to this length: sizes from the table that fit, and the length itself. */
export function listSizesUpTo(length: number): number[] {
  const values: readonly number[] = seriesDimensions['8B'];
  return [...values.filter((value) => value < length), length];
}

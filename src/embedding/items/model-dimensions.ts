/** §2.6: which values of `dimensions` a model takes, read from its ID. */

/** Ascending; the last is the size without the field. */
const allowed = {
  '0.6B': [64, 128, 256, 512, 768, 1024],
  '4B': [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560],
  '8B': [64, 128, 256, 512, 768, 1024, 1536, 2048, 2560, 4096],
} as const;

type SeriesSize = keyof typeof allowed;

interface ModelDimensions {
  size: SeriesSize;
  /** The allowed values, ascending; the last is what the model gives without the field. */
  values: readonly number[];
  native: number;
  /** The ID names a size but not the series: the table may not hold for it. */
  isAssumed: boolean;
}

const sizes: readonly [SeriesSize, RegExp][] = [
  ['0.6B', /(?:^|[^a-z0-9.])0[._-]6b(?![a-z0-9])/i],
  ['4B', /(?:^|[^a-z0-9.])4b(?![a-z0-9])/i],
  ['8B', /(?:^|[^a-z0-9.])8b(?![a-z0-9])/i],
];

/** What the specification's table says for the size in this ID; undefined where the ID shows none, or is of no embedding model. */
export function dimensionsOf(modelId: string): ModelDimensions | undefined {
  if (!/embed/i.test(modelId)) return undefined;
  const size = sizes.find(([, pattern]) => pattern.test(modelId))?.[0];
  if (size === undefined) return undefined;
  const values = allowed[size];
  const native = values[values.length - 1] ?? 0;
  return { size, values, native, isAssumed: !/qwen3|^demo\//i.test(modelId) };
}

/** The sizes worth looking at for vectors of this length: those of the table that fit, and the length itself. */
export function cutsOf(length: number): number[] {
  const values: readonly number[] = allowed['8B'];
  return [...values.filter((value) => value < length), length];
}

/** Why a model has no field `dimensions`, as a sentence. */
export function whyNoDimensions(modelId: string): string {
  return modelId === ''
    ? 'Choose a model first.'
    : 'Only one series of models accepts this field, in the sizes 8B, 4B and 0.6B, and this ID names none of them. The model returns its own size; the Dimensions view can cut vectors shorter.';
}

import { describe, expect, it } from 'vitest';

import { listSizesUpTo, getModelDimensions, getDimensionsSupport } from './model-dimensions.ts';

describe('dimensions indicated by a model ID', () => {
  it.each([
    ['Qwen/Qwen3-Embedding-0.6B', 1024],
    ['Qwen/Qwen3-Embedding-0.6B-batch', 1024],
    ['alibaba/qwen3-embedding-0.6b', 1024],
    ['qwen3-embedding-0-6b', 1024],
    ['qwen3-embedding:0.6b-q4_k_m', 1024],
    ['Qwen/Qwen3-Embedding-4B', 2560],
    ['qwen/qwen3-embedding-8b', 4096],
    ['Qwen3-VL-Embedding-8B', 4096],
    ['demo/embedding-0.6B', 1024],
  ])('reads %s as a model with up to %i dimensions', (id, native) => {
    const dimensions = getModelDimensions(id);
    expect(dimensions?.native).toBe(native);
    expect(dimensions?.values[0]).toBe(64);
    expect(dimensions?.isAssumed).toBe(false);
  });

  it.each([
    'Qwen3-8B',
    'bge-m3',
    'some-embedding-48b',
    'text-embedding-3-large',
    'embed-14b',
    'demo/embedding-fixed',
    'embed-8bit',
  ])('reads no dimensions from %s', (id) => {
    expect(getModelDimensions(id)).toBeUndefined();
  });

  it('marks the dimensions as assumed if the ID does not name the series', () => {
    expect(getModelDimensions('nvidia/llama-embed-nemotron-8b')).toMatchObject({
      native: 4096,
      isAssumed: true,
    });
  });

  it('returns "unknown" for sizes that cannot be verified from the model ID', () => {
    expect(getModelDimensions('demo/meaning-en')).toEqual({
      values: [64, 128, 256],
      native: 256,
      isAssumed: false,
    });
    const answers = [
      getDimensionsSupport('Qwen/Qwen3-Embedding-4B', 512),
      getDimensionsSupport('Qwen/Qwen3-Embedding-4B', 300),
      getDimensionsSupport('text-embedding-3-small', 300),
      getDimensionsSupport('nvidia/llama-embed-nemotron-8b', 512),
    ];
    expect(answers).toEqual(['yes', 'no', 'unknown', 'unknown']);
  });

  it('lists the sizes shorter than the vector and its full length', () => {
    expect(listSizesUpTo(384)).toEqual([64, 128, 256, 384]);
    expect(listSizesUpTo(1024)).toEqual([64, 128, 256, 512, 768, 1024]);
    expect(listSizesUpTo(8)).toEqual([8]);
  });
});

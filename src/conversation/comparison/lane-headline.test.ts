import { describe, expect, it } from 'vitest';

import { aSetup, ticked } from '../../testing/builders.ts';
import { laneHeadlines } from './lane-headline.ts';

describe('the headline of a lane', () => {
  it('is what differs where the models are the same, with the model beneath', () => {
    const lanes = ['0.2', '1.6'].map((temperature) =>
      aSetup({ model: 'demo/sampler', params: ticked({ temperature, seed: '7' }) }),
    );
    expect(laneHeadlines(lanes)).toEqual([
      { headline: 'temperature 0.2', under: 'demo/sampler', chips: ['temperature 0.2'] },
      { headline: 'temperature 1.6', under: 'demo/sampler', chips: ['temperature 1.6'] },
    ]);
  });

  it('is the model where the models differ, with its owner beneath and what else it sends otherwise', () => {
    const lanes = [
      aSetup({ model: 'north/one', params: ticked({ max_tokens: '2048' }) }),
      aSetup({ model: 'north/two', params: ticked({}) }),
    ];
    expect(laneHeadlines(lanes)).toEqual([
      { headline: 'one', under: 'north', chips: ['max_tokens 2,048'] },
      { headline: 'two', under: 'north', chips: [] },
    ]);
  });
});

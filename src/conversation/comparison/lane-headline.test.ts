import { describe, expect, it } from 'vitest';

import { createTestSetup, createTickedParams } from '../../testing/builders.ts';
import { formatSubtitle, getLaneHeadlines } from './lane-headline.ts';

describe('lane headline', () => {
  it('shows the differences between lanes with the same model, and the model as subtitle', () => {
    const setups = ['0.2', '1.6'].map((temperature) =>
      createTestSetup({ model: 'demo/sampler', params: createTickedParams({ temperature, seed: '7' }) }),
    );
    expect(getLaneHeadlines(setups)).toEqual([
      { headline: 'temperature 0.2', subtitle: 'demo/sampler', chips: ['temperature 0.2'] },
      { headline: 'temperature 1.6', subtitle: 'demo/sampler', chips: ['temperature 1.6'] },
    ]);
  });

  it('shows the names of different models, with the owner as subtitle and other differences as chips', () => {
    const setups = [
      createTestSetup({ model: 'north/one', params: createTickedParams({ max_tokens: '2048' }) }),
      createTestSetup({ model: 'north/two', params: createTickedParams({}) }),
    ];
    expect(getLaneHeadlines(setups)).toEqual([
      { headline: 'one', subtitle: 'north', chips: ['max_tokens 2,048'] },
      { headline: 'two', subtitle: 'north', chips: [] },
    ]);
  });

  it('shows the name of a lane, with its model and what differs as subtitle', () => {
    const setups = ['0.2', '1.6'].map((temperature) =>
      createTestSetup({ model: 'demo/sampler', params: createTickedParams({ temperature }) }),
    );
    const [named, unnamed, written] = getLaneHeadlines(
      [...setups, undefined],
      [],
      ['Cold', undefined, 'Mine'],
    );
    expect(named).toMatchObject({ headline: 'Cold', name: 'Cold', chips: ['temperature 0.2'] });
    expect(unnamed).toEqual(getLaneHeadlines(setups)[1]);
    const subtitles = [named, unnamed, written].map((headline) => headline && formatSubtitle(headline));
    expect(subtitles).toEqual(['demo/sampler · temperature 0.2', 'demo/sampler', 'Written by hand']);
  });

  it('names system prompts that start alike by their own words', () => {
    const base = 'You are a terse assistant who answers in plain English.';
    const getChips = (...systems: string[]) =>
      getLaneHeadlines(systems.map((system) => createTestSetup({ model: 'north/one', system }))).map(
        ({ headline }) => headline,
      );
    expect(getChips(base, `${base} Use two sentences.`, '')).toEqual([
      'shorter system prompt',
      'system “…Use two sentences.”',
      'no system prompt',
    ]);
    expect(getChips(base, base.replace('terse', 'kind'))).toEqual(['system “…terse…”', 'system “…kind…”']);
    expect(getChips('Be brief', 'Be polite', 'Be polite')).toEqual([
      'system “Be brief”',
      'system “Be polite”',
      'system “Be polite”',
    ]);
    expect(getChips('Be brief', '')).toEqual(['system “Be brief”', 'no system prompt']);
  });
});

import { describe, expect, it } from 'vitest';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { buildModelKey } from '../../conversation/setup/model-key.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { describeUnlistedModel } from './model-status.tsx';
import { buildPickerOptions, listModelOrders, type PickerOptionsInput } from './picker-options.ts';
import { pickDefaultModel } from './use-default-model.ts';

function createModel(id: string, overrides: Partial<ModelRecord> = {}): ModelRecord {
  return { id, kind: 'chat', abilities: {}, raw: undefined, ...overrides };
}

const many = Array.from({ length: 20 }, (_, index) => createModel(`a/${index}`));
const base = {
  kind: 'chat',
  getKey: ({ model, gateway }: ModelChoice) => buildModelKey(model, gateway),
  favourites: [],
  recent: [],
  requiredAbilities: [],
} as const;
const listIds = (options: readonly { id: string }[]) => options.map(({ id }) => id);

describe('options of the model picker', () => {
  it('lists favourites, recent models and all others in the picker, each model once', () => {
    const options = buildPickerOptions({
      ...base,
      models: many,
      favourites: ['a/7'],
      recent: ['a/7', 'a/3'],
    });
    expect(options.slice(0, 3).map(({ id, group }) => [id, group])).toEqual([
      ['a/7', 'Favourites'],
      ['a/3', 'Recent'],
      ['a/0', 'All'],
    ]);
    expect(options).toHaveLength(20);
  });

  it('omits picker sections for 12 or fewer models', () => {
    const options = buildPickerOptions({ ...base, models: many.slice(0, 12), favourites: ['a/7'] });
    expect(listIds(options).slice(0, 2)).toEqual(['a/0', 'a/1']);
    expect(options.every((option) => option.group === undefined)).toBe(true);
  });

  it('excludes embedding models from the chat picker, even favourites', () => {
    const models = [
      createModel('a/chat'),
      createModel('a/vectors', { kind: 'embedding' }),
      createModel('a/odd', { kind: 'unknown' }),
    ];
    expect(listIds(buildPickerOptions({ ...base, models, favourites: ['a/vectors'] }))).toEqual([
      'a/chat',
      'a/odd',
    ]);
    expect(listIds(buildPickerOptions({ ...base, kind: 'embedding', models, recent: ['a/chat'] }))).toEqual([
      'a/vectors',
    ]);
  });

  it('keeps an unlisted model ID that was used earlier in the picker', () => {
    expect(
      listIds(buildPickerOptions({ ...base, models: [createModel('a/chat')], recent: ['my/own'] })),
    ).toEqual(['a/chat', 'my/own']);
  });

  it('filters models by ability and keeps models whose abilities are unknown', () => {
    const models = [
      createModel('sees', { abilities: { vision: true } }),
      createModel('blind', { abilities: { vision: false } }),
      createModel('silent'),
    ];
    expect(listIds(buildPickerOptions({ ...base, models, requiredAbilities: ['vision'] }))).toEqual([
      'sees',
      'silent',
    ]);
  });
});

describe('order of the model picker', () => {
  const models = [
    createModel('b/dear', { contextTokens: 8_000 }),
    createModel('unpriced'),
    createModel('a/cheap', { contextTokens: 128_000 }),
    createModel('own', { ownedBy: 'B' }),
    createModel('b/long', { contextTokens: 1_000_000 }),
  ];
  const inputPrices: Readonly<Record<string, number>> = { 'b/dear': 3, 'a/cheap': 0.1, 'b/long': 0.25 };
  const getPrice = ({ model }: ModelChoice) => {
    const inputPerMillion = inputPrices[model];
    return inputPerMillion === undefined
      ? undefined
      : { inputPerMillion, outputPerMillion: 1, currency: 'USD', source: 'listed' as const };
  };

  it.each([
    ['price', ['a/cheap', 'b/long', 'b/dear', 'unpriced', 'own']],
    ['context', ['b/long', 'a/cheap', 'b/dear', 'unpriced', 'own']],
    ['owner', ['a/cheap', 'own', 'b/dear', 'b/long', 'unpriced']],
  ] as const)('sorts models by %s, those without it last', (order, ids) => {
    expect(listIds(buildPickerOptions({ ...base, models, order, getPrice }))).toEqual(ids);
  });

  it('groups the models of one gateway by owner, and those of several gateways by gateway', () => {
    const groupNames = (input: Partial<PickerOptionsInput>) => [
      ...new Set(buildPickerOptions({ ...base, models, order: 'owner', ...input }).map(({ group }) => group)),
    ];
    expect(groupNames({})).toEqual(['a', 'B', 'b', 'Other owners']);
    expect(groupNames({ gateway: { name: 'staging', label: 'Staging' } })).toEqual(['Staging']);
    expect(groupNames({ models: [...models, ...many], favourites: ['b/dear'] })).toEqual([
      'Favourites',
      'a',
      'B',
      'b',
      'Other owners',
    ]);
  });

  it('offers only orders that make a difference', () => {
    const options = buildPickerOptions({ ...base, models });
    expect(listModelOrders(options, getPrice)).toEqual(['price', 'context', 'owner']);
    expect(listModelOrders(options, undefined)).toEqual(['context', 'owner']);
    expect(listModelOrders(buildPickerOptions({ ...base, models: many }), getPrice)).toEqual([]);
  });
});

describe('options of the model picker for several gateways', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const models = ids.map((id) => createModel(id));
  const production = { name: 'production', label: 'Production' };
  const staging = { name: 'staging', label: 'Staging' };
  /** The first gateway has no name in keys. */
  const getKey = ({ model, gateway }: ModelChoice) =>
    buildModelKey(model, gateway === production.name ? undefined : gateway);
  const buildOptions = (gateway: typeof production, changes: Partial<PickerOptionsInput> = {}) =>
    buildPickerOptions({ ...base, models, gateway, getKey, ...changes });

  it('keeps equal IDs of two gateways apart and puts each under the label of its gateway', () => {
    const options = [production, staging].flatMap((gateway) => buildOptions(gateway));
    expect(listIds(options)).toEqual([...ids, ...ids.map((id) => `staging\t${id}`)]);
    expect(options.map(({ label }) => label)).toEqual([...ids, ...ids]);
    expect([options[0], options[5]]).toMatchObject([
      {
        choice: { model: 'a', gateway: 'production' },
        group: 'Production',
        headings: ['production', 'Production'],
      },
      { choice: { model: 'a', gateway: 'staging' }, group: 'Staging', headings: ['staging', 'Staging'] },
    ]);
  });

  it('adds favourites and recent models only to their own gateway', () => {
    const stored = { favourites: ['old'], recent: ['staging\tlater', 'gone\tlost'] };
    expect(listIds(buildOptions(production, stored))).toEqual([...ids, 'old']);
    expect(listIds(buildOptions(staging, stored)).slice(5)).toEqual(['staging\tlater']);
  });

  it('lists favourites and recent models first in a long list, in the same section', () => {
    const options = buildOptions(staging, {
      models: many,
      favourites: ['a/9', 'staging\ta/7'],
      recent: ['staging\ta/3'],
    });
    expect(options.slice(0, 3).map(({ label }) => label)).toEqual(['a/7', 'a/3', 'a/0']);
    expect(new Set(options.map(({ group }) => group))).toEqual(new Set(['Staging']));
  });
});

describe('default model on a first visit', () => {
  it('selects the demo guide as the default model if it is listed', () => {
    expect(pickDefaultModel([createModel('demo/sampler'), createModel('demo/guide')])).toBe('demo/guide');
  });

  it('selects the first chat model by default if the demo guide is not listed', () => {
    expect(
      pickDefaultModel([createModel('v', { kind: 'embedding' }), createModel('one'), createModel('two')]),
    ).toBe('one');
    expect(pickDefaultModel([])).toBeUndefined();
  });
});

describe('description of a model that is not listed', () => {
  it('mentions that a model is no longer listed if it was listed earlier', () => {
    expect(describeUnlistedModel({ id: 'a', isListKnown: true, wasListed: true })).toMatch(
      /^No longer listed/,
    );
  });

  it('describes a new model ID as unlisted but still sent, and returns nothing while the list is unknown', () => {
    expect(describeUnlistedModel({ id: 'a', isListKnown: true, wasListed: false })).toBe(
      'Not listed by the gateway. Requests are sent anyway.',
    );
    expect(describeUnlistedModel({ id: 'a', isListKnown: false, wasListed: true })).toBeUndefined();
  });
});

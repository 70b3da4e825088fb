import { describe, expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { describeUnlistedModel } from './model-status.tsx';
import { buildPickerOptions } from './picker-options.ts';
import { pickDefaultModel } from './use-default-model.ts';

function createModel(id: string, overrides: Partial<ModelRecord> = {}): ModelRecord {
  return { id, kind: 'chat', abilities: {}, raw: undefined, ...overrides };
}

const many = Array.from({ length: 20 }, (_, index) => createModel(`a/${index}`));
const base = { kind: 'chat', favourites: [], recent: [], requiredAbilities: [] } as const;
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

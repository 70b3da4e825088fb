import { describe, expect, it } from 'vitest';

import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { modelMarkOf } from './model-status.tsx';
import { modelOptions } from './picker-options.ts';
import { firstModelOf } from './use-default-model.ts';

function aModel(id: string, more: Partial<ModelRecord> = {}): ModelRecord {
  return { id, kind: 'chat', abilities: {}, raw: undefined, ...more };
}

const many = Array.from({ length: 20 }, (_, index) => aModel(`a/${index}`));
const base = { kind: 'chat', favourites: [], recent: [], wanted: [] } as const;
const ids = (options: readonly { id: string }[]) => options.map(({ id }) => id);

describe('the list of the picker', () => {
  it('shows favourites, then recent ones, then the others, each once', () => {
    const options = modelOptions({ ...base, models: many, favourites: ['a/7'], recent: ['a/7', 'a/3'] });
    expect(options.slice(0, 3).map(({ id, group }) => [id, group])).toEqual([
      ['a/7', 'Favourites'],
      ['a/3', 'Recent'],
      ['a/0', 'All'],
    ]);
    expect(options).toHaveLength(20);
  });

  it('has no sections at 12 models or fewer', () => {
    const options = modelOptions({ ...base, models: many.slice(0, 12), favourites: ['a/7'] });
    expect(ids(options).slice(0, 2)).toEqual(['a/0', 'a/1']);
    expect(options.every((option) => option.group === undefined)).toBe(true);
  });

  it('keeps embedding models out of chat, also those that are favourites', () => {
    const models = [
      aModel('a/chat'),
      aModel('a/vectors', { kind: 'embedding' }),
      aModel('a/odd', { kind: 'unknown' }),
    ];
    expect(ids(modelOptions({ ...base, models, favourites: ['a/vectors'] }))).toEqual(['a/chat', 'a/odd']);
    expect(ids(modelOptions({ ...base, kind: 'embedding', models, recent: ['a/chat'] }))).toEqual([
      'a/vectors',
    ]);
  });

  it('keeps an id at hand that was typed and used before', () => {
    expect(ids(modelOptions({ ...base, models: [aModel('a/chat')], recent: ['my/own'] }))).toEqual([
      'a/chat',
      'my/own',
    ]);
  });

  it('filters by ability, and lets models through that do not say', () => {
    const models = [
      aModel('sees', { abilities: { vision: true } }),
      aModel('blind', { abilities: { vision: false } }),
      aModel('silent'),
    ];
    expect(ids(modelOptions({ ...base, models, wanted: ['vision'] }))).toEqual(['sees', 'silent']);
  });
});

describe('the model of a first visit', () => {
  it('is the guide where there is one', () => {
    expect(firstModelOf([aModel('demo/sampler'), aModel('demo/guide')])).toBe('demo/guide');
  });

  it('is the first that chats elsewhere', () => {
    expect(firstModelOf([aModel('v', { kind: 'embedding' }), aModel('one'), aModel('two')])).toBe('one');
    expect(firstModelOf([])).toBeUndefined();
  });
});

describe('a model that is not in the list', () => {
  it('may have been retired where it was listed before', () => {
    expect(modelMarkOf({ id: 'a', isListKnown: true, wasListed: true })).toMatch(/^No longer in the list/);
  });

  it('is sent as typed where it is new, and is not judged before the list is there', () => {
    expect(modelMarkOf({ id: 'a', isListKnown: true, wasListed: false })).toBe(
      'Not listed by the gateway; sent anyway',
    );
    expect(modelMarkOf({ id: 'a', isListKnown: false, wasListed: true })).toBeUndefined();
  });
});

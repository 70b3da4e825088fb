import { describe, expect, it } from 'vitest';

import type { Abilities } from '../../conversation/setup/model-marks.ts';
import { matchingModels, matchOf, modelNamedIn } from './match-models.ts';

const ids = (query: string, ...all: string[]) =>
  matchingModels(
    all.map((id) => ({ id })),
    query,
  ).map(({ id }) => id);
const marked = (id: string, query: string) =>
  matchOf(id, query)?.hits.map(([from, to]) => id.slice(from, to));

const able = (id: string, abilities: Abilities) => ({ id, model: { abilities } });

describe('finding a model', () => {
  it('puts the exact id first, then beginnings of a part, parts, abilities and letters in order', () => {
    const models = [
      { id: 'a/v-isi-on' },
      able('a/seer', { vision: true }),
      { id: 'a/television' },
      { id: 'a/big-vision' },
      { id: 'vision' },
    ];
    expect(matchingModels(models, 'vision').map(({ id }) => id)).toEqual([
      'vision',
      'a/big-vision',
      'a/television',
      'a/seer',
      'a/v-isi-on',
    ]);
  });

  it('takes the one used last among equal kinds of match, and no worse kind for that', () => {
    const models = ['a/kiln', 'a/old-kiln', 'a/new-kiln', 'a/painkiller'].map((id) => ({ id }));
    const recent = ['a/painkiller', 'a/new-kiln', 'a/old-kiln'];
    expect(matchingModels(models, 'kil', recent).map(({ id }) => id)).toEqual([
      'a/new-kiln',
      'a/old-kiln',
      'a/kiln',
      'a/painkiller',
    ]);
  });

  it('finds models by what they can do, beside other words, and not by what they cannot', () => {
    const models = [
      able('a/one', { tools: true }),
      able('b/two', { tools: false }),
      able('b/three', { tools: true }),
    ];
    expect(matchingModels(models, 'tool').map(({ id }) => id)).toEqual(['a/one', 'b/three']);
    expect(matchingModels(models, 'b tools').map(({ id }) => id)).toEqual(['b/three']);
  });

  it('puts names that begin with the text before parts, and parts before other places', () => {
    expect(ids('kil', 'a/painkiller', 'a/big-kiln', 'a/kiln')).toEqual([
      'a/kiln',
      'a/big-kiln',
      'a/painkiller',
    ]);
  });

  it('keeps the order of equally good matches', () => {
    expect(ids('kiln', 'b/kiln', 'a/kiln')).toEqual(['b/kiln', 'a/kiln']);
  });

  it('finds letters that are spread over the parts, after all that hold the text as it is', () => {
    expect(ids('kvl', 'tallow/kiln-vl-12b', 'tallow/kvl-1', 'orrery/vane')).toEqual([
      'tallow/kvl-1',
      'tallow/kiln-vl-12b',
    ]);
  });

  it('wants every word, in any order, without regard to case', () => {
    expect(ids('12B kiln', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b')).toEqual(['tallow/kiln-vl-12b']);
  });

  it('finds nothing for letters in the wrong order', () => {
    expect(ids('nlik', 'tallow/kiln')).toEqual([]);
  });

  it('marks what was typed', () => {
    expect(marked('tallow/kiln-vl-12b', 'kiln 12')).toEqual(['kiln', '12']);
    expect(marked('tallow/kiln-vl-12b', 'kvl')).toEqual(['k', 'vl']);
  });
});

describe('a model that an error message names', () => {
  const listed = ['demo/sampler', 'demo/vision', 'demo/vision-2', 'vis'];
  const named = (message: string, asked: string) => modelNamedIn(message, asked, listed);

  it('is the one most like what was asked for, also where that was mistyped', () => {
    const message = 'There is no model "x" here. Use one of demo/sampler, demo/vision.';
    expect(named(message, 'vision')).toBe('demo/vision');
    expect(named(message, 'demo/visoin')).toBe('demo/vision');
    expect(named(message, 'demo/sampler-7b')).toBe('demo/sampler');
  });

  it('is named as a whole, is listed, and is not the one that is not there', () => {
    expect(named('Did you mean `demo/vision-2`?', 'vision')).toBe('demo/vision-2');
    expect(named('demo/visions: not found', 'demo/visions')).toBeUndefined();
    expect(named('No demo/vision here', 'demo/vision')).toBeUndefined();
    expect(named('Use other/vision', 'vision')).toBeUndefined();
  });
});

import { describe, expect, it } from 'vitest';

import type { Abilities } from '../../conversation/setup/model-marks.ts';
import { rankModels, matchModel, findNamedModel } from './match-models.ts';

const matchIds = (query: string, ...modelIds: string[]) =>
  rankModels(
    modelIds.map((id) => ({ id })),
    query,
  ).map(({ id }) => id);
const getMatchedParts = (id: string, query: string) =>
  matchModel(id, query)?.ranges.map(([from, to]) => id.slice(from, to));

const createModel = (id: string, abilities: Abilities) => ({ id, model: { abilities } });

describe('finding a model', () => {
  it('puts the exact id first, then beginnings of a part, parts, abilities and letters in order', () => {
    const models = [
      { id: 'a/v-isi-on' },
      createModel('a/seer', { vision: true }),
      { id: 'a/television' },
      { id: 'a/big-vision' },
      { id: 'vision' },
    ];
    expect(rankModels(models, 'vision').map(({ id }) => id)).toEqual([
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
    expect(rankModels(models, 'kil', recent).map(({ id }) => id)).toEqual([
      'a/new-kiln',
      'a/old-kiln',
      'a/kiln',
      'a/painkiller',
    ]);
  });

  it('finds models by what they can do, beside other words, and not by what they cannot', () => {
    const models = [
      createModel('a/one', { tools: true }),
      createModel('b/two', { tools: false }),
      createModel('b/three', { tools: true }),
    ];
    expect(rankModels(models, 'tool').map(({ id }) => id)).toEqual(['a/one', 'b/three']);
    expect(rankModels(models, 'b tools').map(({ id }) => id)).toEqual(['b/three']);
  });

  it('puts names that begin with the text before parts, and parts before other places', () => {
    expect(matchIds('kil', 'a/painkiller', 'a/big-kiln', 'a/kiln')).toEqual([
      'a/kiln',
      'a/big-kiln',
      'a/painkiller',
    ]);
  });

  it('keeps the order of equally good matches', () => {
    expect(matchIds('kiln', 'b/kiln', 'a/kiln')).toEqual(['b/kiln', 'a/kiln']);
  });

  it('finds letters that are spread over the parts, after all that hold the text as it is', () => {
    expect(matchIds('kvl', 'tallow/kiln-vl-12b', 'tallow/kvl-1', 'orrery/vane')).toEqual([
      'tallow/kvl-1',
      'tallow/kiln-vl-12b',
    ]);
  });

  it('wants every word, in any order, without regard to case', () => {
    expect(matchIds('12B kiln', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b')).toEqual(['tallow/kiln-vl-12b']);
  });

  it('finds nothing for letters in the wrong order', () => {
    expect(matchIds('nlik', 'tallow/kiln')).toEqual([]);
  });

  it('marks what was typed', () => {
    expect(getMatchedParts('tallow/kiln-vl-12b', 'kiln 12')).toEqual(['kiln', '12']);
    expect(getMatchedParts('tallow/kiln-vl-12b', 'kvl')).toEqual(['k', 'vl']);
  });
});

describe('a model that an error message names', () => {
  const listedModels = ['demo/sampler', 'demo/vision', 'demo/vision-2', 'vis'];
  const findNamed = (message: string, requested: string) => findNamedModel(message, requested, listedModels);

  it('is the one most like what was asked for, also where that was mistyped', () => {
    const message = 'There is no model "x" here. Use one of demo/sampler, demo/vision.';
    expect(findNamed(message, 'vision')).toBe('demo/vision');
    expect(findNamed(message, 'demo/visoin')).toBe('demo/vision');
    expect(findNamed(message, 'demo/sampler-7b')).toBe('demo/sampler');
  });

  it('is named as a whole, is listed, and is not the one that is not there', () => {
    expect(findNamed('Did you mean `demo/vision-2`?', 'vision')).toBe('demo/vision-2');
    expect(findNamed('demo/visions: not found', 'demo/visions')).toBeUndefined();
    expect(findNamed('No demo/vision here', 'demo/vision')).toBeUndefined();
    expect(findNamed('Use other/vision', 'vision')).toBeUndefined();
  });
});

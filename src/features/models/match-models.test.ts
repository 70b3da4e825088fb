import { describe, expect, it } from 'vitest';

import { buildModelKey } from '../../conversation/setup/model-key.ts';
import type { Abilities } from '../../conversation/setup/model-marks.ts';
import { rankModels, matchModel, findNamedModel } from './match-models.ts';

const createModel = (id: string, abilities: Abilities = {}) => ({ id, label: id, model: { abilities } });
const matchIds = (query: string, ...modelIds: string[]) =>
  rankModels(
    modelIds.map((id) => createModel(id)),
    query,
  ).map(({ id }) => id);
const getMatchedParts = (id: string, query: string) =>
  matchModel(id, query)?.ranges.map(([from, to]) => id.slice(from, to));

describe('model search', () => {
  it('ranks model matches: exact ID, start of a part, other text, ability, letters in order', () => {
    const models = [
      createModel('a/v-isi-on'),
      createModel('a/seer', { vision: true }),
      createModel('a/television'),
      createModel('a/big-vision'),
      createModel('vision'),
    ];
    expect(rankModels(models, 'vision').map(({ id }) => id)).toEqual([
      'vision',
      'a/big-vision',
      'a/television',
      'a/seer',
      'a/v-isi-on',
    ]);
  });

  it('prefers recently used models only among matches of the same kind', () => {
    const models = ['a/kiln', 'a/old-kiln', 'a/new-kiln', 'a/painkiller'].map((id) => createModel(id));
    const recent = ['a/painkiller', 'a/new-kiln', 'a/old-kiln'];
    expect(rankModels(models, 'kil', recent).map(({ id }) => id)).toEqual([
      'a/new-kiln',
      'a/old-kiln',
      'a/kiln',
      'a/painkiller',
    ]);
  });

  it('finds models by abilities they have, alone or together with other words, but not by missing ones', () => {
    const models = [
      createModel('a/one', { tools: true }),
      createModel('b/two', { tools: false }),
      createModel('b/three', { tools: true }),
    ];
    expect(rankModels(models, 'tool').map(({ id }) => id)).toEqual(['a/one', 'b/three']);
    expect(rankModels(models, 'b tools').map(({ id }) => id)).toEqual(['b/three']);
  });

  it('ranks model names that start with the text before later parts, and these before other matches', () => {
    expect(matchIds('kil', 'a/painkiller', 'a/big-kiln', 'a/kiln')).toEqual([
      'a/kiln',
      'a/big-kiln',
      'a/painkiller',
    ]);
  });

  it('keeps the order of models that match equally well', () => {
    expect(matchIds('kiln', 'b/kiln', 'a/kiln')).toEqual(['b/kiln', 'a/kiln']);
  });

  it('finds letters spread over several parts of a model ID, ranked after all literal matches', () => {
    expect(matchIds('kvl', 'tallow/kiln-vl-12b', 'tallow/kvl-1', 'orrery/vane')).toEqual([
      'tallow/kvl-1',
      'tallow/kiln-vl-12b',
    ]);
  });

  it('requires every word of a model search, in any order and case', () => {
    expect(matchIds('12B kiln', 'tallow/kiln-vl-12b', 'tallow/kiln-vl-32b')).toEqual(['tallow/kiln-vl-12b']);
  });

  it('finds no model for letters in the wrong order', () => {
    expect(matchIds('nlik', 'tallow/kiln')).toEqual([]);
  });

  it('marks the matched parts of a model ID', () => {
    expect(getMatchedParts('tallow/kiln-vl-12b', 'kiln 12')).toEqual(['kiln', '12']);
    expect(getMatchedParts('tallow/kiln-vl-12b', 'kvl')).toEqual(['k', 'vl']);
  });
});

describe('model search over several gateways', () => {
  const createOption = (gateway: string, id: string, headings = [gateway]) => ({
    id: buildModelKey(id, gateway),
    label: id,
    headings,
  });
  const options = [
    createOption('production', 'north/one'),
    createOption('staging', 'north/one', ['staging', 'Test Hall']),
    createOption('staging', 'south/two', ['staging', 'Test Hall']),
  ];
  const [production, staging, stagingSouth] = options.map(({ id }) => id);

  it.each<[query: string, keys: unknown[]]>([
    ['north', [production, staging]],
    ['staging/north', [staging]],
    ['STAGING/NORTH', [staging]],
    ['test hall/north', [staging]],
    ['staging/north/one', [staging]],
    ['staging/', [staging, stagingSouth]],
    ['staging', [staging, stagingSouth]],
    ['hall south', [stagingSouth]],
    ['staging/east', []],
    ['production/south', []],
  ])('finds the models of %s', (query, keys) => {
    expect(rankModels(options, query).map(({ id }) => id)).toEqual(keys);
  });

  it('marks only the part of the ID after the name of the gateway', () => {
    const match = matchModel('north/one', 'staging/north', {}, ['staging']);
    expect(match?.ranges.map(([from, to]) => 'north/one'.slice(from, to))).toEqual(['north']);
  });

  it.each(['staging/north', 'staging/nor'])('prefers an ID that begins like a gateway for %s', (query) => {
    const ownId = createOption('production', 'staging/north');
    const ids = rankModels([...options, ownId], query).map(({ id }) => id);
    expect(ids).toEqual([ownId.id, staging]);
  });
});

describe('model named in an error message', () => {
  const listedModels = ['demo/sampler', 'demo/vision', 'demo/vision-2', 'vis'];
  const findNamed = (message: string, requested: string) => findNamedModel(message, requested, listedModels);

  it('finds the model in an error message that is most similar to the requested ID, even if mistyped', () => {
    const message = 'There is no model "x" here. Use one of demo/sampler, demo/vision.';
    expect(findNamed(message, 'vision')).toBe('demo/vision');
    expect(findNamed(message, 'demo/visoin')).toBe('demo/vision');
    expect(findNamed(message, 'demo/sampler-7b')).toBe('demo/sampler');
  });

  it('requires an error message to contain a complete, listed ID other than the requested one', () => {
    expect(findNamed('Did you mean `demo/vision-2`?', 'vision')).toBe('demo/vision-2');
    expect(findNamed('demo/visions: not found', 'demo/visions')).toBeUndefined();
    expect(findNamed('No demo/vision here', 'demo/vision')).toBeUndefined();
    expect(findNamed('Use other/vision', 'vision')).toBeUndefined();
  });
});

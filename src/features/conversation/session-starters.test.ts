import { describe, expect, it } from 'vitest';

import { buildRequestFields, type RefusedFields } from '../../conversation/setup/params.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { listStarters } from './session-starters.ts';

const createModels = (...ids: string[]): ModelRecord[] =>
  ids.map((id) => ({ id, kind: 'chat', abilities: {}, raw: {} }));

describe('session starters', () => {
  it('offers starters for settings, tools, thinking, schemas and images with the demo models', () => {
    const starters = listStarters(
      createModels('demo/guide', 'demo/sampler', 'demo/tools', 'demo/thinker', 'demo/extract', 'demo/vision'),
      'demo/guide',
    );
    expect(starters.map(({ lanes }) => lanes.map(({ model }) => model))).toEqual([
      ['demo/sampler', 'demo/sampler'],
      ['demo/tools'],
      ['demo/thinker', 'demo/thinker'],
      ['demo/extract'],
      ['demo/vision'],
    ]);
    const fields = starters.map(({ lanes }) => lanes.map(({ params }) => buildRequestFields(params)));
    expect(fields[0]).toMatchObject([{ temperature: 0.2 }, { temperature: 1.6 }]);
    expect(fields[1]?.[0]?.['tools']).toMatchObject([{ function: { name: 'get_weather' } }]);
    expect(fields[2]).toMatchObject([
      { thinking_budget: 128, enable_thinking: true },
      { thinking_budget: 2048 },
    ]);
  });

  it('uses only listed models in starters', () => {
    for (const ids of [['a'], ['a', 'b'], ['demo/sampler', 'x'], ['demo/tools', 'demo/thinker']]) {
      const starters = listStarters(createModels(...ids), '');
      expect(starters).toHaveLength(3);
      for (const { lanes } of starters) for (const { model } of lanes) expect(ids).toContain(model);
    }
  });

  it('offers an image starter if a model with vision is listed', () => {
    const [visionModel] = createModels('sees');
    if (!visionModel) throw new Error('no model');
    const starters = listStarters(
      [...createModels('a'), { ...visionModel, abilities: { vision: true } }],
      '',
    );
    expect(starters.at(-1)).toMatchObject({
      lanes: [{ model: 'sees' }],
      imageUrl: expect.stringMatching(/^data:image/),
    });
  });

  it('offers no starters without any model, but uses a typed model ID', () => {
    expect(listStarters([], '')).toEqual([]);
    expect(listStarters([], 'my/own')[0]?.lanes.map(({ model }) => model)).toEqual(['my/own', 'my/own']);
  });

  it('omits starters with a field that the model has rejected or does not list', () => {
    const getTitles = (records: readonly ModelRecord[], refusedFields: RefusedFields = {}) =>
      listStarters(records, 'a', () => refusedFields).map(({ title }) => title);
    const compareModels = ['Compare two models', 'Let a model call a tool'];
    expect(getTitles(createModels('a', 'b'), { temperature: null })).toEqual(compareModels);
    expect(getTitles(createModels('a', 'b'), { max_tokens: 'max_completion_tokens' })).toHaveLength(3);
    const listedModels = createModels('a', 'b').map((record) => ({
      ...record,
      raw: { supported_parameters: ['tools', 'max_tokens'] },
    }));
    expect(getTitles(listedModels)).toEqual(compareModels);
  });

  it('excludes embedding models from starters', () => {
    const listed: ModelRecord[] = [
      { id: 'vectors', kind: 'embedding', abilities: {}, raw: {} },
      ...createModels('a'),
    ];
    expect(JSON.stringify(listStarters(listed, ''))).not.toContain('vectors');
  });
});

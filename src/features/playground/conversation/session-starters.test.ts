import { describe, expect, it } from 'vitest';

import { buildRequestFields, type RefusedFields } from '../../../conversation/setup/params.ts';
import type { ModelRecord } from '../../../gateway/models/model-record.ts';
import { startersFor } from './session-starters.ts';

const models = (...ids: string[]): ModelRecord[] =>
  ids.map((id) => ({ id, kind: 'chat', abilities: {}, raw: {} }));

describe('the starters', () => {
  it('show settings, tools, thinking, schemas and images where the demo models are', () => {
    const starters = startersFor(
      models('demo/guide', 'demo/sampler', 'demo/tools', 'demo/thinker', 'demo/extract', 'demo/vision'),
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

  it('name no model that is not there', () => {
    for (const ids of [['a'], ['a', 'b'], ['demo/sampler', 'x'], ['demo/tools', 'demo/thinker']]) {
      const starters = startersFor(models(...ids), '');
      expect(starters).toHaveLength(3);
      for (const { lanes } of starters) for (const { model } of lanes) expect(ids).toContain(model);
    }
  });

  it('show an image where a model that sees is listed', () => {
    const [seer] = models('sees');
    if (!seer) throw new Error('no model');
    const starters = startersFor([...models('a'), { ...seer, abilities: { vision: true } }], '');
    expect(starters.at(-1)).toMatchObject({
      lanes: [{ model: 'sees' }],
      imageUrl: expect.stringMatching(/^data:image/),
    });
  });

  it('are none before a model is known, and take one that was typed', () => {
    expect(startersFor([], '')).toEqual([]);
    expect(startersFor([], 'my/own')[0]?.lanes.map(({ model }) => model)).toEqual(['my/own', 'my/own']);
  });

  it('offers no starter with a field that the model refused or does not list', () => {
    const leads = (listed: readonly ModelRecord[], refused: RefusedFields = {}) =>
      startersFor(listed, 'a', () => refused).map(({ lead }) => lead);
    const compareModels = ['Compare two models', 'Offer a tool'];
    expect(leads(models('a', 'b'), { temperature: null })).toEqual(compareModels);
    expect(leads(models('a', 'b'), { max_tokens: 'max_completion_tokens' })).toHaveLength(3);
    const listing = models('a', 'b').map((record) => ({
      ...record,
      raw: { supported_parameters: ['tools', 'max_tokens'] },
    }));
    expect(leads(listing)).toEqual(compareModels);
  });

  it('keep embedding models out', () => {
    const listed: ModelRecord[] = [
      { id: 'vectors', kind: 'embedding', abilities: {}, raw: {} },
      ...models('a'),
    ];
    expect(JSON.stringify(startersFor(listed, ''))).not.toContain('vectors');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../../testing/seeds.ts';
import { findModel, listChatModels } from './model-record.ts';
import { parseModelList } from './models.ts';

function readList(value: unknown) {
  const text = JSON.stringify(value);
  const response = { status: 200, ok: true, headers: {}, isProxied: true, isTruncated: false, latencyMs: 1 };
  return parseModelList({ ...response, text });
}

const id = fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z]{1,3})?$/);
const owner = fc.option(fc.constantFrom('north', 'south'), { nil: undefined });
const record = fc.record({ id, owned_by: owner, object: fc.constant('model'), created: fc.nat() });
const wrappers = fc.constantFrom<(records: unknown[]) => unknown>(
  (records) => records,
  (data) => ({ object: 'list', data }),
  (data) => ({ models: data.map(() => ({ name: 'x', model: 'x' })), object: 'list', data }),
  (models) => ({ data: [], models }),
  (data) => ({ result: { has_more: false, data } }),
);

describe('parseModelList', () => {
  it('returns one record per ID, with the number of times it is listed, in any wrapper', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 30 }), wrappers, async (records, wrap) => {
        const { models } = await readList(wrap(records));
        const ids = records.map((item) => item.id);
        expect(models.map((model) => model.id)).toEqual([...new Set(ids)]);
        for (const model of models) {
          const times = ids.filter((listedId) => listedId === model.id).length;
          expect(model.timesListed ?? 1).toBe(times);
          expect(findModel(models, model.id)).toBe(model);
        }
      }),
      { seed: 4, numRuns: getCaseCount(200) },
    );
  });

  it('reads the filled list if another list next to it is empty', async () => {
    const { models } = await readList({ data: [], models: [{ name: 'a' }], results: { count: 0 } });
    expect(models.map((model) => model.id)).toEqual(['a']);
    expect((await readList({ data: [], results: { count: 0 } })).models).toEqual([]);
  });
});

const otherModels = fc.constantFrom<Record<string, unknown>>(
  { id: 'x-ocr-latest', capabilities: { completion_chat: true, ocr: true } },
  { id: 'plain', capabilities: { completion_chat: false, completion_fim: true } },
  { id: 'tts-1-hd' },
  { id: 'whisper-large-v3' },
  { id: 'omni-moderation-latest' },
  { id: 'acme/Rerank-v2' },
  { id: 'llama-guard-4-12b' },
  { id: 'text-embedding-3-small' },
  { id: 'e', capabilities: { chat: false, embeddings: true } },
  { id: 'p', mode: 'audio_speech' },
  { id: 'q', type: 'moderation' },
  { id: 'r', task: 'automatic-speech-recognition', type: 'transcription' },
  { id: 's', architecture: { output_modalities: ['audio'], modality: 'text->audio' } },
  { id: 't', supported_endpoints: ['/v1/images/generations'] },
  { id: 'dall-e-3' },
);
const chattingModels = fc.constantFrom<Record<string, unknown>>(
  { id: 'm', capabilities: { completion_chat: true, vision: false } },
  { id: 'gpt-5-mini' },
  { id: 'n', type: 'chat' },
  { id: 'o', architecture: { modality: 'text+image->text' } },
  { id: 'chatter', supported_endpoints: ['/v1/chat/completions', '/v1/audio/speech'] },
);

it('puts a chat model first in lists of any order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(otherModels, { maxLength: 6 }),
      chattingModels,
      fc.array(otherModels),
      async (othersBefore, chatModel, othersAfter) => {
        const { models } = await readList({ data: [...othersBefore, chatModel, ...othersAfter] });
        expect(listChatModels(models).map((model) => model.id)).toEqual([chatModel['id']]);
      },
    ),
    { seed: 5, numRuns: getCaseCount(200) },
  );
});

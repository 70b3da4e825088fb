import { describe, expect, it } from 'vitest';

import { isFieldUnlisted, parseModelRecord, type ModelRecord } from './model-record.ts';

const rows: [string, unknown, Omit<ModelRecord, 'raw'> | undefined][] = [
  [
    'a bare record',
    { id: 'a/b', object: 'model', owned_by: 'x' },
    { id: 'a/b', kind: 'unknown', ownedBy: 'x', abilities: {} },
  ],
  ['a bare model name', 'a/b', { id: 'a/b', kind: 'unknown', abilities: {} }],
  [
    'the demo gateway',
    {
      id: 'demo/x',
      type: 'chat',
      description: 'Says x.',
      capabilities: { vision: false, tools: true, thinking: true },
    },
    {
      id: 'demo/x',
      kind: 'chat',
      description: 'Says x.',
      abilities: { vision: false, tools: true, thinking: true },
    },
  ],
  [
    'OpenRouter',
    {
      id: 'o',
      context_length: 8192,
      architecture: {
        modality: 'text+image->text',
        input_modalities: ['text', 'image'],
        output_modalities: ['text'],
      },
      supported_parameters: ['tools', 'temperature'],
    },
    {
      id: 'o',
      kind: 'chat',
      contextTokens: 8192,
      abilities: { vision: true, files: false, audio: false, tools: true, thinking: false },
    },
  ],
  [
    'a modality without images',
    { id: 't', architecture: { modality: 'text->text' } },
    { id: 't', kind: 'chat', abilities: {} },
  ],
  [
    'a modality with image input',
    { id: 'i', architecture: { modality: 'text+image->text' } },
    { id: 'i', kind: 'chat', abilities: { vision: true } },
  ],
  [
    'a modality with image input first',
    { id: 'i', architecture: { modality: 'image->text' } },
    { id: 'i', kind: 'chat', abilities: { vision: true } },
  ],
  [
    'an image modality without an output',
    { id: 'i', modality: 'image' },
    { id: 'i', kind: 'unknown', abilities: {} },
  ],
  [
    'capabilities as flags, without an invalid number',
    {
      id: 'e',
      capabilities: { embeddings: true, vision: 'yes' },
      context_length: 0,
      context_window: 512,
      owner: 'x',
    },
    { id: 'e', kind: 'embedding', abilities: {}, contextTokens: 512, ownedBy: 'x' },
  ],
  [
    'capabilities that name the kind of model',
    { id: 'e', capabilities: { embedding: true } },
    { id: 'e', kind: 'embedding', abilities: {} },
  ],
  [
    'capabilities that name chat',
    { id: 'c', capabilities: { chat: true, embeddings: false } },
    { id: 'c', kind: 'chat', abilities: {} },
  ],
  [
    'provider flags before feature lists',
    {
      id: 'f',
      top_provider: { supports_tools: false },
      tags: ['Tools', 7, 'Vision'],
      organization: 'x',
      about: 'y',
    },
    { id: 'f', kind: 'unknown', abilities: { vision: true, tools: false }, ownedBy: 'x', description: 'y' },
  ],
  [
    'a list of inputs without images',
    { id: 'f', input_modalities: 'text', supported_parameters: ['include_reasoning'] },
    {
      id: 'f',
      kind: 'unknown',
      abilities: { vision: false, files: false, audio: false, tools: false, thinking: true },
    },
  ],
  [
    'OpenRouter with files and audio',
    { id: 'g', architecture: { input_modalities: ['text', 'file', 'audio'] } },
    { id: 'g', kind: 'unknown', abilities: { vision: false, files: true, audio: true } },
  ],
  [
    'a modality with files',
    { id: 'g', architecture: { modality: 'text+file->text' } },
    { id: 'g', kind: 'chat', abilities: { files: true } },
  ],
  [
    'LiteLLM flags for PDFs and audio',
    { id: 'g', model_info: { supports_pdf_input: true, supports_audio_input: false } },
    { id: 'g', kind: 'unknown', abilities: { files: true, audio: false } },
  ],
  [
    'tags for files',
    { id: 'g', tags: ['file-input'] },
    { id: 'g', kind: 'unknown', abilities: { files: true } },
  ],
  [
    'an ID between spaces',
    { id: ' a ', owned_by: '', description: '' },
    { id: 'a', kind: 'unknown', abilities: {} },
  ],
  ['a record nested three levels deep', { model: { model: { id: 'a' } } }, undefined],
  ['a blank ID', { id: ' ' }, undefined],
  ['a number', 7, undefined],
  [
    'a modality with image output',
    { id: 'g', architecture: { modality: 'text->image' } },
    { id: 'g', kind: 'other', abilities: {} },
  ],
  [
    'Mistral',
    {
      id: 'm',
      max_context_length: 32_768,
      capabilities: { completion_chat: true, function_calling: true, vision: false },
    },
    { id: 'm', kind: 'chat', contextTokens: 32_768, abilities: { vision: false, tools: true } },
  ],
  [
    'LiteLLM',
    { id: 'l', mode: 'embedding', model_info: { max_input_tokens: 8191, supports_vision: false } },
    { id: 'l', kind: 'embedding', contextTokens: 8191, abilities: { vision: false } },
  ],
  [
    'vLLM',
    { id: 'v', max_model_len: 4096 },
    { id: 'v', kind: 'unknown', contextTokens: 4096, abilities: {} },
  ],
  [
    'a list of capabilities',
    { id: 'c', capabilities: ['completion', 'tools', 'vision'] },
    { id: 'c', kind: 'chat', abilities: { vision: true, tools: true } },
  ],
  [
    'a list of features',
    { id: 'f', type: 'llm', supported_features: ['function-calling', 'reasoning'] },
    { id: 'f', kind: 'chat', abilities: { tools: true, thinking: true } },
  ],
  [
    'capabilities with an alternative name',
    { id: 'c', capabilities: { vision: false, image_input: true } },
    { id: 'c', kind: 'unknown', abilities: { vision: true } },
  ],
  [
    'a router with an unloaded model',
    { id: 'r', status: { value: 'unloaded', args: ['x'] }, meta: { n_ctx_train: 4096 } },
    { id: 'r', kind: 'unknown', contextTokens: 4096, state: 'unloaded', abilities: {} },
  ],
  [
    'a router with a model that failed to load',
    { id: 'r', status: { value: 'unloaded', failed: true } },
    { id: 'r', kind: 'unknown', state: 'failed', abilities: {} },
  ],
  ['a usual state', { id: 's', state: 'Active' }, { id: 's', kind: 'unknown', abilities: {} }],
  [
    'an unusual state',
    { id: 's', status: 'Warming_up' },
    { id: 's', kind: 'unknown', state: 'warming up', abilities: {} },
  ],
  [
    'a shutdown date',
    { id: 'd', shutdown_date: '2026-03-31T00:00:00Z' },
    { id: 'd', kind: 'unknown', shutdownDate: '2026-03-31', abilities: {} },
  ],
  [
    'a shutdown date in seconds',
    { id: 'd', deprecation_date: null, retirement_date: 1_774_915_200 },
    { id: 'd', kind: 'unknown', shutdownDate: '2026-03-31', abilities: {} },
  ],
  ['a task', { id: 't', task: 'feature-extraction' }, { id: 't', kind: 'embedding', abilities: {} }],
  ['no ID', { object: 'model' }, undefined],
  [
    'hostile keys',
    JSON.parse('{"id":"h","__proto__":{"type":"chat"},"capabilities":{"__proto__":{"vision":true}}}'),
    { id: 'h', kind: 'unknown', abilities: {} },
  ],
];

describe('parseModelRecord', () => {
  it.each(rows)('parses the model record: %s', (_what, raw, model) => {
    expect(parseModelRecord(raw)).toStrictEqual(model && { ...model, raw });
  });

  it.each([
    'text-embedding-3-small',
    'Qwen/Qwen3-Embedding-8B',
    'BAAI/bge-m3',
    'intfloat/multilingual-e5-large',
    'Alibaba/gte-large',
    'nomic-embed-text:latest',
  ])('recognises %s as an embedding model by its name', (id) =>
    expect(parseModelRecord(id)?.kind).toBe('embedding'),
  );

  it.each(['demo/guide', 'the-5/gtex', 'mle5x'])('does not recognise %s as an embedding model', (id) => {
    expect(parseModelRecord(id)?.kind).toBe('unknown');
  });
});

describe('isFieldUnlisted', () => {
  const listUnlisted = (record: object, ...fields: string[]) => {
    const model = parseModelRecord({ id: 'm', ...record });
    return fields.filter((field) => model && isFieldUnlisted(model, field));
  };

  it('finds fields missing from a parameter list anywhere in a record', () => {
    const list = ['temperature', 'max_tokens', 'reasoning', 'structured_outputs'];
    const fields = ['temperature', 'top_k', 'stream', 'max_completion_tokens', 'reasoning_effort', 'n'];
    expect(listUnlisted({ supported_parameters: list }, ...fields, 'response_format')).toEqual([
      'top_k',
      'n',
    ]);
    expect(listUnlisted({ model_info: { supported_openai_params: list } }, 'top_k')).toEqual(['top_k']);
  });

  it('reports no field as unlisted if the list is missing or empty', () => {
    expect(listUnlisted({}, 'top_k')).toEqual([]);
    expect(listUnlisted({ supported_parameters: [] }, 'top_k')).toEqual([]);
    expect(listUnlisted({ supported_parameters: 7 }, 'constructor')).toEqual([]);
  });
});

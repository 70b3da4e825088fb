/** Response fields that current providers add to the format. None of them may cause a note under the answer. */
import { expect, it } from 'vitest';

import { createTapeReader } from './stream-events.ts';
import type { TapeEntry } from './tape.ts';

const logprobs = {
  content: [{ token: 'Hi', logprob: -0.1, bytes: [72, 105], top_logprobs: [] }],
  refusal: null,
};
const contentFilter = { hate: { filtered: false, severity: 'safe' }, jailbreak: { detected: false } };
const counts = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 };

type Place = 'response' | 'choice' | 'message' | 'usage';

/** Typical values by the object that contains them. */
const fieldsByPlace: Record<Place, Record<string, unknown>> = {
  response: {
    created: 1_790_000_000,
    system_fingerprint: 'fp_44709d6fcb',
    service_tier: 'default',
    provider: 'North',
    obfuscation: 'aZ3kP',
    x_groq: { id: 'req_01jb', seed: 12, usage: { ...counts, queue_time: 0.02 } },
    timings: { prompt_n: 9, prompt_ms: 12.5, predicted_n: 1, predicted_per_second: 123 },
    time_info: { queue_time: 0.001, completion_time: 0.01, created: 1_790_000_000 },
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: contentFilter }],
    citations: ['https://example.com/a'],
    search_results: [{ title: 'A', url: 'https://example.com/a', date: '2026-01-01' }],
    prompt_logprobs: [null, { 5: { logprob: -1.2, rank: 1, decoded_token: 'Hi' } }],
    prompt_token_ids: [1, 2],
    kv_transfer_params: { do_remote_decode: false, remote_engine_id: 'engine-1' },
    metadata: { team: 'blue', purpose: 'a test' },
    moderation: { flagged: false, reason: 'nothing found' },
    request_id: 'req-1',
  },
  choice: {
    logprobs,
    stop_reason: '</s>',
    matched_stop: 151_645,
    native_finish_reason: 'stop',
    finish_details: { type: 'stop', stop: '<|end|>' },
    content_filter_results: contentFilter,
    content_filter_offsets: { check_offset: 1, start_offset: 0, end_offset: 2 },
    citations: ['https://example.com/a'],
    prompt_logprobs: [null, { 5: { logprob: -1.2, rank: 1, decoded_token: 'Hi' } }],
    avg_logprobs: -0.2,
    token_ids: [1, 2],
    seed: 1_234_567,
    kv_transfer_params: { remote_engine_id: 'engine-1' },
    metadata: { purpose: 'a test' },
    moderation: { flagged: false, reason: 'nothing found' },
    timings: { predicted_ms: 8.1 },
    time_info: { total_time: 0.02 },
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
    provider: 'North',
  },
  message: {
    refusal: null,
    annotations: [],
    audio: null,
    function_call: null,
    tool_calls: [],
    parsed: null,
    reasoning: null,
    reasoning_content: '',
    reasoning_details: [],
    images: [],
    executed_tools: [],
    citations: ['https://example.com/a'],
    provider_specific_fields: { citations: null, safety: 'checked' },
    extra_content: { google: { thought_signature: 'YWJj' } },
    encrypted_content: 'YWJj',
    channel: 'final',
    obfuscation: 'aZ3kP',
    logprobs,
    content_filter_results: contentFilter,
    stop_reason: 'end_turn',
    metadata: { purpose: 'a test' },
    moderation: { flagged: false, reason: 'nothing found' },
  },
  usage: {
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, accepted_prediction_tokens: 0 },
    cost: 0.000_12,
    cost_details: { upstream_inference_cost: null },
    is_byok: false,
    queue_time: 0.01,
    total_time: 0.5,
    prompt_cache_hit_tokens: 0,
    search_context_size: 'low',
    server_tool_use: { web_search_requests: 0 },
    service_tier: 'standard',
  },
};

type Extra = Partial<Record<Place, Record<string, unknown>>>;

function buildStream({ response, choice, message, usage }: Extra): TapeEntry[] {
  const chunkBase = { id: 'c', object: 'chat.completion.chunk', model: 'm', ...response };
  const buildChunk = (delta: object, finishReason: string | null) => ({
    ...chunkBase,
    choices: [{ index: 0, delta: { ...delta, ...message }, finish_reason: finishReason, ...choice }],
  });
  const chunks = [
    { ...chunkBase, choices: [] },
    buildChunk({ role: 'assistant', content: '' }, null),
    buildChunk({ content: 'Hi' }, null),
    buildChunk({}, 'stop'),
    { ...chunkBase, choices: [], usage: { ...counts, ...usage } },
  ];
  return [
    { at: 0, request: { model: 'm', messages: [], stream: true }, requestId: 'r' },
    { at: 0, status: 200, headers: { 'content-type': 'text/event-stream' } },
    ...chunks.map((chunk) => ({ at: 0, data: JSON.stringify(chunk) })),
    { at: 0, data: '[DONE]' },
    { at: 0, end: 'closed' },
  ];
}

function buildWhole({ response, choice, message, usage }: Extra): TapeEntry[] {
  const body = {
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    ...response,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hi', ...message },
        finish_reason: 'stop',
        ...choice,
      },
    ],
    usage: { ...counts, ...usage },
  };
  return [
    { at: 0, request: { model: 'm', messages: [] }, requestId: 'r' },
    { at: 0, status: 200, headers: { 'content-type': 'application/json' } },
    { at: 0, body: JSON.stringify(body) },
    { at: 0, end: 'closed' },
  ];
}

/** Returns the notes and failures that an answer causes. */
function readRemarks(tape: readonly TapeEntry[]): (string | undefined)[] {
  const read = createTapeReader();
  return tape
    .flatMap((entry) => read(entry))
    .flatMap((event) =>
      event.type === 'note' ? [event.detail] : event.type === 'error' ? [event.report.kind] : [],
    );
}

const rows = Object.entries(fieldsByPlace).flatMap(([place, fields]) =>
  Object.entries(fields).map(([name, value]): [place: string, name: string, value: unknown] => [
    place,
    name,
    value,
  ]),
);

it.each(rows)('makes no remark on the %s field %s', (place, name, value) => {
  const extra = { [place]: { [name]: value } };
  expect([readRemarks(buildStream(extra)), readRemarks(buildWhole(extra))]).toEqual([[], []]);
});

it('makes no remark on all known fields together, and one on each unknown text', () => {
  expect([readRemarks(buildStream(fieldsByPlace)), readRemarks(buildWhole(fieldsByPlace))]).toEqual([[], []]);
  const extra = { choice: { summary: 'Greeting' }, message: { utterance: 'Bonjour' } };
  expect(new Set(readRemarks(buildStream(extra)))).toEqual(new Set(['summary', 'utterance']));
  expect(new Set(readRemarks(buildWhole(extra)))).toEqual(new Set(['summary', 'utterance']));
});

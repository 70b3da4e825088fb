import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { createRun } from '../reply/run.ts';
import type { Part, Run } from '../session/types.ts';
import { collectEvidence, withEvidence, type AbilityEvidence } from './abilities-evidence.ts';
import { readLearnedAbilities, getAbilityOutcome, mergeAbilities } from './learned-abilities.ts';

const setup = { model: 'north/one', system: '', params: {} };
const messages = [{ role: 'user', content: 'Hello' }];
const imageMessages = [
  { role: 'user', content: [{ type: 'image_url', image_url: { url: 'bench-image:x' } }] },
];
const createTextPart = (content: string): Part => ({ type: 'text', text: content });

function createEndedRun(parts: Part[], overrides: Partial<Run> = {}): Run {
  return {
    ...createRun('run1', 'session1', setup),
    status: 200,
    phase: { name: 'complete' },
    choices: [{ parts, finishReason: 'stop' }],
    ...overrides,
  };
}

function createRefusedRun(message: string, overrides: Partial<ErrorReport> = {}): Run {
  const error: ErrorReport = {
    source: 'provider',
    kind: 'invalid-request',
    message,
    status: 400,
    ...overrides,
  };
  return { ...createRun('run1', 'session1', setup), status: 400, phase: { name: 'failed', error } };
}

const createSeenEvidence = (...abilities: AbilityEvidence['ability'][]) =>
  abilities.map((ability) => ({ ability, outcome: 'seen' }));

describe('abilities shown by an answer', () => {
  const thinking: Part = { type: 'thinking', text: 'Hm', startedMs: 0, endedMs: 1, deltas: 1 };
  const call: Part = { type: 'tool-call', slot: 0, name: 'f', arguments: '{}' };
  const usage = { promptTokens: 1, completionTokens: 1 };

  it.each<[string, Run, object, AbilityEvidence[] | ReturnType<typeof createSeenEvidence>]>([
    [
      'an answer to an image',
      createEndedRun([createTextPart('A cat')]),
      { messages: imageMessages },
      createSeenEvidence('vision'),
    ],
    [
      'an answer to a document and a sound',
      createEndedRun([createTextPart('It says')]),
      { messages: [{ role: 'user', content: [{ type: 'file' }, { type: 'input_audio' }] }] },
      createSeenEvidence('files', 'audio'),
    ],
    ['an empty answer to an image', createEndedRun([createTextPart(' ')]), { messages: imageMessages }, []],
    ['a tool call', createEndedRun([call]), { messages, tools: [{}] }, createSeenEvidence('tools')],
    [
      'an answer without a call despite tools',
      createEndedRun([createTextPart('No')]),
      { messages, tools: [{}] },
      [],
    ],
    [
      'reasoning in an answer',
      createEndedRun([thinking, createTextPart('Yes')]),
      { messages },
      createSeenEvidence('thinking'),
    ],
    [
      'an answer without the requested reasoning',
      createEndedRun([createTextPart('Yes')]),
      { messages, enable_thinking: true },
      [],
    ],
    [
      'JSON in JSON mode',
      createEndedRun([createTextPart('{"a":1}')]),
      { messages, response_format: { type: 'json_object' } },
      createSeenEvidence('json'),
    ],
    ['JSON that was not requested', createEndedRun([createTextPart('{"a":1}')]), { messages }, []],
    [
      'prose in JSON mode',
      createEndedRun([createTextPart('Sure')]),
      { messages, response_format: { type: 'json_object' } },
      [],
    ],
    [
      'usage in a stream',
      createEndedRun([createTextPart('Yes')], { usage }),
      { messages, stream: true },
      createSeenEvidence('usage'),
    ],
    [
      'usage in a non-streaming response',
      createEndedRun([createTextPart('Yes')], { usage }),
      { messages },
      [],
    ],
    [
      'usage in a response that was not streamed as requested',
      createEndedRun([createTextPart('Yes')], { usage, notes: [{ kind: 'not-streamed', count: 1 }] }),
      { messages, stream: true },
      [],
    ],
    [
      'reasoning received before Stop',
      createEndedRun([thinking], { phase: { name: 'stopped' } }),
      { messages },
      createSeenEvidence('thinking'),
    ],
    ['an unreadable request', createEndedRun([createTextPart('Yes')]), [], []],
  ])('collects the expected evidence for %s', (_name, run, body, expected) => {
    expect(collectEvidence(run, body)).toEqual(expected);
  });
});

describe('abilities refused by an error', () => {
  const tools = { messages, tools: [{}] };
  const json = { messages, response_format: { type: 'json_object' } };

  it.each<[string, object, AbilityEvidence['ability']]>([
    ['This model does not support image input.', { messages: imageMessages }, 'vision'],
    ["Model 'x' is text-only; image_url is not accepted", { messages: imageMessages }, 'vision'],
    [
      'Invalid content type: file is not supported by this model',
      { messages: [{ role: 'user', content: [{ type: 'file' }] }] },
      'files',
    ],
    [
      'This model does not support input_audio',
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      'audio',
    ],
    ['No endpoints found that support tool use.', tools, 'tools'],
    [
      'Unrecognized request argument: unknown parameter enable_thinking',
      { messages, enable_thinking: true },
      'thinking',
    ],
    ['response_format json_object is not supported with this model', json, 'json'],
    [
      'Extra inputs are not permitted: unknown field stream_options',
      { messages, stream_options: { include_usage: true } },
      'usage',
    ],
  ])('finds the refused ability in the error: %s', (message, body, ability) => {
    expect(collectEvidence(createRefusedRun(message), body)).toEqual([{ ability, outcome: 'refused' }]);
  });

  it.each<[string, Run, object]>([
    ['a mistake in the request', createRefusedRun('tools.0.function.name must be a string'), tools],
    [
      'the rejection of an ability that was not requested',
      createRefusedRun('This model does not support images'),
      tools,
    ],
    [
      'a rejection of two abilities at once',
      createRefusedRun('tools are not supported together with response_format'),
      { ...tools, ...json },
    ],
    ['a failing gateway', createRefusedRun('tools are not supported', { status: 503 }), tools],
    ['an error of the Bench server', createRefusedRun('tools are not supported', { source: 'proxy' }), tools],
    ['an error without a message', { ...createRefusedRun(''), phase: { name: 'failed' } }, tools],
  ])('collects no evidence from %s', (_name, run, body) => {
    expect(collectEvidence(run, body)).toEqual([]);
  });
});

describe('stored abilities', () => {
  const createSighting = (time: number) => ({ sessionId: 'session1', runId: `run${time}`, at: time });
  const record: ModelRecord = { id: 'north/one', kind: 'chat', abilities: { vision: false }, raw: {} };
  const createEvidence = (
    ability: AbilityEvidence['ability'],
    outcome: AbilityEvidence['outcome'],
  ): AbilityEvidence[] => [{ ability, outcome }];

  it('keeps the newest run per outcome and prefers seen over refused', () => {
    const refused = withEvidence({}, createEvidence('vision', 'refused'), createSighting(1));
    expect(getAbilityOutcome(refused, 'vision')).toBe('refused');
    const seen = withEvidence(refused, createEvidence('vision', 'seen'), createSighting(2));
    const both = withEvidence(seen, createEvidence('vision', 'refused'), createSighting(3));
    expect(getAbilityOutcome(both, 'vision')).toBe('seen');
    expect(both.vision).toEqual({ seen: createSighting(2), refused: createSighting(3) });
    expect(getAbilityOutcome(both, 'tools')).toBeUndefined();
  });

  it('prefers user marks over seen abilities, and seen abilities over the model record', () => {
    const storedAbilities = {
      'north/one': withEvidence({}, createEvidence('vision', 'seen'), createSighting(1)),
    };
    expect(mergeAbilities(record, record.id, storedAbilities, {})).toEqual({ vision: true });
    expect(mergeAbilities(record, record.id, storedAbilities, { 'north/one': { vision: false } })).toEqual({
      vision: false,
    });
    const open: ModelRecord = { ...record, abilities: {} };
    const refused = { 'north/one': withEvidence({}, createEvidence('tools', 'refused'), createSighting(1)) };
    expect(mergeAbilities(open, open.id, refused, {})).toEqual({});
  });

  it('restores stored abilities and drops unreadable ones', () => {
    const learned = withEvidence({}, createEvidence('thinking', 'seen'), createSighting(1));
    const stored: unknown = JSON.parse(JSON.stringify(Object.fromEntries([['__proto__', learned]])));
    expect(readLearnedAbilities(stored, '__proto__')).toEqual(learned);
    expect(readLearnedAbilities({ a: { vision: { seen: { runId: 1 } }, other: 2 } }, 'a')).toEqual({});
    for (const damaged of [{ a: 'x' }, {}, 'nonsense'])
      expect(readLearnedAbilities(damaged, 'a')).toEqual({});
  });
});

import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { newRun } from '../reply/run.ts';
import type { Part, Run } from '../session/types.ts';
import { evidenceOf, withEvidence, type Evidence } from './abilities-evidence.ts';
import { learnedOf, outcomeOf, withLearned } from './learned-abilities.ts';

const setup = { model: 'north/one', system: '', params: {} };
const messages = [{ role: 'user', content: 'Hello' }];
const withImage = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'bench-image:x' } }] }];
const text = (said: string): Part => ({ type: 'text', text: said });

function ended(parts: Part[], more: Partial<Run> = {}): Run {
  return {
    ...newRun('run1', 'session1', setup),
    status: 200,
    phase: { name: 'complete' },
    choices: [{ parts, finishReason: 'stop' }],
    ...more,
  };
}

function refused(message: string, more: Partial<ErrorReport> = {}): Run {
  const error: ErrorReport = { source: 'provider', kind: 'invalid-request', message, status: 400, ...more };
  return { ...newRun('run1', 'session1', setup), status: 400, phase: { name: 'failed', error } };
}

const seen = (...abilities: Evidence['ability'][]) =>
  abilities.map((ability) => ({ ability, outcome: 'seen' }));

describe('what an answer shows', () => {
  const thinking: Part = { type: 'thinking', text: 'Hm', startedMs: 0, endedMs: 1, deltas: 1 };
  const call: Part = { type: 'tool-call', slot: 0, name: 'f', arguments: '{}' };
  const usage = { promptTokens: 1, completionTokens: 1 };

  it.each<[string, Run, object, Evidence[] | ReturnType<typeof seen>]>([
    ['words about an image', ended([text('A cat')]), { messages: withImage }, seen('vision')],
    ['silence about an image', ended([text(' ')]), { messages: withImage }, []],
    ['a call', ended([call]), { messages, tools: [{}] }, seen('tools')],
    ['no call although there are tools', ended([text('No')]), { messages, tools: [{}] }, []],
    ['reasoning', ended([thinking, text('Yes')]), { messages }, seen('thinking')],
    ['no reasoning although it was asked for', ended([text('Yes')]), { messages, enable_thinking: true }, []],
    [
      'JSON in JSON mode',
      ended([text('{"a":1}')]),
      { messages, response_format: { type: 'json_object' } },
      seen('json'),
    ],
    ['JSON nobody asked for', ended([text('{"a":1}')]), { messages }, []],
    ['words in JSON mode', ended([text('Sure')]), { messages, response_format: { type: 'json_object' } }, []],
    ['counts in a stream', ended([text('Yes')], { usage }), { messages, stream: true }, seen('usage')],
    ['counts of a whole answer', ended([text('Yes')], { usage }), { messages }, []],
    [
      'counts of an answer that came whole',
      ended([text('Yes')], { usage, notes: [{ kind: 'not-streamed', count: 1 }] }),
      { messages, stream: true },
      [],
    ],
    [
      'what came before it was stopped',
      ended([thinking], { phase: { name: 'stopped' } }),
      { messages },
      seen('thinking'),
    ],
    ['nothing of a request that nobody can read', ended([text('Yes')]), [], []],
  ])('%s', (_name, run, body, expected) => {
    expect(evidenceOf(run, body)).toEqual(expected);
  });
});

describe('what a refusal shows', () => {
  const tools = { messages, tools: [{}] };
  const json = { messages, response_format: { type: 'json_object' } };

  it.each<[string, object, Evidence['ability']]>([
    ['This model does not support image input.', { messages: withImage }, 'vision'],
    ["Model 'x' is text-only; image_url is not accepted", { messages: withImage }, 'vision'],
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
  ])('%s', (message, body, ability) => {
    expect(evidenceOf(refused(message), body)).toEqual([{ ability, outcome: 'refused' }]);
  });

  it.each<[string, Run, object]>([
    ['a mistake in the request', refused('tools.0.function.name must be a string'), tools],
    ['what was not asked for', refused('This model does not support images'), tools],
    [
      'two abilities at once',
      refused('tools are not supported together with response_format'),
      { ...tools, ...json },
    ],
    ['a broken gateway', refused('tools are not supported', { status: 503 }), tools],
    ['our own server', refused('tools are not supported', { source: 'proxy' }), tools],
    ['an error without words', { ...refused(''), phase: { name: 'failed' } }, tools],
  ])('nothing where it is %s', (_name, run, body) => {
    expect(evidenceOf(run, body)).toEqual([]);
  });
});

describe('what is remembered', () => {
  const at = (time: number) => ({ sessionId: 'session1', runId: `run${time}`, at: time });
  const record: ModelRecord = { id: 'north/one', kind: 'chat', abilities: { vision: false }, raw: {} };
  const once = (ability: Evidence['ability'], outcome: Evidence['outcome']): Evidence[] => [
    { ability, outcome },
  ];

  it('is the newest run of each kind, and one refusal never outweighs what was seen', () => {
    const refused = withEvidence({}, once('vision', 'refused'), at(1));
    expect(outcomeOf(refused, 'vision')).toBe('refused');
    const seen = withEvidence(refused, once('vision', 'seen'), at(2));
    const both = withEvidence(seen, once('vision', 'refused'), at(3));
    expect(outcomeOf(both, 'vision')).toBe('seen');
    expect(both.vision).toEqual({ seen: at(2), refused: at(3) });
    expect(outcomeOf(both, 'tools')).toBeUndefined();
  });

  it('corrects a record that says less, blocks nothing by a refusal, and bows to the person', () => {
    const sees = { 'north/one': withEvidence({}, once('vision', 'seen'), at(1)) };
    expect(withLearned(record, sees, {})).toEqual({ vision: true });
    expect(withLearned(record, sees, { 'north/one': { vision: false } })).toEqual({ vision: false });
    const open: ModelRecord = { ...record, abilities: {} };
    const refused = { 'north/one': withEvidence({}, once('tools', 'refused'), at(1)) };
    expect(withLearned(open, refused, {})).toEqual({});
  });

  it('comes back from storage as it was, without what cannot be read', () => {
    const known = withEvidence({}, once('thinking', 'seen'), at(1));
    const stored: unknown = JSON.parse(JSON.stringify(Object.fromEntries([['__proto__', known]])));
    expect(learnedOf(stored, '__proto__')).toEqual(known);
    expect(learnedOf({ a: { vision: { seen: { runId: 1 } }, other: 2 } }, 'a')).toEqual({});
    for (const damaged of [{ a: 'x' }, {}, 'nonsense']) expect(learnedOf(damaged, 'a')).toEqual({});
  });
});

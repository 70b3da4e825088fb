import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { StreamEvent } from '../../gateway/stream/stream-events.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { createTestSetup, createTickedParams, withTimes } from '../../testing/builders.ts';
import { getCaseCount } from '../../testing/seeds.ts';
import { getCandidate, listCandidateIndexes } from '../session/candidates.ts';
import type { Run } from '../session/types.ts';
import { foldTape } from './fold-tape.ts';
import {
  applyEvents,
  describeMedia,
  failRun,
  interruptRun,
  isLive,
  createRun,
  markRunSent,
  listRunSources,
  stopQueuedRun,
  getAnswerText,
} from './run.ts';

const report: ErrorReport = { source: 'network', kind: 'connection-lost', message: 'The connection broke.' };

function createSentRun(): Run {
  const run = createRun('run1', 'session1', createTestSetup());
  return markRunSent(run, { sentAt: 5, requestId: 'request1', estimatedPromptTokens: 2 });
}

function foldEvents(...events: StreamEvent[]): Run {
  return applyEvents(createSentRun(), withTimes(events));
}

it('merges notes of one kind and joins details that differ', () => {
  const createNote = (detail?: string): StreamEvent => ({
    type: 'note',
    note: 'unreadable-event',
    ...(detail === undefined ? {} : { detail }),
  });
  const getNotes = (...details: (string | undefined)[]) =>
    foldEvents(...details.map((detail) => createNote(detail))).notes;
  expect(getNotes('a', 'b', 'a')).toEqual([{ kind: 'unreadable-event', count: 3, detail: 'a; b' }]);
  expect(getNotes(undefined, 'b')).toEqual([{ kind: 'unreadable-event', count: 2 }]);
  expect(getNotes('a', undefined)).toEqual([{ kind: 'unreadable-event', count: 2, detail: 'a' }]);
  expect(getNotes('x'.repeat(150), 'y'.repeat(51))[0]?.detail).toBe('x'.repeat(150));
});

const start: StreamEvent = { type: 'response-start', status: 200, ok: true, headers: {} };
const createText = (piece: string, choice = 0): StreamEvent => ({ type: 'text-delta', choice, text: piece });
const createThinking = (piece: string, choice = 0): StreamEvent => ({
  type: 'thinking-delta',
  choice,
  text: piece,
});
const createFinish = (reason = 'stop', choice = 0): StreamEvent => ({ type: 'choice-end', choice, reason });
const done: StreamEvent = { type: 'done' };
const createEnd = (kind: 'closed' | 'aborted' | 'lost' | 'timeout', error?: ErrorReport): StreamEvent =>
  error ? { type: 'end', end: kind, report: error } : { type: 'end', end: kind };

describe('run phases at the end', () => {
  it.each([
    [
      'a finish reason and the end marker',
      [start, createText('a'), createFinish(), done, createEnd('closed')],
      'complete',
    ],
    ['a finish reason alone', [start, createText('a'), createFinish(), createEnd('closed')], 'complete'],
    ['the end marker alone', [start, createText('a'), done, createEnd('closed')], 'complete'],
    [
      'an unknown finish reason',
      [start, createText('a'), createFinish('eos'), createEnd('closed')],
      'complete',
    ],
    [
      'a clean close without finish reason or end marker',
      [start, createText('a'), createEnd('closed')],
      'truncated',
    ],
    ['a lost connection', [start, createText('a'), createEnd('lost', report)], 'truncated'],
    [
      'a lost connection after the finish reason',
      [start, createText('a'), createFinish(), createEnd('lost', report)],
      'complete',
    ],
    [
      'a lost connection after the end marker',
      [start, createText('a'), done, createEnd('lost', report)],
      'complete',
    ],
    ['a timeout', [start, createText('a'), createEnd('timeout', report)], 'truncated'],
    [
      'a timeout after the finish reason',
      [start, createText('a'), createFinish(), createEnd('timeout', report)],
      'complete',
    ],
    ['Stop', [start, createText('a'), createEnd('aborted')], 'stopped'],
    ['Stop before the first event', [createEnd('aborted')], 'stopped'],
    [
      'Stop at the same instant as the last chunk',
      [start, createText('a'), createFinish(), createEnd('aborted')],
      'complete',
    ],
    ['an error object', [start, createText('a'), { type: 'error', report }, createEnd('closed')], 'failed'],
    [
      'an error object and a finish reason',
      [start, { type: 'error', report }, createFinish(), done, createEnd('closed')],
      'failed',
    ],
    ['an error object and Stop', [start, { type: 'error', report }, createEnd('aborted')], 'failed'],
    ['no response at all', [createEnd('lost', report)], 'failed'],
    [
      'one unfinished candidate of two',
      [start, createText('a'), createText('b', 1), createFinish(), createEnd('closed')],
      'truncated',
    ],
    [
      'two finished candidates',
      [
        start,
        createText('a'),
        createText('b', 1),
        createFinish('stop', 1),
        createFinish(),
        createEnd('closed'),
      ],
      'complete',
    ],
    [
      'a skipped candidate index',
      [start, createText('b', 1), createFinish('stop', 1), createEnd('closed')],
      'complete',
    ],
  ] satisfies [string, StreamEvent[], string][])('derives the final phase from %s', (_, events, phase) => {
    const run = foldEvents(...events);
    expect(run.phase.name).toBe(phase);
    expect(isLive(run)).toBe(false);
    const errorIndex = events.findIndex(({ type }) => type === 'error');
    expect(run.endedMs).toBe(errorIndex < 0 ? events.length : errorIndex + 1);
  });

  it('keeps the error report of a failed connection', () => {
    expect(foldEvents(start, createText('a'), createEnd('lost', report)).phase).toEqual({
      name: 'truncated',
      error: report,
    });
    expect(foldEvents(createEnd('lost', report)).phase).toEqual({ name: 'failed', error: report });
    expect(foldEvents(start, { type: 'error', report }, createEnd('closed')).phase).toEqual({
      name: 'failed',
      error: report,
    });
  });

  it('ends the run at the error event and keeps text that arrives later', () => {
    const failedRun = foldEvents(start, createText('a'), { type: 'error', report });
    const laterRun = applyEvents(failedRun, [
      { atMs: 9_000, event: createText('b') },
      { atMs: 9_500, event: createEnd('lost', report) },
    ]);
    expect(failedRun.endedMs).toBeDefined();
    expect(laterRun.endedMs).toBe(failedRun.endedMs);
    expect(getAnswerText(laterRun.choices[0])).toBe('ab');
  });

  it('keeps the received text for every kind of ending', () => {
    for (const last of [
      createEnd('closed'),
      createEnd('lost', report),
      createEnd('aborted'),
      createEnd('timeout', report),
    ]) {
      expect(
        getAnswerText(foldEvents(start, createText('Hello '), createText('from'), last).choices[0]),
      ).toBe('Hello from');
    }
  });

  it('counts notes of a folded tape, including a connection lost after the end', () => {
    const tape: TapeEntry[] = [
      { at: 0, request: { model: 'm', messages: [], stream: true }, requestId: 'r' },
      { at: 1, status: 200, headers: { 'content-type': 'text/event-stream' } },
      { at: 2, data: '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}' },
      { at: 3, data: '{broken' },
      { at: 4, data: '{broken' },
      { at: 5, end: 'lost', error: report },
    ];
    const run = foldTape(createSentRun(), tape);
    expect(run.phase.name).toBe('complete');
    expect(run.notes.map(({ kind, count }) => [kind, count])).toEqual([
      ['unreadable-event', 2],
      ['lost-after-end', 1],
    ]);
  });
});

describe('a run without an end', () => {
  it('keeps the text of an interrupted run and ends it at the newest event', () => {
    const run = interruptRun(foldEvents(start, createText('Hello')));
    expect(run.phase).toEqual({ name: 'interrupted' });
    expect(getAnswerText(run.choices[0])).toBe('Hello');
    expect(run.endedMs).toBe(2);
  });

  it('appends text that was held as a possible tag when the run is interrupted', () => {
    const liveRun = foldEvents(start, createText(' <thi'));
    expect(getAnswerText(liveRun.choices[0])).toBe('');
    expect(getAnswerText(interruptRun(liveRun).choices[0])).toBe(' <thi');
    expect(liveRun.choices[0]?.held).toBe(' <thi');
  });

  it('sets no end time if no event arrived', () => {
    expect(interruptRun(createSentRun()).endedMs).toBeUndefined();
  });

  it('leaves ended runs unchanged', () => {
    const completeRun = foldEvents(start, createText('a'), createFinish(), createEnd('closed'));
    expect(interruptRun(completeRun)).toBe(completeRun);
    expect(failRun(completeRun, 'too late')).toBe(completeRun);
  });

  it('keeps the text if the app itself fails', () => {
    const run = failRun(foldEvents(start, createText('<thi')), 'A bug.');
    expect(run.phase).toMatchObject({ name: 'failed', error: { source: 'app', message: 'A bug.' } });
    expect(getAnswerText(run.choices[0])).toBe('<thi');
  });

  it('stops a queued run without setting send and end times', () => {
    const run = stopQueuedRun(createRun('run1', 'session1', createTestSetup()));
    expect(run.phase).toEqual({ name: 'stopped' });
    expect(run.sentAt).toBeUndefined();
    expect(run.endedMs).toBeUndefined();
  });
});

describe('run state', () => {
  it('changes the phase from queued to waiting to streaming', () => {
    expect(createRun('a', 'b', createTestSetup()).phase.name).toBe('queued');
    expect(createSentRun().phase.name).toBe('waiting');
    expect(foldEvents(start).phase.name).toBe('waiting');
    expect(foldEvents(start, createText('')).phase.name).toBe('waiting');
    expect(foldEvents(start, createThinking('a')).phase.name).toBe('streaming');
  });

  it('records the times of the first token, including reasoning, and of the first answer text', () => {
    const run = foldEvents(start, createText(''), createThinking('hm'), createText('Yes'));
    expect(run.firstTokenMs).toBe(3);
    expect(run.firstTextMs).toBe(4);
    expect(run.deltas).toBe(2);
  });

  it('stores each image and source once and joins audio data', () => {
    const image: StreamEvent = { type: 'image', choice: 0, url: 'https://a.example/cat.png' };
    const [one, two] = [{ url: 'https://a.example/1' }, { url: 'https://a.example/2', title: 'Two' }];
    const run = foldEvents(
      start,
      createText('a'),
      image,
      { type: 'sound-delta', choice: 0, data: 'UklG', format: 'wav' },
      { type: 'sources', choice: 0, sources: [one, { url: two.url }] },
      createText('b'),
      image,
      { type: 'sound-delta', choice: 0, data: 'RiQA' },
      { type: 'sources', sources: [two] },
      {
        type: 'sources',
        choice: 0,
        sources: [
          { ...two, title: 'Other' },
          { ...one, title: 'One' },
        ],
      },
      createFinish(),
      createEnd('closed'),
    );
    const [choice] = run.choices;
    expect(choice?.parts).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image', url: image.url },
      { type: 'text', text: 'b' },
    ]);
    expect(choice?.sound).toEqual({ data: 'UklGRiQA', format: 'wav' });
    expect([choice?.sources, run.sources]).toEqual([[{ ...one, title: 'One' }], [two]]);
    expect(listRunSources(run, choice)).toEqual([two, { ...one, title: 'One' }]);
    expect(describeMedia(choice)).toBe('1 image, speech');
  });

  it('replaces placeholder arguments of a tool call', () => {
    const run = foldEvents(
      start,
      { type: 'tool-call-delta', choice: 0, slot: 0, name: 'add', arguments: '{}' },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: '{"a"', isReplacing: true },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: ':1}' },
    );
    expect(run.choices[0]?.parts).toEqual([
      { type: 'tool-call', slot: 0, name: 'add', arguments: '{"a":1}' },
    ]);
  });

  it('keeps reasoning, text, refusals and tool calls as parts in order of arrival', () => {
    const run = foldEvents(
      createThinking('a'),
      createThinking('b'),
      createText('c'),
      createText('d'),
      { type: 'tool-call-delta', choice: 0, slot: 0, id: 'call1', name: 'add', arguments: '{"a"' },
      { type: 'tool-call-delta', choice: 0, slot: 1, name: 'sub', arguments: '{}' },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: ':1}' },
      { type: 'refusal-delta', choice: 0, text: 'no' },
      createThinking('e'),
    );
    expect(run.choices[0]?.parts).toEqual([
      { type: 'thinking', text: 'ab', startedMs: 1, endedMs: 2, deltas: 2 },
      { type: 'text', text: 'cd' },
      { type: 'tool-call', slot: 0, id: 'call1', name: 'add', arguments: '{"a":1}' },
      { type: 'tool-call', slot: 1, name: 'sub', arguments: '{}' },
      { type: 'refusal', text: 'no' },
      { type: 'thinking', text: 'e', startedMs: 9, endedMs: 9, deltas: 1 },
    ]);
  });

  it('keeps candidates separate', () => {
    const run = foldEvents(createText('b', 1), createText('a', 0), createText('B', 1));
    expect(run.choices.map(getAnswerText)).toEqual(['a', 'bB']);
  });

  it('lists existing candidates, whatever index the gateway starts at', () => {
    const oneCandidateRun = foldEvents(createText('a', 127));
    expect(listCandidateIndexes(oneCandidateRun)).toEqual([127]);
    expect(getAnswerText(getCandidate(oneCandidateRun, undefined))).toBe('a');
    expect(getAnswerText(getCandidate(oneCandidateRun, 0))).toBe('a');
    const threeCandidateRun = foldEvents(createText('b', 2), createText('a', 1), createFinish('stop', 4));
    expect(listCandidateIndexes(threeCandidateRun)).toEqual([1, 2, 4]);
    expect(getAnswerText(getCandidate(threeCandidateRun, 2))).toBe('b');
    expect(listCandidateIndexes(foldEvents(start))).toEqual([]);
    expect(listCandidateIndexes(foldEvents(createText('<thi')))).toEqual([0]);
  });

  it('lists requested candidates while streaming, but not after the end if they are missing', () => {
    const requestedRun = createRun(
      'run1',
      'session1',
      createTestSetup({ params: createTickedParams({ n: '3' }) }),
    );
    const liveRun = applyEvents(requestedRun, withTimes([start, createText('b', 1)]));
    expect(listCandidateIndexes(liveRun)).toEqual([0, 1]);
    expect(getAnswerText(getCandidate(liveRun, undefined))).toBe('');
    const endedRun = applyEvents(liveRun, withTimes([createFinish('stop', 1), createEnd('closed')]));
    expect(listCandidateIndexes(endedRun)).toEqual([1]);
    expect(getAnswerText(getCandidate(endedRun, undefined))).toBe('b');
  });

  it('stores reported usage, model and IDs', () => {
    const run = foldEvents(
      { type: 'response-start', status: 200, ok: true, headers: {}, requestId: 'theirs' },
      { type: 'identity', id: 'c1', model: 'real/model' },
      { type: 'usage', usage: { promptTokens: 3 } },
      { type: 'usage', usage: { completionTokens: 4, totalTokens: 7 } },
    );
    expect(run).toMatchObject({
      status: 200,
      requestId: 'request1',
      returnedRequestId: 'theirs',
      responseId: 'c1',
      model: 'real/model',
      usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
    });
  });
});

const arbitraryEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('text-delta' as const),
      choice: fc.nat(2),
      text: createPieceArbitrary(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('thinking-delta' as const),
      choice: fc.nat(2),
      text: fc.string(),
    }),
  },
  fc.record({ type: fc.constant('refusal-delta' as const), choice: fc.nat(2), text: fc.string() }),
  fc.record({
    type: fc.constant('tool-call-delta' as const),
    choice: fc.nat(2),
    slot: fc.nat(2),
    arguments: fc.string(),
  }),
  fc.record({
    type: fc.constant('choice-end' as const),
    choice: fc.nat(2),
    reason: fc.constantFrom('stop', 'length'),
  }),
  fc.record({ type: fc.constant('usage' as const), usage: fc.record({ completionTokens: fc.nat() }) }),
  fc.record({
    type: fc.constant('note' as const),
    note: fc.constantFrom('unreadable-event' as const, 'skipped-value' as const),
  }),
  fc.constant<StreamEvent>({ type: 'keep-alive', comment: 'x' }),
  fc.constant<StreamEvent>({ type: 'error', report }),
  fc.constant(done),
);

function createPieceArbitrary(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      '<think>',
      '</think>',
      '<thi',
      'nk>',
      '</thi',
      '<',
      ' ',
      '\n',
      '<reasoning>',
      '</reasoning>',
    ),
    fc.string({ unit: 'binary' }),
  );
}

const arbitraryEndEvent = fc.constantFrom(
  createEnd('closed'),
  createEnd('aborted'),
  createEnd('lost', report),
  createEnd('timeout', report),
);

describe('fold', () => {
  it('gives the same run for any batching of events', () => {
    const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(arbitraryEvent, { maxLength: 30 }),
        arbitraryEndEvent,
        cuts,
        (events, endEvent, positions) => {
          const timedEvents = withTimes([start, ...events, endEvent]);
          const bounds = [0, ...positions.toSorted((a, b) => a - b), timedEvents.length];
          const batchedRun = bounds.reduce(
            (run, from, index) => applyEvents(run, timedEvents.slice(from, bounds[index + 1] ?? from)),
            createSentRun(),
          );
          const stepwiseRun = timedEvents.reduce((run, event) => applyEvents(run, [event]), createSentRun());
          const wholeRun = applyEvents(createSentRun(), timedEvents);
          expect(stepwiseRun).toEqual(wholeRun);
          expect(batchedRun).toEqual(wholeRun);
        },
      ),
      { numRuns: getCaseCount(400) },
    );
  });

  it('never mutates the given run', () => {
    fc.assert(
      fc.property(
        fc.array(arbitraryEvent, { maxLength: 15 }),
        fc.array(arbitraryEvent, { maxLength: 15 }),
        (first, more) => {
          const run = applyEvents(createSentRun(), withTimes(first));
          const copy = structuredClone(run);
          applyEvents(run, withTimes([...more, createEnd('closed')]));
          interruptRun(run);
          expect(run).toEqual(copy);
        },
      ),
    );
  });

  it('joins deltas byte for byte', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), arbitraryEndEvent, (deltas, endEvent) => {
        const run = foldEvents(start, createText('.'), ...deltas.map((delta) => createText(delta)), endEvent);
        expect(getAnswerText(run.choices[0])).toBe(`.${deltas.join('')}`);
      }),
    );
  });

  it('keeps up to 64 KiB of extra data and each note detail once', () => {
    const createNote = (detail: string, raw: string): StreamEvent => ({
      type: 'note',
      note: 'skipped-value',
      detail,
      raw,
    });
    const run = foldEvents(
      start,
      createNote('usage', 'nine'),
      createNote('choice index', 'ten'),
      createNote('usage', 'eleven'),
    );
    expect(run.leftOver).toBe('nine\nten\neleven');
    expect(run.notes).toEqual([{ kind: 'skipped-value', count: 3, detail: 'usage; choice index' }]);
    const longRun = foldEvents(
      start,
      createNote('usage', 'x'.repeat(70_000)),
      createNote('x'.repeat(300), 'more'),
    );
    expect(longRun.leftOver).toHaveLength(64 * 1024);
    expect(longRun.notes[0]?.detail).toBe('usage');
  });

  it('completes a run only if there was no text outside events', () => {
    const outside: StreamEvent = { type: 'note', note: 'outside-text', raw: 'no healthy upstream' };
    const getPhase = (...events: StreamEvent[]) => foldEvents(start, createText('a'), ...events).phase.name;
    expect(getPhase(createFinish(), createEnd('closed'))).toBe('complete');
    expect(getPhase(outside, createFinish(), { type: 'done' }, createEnd('closed'))).toBe('truncated');
    expect(getPhase(createFinish(), outside, createEnd('closed'))).toBe('truncated');
    expect(getPhase(createFinish(), outside, createEnd('aborted'))).toBe('stopped');
  });

  it('keeps all text of an answer that only resembles a tag', () => {
    for (const whole of [
      '<thinker> is a model',
      '< think>',
      '  <',
      '<think',
      '\n\n',
      '<thoughtful>',
      '<b>think</b>',
    ]) {
      const run = foldEvents(
        start,
        ...Array.from(whole, (letter) => createText(letter)),
        createFinish(),
        createEnd('closed'),
      );
      expect(getAnswerText(run.choices[0])).toBe(whole);
    }
  });

  it('keeps the identity of unchanged candidates and parts', () => {
    const before = applyEvents(
      createSentRun(),
      withTimes([createThinking('hm'), createText('a'), createText('b', 1)]),
    );
    const after = applyEvents(before, withTimes([createText('c')]));
    expect(after.choices[1]).toBe(before.choices[1]);
    expect(after.choices[0]).not.toBe(before.choices[0]);
    expect(after.choices[0]?.parts[0]).toBe(before.choices[0]?.parts[0]);
    expect(applyEvents(after, [])).toBe(after);
  });

  it('merges 10,000 single deltas into one part', () => {
    const run = withTimes(Array.from({ length: 10_000 }, () => createText('x'))).reduce(
      (currentRun, event) => applyEvents(currentRun, [event]),
      createSentRun(),
    );
    expect(run.choices[0]?.parts).toHaveLength(1);
    expect(getAnswerText(run.choices[0])).toHaveLength(10_000);
  });
});

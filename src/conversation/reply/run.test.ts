import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { StreamEvent } from '../../gateway/stream/stream-events.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { aSetup, ticked, timed } from '../../testing/builders.ts';
import { cases } from '../../testing/seeds.ts';
import { candidateOf, candidatesOf } from '../session/candidates.ts';
import type { Run } from '../session/types.ts';
import { foldTape } from './fold-tape.ts';
import {
  applyEvents,
  describeMedia,
  failRun,
  interruptRun,
  isLive,
  newRun,
  sendRun,
  listRunSources,
  stopQueuedRun,
  textOf,
} from './run.ts';

const report: ErrorReport = { source: 'network', kind: 'connection-lost', message: 'The connection broke.' };

function sentRun(): Run {
  const run = newRun('run1', 'session1', aSetup());
  return sendRun(run, { sentAt: 5, requestId: 'request1', estimatedPromptTokens: 2 });
}

function play(...events: StreamEvent[]): Run {
  return applyEvents(sentRun(), timed(events));
}

it('notes of one kind are one, with the details that differ', () => {
  const note = (detail?: string): StreamEvent => ({
    type: 'note',
    note: 'unreadable-event',
    ...(detail === undefined ? {} : { detail }),
  });
  const notesOf = (...details: (string | undefined)[]) =>
    play(...details.map((detail) => note(detail))).notes;
  expect(notesOf('a', 'b', 'a')).toEqual([{ kind: 'unreadable-event', count: 3, detail: 'a; b' }]);
  expect(notesOf(undefined, 'b')).toEqual([{ kind: 'unreadable-event', count: 2 }]);
  expect(notesOf('a', undefined)).toEqual([{ kind: 'unreadable-event', count: 2, detail: 'a' }]);
  expect(notesOf('x'.repeat(150), 'y'.repeat(51))[0]?.detail).toBe('x'.repeat(150));
});

const start: StreamEvent = { type: 'response-start', status: 200, ok: true, headers: {} };
const text = (piece: string, choice = 0): StreamEvent => ({ type: 'text-delta', choice, text: piece });
const thinking = (piece: string, choice = 0): StreamEvent => ({
  type: 'thinking-delta',
  choice,
  text: piece,
});
const finish = (reason = 'stop', choice = 0): StreamEvent => ({ type: 'choice-end', choice, reason });
const done: StreamEvent = { type: 'done' };
const end = (how: 'closed' | 'aborted' | 'lost' | 'timeout', error?: ErrorReport): StreamEvent =>
  error ? { type: 'end', end: how, report: error } : { type: 'end', end: how };

describe('how a run ends', () => {
  it.each([
    ['a finish reason and the done mark', [start, text('a'), finish(), done, end('closed')], 'complete'],
    ['a finish reason alone', [start, text('a'), finish(), end('closed')], 'complete'],
    ['the done mark alone', [start, text('a'), done, end('closed')], 'complete'],
    ['a finish reason that nobody knows', [start, text('a'), finish('eos'), end('closed')], 'complete'],
    ['a clean end and nothing else', [start, text('a'), end('closed')], 'truncated'],
    ['a lost connection', [start, text('a'), end('lost', report)], 'truncated'],
    [
      'a lost connection after the finish reason',
      [start, text('a'), finish(), end('lost', report)],
      'complete',
    ],
    ['a lost connection after the done mark', [start, text('a'), done, end('lost', report)], 'complete'],
    ['a timeout', [start, text('a'), end('timeout', report)], 'truncated'],
    ['a timeout after the finish reason', [start, text('a'), finish(), end('timeout', report)], 'complete'],
    ['Stop', [start, text('a'), end('aborted')], 'stopped'],
    ['Stop before anything came', [end('aborted')], 'stopped'],
    ['Stop in the tick of the last chunk', [start, text('a'), finish(), end('aborted')], 'complete'],
    ['an error object', [start, text('a'), { type: 'error', report }, end('closed')], 'failed'],
    [
      'an error object and a finish reason',
      [start, { type: 'error', report }, finish(), done, end('closed')],
      'failed',
    ],
    ['an error object and Stop', [start, { type: 'error', report }, end('aborted')], 'failed'],
    ['no answer at all', [end('lost', report)], 'failed'],
    [
      'one candidate of two that did not finish',
      [start, text('a'), text('b', 1), finish(), end('closed')],
      'truncated',
    ],
    [
      'both candidates finished',
      [start, text('a'), text('b', 1), finish('stop', 1), finish(), end('closed')],
      'complete',
    ],
    ['an index left out', [start, text('b', 1), finish('stop', 1), end('closed')], 'complete'],
  ] satisfies [string, StreamEvent[], string][])('with %s', (_, events, phase) => {
    const run = play(...events);
    expect(run.phase.name).toBe(phase);
    expect(isLive(run)).toBe(false);
    const told = events.findIndex(({ type }) => type === 'error');
    expect(run.endedMs).toBe(told < 0 ? events.length : told + 1);
  });

  it('with the report of what broke', () => {
    expect(play(start, text('a'), end('lost', report)).phase).toEqual({ name: 'truncated', error: report });
    expect(play(end('lost', report)).phase).toEqual({ name: 'failed', error: report });
    expect(play(start, { type: 'error', report }, end('closed')).phase).toEqual({
      name: 'failed',
      error: report,
    });
  });

  it('where the error was told, whenever the connection closes, with what comes later kept', () => {
    const told = play(start, text('a'), { type: 'error', report });
    const later = applyEvents(told, [
      { atMs: 9_000, event: text('b') },
      { atMs: 9_500, event: end('lost', report) },
    ]);
    expect(told.endedMs).toBeDefined();
    expect(later.endedMs).toBe(told.endedMs);
    expect(textOf(later.choices[0])).toBe('ab');
  });

  it('keeps the words already heard in each case', () => {
    for (const last of [end('closed'), end('lost', report), end('aborted'), end('timeout', report)]) {
      expect(textOf(play(start, text('Hello '), text('from'), last).choices[0])).toBe('Hello from');
    }
  });

  it('counts each thing that was noted once', () => {
    const tape: TapeEntry[] = [
      { at: 0, request: { model: 'm', messages: [], stream: true }, requestId: 'r' },
      { at: 1, status: 200, headers: { 'content-type': 'text/event-stream' } },
      { at: 2, data: '{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}' },
      { at: 3, data: '{broken' },
      { at: 4, data: '{broken' },
      { at: 5, end: 'lost', error: report },
    ];
    const run = foldTape(sentRun(), tape);
    expect(run.phase.name).toBe('complete');
    expect(run.notes.map(({ kind, count }) => [kind, count])).toEqual([
      ['unreadable-event', 2],
      ['lost-after-end', 1],
    ]);
  });
});

describe('a run that nobody ends', () => {
  it('is interrupted with what it had, and at the time of the newest event', () => {
    const run = interruptRun(play(start, text('Hello')));
    expect(run.phase).toEqual({ name: 'interrupted' });
    expect(textOf(run.choices[0])).toBe('Hello');
    expect(run.endedMs).toBe(2);
  });

  it('shows what was held back as the possible start of a tag', () => {
    const live = play(start, text(' <thi'));
    expect(textOf(live.choices[0])).toBe('');
    expect(textOf(interruptRun(live).choices[0])).toBe(' <thi');
    expect(live.choices[0]?.held).toBe(' <thi');
  });

  it('claims no duration where nothing ever came', () => {
    expect(interruptRun(sentRun()).endedMs).toBeUndefined();
  });

  it('stays as it ended when it has ended', () => {
    const complete = play(start, text('a'), finish(), end('closed'));
    expect(interruptRun(complete)).toBe(complete);
    expect(failRun(complete, 'too late')).toBe(complete);
  });

  it('fails with its words kept where the app itself breaks', () => {
    const run = failRun(play(start, text('<thi')), 'A bug.');
    expect(run.phase).toMatchObject({ name: 'failed', error: { source: 'app', message: 'A bug.' } });
    expect(textOf(run.choices[0])).toBe('<thi');
  });

  it('is stopped while it is queued without ever having been sent', () => {
    const run = stopQueuedRun(newRun('run1', 'session1', aSetup()));
    expect(run.phase).toEqual({ name: 'stopped' });
    expect(run.sentAt).toBeUndefined();
    expect(run.endedMs).toBeUndefined();
  });
});

describe('what a run remembers', () => {
  it('goes from queued to waiting to streaming', () => {
    expect(newRun('a', 'b', aSetup()).phase.name).toBe('queued');
    expect(sentRun().phase.name).toBe('waiting');
    expect(play(start).phase.name).toBe('waiting');
    expect(play(start, text('')).phase.name).toBe('waiting');
    expect(play(start, thinking('a')).phase.name).toBe('streaming');
  });

  it('measures the first token, reasoning counted, and the first text of the answer', () => {
    const run = play(start, text(''), thinking('hm'), text('Yes'));
    expect(run.firstTokenMs).toBe(3);
    expect(run.firstTextMs).toBe(4);
    expect(run.deltas).toBe(2);
  });

  it('keeps each image, the joined sound and each source once', () => {
    const image: StreamEvent = { type: 'image', choice: 0, url: 'https://a.example/cat.png' };
    const [one, two] = [{ url: 'https://a.example/1' }, { url: 'https://a.example/2', title: 'Two' }];
    const run = play(
      start,
      text('a'),
      image,
      { type: 'sound-delta', choice: 0, data: 'UklG', format: 'wav' },
      { type: 'sources', choice: 0, sources: [one, { url: two.url }] },
      text('b'),
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
      finish(),
      end('closed'),
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

  it('replaces a placeholder by the arguments that follow it', () => {
    const run = play(
      start,
      { type: 'tool-call-delta', choice: 0, slot: 0, name: 'add', arguments: '{}' },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: '{"a"', isReplacing: true },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: ':1}' },
    );
    expect(run.choices[0]?.parts).toEqual([
      { type: 'tool-call', slot: 0, name: 'add', arguments: '{"a":1}' },
    ]);
  });

  it('keeps thinking, answer, refusal and calls as parts in the order of their arrival', () => {
    const run = play(
      thinking('a'),
      thinking('b'),
      text('c'),
      text('d'),
      { type: 'tool-call-delta', choice: 0, slot: 0, id: 'call1', name: 'add', arguments: '{"a"' },
      { type: 'tool-call-delta', choice: 0, slot: 1, name: 'sub', arguments: '{}' },
      { type: 'tool-call-delta', choice: 0, slot: 0, arguments: ':1}' },
      { type: 'refusal-delta', choice: 0, text: 'no' },
      thinking('e'),
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

  it('keeps each candidate apart', () => {
    const run = play(text('b', 1), text('a', 0), text('B', 1));
    expect(run.choices.map(textOf)).toEqual(['a', 'bB']);
  });

  it('counts the candidates that there are, wherever the gateway begins to count', () => {
    const one = play(text('a', 127));
    expect(candidatesOf(one)).toEqual([127]);
    expect(textOf(candidateOf(one, undefined))).toBe('a');
    expect(textOf(candidateOf(one, 0))).toBe('a');
    const two = play(text('b', 2), text('a', 1), finish('stop', 4));
    expect(candidatesOf(two)).toEqual([1, 2, 4]);
    expect(textOf(candidateOf(two, 2))).toBe('b');
    expect(candidatesOf(play(start))).toEqual([]);
    expect(candidatesOf(play(text('<thi')))).toEqual([0]);
  });

  it('has a place for each candidate that was asked for, until the answer ends without it', () => {
    const asked = newRun('run1', 'session1', aSetup({ params: ticked({ n: '3' }) }));
    const live = applyEvents(asked, timed([start, text('b', 1)]));
    expect(candidatesOf(live)).toEqual([0, 1]);
    expect(textOf(candidateOf(live, undefined))).toBe('');
    const over = applyEvents(live, timed([finish('stop', 1), end('closed')]));
    expect(candidatesOf(over)).toEqual([1]);
    expect(textOf(candidateOf(over, undefined))).toBe('b');
  });

  it('takes usage, model and ids as they were reported', () => {
    const run = play(
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

const anyEvent: fc.Arbitrary<StreamEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ type: fc.constant('text-delta' as const), choice: fc.nat(2), text: pieces() }),
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

function pieces(): fc.Arbitrary<string> {
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

const anyEnding = fc.constantFrom(end('closed'), end('aborted'), end('lost', report), end('timeout', report));

describe('the fold', () => {
  it('gives the same run however the events are batched', () => {
    const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), anyEnding, cuts, (events, ending, positions) => {
        const all = timed([start, ...events, ending]);
        const bounds = [0, ...positions.toSorted((one, other) => one - other), all.length];
        const batched = bounds.reduce(
          (run, from, index) => applyEvents(run, all.slice(from, bounds[index + 1] ?? from)),
          sentRun(),
        );
        const single = all.reduce((run, event) => applyEvents(run, [event]), sentRun());
        const whole = applyEvents(sentRun(), all);
        expect(single).toEqual(whole);
        expect(batched).toEqual(whole);
      }),
      { numRuns: cases(400) },
    );
  });

  it('never changes the run that it was given', () => {
    fc.assert(
      fc.property(
        fc.array(anyEvent, { maxLength: 15 }),
        fc.array(anyEvent, { maxLength: 15 }),
        (first, more) => {
          const run = applyEvents(sentRun(), timed(first));
          const copy = structuredClone(run);
          applyEvents(run, timed([...more, end('closed')]));
          interruptRun(run);
          expect(run).toEqual(copy);
        },
      ),
    );
  });

  it('gives back the deltas byte for byte, joined', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), anyEnding, (deltas, ending) => {
        const run = play(start, text('.'), ...deltas.map((delta) => text(delta)), ending);
        expect(textOf(run.choices[0])).toBe(`.${deltas.join('')}`);
      }),
    );
  });

  it('keeps what is part of no answer side by side, to 64 KiB, and each detail of a note once', () => {
    const note = (detail: string, raw: string): StreamEvent => ({
      type: 'note',
      note: 'skipped-value',
      detail,
      raw,
    });
    const run = play(start, note('usage', 'nine'), note('choice index', 'ten'), note('usage', 'eleven'));
    expect(run.leftOver).toBe('nine\nten\neleven');
    expect(run.notes).toEqual([{ kind: 'skipped-value', count: 3, detail: 'usage; choice index' }]);
    const long = play(start, note('usage', 'x'.repeat(70_000)), note('x'.repeat(300), 'more'));
    expect(long.leftOver).toHaveLength(64 * 1024);
    expect(long.notes[0]?.detail).toBe('usage');
  });

  it('is complete with words outside of its events only where there were none', () => {
    const outside: StreamEvent = { type: 'note', note: 'outside-text', raw: 'no healthy upstream' };
    const phaseOf = (...events: StreamEvent[]) => play(start, text('a'), ...events).phase.name;
    expect(phaseOf(finish(), end('closed'))).toBe('complete');
    expect(phaseOf(outside, finish(), { type: 'done' }, end('closed'))).toBe('truncated');
    expect(phaseOf(finish(), outside, end('closed'))).toBe('truncated');
    expect(phaseOf(finish(), outside, end('aborted'))).toBe('stopped');
  });

  it('loses nothing of an answer that only begins like a tag', () => {
    for (const whole of [
      '<thinker> is a model',
      '< think>',
      '  <',
      '<think',
      '\n\n',
      '<thoughtful>',
      '<b>think</b>',
    ]) {
      const run = play(start, ...Array.from(whole, (letter) => text(letter)), finish(), end('closed'));
      expect(textOf(run.choices[0])).toBe(whole);
    }
  });

  it('keeps the identity of candidates and parts that nothing touched', () => {
    const before = applyEvents(sentRun(), timed([thinking('hm'), text('a'), text('b', 1)]));
    const after = applyEvents(before, timed([text('c')]));
    expect(after.choices[1]).toBe(before.choices[1]);
    expect(after.choices[0]).not.toBe(before.choices[0]);
    expect(after.choices[0]?.parts[0]).toBe(before.choices[0]?.parts[0]);
    expect(applyEvents(after, [])).toBe(after);
  });

  it('takes as long for late deltas as for early ones: ten thousand in ones are still one part', () => {
    const run = timed(Array.from({ length: 10_000 }, () => text('x'))).reduce(
      (now, event) => applyEvents(now, [event]),
      sentRun(),
    );
    expect(run.choices[0]?.parts).toHaveLength(1);
    expect(textOf(run.choices[0])).toHaveLength(10_000);
  });
});

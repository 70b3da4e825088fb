import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { answered, aSetup, ticked } from '../../testing/builders.ts';
import type { Note, Part, Run } from '../session/types.ts';
import { firstParams } from '../setup/params.ts';
import { noteSentence } from './describe-note.ts';
import { endingOf, errorTitle, usageAdvice, waitBeforeRetryMs, type Ending } from './ending.ts';
import { foldTape } from './fold-tape.ts';
import { finishWord, newRun } from './run.ts';

function ended(changes: Partial<Run>): Run {
  return { ...newRun('a', 'b', aSetup()), ...changes };
}

const withReason = (finishReason: string, text = 'x'): Partial<Run> => ({
  phase: { name: 'complete' },
  deltas: 1,
  choices: [{ parts: text === '' ? [] : [{ type: 'text', text }], finishReason }],
});
const failure = (kind: ErrorReport['kind']): ErrorReport => ({
  source: 'provider',
  kind,
  message: 'Their words',
});

describe('what is said at the end of a run', () => {
  it('is, where it was interrupted, whether it was sent', () => {
    const phase = { name: 'interrupted' } as const;
    const texts = [{}, { sentAt: 1 }, { lastEventMs: 3 }].map(
      (more) => endingOf(ended({ phase, ...more }))?.text,
    );
    expect(texts).toEqual([
      'It was still queued and was not sent.',
      'Nothing had been received yet.',
      'Nothing had been received yet.',
    ]);
  });

  it('is not a missing reason where one of several candidates has one', () => {
    const text: Part[] = [{ type: 'text', text: 'x' }];
    const run = ended({
      phase: { name: 'complete' },
      deltas: 1,
      choices: [{ parts: text, finishReason: 'stop' }, { parts: text }],
    });
    expect(endingOf(run)?.title).not.toBe('Ended without a finish reason');
    expect(endingOf(ended({ ...run, choices: [{ parts: text }, { parts: text }] }))?.title).toBe(
      'Ended without a finish reason',
    );
  });

  it('is nothing while it runs, and nothing where the answer is whole', () => {
    for (const name of ['queued', 'waiting', 'streaming'] as const)
      expect(endingOf(ended({ phase: { name } }))).toBeUndefined();
    expect(endingOf(ended(withReason('stop')))).toBeUndefined();
  });

  it.each([
    [
      'stopped late',
      { phase: { name: 'stopped' }, ...answered('x'), deltas: 61 },
      'You stopped it after 61 tokens',
    ],
    ['stopped early', { phase: { name: 'stopped' } }, 'You stopped it before the first token'],
    [
      'interrupted',
      { phase: { name: 'interrupted' }, deltas: 3 },
      'Interrupted: the page was closed or reloaded',
    ],
    ['cut by a limit nobody set', withReason('length'), 'Cut off at the token limit'],
    [
      'cut by max_tokens',
      { ...withReason('length'), setup: aSetup({ params: ticked({ max_tokens: '1200' }) }) },
      'Cut off at max_tokens 1,200',
    ],
    ['filtered', withReason('content_filter'), 'The provider blocked this answer'],
    [
      'blocked before it began',
      { phase: { name: 'complete' }, blockReason: 'X' },
      'The provider blocked this prompt',
    ],
    ['ended by a failure', withReason('NETWORK_ERROR'), 'The provider lost its connection to the model'],
    [
      'ended in a word of the provider',
      withReason('eos_token'),
      'Ended with eos_token, reported by the provider',
    ],
    ['said nothing', withReason('stop', ''), 'The model returned an empty answer'],
    [
      'dropped',
      { phase: { name: 'truncated', error: failure('connection-lost') }, deltas: 131, endedMs: 3200 },
      'The connection dropped at 3.2',
    ],
    ['overloaded', { phase: { name: 'failed', error: failure('overloaded') } }, 'The provider is overloaded'],
    [
      'key rejected',
      { phase: { name: 'failed', error: failure('key-rejected') } },
      'The gateway does not accept this key',
    ],
    [
      'answered unreadably',
      { phase: { name: 'failed', error: failure('unreadable') } },
      "The gateway's answer could not be read",
    ],
  ] satisfies [string, Partial<Run>, string][])('of one that was %s', (_, changes, title) => {
    expect(endingOf(ended(changes))?.title).toContain(title);
  });

  it('names the reason of a filter and whether it blocked the prompt or the answer', () => {
    const prompt = endingOf(ended({ phase: { name: 'complete' }, blockReason: 'SAFETY: Too violent' }));
    expect(prompt).toMatchObject({ tone: 'warn', offers: ['again'] });
    expect(prompt?.text).toContain('Its reason: SAFETY: Too violent.');
    const answer = endingOf(ended({ ...withReason('PROHIBITED_CONTENT'), blockReason: 'hate' }));
    expect(answer?.title).toBe('The provider blocked this answer');
    expect(answer?.text).toContain('PROHIBITED_CONTENT. 1 token received and kept.');
    expect(endingOf(ended({ ...withReason('stop'), blockReason: 'hate' }))).toBeUndefined();
  });

  it('offers to continue and to retry where the provider failed, and only to retry where nothing came', () => {
    const cut = endingOf(ended(withReason('insufficient_system_resource')));
    expect(cut).toMatchObject({ tone: 'warn', offers: ['continue', 'again'], isProviderFailure: true });
    expect(cut?.text).toContain('insufficient_system_resource. 1 token received and kept.');
    const empty = endingOf(ended({ ...withReason('abort', ''), deltas: 0 }));
    expect(empty).toMatchObject({ offers: ['again'], isProviderFailure: true });
    expect(empty?.text).toContain('No text received.');
  });

  it('warns of the one candidate that failed among others', () => {
    const parts: Part[] = [{ type: 'text', text: 'x' }];
    const choices = ['tool_calls', 'stop', 'SAFETY'].map((finishReason) => ({ parts, finishReason }));
    expect(endingOf(ended({ phase: { name: 'complete' }, choices }))?.title).toBe(
      'The provider blocked this answer',
    );
  });

  it('reports a blocked prompt if the error code names a filter', () => {
    const error = { ...failure('invalid-request'), code: 'content_filter' };
    expect(endingOf(ended({ phase: { name: 'failed', error } }))?.title).toBe(
      'The provider blocked this prompt',
    );
  });

  it('says what was kept, and never that nothing was where something came', () => {
    const cut = ended({ phase: { name: 'truncated' }, deltas: 131 });
    expect(endingOf(cut)?.text).toContain('131 tokens received and kept');
    expect(endingOf(cut)?.offers).toContain('again');
    expect(endingOf(ended({ phase: { name: 'truncated' } }))?.text).toContain('No text received');
  });

  it('never counts less than what is on screen, whatever an early usage said', () => {
    const cut = (completionTokens: number) =>
      endingOf(ended({ phase: { name: 'truncated' }, deltas: 3, usage: { completionTokens } }))?.text;
    expect(cut(0)).toContain('3 tokens received and kept');
    expect(cut(40)).toContain('40 tokens received and kept');
  });

  it('says of a limit without an answer what used it up', () => {
    const cut = (...parts: Part[]) =>
      endingOf(ended({ phase: { name: 'complete' }, choices: [{ parts, finishReason: 'length' }] }));
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    expect(cut(thinking)?.text).toBe('No answer: thinking used the whole token limit.');
    expect(cut({ type: 'refusal', text: 'I will' })?.text).toBe('The model refused.');
    expect(cut(thinking, { type: 'refusal', text: 'I will' })?.text).toBe('The model refused.');
    expect(cut()?.text).toBe('No answer: the limit was reached before any text.');
  });

  it('says that no answer came where there is reasoning and nothing else, whatever the finish reason', () => {
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    const titleOf = (finishReason: string | undefined, ...parts: Part[]) =>
      endingOf(
        ended({
          phase: { name: 'complete' },
          choices: [{ parts, ...(finishReason === undefined ? {} : { finishReason }) }],
        }),
      )?.title;
    for (const reason of ['stop', 'eos_token', undefined])
      expect(titleOf(reason, thinking)).toBe('No answer received');
    expect(titleOf('stop', thinking, { type: 'text', text: ' \n' })).toBe('No answer received');
    expect(titleOf('stop', thinking, { type: 'text', text: 'Four.' })).toBeUndefined();
    expect(titleOf('stop', thinking, { type: 'refusal', text: 'No.' })).toBeUndefined();
    expect(
      titleOf('tool_calls', thinking, { type: 'tool-call', slot: 0, name: 'f', arguments: '' }),
    ).toBeUndefined();
  });

  it('takes a call of one candidate for an answer, where another one brought reasoning and nothing else', () => {
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    const call: Part = { type: 'tool-call', slot: 0, name: 'f', arguments: '' };
    const choices = [
      { parts: [call], finishReason: 'tool_calls' },
      { parts: [thinking], finishReason: 'stop' },
    ];
    expect(endingOf(ended({ phase: { name: 'complete' }, choices }))).toBeUndefined();
  });

  it('hears the reason of a candidate that begins beyond 0', () => {
    const [begun] = withReason('length').choices ?? [];
    const run = ended({ ...withReason('length'), choices: [{ parts: [] }, ...(begun ? [begun] : [])] });
    expect(endingOf(run)?.title).toBe('Cut off at the token limit');
  });

  it('keeps words of the provider short, and from turning the sentence', () => {
    expect(endingOf(ended(withReason('X'.repeat(20_000))))?.title).toHaveLength(
      'Ended with , reported by the provider'.length + 80,
    );
    expect(endingOf(ended(withReason('a\u202Eb')))?.title).toBe(
      'Ended with a\uFFFDb, reported by the provider',
    );
  });

  it('tells what was interrupted before it was sent from what had brought nothing yet', () => {
    const phase = { name: 'interrupted' } as const;
    expect(endingOf(ended({ phase }))?.text).toBe('It was still queued and was not sent.');
    expect(endingOf(ended({ phase, sentAt: 5 }))?.text).toBe('Nothing had been received yet.');
    expect(endingOf(ended({ phase, sentAt: 5, deltas: 3 }))?.text).toContain('3 tokens received');
  });

  it.each([
    [
      'was stopped',
      { phase: { name: 'stopped' }, deltas: 2 },
      { tone: 'line', offers: ['continue', 'again'] },
    ],
    ['was stopped at once', { phase: { name: 'stopped' } }, { tone: 'line', offers: ['again'] }],
    [
      'was interrupted',
      { phase: { name: 'interrupted' }, deltas: 1 },
      { tone: 'warn', offers: ['again', 'continue'] },
    ],
    ['was interrupted at once', { phase: { name: 'interrupted' } }, { tone: 'warn', offers: ['again'] }],
    [
      'may be cut off',
      { phase: { name: 'truncated' }, deltas: 1 },
      { tone: 'warn', offers: ['again', 'continue'] },
    ],
    ['brought nothing', { phase: { name: 'truncated' } }, { tone: 'warn', offers: ['again'] }],
    ['was filtered', withReason('content_filter'), { tone: 'warn', offers: ['again'] }],
    ['said nothing', withReason('stop', ''), { tone: 'line', offers: ['again'] }],
    ['has a reason of its own', withReason('eos_token'), { tone: 'line', offers: [] }],
    ['met a limit nobody set', withReason('length'), { tone: 'warn', offers: ['continue'] }],
    [
      'met a limit nobody set, without an answer',
      withReason('length', ''),
      { tone: 'warn', offers: ['again'] },
    ],
    [
      'met a limit',
      { ...withReason('length'), setup: aSetup({ params: ticked({ max_tokens: '5' }) }) },
      { tone: 'warn', offers: ['raise', 'continue'] },
    ],
    [
      'met a limit without an answer',
      { ...withReason('length', ''), setup: aSetup({ params: ticked({ max_tokens: '5' }) }) },
      { tone: 'warn', offers: ['raise', 'again'] },
    ],
    [
      'was refused a key',
      { phase: { name: 'failed', error: failure('key-rejected') } },
      { tone: 'err', offers: ['check-key', 'again'] },
    ],
    ['failed', { phase: { name: 'failed' } }, { tone: 'err', offers: ['again'] }],
  ] satisfies [string, Partial<Run>, Pick<Ending, 'tone' | 'offers'>][])(
    'offers after a run that %s what helps',
    (_, changes, expected) => {
      const ending = endingOf(ended(changes));
      expect({ tone: ending?.tone, offers: ending?.offers }).toEqual(expected);
    },
  );

  it('is nothing where there are calls, a refusal or thinking alone, and a line where no reason came', () => {
    const complete = (parts: Part[], finishReason?: string) =>
      endingOf(
        ended({
          phase: { name: 'complete' },
          choices: [{ parts, ...(finishReason ? { finishReason } : {}) }],
        }),
      );
    const call: Part = { type: 'tool-call', slot: 0, id: 'c', name: 'f', arguments: '{}' };
    expect(complete([call], 'tool_calls')).toBeUndefined();
    expect(complete([call], 'stop')).toBeUndefined();
    expect(complete([{ type: 'refusal', text: 'No' }], 'stop')).toBeUndefined();
    expect(complete([call], 'length')?.text).toBe('The answer was cut short.');
    expect(complete([{ type: 'text', text: 'x' }])).toEqual({
      tone: 'line',
      title: 'Ended without a finish reason',
      offers: [],
    });
  });

  it('says when a stream broke or fell silent, and what came before', () => {
    const broken = (kind: ErrorReport['kind'], changes: Partial<Run> = {}) =>
      endingOf(
        ended({ phase: { name: 'truncated', error: failure(kind) }, deltas: 2, endedMs: 3200, ...changes }),
      );
    expect(broken('timeout')).toEqual({
      tone: 'err',
      title: 'No more data arrived, so Bench gave up at 3.2 s',
      text: '2 tokens received and kept.',
      offers: ['again', 'continue'],
      report: failure('timeout'),
    });
    expect(broken('connection-lost', { deltas: 0 })).toEqual({
      tone: 'err',
      title: 'The connection dropped at 3.2 s',
      text: 'No text received. The model may have kept generating after the connection dropped.',
      offers: ['again'],
      report: failure('connection-lost'),
    });
  });

  it('says of an answer that was longer than Bench keeps that it is cut, and offers to go on', () => {
    const error: ErrorReport = {
      source: 'app',
      kind: 'answer-too-large',
      message: 'Bench keeps 64 MB of one answer.',
    };
    const chunk = JSON.stringify({ choices: [{ delta: { content: 'a' } }] });
    const run = foldTape(ended({}), [
      { at: 0, status: 200, headers: {} },
      { at: 1, data: chunk },
      { at: 2, end: 'closed', error },
    ]);
    expect(run.phase).toEqual({ name: 'truncated', error });
    expect(endingOf(run)).toEqual({
      tone: 'warn',
      title: 'The answer is too long for Bench',
      text: 'Bench keeps 64 MB of one answer. 1 token received and kept.',
      offers: ['again', 'continue'],
      report: error,
    });
  });

  it('says of a failure what to do, what is kept, and something where no reason is known', () => {
    const text = (report: Partial<ErrorReport>, deltas = 0) =>
      endingOf(ended({ phase: { name: 'failed', error: { ...failure('failed'), ...report } }, deltas }))
        ?.text;
    const safe = 'Your conversation is safe.';
    expect(text({})).toBe(safe);
    expect(text({}, 2)).toBe('2 tokens received and kept.');
    expect(text({ kind: 'invalid-request' })).toBe(`Its message is below. ${safe}`);
    expect(text({ kind: 'invalid-request', fields: [] })).toBe(`Its message is below. ${safe}`);
    const fields = [{ path: 'n', message: 'm' }];
    expect(text({ kind: 'invalid-request', fields })).toBe(`Its message is below. ${safe}`);
    expect(text({ kind: 'too-large' })).toBe(safe);
    expect(text({ kind: 'too-large', requestBytes: 2_000_000 })).toContain('It was 2');
    expect(text({ kind: 'rate-limited' })).toBe(`Nothing is sent again unless you ask. ${safe}`);
    expect(endingOf(ended({ phase: { name: 'failed' } }))?.report).toEqual({
      source: 'app',
      kind: 'failed',
      message: 'Failed; no reason given.',
    });
  });

  it('advises by the kind of the error, where there is something to do', () => {
    const advised = new Map<ErrorReport['kind'], string>([
      ['key-rejected', 'GATEWAY_API_KEY'],
      ['not-found', 'Check the model ID'],
      ['offline', 'when you are online'],
      ['overloaded', 'nothing was lost'],
      ['unreachable', 'GATEWAY_BASE_URL is correct'],
      ['redirected', 'never follows a redirect'],
      ['proxy-unreachable', 'npm start'],
    ]);
    for (const [kind, words] of advised)
      expect(endingOf(ended({ phase: { name: 'failed', error: failure(kind) } }))?.text, kind).toContain(
        words,
      );
  });

  it('names who speaks, and what went wrong, by kind', () => {
    const titles = (['app', 'proxy', 'gateway', 'provider', 'network'] as const).map((source) =>
      errorTitle({ source, kind: 'failed', message: 'm' }),
    );
    expect(titles).toEqual(
      ['Bench', 'The Bench server', 'The gateway', 'The provider', 'The network'].map(
        (who) => `${who} reported an error`,
      ),
    );
    const kinds: ErrorReport['kind'][] = [
      'key-rejected',
      'login-required',
      'forbidden',
      'not-found',
      'invalid-request',
      'too-large',
      'rate-limited',
      'overloaded',
      'unreachable',
      'unreadable',
      'redirected',
      'timeout',
      'connection-lost',
      'offline',
      'proxy-unreachable',
      'no-answer',
      'not-an-answer',
      'event-too-large',
      'failed',
    ];
    expect(new Set(kinds.map((kind) => errorTitle(failure(kind)))).size).toBe(kinds.length);
  });

  it('never blames, begs or shouts', () => {
    const kinds: ErrorReport['kind'][] = [
      'not-found',
      'rate-limited',
      'unreachable',
      'unreadable',
      'redirected',
      'timeout',
      'proxy-unreachable',
      'no-answer',
      'failed',
    ];
    for (const kind of kinds) {
      const { title = '', text = '' } =
        endingOf(ended({ phase: { name: 'failed', error: failure(kind) } })) ?? {};
      expect(`${title} ${text}`).not.toMatch(/oops|please|sorry|!|undefined/i);
      expect(title).not.toBe('');
    }
  });

  it('has one word for the metrics', () => {
    expect(finishWord(ended(withReason('tool_calls')))).toBe('tool_calls');
    expect(finishWord(ended({ phase: { name: 'complete' } }))).toBe('none reported');
    expect(finishWord(ended({ phase: { name: 'streaming' } }))).toBeUndefined();
    expect(finishWord(ended({ phase: { name: 'truncated' } }))).toBe('cut off');
  });
});

describe('the wait before the next try', () => {
  const limited = failure('rate-limited');

  it('is what the error says, and none where it says nothing and is not a limit', () => {
    expect(waitBeforeRetryMs({ ...failure('overloaded'), retryAfterMs: 7 }, 'a', 3)).toBe(7);
    expect(waitBeforeRetryMs({ ...limited, retryAfterMs: 0 }, 'a', 3)).toBe(0);
    expect(waitBeforeRetryMs(failure('overloaded'), 'a', 1)).toBeUndefined();
    expect(waitBeforeRetryMs(undefined, 'a', 1)).toBeUndefined();
  });

  it('doubles with each version that met a limit, from one to eight seconds, and differs from run to run', () => {
    expect([0, 1, 2, 3, 4, 9].map((refusals) => waitBeforeRetryMs(limited, '', refusals))).toEqual([
      1000, 1000, 2000, 4000, 4000, 4000,
    ]);
    // The letters of the id make a number below 1,000: 97 for a, 97 × 31 + 98 less 3,000 for ab.
    expect(waitBeforeRetryMs(limited, 'a', 1)).toBe(1097);
    expect(waitBeforeRetryMs(limited, 'ab', 1)).toBe(1105);
    expect(waitBeforeRetryMs(limited, 'ab', 3)).toBe(4420);
  });
});

describe('a note', () => {
  it('is a sentence of its own for each kind', () => {
    const said = (kind: Note['kind'], count = 1, detail?: string) =>
      noteSentence({ kind, count, ...(detail === undefined ? {} : { detail }) });
    expect(said('not-streamed')).toBe('The gateway did not stream although streaming was requested.');
    expect(said('joined-events', 2)).toContain('2 events contained two chunks');
    expect(said('skipped-value', 1, 'choice index')).toBe(
      '1 value outside the format was ignored and kept raw (choice index).',
    );
    expect(said('skipped-value', 2)).toBe('2 values outside the format were ignored and kept raw.');
    expect(said('unlabelled-stream', 1, 'text/plain')).toBe(
      'The stream has the wrong content type (text/plain).',
    );
    expect(said('after-done')).toContain('after the end marker');
    expect(said('cut-character')).toBe('The stream ended in the middle of a character.');
    expect(said('lost-after-end')).toContain('after the answer was complete');
    expect(said('unterminated-event')).toContain('no closing blank line');
    expect(said('unlabelled-stream', 1, 'x'.repeat(300)).length).toBeLessThan(260);
    expect(said('outside-text', 1, 'no healthy upstream')).toBe(
      'The stream contained text outside any event (no healthy upstream).',
    );
    expect(said('cut-answer')).toBe('The answer was cut off. What arrived is kept.');
  });

  it('tells what a response changed of itself, and no name while names are hidden', () => {
    const note: Note = { kind: 'changed-identity', count: 1, detail: 'model m/1, then m/2' };
    expect(noteSentence(note)).toBe('The response changed its own ID or model (model m/1, then m/2).');
    expect(noteSentence(note, true)).toBe('The response changed its own ID or model.');
  });

  it('is a sentence, counted, and of a newer kind at least its name', () => {
    expect(noteSentence({ kind: 'unreadable-event', count: 1 })).toBe(
      '1 event could not be read and was kept raw.',
    );
    expect(noteSentence({ kind: 'unreadable-event', count: 2 })).toBe(
      '2 events could not be read and were kept raw.',
    );
    const newer = { kind: 'from-the-future', count: 1, detail: 'x' };
    expect(noteSentence(Object.assign({ kind: 'after-done' as const, count: 1 }, newer))).toBe(
      'from-the-future (x)',
    );
  });
});

describe('the offer to ask for usage', () => {
  it('is made where a whole stream brought none and it is not asked for yet', () => {
    const streamed = ended(withReason('stop'));
    const unasked = ticked({ stream: 'true' });
    expect(usageAdvice(streamed, unasked)).toBe(true);
    expect(usageAdvice(streamed, firstParams), 'Bench asks by itself, or knows that it is refused').toBe(
      false,
    );
    expect(usageAdvice(streamed, ticked({ stream: 'true', stream_options: '{"include_usage":true}' }))).toBe(
      false,
    );
    expect(usageAdvice({ ...streamed, usage: { totalTokens: 1 } }, unasked)).toBe(false);
    expect(usageAdvice({ ...streamed, setup: aSetup({ params: ticked({ stream: 'false' }) }) }, {})).toBe(
      false,
    );
  });
});

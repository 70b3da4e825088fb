import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { createTextChoices, createTestSetup, createTickedParams } from '../../testing/builders.ts';
import type { Note, Part, Run } from '../session/types.ts';
import { defaultParams } from '../setup/params.ts';
import { describeNote } from './describe-note.ts';
import { getEnding, getErrorTitle, shouldSuggestUsage, getRetryDelayMs, type Ending } from './ending.ts';
import { foldTape } from './fold-tape.ts';
import { getFinishLabel, createRun } from './run.ts';

function createEndedRun(changes: Partial<Run>): Run {
  return { ...createRun('a', 'b', createTestSetup()), ...changes };
}

const buildFinishFields = (finishReason: string, text = 'x'): Partial<Run> => ({
  phase: { name: 'complete' },
  deltas: 1,
  choices: [{ parts: text === '' ? [] : [{ type: 'text', text }], finishReason }],
});
const createErrorReport = (kind: ErrorReport['kind']): ErrorReport => ({
  source: 'provider',
  kind,
  message: 'Their words',
});

describe('ending of a run', () => {
  it('reports whether an interrupted run had been sent', () => {
    const phase = { name: 'interrupted' } as const;
    const texts = [{}, { sentAt: 1 }, { lastEventMs: 3 }].map(
      (more) => getEnding(createEndedRun({ phase, ...more }))?.text,
    );
    expect(texts).toEqual([
      'It was still queued and was not sent.',
      'Nothing was received.',
      'Nothing was received.',
    ]);
  });

  it('does not report a missing finish reason if any candidate has one', () => {
    const text: Part[] = [{ type: 'text', text: 'x' }];
    const run = createEndedRun({
      phase: { name: 'complete' },
      deltas: 1,
      choices: [{ parts: text, finishReason: 'stop' }, { parts: text }],
    });
    expect(getEnding(run)?.title).not.toBe('Ended without a finish reason');
    expect(getEnding(createEndedRun({ ...run, choices: [{ parts: text }, { parts: text }] }))?.title).toBe(
      'Ended without a finish reason',
    );
  });

  it('returns no ending for live and complete runs', () => {
    for (const name of ['queued', 'waiting', 'streaming'] as const)
      expect(getEnding(createEndedRun({ phase: { name } }))).toBeUndefined();
    expect(getEnding(createEndedRun(buildFinishFields('stop')))).toBeUndefined();
  });

  it.each([
    [
      'stopped after 61 tokens',
      { phase: { name: 'stopped' }, ...createTextChoices('x'), deltas: 61 },
      'Stopped after 61 tokens',
    ],
    ['stopped before the first token', { phase: { name: 'stopped' } }, 'Stopped before the first token'],
    [
      'interrupted by closing the page',
      { phase: { name: 'interrupted' }, deltas: 3 },
      'Interrupted by closing or reloading the page',
    ],
    ["cut off by the model's own limit", buildFinishFields('length'), 'Cut off at the token limit'],
    [
      'cut off by max_tokens',
      {
        ...buildFinishFields('length'),
        setup: createTestSetup({ params: createTickedParams({ max_tokens: '1200' }) }),
      },
      'Cut off at max_tokens 1,200',
    ],
    ['blocked by a content filter', buildFinishFields('content_filter'), 'The provider blocked this answer'],
    [
      'blocked before the first token',
      { phase: { name: 'complete' }, blockReason: 'X' },
      'The provider blocked this prompt',
    ],
    [
      'ended by a failure at the provider',
      buildFinishFields('NETWORK_ERROR'),
      'The provider lost its connection to the model',
    ],
    [
      'ended with a provider-specific finish reason',
      buildFinishFields('eos_token'),
      'Ended with finish reason eos_token',
    ],
    ['ended without text', buildFinishFields('stop', ''), 'The model returned an empty answer'],
    [
      'disconnected',
      {
        phase: { name: 'truncated', error: createErrorReport('connection-lost') },
        deltas: 131,
        endedMs: 3200,
      },
      'The connection dropped after 3.2',
    ],
    [
      'overloaded',
      { phase: { name: 'failed', error: createErrorReport('overloaded') } },
      'The provider is overloaded',
    ],
    [
      'ended by a rejected key',
      { phase: { name: 'failed', error: createErrorReport('key-rejected') } },
      'The gateway rejected the key',
    ],
    [
      'ended by an unreadable response',
      { phase: { name: 'failed', error: createErrorReport('unreadable') } },
      "Could not read the gateway's response",
    ],
  ] satisfies [string, Partial<Run>, string][])('describes the ending of a run: %s', (_, changes, title) => {
    expect(getEnding(createEndedRun(changes))?.title).toContain(title);
  });

  it('states the filter reason and whether the prompt or the answer was blocked', () => {
    const promptEnding = getEnding(
      createEndedRun({ phase: { name: 'complete' }, blockReason: 'SAFETY: Too violent' }),
    );
    expect(promptEnding).toMatchObject({ tone: 'warn', actions: ['again'] });
    expect(promptEnding?.text).toContain('Reason: SAFETY: Too violent.');
    const answerEnding = getEnding(
      createEndedRun({ ...buildFinishFields('PROHIBITED_CONTENT'), blockReason: 'hate' }),
    );
    expect(answerEnding?.title).toBe('The provider blocked this answer');
    expect(answerEnding?.text).toContain('PROHIBITED_CONTENT. 1 token was saved.');
    expect(getEnding(createEndedRun({ ...buildFinishFields('stop'), blockReason: 'hate' }))).toBeUndefined();
  });

  it('suggests continuing and retrying after a provider failure, but only retrying if no text arrived', () => {
    const cutEnding = getEnding(createEndedRun(buildFinishFields('insufficient_system_resource')));
    expect(cutEnding).toMatchObject({
      tone: 'warn',
      actions: ['continue', 'again'],
    });
    expect(cutEnding?.text).toContain('insufficient_system_resource. 1 token was saved.');
    const emptyEnding = getEnding(createEndedRun({ ...buildFinishFields('abort', ''), deltas: 0 }));
    expect(emptyEnding).toMatchObject({ actions: ['again'] });
    expect(emptyEnding?.text).toContain('No text received.');
  });

  it('warns about one failed candidate among several', () => {
    const parts: Part[] = [{ type: 'text', text: 'x' }];
    const choices = ['tool_calls', 'stop', 'SAFETY'].map((finishReason) => ({ parts, finishReason }));
    expect(getEnding(createEndedRun({ phase: { name: 'complete' }, choices }))?.title).toBe(
      'The provider blocked this answer',
    );
  });

  it('reports a blocked prompt if the error code names a filter', () => {
    const error = { ...createErrorReport('invalid-request'), code: 'content_filter' };
    expect(getEnding(createEndedRun({ phase: { name: 'failed', error } }))?.title).toBe(
      'The provider blocked this prompt',
    );
  });

  it('states what was kept, and reports no text only if none arrived', () => {
    const truncatedRun = createEndedRun({ phase: { name: 'truncated' }, deltas: 131 });
    expect(getEnding(truncatedRun)?.text).toContain('131 tokens were saved');
    expect(getEnding(truncatedRun)?.actions).toContain('again');
    expect(getEnding(createEndedRun({ phase: { name: 'truncated' } }))?.text).toContain('No text received');
  });

  it('counts at least the visible tokens, regardless of the early usage', () => {
    const getTruncatedText = (completionTokens: number) =>
      getEnding(createEndedRun({ phase: { name: 'truncated' }, deltas: 3, usage: { completionTokens } }))
        ?.text;
    expect(getTruncatedText(0)).toContain('3 tokens were saved');
    expect(getTruncatedText(40)).toContain('40 tokens were saved');
  });

  it('explains what used up the token limit without an answer', () => {
    const getLengthEnding = (...parts: Part[]) =>
      getEnding(
        createEndedRun({ phase: { name: 'complete' }, choices: [{ parts, finishReason: 'length' }] }),
      );
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    expect(getLengthEnding(thinking)?.text).toBe('No answer: reasoning used up the token limit.');
    expect(getLengthEnding({ type: 'refusal', text: 'I will' })?.text).toBe('The model refused.');
    expect(getLengthEnding(thinking, { type: 'refusal', text: 'I will' })?.text).toBe('The model refused.');
    expect(getLengthEnding()?.text).toBe('No answer: the limit was reached before any text.');
  });

  it('reports a missing answer if there is only reasoning, whatever the finish reason', () => {
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    const getTitle = (finishReason: string | undefined, ...parts: Part[]) =>
      getEnding(
        createEndedRun({
          phase: { name: 'complete' },
          choices: [{ parts, ...(finishReason === undefined ? {} : { finishReason }) }],
        }),
      )?.title;
    for (const reason of ['stop', 'eos_token', undefined])
      expect(getTitle(reason, thinking)).toBe('No answer received');
    expect(getTitle('stop', thinking, { type: 'text', text: ' \n' })).toBe('No answer received');
    expect(getTitle('stop', thinking, { type: 'text', text: 'Four.' })).toBeUndefined();
    expect(getTitle('stop', thinking, { type: 'refusal', text: 'No.' })).toBeUndefined();
    expect(
      getTitle('tool_calls', thinking, { type: 'tool-call', slot: 0, name: 'f', arguments: '' }),
    ).toBeUndefined();
  });

  it('accepts a tool call in one candidate as an answer if another has only reasoning', () => {
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    const call: Part = { type: 'tool-call', slot: 0, name: 'f', arguments: '' };
    const choices = [
      { parts: [call], finishReason: 'tool_calls' },
      { parts: [thinking], finishReason: 'stop' },
    ];
    expect(getEnding(createEndedRun({ phase: { name: 'complete' }, choices }))).toBeUndefined();
  });

  it('uses the finish reason of a candidate with an index above 0', () => {
    const [startedChoice] = buildFinishFields('length').choices ?? [];
    const run = createEndedRun({
      ...buildFinishFields('length'),
      choices: [{ parts: [] }, ...(startedChoice ? [startedChoice] : [])],
    });
    expect(getEnding(run)?.title).toBe('Cut off at the token limit');
  });

  it('truncates and sanitizes finish reasons from the provider', () => {
    expect(getEnding(createEndedRun(buildFinishFields('X'.repeat(20_000))))?.title).toHaveLength(
      'Ended with finish reason '.length + 80,
    );
    expect(getEnding(createEndedRun(buildFinishFields('a\u202Eb')))?.title).toBe(
      'Ended with finish reason a\uFFFDb',
    );
  });

  it('distinguishes unsent runs from runs without data after an interruption', () => {
    const phase = { name: 'interrupted' } as const;
    expect(getEnding(createEndedRun({ phase }))?.text).toBe('It was still queued and was not sent.');
    expect(getEnding(createEndedRun({ phase, sentAt: 5 }))?.text).toBe('Nothing was received.');
    expect(getEnding(createEndedRun({ phase, sentAt: 5, deltas: 3 }))?.text).toContain('3 tokens were saved');
  });

  it.each([
    [
      'was stopped',
      { phase: { name: 'stopped' }, deltas: 2 },
      { tone: 'line', actions: ['continue', 'again'] },
    ],
    [
      'was stopped before the first token',
      { phase: { name: 'stopped' } },
      { tone: 'line', actions: ['again'] },
    ],
    [
      'was interrupted',
      { phase: { name: 'interrupted' }, deltas: 1 },
      { tone: 'warn', actions: ['again', 'continue'] },
    ],
    [
      'was interrupted before the first token',
      { phase: { name: 'interrupted' } },
      { tone: 'warn', actions: ['again'] },
    ],
    [
      'may be cut off',
      { phase: { name: 'truncated' }, deltas: 1 },
      { tone: 'warn', actions: ['again', 'continue'] },
    ],
    [
      'ended without text or finish reason',
      { phase: { name: 'truncated' } },
      { tone: 'warn', actions: ['again'] },
    ],
    [
      'was blocked by a content filter',
      buildFinishFields('content_filter'),
      { tone: 'warn', actions: ['again'] },
    ],
    ['ended without text', buildFinishFields('stop', ''), { tone: 'line', actions: ['again'] }],
    ['has a provider-specific finish reason', buildFinishFields('eos_token'), { tone: 'line', actions: [] }],
    [
      "reached the model's own token limit",
      buildFinishFields('length'),
      { tone: 'warn', actions: ['continue'] },
    ],
    [
      "reached the model's own token limit before any text",
      buildFinishFields('length', ''),
      { tone: 'warn', actions: ['again'] },
    ],
    [
      'reached max_tokens',
      {
        ...buildFinishFields('length'),
        setup: createTestSetup({ params: createTickedParams({ max_tokens: '5' }) }),
      },
      { tone: 'warn', actions: ['raise', 'continue'] },
    ],
    [
      'reached max_tokens before any text',
      {
        ...buildFinishFields('length', ''),
        setup: createTestSetup({ params: createTickedParams({ max_tokens: '5' }) }),
      },
      { tone: 'warn', actions: ['raise', 'again'] },
    ],
    [
      'was rejected because of its key',
      { phase: { name: 'failed', error: createErrorReport('key-rejected') } },
      { tone: 'err', actions: ['check-key', 'again'] },
    ],
    ['failed', { phase: { name: 'failed' } }, { tone: 'err', actions: ['again'] }],
  ] satisfies [string, Partial<Run>, Pick<Ending, 'tone' | 'actions'>][])(
    'suggests actions and a tone for a run that %s',
    (_, changes, expected) => {
      const ending = getEnding(createEndedRun(changes));
      expect({ tone: ending?.tone, actions: ending?.actions }).toEqual(expected);
    },
  );

  it('returns no ending for calls, refusals or reasoning with a finish reason, and a quiet line without a finish reason', () => {
    const getCompleteEnding = (parts: Part[], finishReason?: string) =>
      getEnding(
        createEndedRun({
          phase: { name: 'complete' },
          choices: [{ parts, ...(finishReason ? { finishReason } : {}) }],
        }),
      );
    const call: Part = { type: 'tool-call', slot: 0, id: 'c', name: 'f', arguments: '{}' };
    expect(getCompleteEnding([call], 'tool_calls')).toBeUndefined();
    expect(getCompleteEnding([call], 'stop')).toBeUndefined();
    expect(getCompleteEnding([{ type: 'refusal', text: 'No' }], 'stop')).toBeUndefined();
    expect(getCompleteEnding([call], 'length')?.text).toBe('The answer is incomplete.');
    expect(getCompleteEnding([{ type: 'text', text: 'x' }])).toEqual({
      tone: 'line',
      title: 'Ended without a finish reason',
      actions: [],
    });
  });

  it('reports a broken or timed-out stream and the tokens received before the end', () => {
    const getBrokenEnding = (kind: ErrorReport['kind'], changes: Partial<Run> = {}) =>
      getEnding(
        createEndedRun({
          phase: { name: 'truncated', error: createErrorReport(kind) },
          deltas: 2,
          endedMs: 3200,
          ...changes,
        }),
      );
    expect(getBrokenEnding('timeout')).toEqual({
      tone: 'err',
      title: 'Timed out at 3.2 s: no more data arrived',
      text: '2 tokens were saved.',
      actions: ['again', 'continue'],
      report: createErrorReport('timeout'),
    });
    expect(getBrokenEnding('connection-lost', { deltas: 0 })).toEqual({
      tone: 'err',
      title: 'The connection dropped after 3.2 s',
      text: 'No text received. The model may have continued generating.',
      actions: ['again'],
      report: createErrorReport('connection-lost'),
    });
  });

  it('reports an answer cut at the size limit and suggests continuing', () => {
    const error: ErrorReport = {
      source: 'app',
      kind: 'answer-too-large',
      message: 'Bench keeps 64 MB of one answer.',
    };
    const chunk = JSON.stringify({ choices: [{ delta: { content: 'a' } }] });
    const run = foldTape(createEndedRun({}), [
      { at: 0, status: 200, headers: {} },
      { at: 1, data: chunk },
      { at: 2, end: 'closed', error },
    ]);
    expect(run.phase).toEqual({ name: 'truncated', error });
    expect(getEnding(run)).toEqual({
      tone: 'warn',
      title: 'The answer is too large',
      text: 'Bench keeps 64 MB of one answer. 1 token was saved.',
      actions: ['again', 'continue'],
      report: error,
    });
  });

  it('reports failures with advice and kept tokens, or a default text without a known reason', () => {
    const getFailureText = (report: Partial<ErrorReport>, deltas = 0) =>
      getEnding(
        createEndedRun({
          phase: { name: 'failed', error: { ...createErrorReport('failed'), ...report } },
          deltas,
        }),
      )?.text;
    const safetyNote = 'Your conversation was kept.';
    expect(getFailureText({})).toBe(safetyNote);
    expect(getFailureText({}, 2)).toBe('2 tokens were saved.');
    expect(getFailureText({ kind: 'invalid-request' })).toBe(`See the error message below. ${safetyNote}`);
    expect(getFailureText({ kind: 'invalid-request', fields: [] })).toBe(
      `See the error message below. ${safetyNote}`,
    );
    const fields = [{ path: 'n', message: 'm' }];
    expect(getFailureText({ kind: 'invalid-request', fields })).toBe(
      `See the error message below. ${safetyNote}`,
    );
    expect(getFailureText({ kind: 'too-large' })).toBe(safetyNote);
    expect(getFailureText({ kind: 'too-large', requestBytes: 2_000_000 })).toContain('It was 2');
    expect(getFailureText({ kind: 'rate-limited' })).toBe(
      `Bench does not retry automatically. ${safetyNote}`,
    );
    expect(getEnding(createEndedRun({ phase: { name: 'failed' } }))?.report).toEqual({
      source: 'app',
      kind: 'failed',
      message: 'The request failed without a reason.',
    });
  });

  it('gives advice for error kinds that the user can resolve', () => {
    const expectedAdvice = new Map<ErrorReport['kind'], string>([
      ['key-rejected', 'GATEWAY_API_KEY'],
      ['not-found', 'Check the model ID'],
      ['offline', 'when you are back online'],
      ['overloaded', 'before any text'],
      ['unreachable', 'GATEWAY_BASE_URL is correct'],
      ['redirected', 'never follows redirects'],
      ['proxy-unreachable', 'npm start'],
    ]);
    for (const [kind, text] of expectedAdvice)
      expect(
        getEnding(createEndedRun({ phase: { name: 'failed', error: createErrorReport(kind) } }))?.text,
        kind,
      ).toContain(text);
  });

  it('names the source and the problem for every error kind', () => {
    const titles = (['app', 'proxy', 'gateway', 'provider', 'network'] as const).map((source) =>
      getErrorTitle({ source, kind: 'failed', message: 'm' }),
    );
    expect(titles).toEqual(
      ['Bench', 'The Bench server', 'The gateway', 'The provider', 'A server in between'].map(
        (sourceLabel) => `${sourceLabel} reported an error`,
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
    expect(new Set(kinds.map((kind) => getErrorTitle(createErrorReport(kind)))).size).toBe(kinds.length);
  });

  it('avoids blame, pleas and exclamation marks', () => {
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
        getEnding(createEndedRun({ phase: { name: 'failed', error: createErrorReport(kind) } })) ?? {};
      expect(`${title} ${text}`).not.toMatch(/oops|please|sorry|!|undefined/i);
      expect(title).not.toBe('');
    }
  });

  it('returns a short finish label for the metrics', () => {
    expect(getFinishLabel(createEndedRun(buildFinishFields('tool_calls')))).toBe('tool_calls');
    expect(getFinishLabel(createEndedRun({ phase: { name: 'complete' } }))).toBe('none reported');
    expect(getFinishLabel(createEndedRun({ phase: { name: 'streaming' } }))).toBeUndefined();
    expect(getFinishLabel(createEndedRun({ phase: { name: 'truncated' } }))).toBe('cut off');
  });
});

describe('retry delay', () => {
  const rateLimitReport = createErrorReport('rate-limited');

  it('returns the delay given in the error, and undefined if an error other than a rate limit gives none', () => {
    expect(getRetryDelayMs({ ...createErrorReport('overloaded'), retryAfterMs: 7 }, 'a', 3)).toBe(7);
    expect(getRetryDelayMs({ ...rateLimitReport, retryAfterMs: 0 }, 'a', 3)).toBe(0);
    expect(getRetryDelayMs(createErrorReport('overloaded'), 'a', 1)).toBeUndefined();
    expect(getRetryDelayMs(undefined, 'a', 1)).toBeUndefined();
  });

  it('doubles the retry delay for each rejected version from 1 s, stays below 8 s and varies by run', () => {
    expect(
      [0, 1, 2, 3, 4, 9].map((rejectionCount) => getRetryDelayMs(rateLimitReport, '', rejectionCount)),
    ).toEqual([1000, 1000, 2000, 4000, 4000, 4000]);
    // The ID is hashed to a number below 1,000: 97 for a, and 97 × 31 + 98 − 3,000 = 105 for ab.
    expect(getRetryDelayMs(rateLimitReport, 'a', 1)).toBe(1097);
    expect(getRetryDelayMs(rateLimitReport, 'ab', 1)).toBe(1105);
    expect(getRetryDelayMs(rateLimitReport, 'ab', 3)).toBe(4420);
  });
});

describe('note description', () => {
  it('describes each kind of note in a sentence', () => {
    const describe = (kind: Note['kind'], count = 1, detail?: string) =>
      describeNote({ kind, count, ...(detail === undefined ? {} : { detail }) });
    expect(describe('not-streamed')).toBe('The gateway did not stream although streaming was requested.');
    expect(describe('joined-events', 2)).toContain('2 events contained two chunks');
    expect(describe('skipped-value', 1, 'choice index')).toBe(
      'Ignored 1 value not in the API description (choice index). The raw data was kept.',
    );
    expect(describe('skipped-value', 2)).toBe(
      'Ignored 2 values not in the API description. The raw data was kept.',
    );
    expect(describe('unlabelled-stream', 1, 'text/plain')).toBe(
      'The stream has the wrong content type (text/plain).',
    );
    expect(describe('after-done')).toContain('after the end marker');
    expect(describe('cut-character')).toBe('The stream ended in the middle of a character.');
    expect(describe('lost-after-end')).toContain('after the answer was complete');
    expect(describe('unterminated-event')).toContain('did not end with a blank line');
    expect(describe('unlabelled-stream', 1, 'x'.repeat(300)).length).toBeLessThan(260);
    expect(describe('outside-text', 1, 'no healthy upstream')).toBe(
      'The stream contained text outside any event (no healthy upstream).',
    );
    expect(describe('cut-answer')).toBe('The answer was cut off. The received part was kept.');
  });

  it('names a changed model only if names are visible', () => {
    const note: Note = { kind: 'changed-identity', count: 1, detail: 'model m/1, then m/2' };
    expect(describeNote(note)).toBe('The ID or model changed during the response (model m/1, then m/2).');
    expect(describeNote(note, true)).toBe('The ID or model changed during the response.');
  });

  it('uses plurals, and shows the name of an unknown kind', () => {
    expect(describeNote({ kind: 'unreadable-event', count: 1 })).toBe(
      '1 event could not be read. The raw data was kept.',
    );
    expect(describeNote({ kind: 'unreadable-event', count: 2 })).toBe(
      '2 events could not be read. The raw data was kept.',
    );
    const newer = { kind: 'from-the-future', count: 1, detail: 'x' };
    expect(describeNote(Object.assign({ kind: 'after-done' as const, count: 1 }, newer))).toBe(
      'from-the-future (x)',
    );
  });
});

describe('usage suggestion', () => {
  it('suggests requesting usage after a complete stream without it', () => {
    const streamedRun = createEndedRun(buildFinishFields('stop'));
    const paramsWithoutUsage = createTickedParams({ stream: 'true' });
    expect(shouldSuggestUsage(streamedRun, paramsWithoutUsage)).toBe(true);
    expect(
      shouldSuggestUsage(streamedRun, defaultParams),
      'no suggestion: Bench requests usage itself or knows it is rejected',
    ).toBe(false);
    expect(
      shouldSuggestUsage(
        streamedRun,
        createTickedParams({ stream: 'true', stream_options: '{"include_usage":true}' }),
      ),
    ).toBe(false);
    expect(shouldSuggestUsage({ ...streamedRun, usage: { totalTokens: 1 } }, paramsWithoutUsage)).toBe(false);
    expect(
      shouldSuggestUsage(
        { ...streamedRun, setup: createTestSetup({ params: createTickedParams({ stream: 'false' }) }) },
        {},
      ),
    ).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';

import type { ErrorReport } from '../gateway/errors.ts';
import { answered, aSetup, ticked } from '../testing/builders.ts';
import { endingOf } from './ending.ts';
import { finishWord } from './finish-word.ts';
import { noteSentence } from './note-sentence.ts';
import { newRun } from './run.ts';
import type { Part, Run } from './types.ts';
import { usageAdvice } from './usage-advice.ts';

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
    ['filtered', withReason('content_filter'), 'The provider filtered this reply'],
    [
      'ended in a word of the provider',
      withReason('eos_token'),
      'Ended with eos_token, reported by the provider',
    ],
    ['said nothing', withReason('stop', ''), 'The model ended without saying anything'],
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

  it('says what was kept, and never that nothing was where something came', () => {
    const cut = ended({ phase: { name: 'truncated' }, deltas: 131 });
    expect(endingOf(cut)?.text).toContain('131 tokens arrived and are kept');
    expect(endingOf(cut)?.offers).toContain('again');
    expect(endingOf(ended({ phase: { name: 'truncated' } }))?.text).toContain('No text had arrived');
  });

  it('never counts less than what is on screen, whatever an early usage said', () => {
    const cut = (completionTokens: number) =>
      endingOf(ended({ phase: { name: 'truncated' }, deltas: 3, usage: { completionTokens } }))?.text;
    expect(cut(0)).toContain('3 tokens arrived and are kept');
    expect(cut(40)).toContain('40 tokens arrived and are kept');
  });

  it('says of a limit without an answer what used it up', () => {
    const cut = (...parts: Part[]) =>
      endingOf(ended({ phase: { name: 'complete' }, choices: [{ parts, finishReason: 'length' }] }));
    const thinking: Part = { type: 'thinking', text: 'hm', startedMs: 0, endedMs: 1, deltas: 1 };
    expect(cut(thinking)?.text).toBe('There is no answer: the whole limit was used by thinking.');
    expect(cut({ type: 'refusal', text: 'I will' })?.text).toBe('The model was still refusing.');
    expect(cut(thinking, { type: 'refusal', text: 'I will' })?.text).toBe('The model was still refusing.');
    expect(cut()?.text).toBe('There is no answer: nothing came before the limit.');
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
    expect(endingOf(ended({ phase }))?.text).toBe('It was waiting for its turn and was not sent.');
    expect(endingOf(ended({ phase, sentAt: 5 }))?.text).toBe('Nothing had arrived yet.');
    expect(endingOf(ended({ phase, sentAt: 5, deltas: 3 }))?.text).toContain('3 tokens had arrived');
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

describe('a note', () => {
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
    expect(usageAdvice(streamed, streamed.setup.params)).toBe(true);
    expect(usageAdvice(streamed, ticked({ stream: 'true', stream_options: '{"include_usage":true}' }))).toBe(
      false,
    );
    expect(usageAdvice({ ...streamed, usage: { totalTokens: 1 } }, streamed.setup.params)).toBe(false);
    expect(usageAdvice({ ...streamed, setup: aSetup({ params: ticked({ stream: 'false' }) }) }, {})).toBe(
      false,
    );
  });
});

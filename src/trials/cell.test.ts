import { describe, expect, it } from 'vitest';

import type { Run, RunPhase } from '../conversation/session/types.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { anAnsweredRun } from '../testing/trials.ts';
import { getCellError, cellLife, cellOf, shortHash, stoppingReport, withMark } from './cell.ts';
import type { Mark } from './trial.ts';

const key = { caseId: 'case', columnId: 'a', repeat: 1 };
const ended = (phase: RunPhase, changes: Partial<Run> = {}) =>
  cellLife(anAnsweredRun('billing', { phase, ...changes }));
const refusal = (status: number, changes: Partial<ErrorReport> = {}): ErrorReport => ({
  source: 'gateway',
  kind: 'failed',
  message: `Status ${status}`,
  status,
  ...changes,
});
const answeredWell = { name: 'ended', outcome: 'answered' };
const without = (why: string) => ({ name: 'ended', outcome: 'no answer', why });
const again = { name: 'again' };

describe('the life of a cell', () => {
  it('goes from asked for to streaming', () => {
    expect([
      cellLife(undefined),
      ended({ name: 'queued' }),
      ended({ name: 'waiting' }),
      ended({ name: 'streaming' }),
    ]).toEqual([{ name: 'asked for' }, { name: 'in line' }, { name: 'waiting' }, { name: 'streaming' }]);
  });
  it('has an answer with any finish reason but a filter, also without text', () => {
    const choices = (finishReason: string) => ({ choices: [{ parts: [], finishReason }] });
    expect(ended({ name: 'complete' })).toEqual(answeredWell);
    expect(ended({ name: 'complete' }, choices('length'))).toEqual(answeredWell);
    expect(ended({ name: 'complete' }, choices('tool_calls'))).toEqual(answeredWell);
    expect(ended({ name: 'complete' }, { choices: [] })).toEqual(answeredWell);
    expect(ended({ name: 'complete' }, choices('content_filter'))).toEqual(without('filtered'));
  });
  it('counts no answer if a filter acted or the provider failed, under any finish reason', () => {
    const choices = (finishReason: string) => ({
      choices: [{ parts: [{ type: 'text' as const, text: 'Half an' }], finishReason }],
    });
    expect(ended({ name: 'complete' }, choices('SAFETY'))).toEqual(without('filtered'));
    expect(ended({ name: 'complete' }, { choices: [], blockReason: 'OTHER' })).toEqual(without('filtered'));
    expect(ended({ name: 'complete' }, { blockReason: 'OTHER' })).toEqual(answeredWell);
    for (const reason of ['insufficient_system_resource', 'ABORT', 'model_context_window_exceeded'])
      expect(ended({ name: 'complete' }, choices(reason))).toEqual(without('failed'));
    const filter = refusal(400, { kind: 'invalid-request', code: 'content_filter' });
    expect(ended({ name: 'failed', error: filter })).toEqual(without('filtered'));
    expect(
      getCellError(anAnsweredRun('', { phase: { name: 'complete' }, ...choices('error') })),
    ).toMatchObject({
      source: 'provider',
      code: 'error',
    });
    expect(getCellError(anAnsweredRun('billing'))).toBeUndefined();
  });
  it('has none where the request failed, was cut or stayed silent', () => {
    expect(ended({ name: 'failed', error: refusal(503, { kind: 'overloaded' }) })).toEqual(without('failed'));
    expect(ended({ name: 'failed', error: refusal(400) })).toEqual(without('failed'));
    expect(ended({ name: 'failed' })).toEqual(without('failed'));
    expect(ended({ name: 'truncated' })).toEqual(without('cut'));
    expect(ended({ name: 'truncated', error: refusal(200, { kind: 'connection-lost' }) })).toEqual(
      without('cut'),
    );
    expect(ended({ name: 'truncated', error: refusal(200, { kind: 'timeout' }) })).toEqual(
      without('timed out'),
    );
    expect(ended({ name: 'failed', error: refusal(504, { kind: 'timeout' }) })).toEqual(without('timed out'));
  });
  it('goes back into the line after a 429, however it came, and where a person or a crash ended it', () => {
    expect(ended({ name: 'failed', error: refusal(429) })).toEqual(again);
    expect(ended({ name: 'failed', error: refusal(200, { kind: 'rate-limited' }) })).toEqual(again);
    expect(ended({ name: 'truncated', error: refusal(200, { kind: 'rate-limited' }) })).toEqual(again);
    expect(ended({ name: 'failed', error: refusal(0, { kind: 'offline' }) })).toEqual(again);
    expect(ended({ name: 'truncated', error: refusal(0, { kind: 'offline' }) })).toEqual(without('cut'));
    expect([ended({ name: 'stopped' }), ended({ name: 'interrupted' })]).toEqual([again, again]);
  });
});

describe('a cell', () => {
  it('holds what the grid needs of its run', () => {
    const usage = { promptTokens: 90, completionTokens: 21 };
    expect(cellOf(anAnsweredRun('billing', { usage }), key, 2)).toEqual({
      ...key,
      runId: 'run',
      tries: 2,
      outcome: 'answered',
      head: 'billing',
      answerHash: shortHash('billing'),
      finishReason: 'stop',
      firstTokenMs: 300,
      totalMs: 900,
      tokensIn: { kind: 'exact', value: 90 },
      tokensOut: { kind: 'exact', value: 21 },
      scores: {},
    });
  });
  it('names images and speech in the cell of an answer without text', () => {
    const sound = { data: 'UklGRg' };
    const images = ['a', 'b'].map((letter) => ({
      type: 'image' as const,
      url: `https://${letter}.example/`,
    }));
    const run = anAnsweredRun('', { choices: [{ parts: images, sound, finishReason: 'stop' }] });
    expect(cellOf(run, key, 1)).toMatchObject({ outcome: 'answered', head: '2 images, speech' });
  });
  it('is there for an outcome only', () => {
    const cell = (phase: RunPhase) => cellOf(anAnsweredRun('x', { phase }), key, 1);
    expect(cell({ name: 'truncated' })).toMatchObject({ outcome: 'no answer', why: 'cut' });
    expect([cell({ name: 'waiting' }), cell({ name: 'stopped' })]).toEqual([undefined, undefined]);
  });
  it('cuts its head between letters, and tells answers apart by their hash', () => {
    expect(cellOf(anAnsweredRun('👩'.repeat(200)), key, 1)?.head).toBe('👩'.repeat(120));
    expect(shortHash('')).toBe('811c9dc5');
    expect(new Set(['a', 'b', 'ab', 'ba', 'a\u0100'].map(shortHash)).size).toBe(5);
  });
});

describe('a column stops', () => {
  it('where its first two outcomes are the same 400, 404 or 422', () => {
    expect(stoppingReport([refusal(400), refusal(400)])).toEqual(refusal(400));
    expect(stoppingReport([refusal(400), refusal(400, { message: 'Another' })])).toBeUndefined();
    expect(stoppingReport([refusal(400), undefined, refusal(400)])).toBeUndefined();
    expect(stoppingReport([refusal(503), refusal(503)])).toBeUndefined();
    expect(stoppingReport([refusal(404)])).toBeUndefined();
  });
  it('where any five in a row fail alike', () => {
    const five = Array.from({ length: 5 }, () => refusal(503));
    expect(stoppingReport([undefined, ...five])).toEqual(refusal(503));
    expect(stoppingReport([...five.slice(1), undefined, ...five.slice(1)])).toBeUndefined();
    expect(stoppingReport([...five.slice(1), refusal(500)])).toBeUndefined();
    expect(stoppingReport([])).toBeUndefined();
  });
});

describe('marks by hand', () => {
  const trialId = 'trial';
  it('are made, changed in their place, and taken back', () => {
    const one = withMark([], { trialId, key, mark: 'right', at: 1 });
    const two = withMark(one, { trialId, key: { ...key, repeat: 2 }, mark: 'wrong', at: 2 });
    const changed = withMark(two, { trialId, key, mark: 'wrong', at: 3 });
    expect(changed).toEqual<Mark[]>([
      { trialId, key, mark: 'wrong', at: 1 },
      { trialId, key: { ...key, repeat: 2 }, mark: 'wrong', at: 2 },
    ]);
    expect(withMark(changed, { trialId, key, at: 4 })).toHaveLength(1);
    expect(withMark(changed, { trialId: 'other', key, at: 4 })).toHaveLength(2);
  });
});

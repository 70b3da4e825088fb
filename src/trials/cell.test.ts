import { describe, expect, it } from 'vitest';

import type { Run, RunPhase } from '../conversation/session/types.ts';
import type { ErrorReport } from '../gateway/errors/errors.ts';
import { createAnsweredRun } from '../testing/trials.ts';
import {
  getCellError,
  getCellStatus,
  buildCell,
  computeShortHash,
  getStopReport,
  withCellMark,
} from './cell.ts';
import type { Mark } from './trial.ts';

const key = { caseId: 'case', columnId: 'a', repeat: 1 };
const getStatus = (phase: RunPhase, changes: Partial<Run> = {}) =>
  getCellStatus(createAnsweredRun('billing', { phase, ...changes }));
const createError = (status: number, changes: Partial<ErrorReport> = {}): ErrorReport => ({
  source: 'gateway',
  kind: 'failed',
  message: `Status ${status}`,
  status,
  ...changes,
});
const answeredStatus = { name: 'ended', outcome: 'answered' };
const createMissingStatus = (reason: string) => ({ name: 'ended', outcome: 'no answer', reason });
const requeuedStatus = { name: 'again' };

describe('cell status', () => {
  it('derives the status of a cell from the phase of its run, up to streaming', () => {
    expect([
      getCellStatus(undefined),
      getStatus({ name: 'queued' }),
      getStatus({ name: 'waiting' }),
      getStatus({ name: 'streaming' }),
    ]).toEqual([{ name: 'asked for' }, { name: 'in line' }, { name: 'waiting' }, { name: 'streaming' }]);
  });
  it('counts a run as answered for any finish reason except a filter, even without text', () => {
    const createChoices = (finishReason: string) => ({ choices: [{ parts: [], finishReason }] });
    expect(getStatus({ name: 'complete' })).toEqual(answeredStatus);
    expect(getStatus({ name: 'complete' }, createChoices('length'))).toEqual(answeredStatus);
    expect(getStatus({ name: 'complete' }, createChoices('tool_calls'))).toEqual(answeredStatus);
    expect(getStatus({ name: 'complete' }, { choices: [] })).toEqual(answeredStatus);
    expect(getStatus({ name: 'complete' }, createChoices('content_filter'))).toEqual(
      createMissingStatus('filtered'),
    );
  });
  it('reports no answer if a filter acted or the provider failed, whatever the finish reason', () => {
    const createChoices = (finishReason: string) => ({
      choices: [{ parts: [{ type: 'text' as const, text: 'Half an' }], finishReason }],
    });
    expect(getStatus({ name: 'complete' }, createChoices('SAFETY'))).toEqual(createMissingStatus('filtered'));
    expect(getStatus({ name: 'complete' }, { choices: [], blockReason: 'OTHER' })).toEqual(
      createMissingStatus('filtered'),
    );
    expect(getStatus({ name: 'complete' }, { blockReason: 'OTHER' })).toEqual(answeredStatus);
    for (const reason of ['insufficient_system_resource', 'ABORT', 'model_context_window_exceeded'])
      expect(getStatus({ name: 'complete' }, createChoices(reason))).toEqual(createMissingStatus('failed'));
    const filter = createError(400, { kind: 'invalid-request', code: 'content_filter' });
    expect(getStatus({ name: 'failed', error: filter })).toEqual(createMissingStatus('filtered'));
    expect(
      getCellError(createAnsweredRun('', { phase: { name: 'complete' }, ...createChoices('error') })),
    ).toMatchObject({
      source: 'provider',
      code: 'error',
    });
    expect(getCellError(createAnsweredRun('billing'))).toBeUndefined();
  });
  it('reports no answer if the request failed, was cut off or timed out', () => {
    expect(getStatus({ name: 'failed', error: createError(503, { kind: 'overloaded' }) })).toEqual(
      createMissingStatus('failed'),
    );
    expect(getStatus({ name: 'failed', error: createError(400) })).toEqual(createMissingStatus('failed'));
    expect(getStatus({ name: 'failed' })).toEqual(createMissingStatus('failed'));
    expect(getStatus({ name: 'truncated' })).toEqual(createMissingStatus('cut'));
    expect(getStatus({ name: 'truncated', error: createError(200, { kind: 'connection-lost' }) })).toEqual(
      createMissingStatus('cut'),
    );
    expect(getStatus({ name: 'truncated', error: createError(200, { kind: 'timeout' }) })).toEqual(
      createMissingStatus('timed out'),
    );
    expect(getStatus({ name: 'failed', error: createError(504, { kind: 'timeout' }) })).toEqual(
      createMissingStatus('timed out'),
    );
  });
  it('requeues a cell after a 429 in any form, when offline, and after a stop or crash', () => {
    expect(getStatus({ name: 'failed', error: createError(429) })).toEqual(requeuedStatus);
    expect(getStatus({ name: 'failed', error: createError(200, { kind: 'rate-limited' }) })).toEqual(
      requeuedStatus,
    );
    expect(getStatus({ name: 'truncated', error: createError(200, { kind: 'rate-limited' }) })).toEqual(
      requeuedStatus,
    );
    expect(getStatus({ name: 'failed', error: createError(0, { kind: 'offline' }) })).toEqual(requeuedStatus);
    expect(getStatus({ name: 'truncated', error: createError(0, { kind: 'offline' }) })).toEqual(
      createMissingStatus('cut'),
    );
    expect([getStatus({ name: 'stopped' }), getStatus({ name: 'interrupted' })]).toEqual([
      requeuedStatus,
      requeuedStatus,
    ]);
  });
});

describe('cell record', () => {
  it('builds the cell record for the grid from its run', () => {
    const usage = { promptTokens: 90, completionTokens: 21 };
    expect(buildCell(createAnsweredRun('billing', { usage }), key, 2)).toEqual({
      ...key,
      runId: 'run',
      tries: 2,
      outcome: 'answered',
      head: 'billing',
      answerHash: computeShortHash('billing'),
      finishReason: 'stop',
      firstTokenMs: 300,
      totalMs: 900,
      tokensIn: { kind: 'exact', value: 90 },
      tokensOut: { kind: 'exact', value: 21 },
      scores: {},
    });
  });
  it('describes images and speech in the cell of an answer without text', () => {
    const audio = { data: 'UklGRg' };
    const images = ['a', 'b'].map((letter) => ({
      type: 'image' as const,
      url: `https://${letter}.example/`,
    }));
    const run = createAnsweredRun('', { choices: [{ parts: images, sound: audio, finishReason: 'stop' }] });
    expect(buildCell(run, key, 1)).toMatchObject({ outcome: 'answered', head: '2 images, speech' });
  });
  it('builds a cell record only for runs that ended with an outcome', () => {
    const buildTestCell = (phase: RunPhase) => buildCell(createAnsweredRun('x', { phase }), key, 1);
    expect(buildTestCell({ name: 'truncated' })).toMatchObject({ outcome: 'no answer', why: 'cut' });
    expect([buildTestCell({ name: 'waiting' }), buildTestCell({ name: 'stopped' })]).toEqual([
      undefined,
      undefined,
    ]);
  });
  it('truncates the start of an answer between characters and gives different answers different hashes', () => {
    expect(buildCell(createAnsweredRun('👩'.repeat(200)), key, 1)?.head).toBe('👩'.repeat(120));
    expect(computeShortHash('')).toBe('811c9dc5');
    expect(new Set(['a', 'b', 'ab', 'ba', 'a\u0100'].map(computeShortHash)).size).toBe(5);
  });
});

describe('column with failing requests', () => {
  it('stops a column if its first two outcomes are the same 400, 404 or 422', () => {
    expect(getStopReport([createError(400), createError(400)])).toEqual(createError(400));
    expect(getStopReport([createError(400), createError(400, { message: 'Another' })])).toBeUndefined();
    expect(getStopReport([createError(400), undefined, createError(400)])).toBeUndefined();
    expect(getStopReport([createError(503), createError(503)])).toBeUndefined();
    expect(getStopReport([createError(404)])).toBeUndefined();
  });
  it('stops a column after any five identical failures in a row', () => {
    const fiveErrors = Array.from({ length: 5 }, () => createError(503));
    expect(getStopReport([undefined, ...fiveErrors])).toEqual(createError(503));
    expect(getStopReport([...fiveErrors.slice(1), undefined, ...fiveErrors.slice(1)])).toBeUndefined();
    expect(getStopReport([...fiveErrors.slice(1), createError(500)])).toBeUndefined();
    expect(getStopReport([])).toBeUndefined();
  });
});

describe('marks by hand', () => {
  const trialId = 'trial';
  it('adds marks, changes them in place and removes them', () => {
    const oneMark = withCellMark([], { trialId, key, mark: 'right', at: 1 });
    const twoMarks = withCellMark(oneMark, { trialId, key: { ...key, repeat: 2 }, mark: 'wrong', at: 2 });
    const changedMarks = withCellMark(twoMarks, { trialId, key, mark: 'wrong', at: 3 });
    expect(changedMarks).toEqual<Mark[]>([
      { trialId, key, mark: 'wrong', at: 1 },
      { trialId, key: { ...key, repeat: 2 }, mark: 'wrong', at: 2 },
    ]);
    expect(withCellMark(changedMarks, { trialId, key, at: 4 })).toHaveLength(1);
    expect(withCellMark(changedMarks, { trialId: 'other', key, at: 4 })).toHaveLength(2);
  });
});

import { describe, expect, it } from 'vitest';

import {
  createColumns,
  createLargeTrial,
  createPlanInputs,
  createTestTrial,
  testCheck,
} from '../testing/trials.ts';
import { findCaseProblems, createCaseIdAllocator, hashSentValues, findSentFields } from './cases.ts';
import { createEndedCells, setEnded } from './ended-cells.ts';
import { computeLatencyQuantile, computeValueRatio, filterKnownValues, missingValue } from './latency.ts';
import { estimatePlan } from './trial-plan.ts';

describe('plan of a trial', () => {
  it('estimates the number of requests and the time of a trial', () => {
    const inputs = createPlanInputs(3, { perMinute: 50 });
    expect(estimatePlan(createTestTrial(120), inputs)).toMatchObject({
      cases: 120,
      columns: 3,
      repeats: 1,
      requests: 360,
      durationMs: 435_600,
    });
    expect(
      estimatePlan(
        createTestTrial(1, { repeats: 2, columns: createColumns('m') }),
        createPlanInputs(1, { perMinute: 50 }),
      ),
    ).toMatchObject({ cases: 1, columns: 1, repeats: 2, requests: 2, durationMs: 2420 });
    expect(estimatePlan(createTestTrial(10), createPlanInputs(3, {}))).toMatchObject({
      requests: 30,
      durationMs: undefined,
    });
  });
  it('reports the smallest detectable difference and the cases required for other differences', () => {
    const { detectablePoints, requiredCases } = estimatePlan(
      createTestTrial(120),
      createPlanInputs(3, { perMinute: 50 }),
    );
    expect(detectablePoints).toBe(15);
    expect(requiredCases).toEqual([
      { points: 10, cases: 211 },
      { points: 20, cases: 77 },
      { points: 30, cases: 45 },
    ]);
    expect(
      estimatePlan(createTestTrial(0), createPlanInputs(3, { perMinute: 50 })).detectablePoints,
    ).toBeUndefined();
  });
  it('expects the baseline alone to pass as often as in earlier trials of the check, unless a share is chosen', () => {
    const inputs = { ...createPlanInputs(3), pastPairs: { pairs: 198, reversed: 29 } };
    const estimatedPlan = estimatePlan(createTestTrial(120), inputs);
    expect(estimatedPlan).toMatchObject({
      reverseShare: 0.15,
      pastReverseShare: { share: 0.15, pairs: 198 },
    });
    const chosenPlan = estimatePlan(createTestTrial(120, { reverseShare: 0.15 }), createPlanInputs(3));
    expect(estimatedPlan.detectablePoints).toBe(chosenPlan.detectablePoints);
    expect(estimatedPlan.requiredCases).toEqual(chosenPlan.requiredCases);
    expect(estimatePlan(createTestTrial(120, { reverseShare: 0.2 }), inputs)).toMatchObject({
      reverseShare: 0.2,
      pastReverseShare: { share: 0.15, pairs: 198 },
    });
    const smallPlan = estimatePlan(createTestTrial(120), {
      ...inputs,
      pastPairs: { pairs: 29, reversed: 9 },
    });
    expect(smallPlan.reverseShare).toBe(0.05);
    expect(smallPlan.pastReverseShare).toBeUndefined();
  });
  it('estimates tokens only if all columns have earlier answers', () => {
    const pastStats = { meanMs: 1000, tokensIn: 96, tokensOut: 22, answers: 10 };
    const { tokens } = estimatePlan(
      createTestTrial(120),
      createPlanInputs(3, { pastStats }, { pastStats }, { pastStats: { ...pastStats } }),
    );
    expect(tokens).toEqual({ in: 34_560, out: 7920, answers: 20 });
    expect(
      estimatePlan(createTestTrial(120), createPlanInputs(3, { pastStats }, {}, { pastStats })).tokens,
    ).toBeUndefined();
  });
  it('warns above a fifth of the storage quota and blocks the run above nine tenths', () => {
    const getSpace = (quotaBytes: number) =>
      estimatePlan(createTestTrial(120), { ...createPlanInputs(3, { perMinute: 50 }), quotaBytes }).space;
    expect(getSpace(1e9)).toBeUndefined();
    expect(getSpace(5e6)).toEqual({ quotaBytes: 5e6, isBlocking: false });
    expect(getSpace(1.3e6)?.isBlocking).toBe(true);
  });
});

describe('cases of a trial', () => {
  const values = { ticket: 'Where is it?', team: 'delivery' };
  it('finds the values used in messages and system prompts', () => {
    const columns = createColumns('m').map((column) => ({
      ...column,
      setup: { ...column.setup, system: 'You are {{role}}.' },
      messages: [
        { role: 'user' as const, content: [{ type: 'text' as const, text: '{{ticket}} {{tone}}' }] },
      ],
    }));
    expect(findSentFields(createTestTrial(1, { columns }))).toEqual(['ticket', 'tone', 'role']);
  });
  it('derives case IDs from the sent values only', async () => {
    const id = await createCaseIdAllocator(['ticket'])({ values });
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(
      await hashSentValues({ values: { team: 'legal', ticket: 'Where is it?' }, line: 3 }, ['ticket']),
    ).toBe(id);
    const createCaseId = createCaseIdAllocator(['ticket'], [id, `${id}-3`]);
    expect(await createCaseId({ values })).toBe(`${id}-2`);
    expect(await createCaseId({ values: { ticket: 'Where?' } })).not.toContain(id);
    expect(await createCaseId({ values })).toBe(`${id}-4`);
    const otherHashes = await Promise.all([
      hashSentValues({ values }, ['ticket', 'team']),
      hashSentValues({ values: { ticket: 'Where?' } }, ['ticket']),
      hashSentValues({ values, history: [{ role: 'user', content: 'Hi' }] }, ['ticket']),
    ]);
    expect(otherHashes).not.toContain(id);
    expect(await hashSentValues({ values }, ['team', 'ticket'])).toBe(otherHashes[0]);
  });
  it('reports invalid cases before sending requests', () => {
    const trial = createTestTrial(2, { messages: [{ role: 'user', content: '{{tiket}}' }] });
    const cases = [
      { id: '1', values },
      { id: '2', values: { ticket: 'x', team: '' } },
    ];
    expect(findCaseProblems(trial, cases)).toEqual({
      errors: [],
      warnings: [
        { kind: 'unknown field', field: 'tiket' },
        { kind: 'not counted', cases: 1, field: 'team' },
      ],
    });
    const largeCase = { id: '3', values: { ticket: 'x'.repeat(100_000) }, line: 7 };
    expect(findCaseProblems({ ...trial, repeats: 21 }, [largeCase]).errors).toEqual([
      { kind: 'limit', counted: 'repeat', count: 21, max: 20 },
      { kind: 'large case', name: 7 },
    ]);
  });
  it('reports cases, columns, repeats and answers above the limits', () => {
    const trial = createTestTrial(0, {
      columns: createColumns(...Array.from({ length: 12 }, (_, index) => `m/${index}`)),
    });
    const cases = Array.from({ length: 10_000 }, (_, index) => ({ id: String(index), values }));
    expect(findCaseProblems(trial, cases).errors).toEqual([]);
    expect(findCaseProblems({ ...trial, repeats: 3 }, cases).errors).toEqual([
      { kind: 'limit', counted: 'answer', count: 360_000, max: 250_000 },
    ]);
    expect(
      findCaseProblems({ ...trial, checks: Array.from({ length: 41 }, () => testCheck) }, []).errors,
    ).toEqual([{ kind: 'limit', counted: 'check', count: 41, max: 40 }]);
  });
});

describe('latency of columns', () => {
  const { cells } = createLargeTrial(60, 2);
  const firstColumnTimes = getTimes('a');
  function getTimes(id: string): Float32Array {
    const endedCells = createEndedCells(60);
    cells
      .filter(({ columnId }) => columnId === id)
      .forEach((cell, index) => setEnded(endedCells, index, cell));
    return endedCells.totalMs;
  }
  it('reports latency quantiles only with enough answers', () => {
    const knownTimesMs = filterKnownValues(firstColumnTimes);
    expect(knownTimesMs).toHaveLength(
      cells.filter((cell) => cell.columnId === 'a' && cell.totalMs !== undefined).length,
    );
    expect(computeLatencyQuantile(knownTimesMs, 1, 0.5).kind).toBe('known');
    expect(computeLatencyQuantile(knownTimesMs, 1, 0.99)).toEqual({ kind: 'too few', minCases: 299 });
    expect(computeLatencyQuantile([], 1, 0.5)).toEqual({ kind: 'too few', minCases: 6 });
    expect(computeLatencyQuantile([10, 20, 30, 40, 50, 60], 1, 0.5)).toEqual({
      kind: 'known',
      valueMs: 35,
      rangeMs: [10, 60],
    });
  });
  it('compares latencies case by case', () => {
    const ratio = computeValueRatio(
      firstColumnTimes.map((ms) => 2 * ms),
      firstColumnTimes,
      1,
    );
    expect(ratio?.factor).toBeCloseTo(2, 6);
    expect(computeValueRatio(firstColumnTimes.fill(missingValue), firstColumnTimes, 1)).toBeUndefined();
  });
});

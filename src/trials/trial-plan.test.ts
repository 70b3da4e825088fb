import { describe, expect, it } from 'vitest';

import { aCheck, aLargeTrial, aTrial, someColumns } from '../testing/trials.ts';
import { caseProblems, newCaseIds, sentHash, sentNames } from './cases.ts';
import { newEndedCells, setEnded } from './ended-cells.ts';
import { knownTimes, latencyFigure, latencyRatio, noTime } from './latency.ts';
import { planOf, tokenWords } from './trial-plan.ts';

const unknown = [undefined, undefined, undefined];

describe('the plan', () => {
  it('says the requests and how long they take', () => {
    const facts = { perMinute: 50, places: 3, earlier: unknown };
    expect(planOf(aTrial(120), facts).heading).toBe('120 cases × 3 columns = 360 requests, 7 min 16 s');
    expect(planOf(aTrial(1, { repeats: 2, columns: someColumns('m') }), facts).heading).toBe(
      '1 case × 1 column × 2 repeats = 2 requests, 2 s',
    );
    expect(planOf(aTrial(10), { ...facts, perMinute: 0 }).heading).toBe(
      '10 cases × 3 columns = 30 requests, time not known',
    );
  });
  it('says which difference could be told, and what others need', () => {
    const { told, needed } = planOf(aTrial(120), { perMinute: 50, places: 3, earlier: unknown });
    expect(told).toBe(18);
    expect(needed).toEqual([
      { points: 10, cases: 290 },
      { points: 20, cases: 102 },
      { points: 30, cases: 57 },
    ]);
    expect(planOf(aTrial(0), { perMinute: 50, places: 3, earlier: unknown }).told).toBeUndefined();
  });
  it('says the tokens where all columns have answered before', () => {
    const earlier = { meanMs: 1000, tokensIn: 96, tokensOut: 22, answers: 10 };
    const facts = { perMinute: 50, places: 3 };
    const { tokens } = planOf(aTrial(120), { ...facts, earlier: [earlier, earlier, earlier] });
    expect(tokens && tokenWords(tokens)).toBe(
      'About 34,600 tokens in and 7,920 out, from 30 earlier answers of these models.',
    );
    expect(planOf(aTrial(120), { ...facts, earlier: [earlier, undefined, earlier] }).tokens).toBeUndefined();
  });
  it('says the space from a fifth of what is granted on, and refuses over nine tenths', () => {
    const spaceOf = (granted: number) =>
      planOf(aTrial(120), { perMinute: 50, places: 3, earlier: unknown, granted }).space;
    expect(spaceOf(1e9)).toBeUndefined();
    expect(spaceOf(5e6)).toEqual({
      words: 'About 1.3 MB of the 5.0 MB that this browser grants.',
      isRefused: false,
    });
    expect(spaceOf(1.3e6)?.isRefused).toBe(true);
  });
});

describe('cases', () => {
  const values = { ticket: 'Where is it?', team: 'delivery' };
  it('are sent with the values that messages and system prompts name', () => {
    const columns = someColumns('m').map((column) => ({
      ...column,
      setup: { ...column.setup, system: 'You are {{role}}.' },
      messages: [
        { role: 'user' as const, content: [{ type: 'text' as const, text: '{{ticket}} {{tone}}' }] },
      ],
    }));
    expect(sentNames(aTrial(1, { columns }))).toEqual(['ticket', 'tone', 'role']);
  });
  it('have ids by what they are sent with, whatever else they hold', async () => {
    const id = await newCaseIds(['ticket'])({ values });
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(await sentHash({ values: { team: 'legal', ticket: 'Where is it?' }, line: 3 }, ['ticket'])).toBe(
      id,
    );
    const caseIdOf = newCaseIds(['ticket'], [id, `${id}-3`]);
    expect(await caseIdOf({ values })).toBe(`${id}-2`);
    expect(await caseIdOf({ values: { ticket: 'Where?' } })).not.toContain(id);
    expect(await caseIdOf({ values })).toBe(`${id}-4`);
    const others = await Promise.all([
      sentHash({ values }, ['ticket', 'team']),
      sentHash({ values: { ticket: 'Where?' } }, ['ticket']),
      sentHash({ values, history: [{ role: 'user', content: 'Hi' }] }, ['ticket']),
    ]);
    expect(others).not.toContain(id);
    expect(await sentHash({ values }, ['team', 'ticket'])).toBe(others[0]);
  });
  it('are told what is wrong with them before anything is sent', () => {
    const trial = aTrial(2, { messages: [{ role: 'user', content: '{{tiket}}' }] });
    const cases = [
      { id: '1', values },
      { id: '2', values: { ticket: 'x', team: '' } },
    ];
    expect(caseProblems(trial, cases)).toEqual({
      refused: [],
      said: [
        '{{tiket}} is in the prompt, but no case has it.',
        '1 case has no value for team and is not counted for this check.',
      ],
    });
    const large = { id: '3', values: { ticket: 'x'.repeat(100_000) }, line: 7 };
    expect(caseProblems({ ...trial, repeats: 21 }, [large]).refused).toEqual([
      '21 repeats: the limit is 20 repeats.',
      'Case 7 is larger than 100 KB.',
    ]);
  });
  it('may not be more than the limits allow', () => {
    const trial = aTrial(0, {
      columns: someColumns(...Array.from({ length: 12 }, (_, index) => `m/${index}`)),
    });
    const cases = Array.from({ length: 10_000 }, (_, index) => ({ id: String(index), values }));
    expect(caseProblems(trial, cases).refused).toEqual([]);
    expect(caseProblems({ ...trial, repeats: 3 }, cases).refused).toEqual([
      '360,000 answers: the limit is 250,000 answers.',
    ]);
    expect(caseProblems({ ...trial, checks: Array.from({ length: 41 }, () => aCheck) }, []).refused).toEqual([
      '41 checks: the limit is 40 checks.',
    ]);
  });
});

describe('times', () => {
  const { cells } = aLargeTrial(60, 2);
  const times = timesOf('a');
  function timesOf(id: string): Float32Array {
    const own = newEndedCells(60);
    cells.filter(({ columnId }) => columnId === id).forEach((cell, place) => setEnded(own, place, cell));
    return own.totalMs;
  }
  it('have figures from enough answers on', () => {
    const known = knownTimes(times).toSorted();
    expect(known).toHaveLength(
      cells.filter((cell) => cell.columnId === 'a' && cell.totalMs !== undefined).length,
    );
    expect(latencyFigure(known, 0.5).kind).toBe('known');
    expect(latencyFigure(known, 0.99)).toEqual({ kind: 'too few', from: 299 });
    expect(latencyFigure([], 0.5)).toEqual({ kind: 'too few', from: 6 });
    expect(latencyFigure([10, 20, 30, 40, 50, 60], 0.5)).toEqual({
      kind: 'known',
      valueMs: 35,
      rangeMs: [10, 60],
    });
  });
  it('are compared case by case', () => {
    const ratio = latencyRatio(
      times.map((ms) => 2 * ms),
      times,
    );
    expect(ratio?.times).toBeCloseTo(2, 6);
    expect(latencyRatio(times.fill(noTime), times)).toBeUndefined();
  });
});

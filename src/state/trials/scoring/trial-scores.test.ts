import { describe, expect, it } from 'vitest';

import type { Run } from '../../../conversation/session/types.ts';
import { anAnsweredRun, aCheck, aTrial, someColumns } from '../../../testing/trials.ts';
import { until } from '../../../testing/wait-until.ts';
import { cellName } from '../../../trials/case-order.ts';
import { cellOf } from '../../../trials/cell.ts';
import type { Case, Cell, Check, Score, Trial } from '../../../trials/trial.ts';
import { createScorer, type Scorer } from './scorer.ts';
import { createTrialScores } from './trial-scores.ts';

const isJson: Check = { id: 'json', name: 'is JSON', kind: 'is JSON', settings: {} };
const marks: Check = { id: 'marks', name: 'mine', kind: 'marks', settings: {} };

/** The scores of a trial of one column, with an answer for each case, none of them scored. */
function someScores(answers: readonly string[], scorer: Pick<Scorer, 'score'> = createScorer()) {
  const ids = answers.map((_, index) => String(index + 1));
  const runs = new Map(
    answers.map((text, index) => {
      const id = `run ${index + 1}`;
      return [id, anAnsweredRun(text, { id })];
    }),
  );
  const rules: { trial: Trial; isAsker: boolean; read: (runId: string) => Run | undefined } = {
    trial: aTrial(answers.length, { columns: someColumns('north/one'), checks: [aCheck, isJson, marks] }),
    isAsker: true,
    read: (runId) => runs.get(runId),
  };
  const cells = new Map<string, Cell>();
  for (const caseId of ids) {
    const run = runs.get(`run ${caseId}`);
    const cell = run && cellOf(run, { caseId, columnId: 'a', repeat: 1 }, 1);
    if (cell) cells.set(cellName(cell), cell);
  }
  const told: string[] = [];
  const stored: string[] = [];
  const changes: { cells: number; left: number }[] = [];
  let ends = 0;
  const scores = createTrialScores({
    desk: {
      trial: () => rules.trial,
      cases: new Map(ids.map((id): [string, Case] => [id, { id, values: { team: 'billing' } }])),
      cells,
      tell: (text) => told.push(text),
      cellsChanged: (keys) => changes.push({ cells: keys.length, left: scores.left() }),
      changed: () => (ends += 1),
    },
    put: (key) => stored.push(key),
    storesCells: () => rules.isAsker,
    recorder: { flush: async () => undefined },
    readRun: async (runId) => rules.read(runId),
    scorer,
  });
  return {
    rules,
    runs,
    cells,
    scores,
    told,
    stored,
    changes,
    renewed: async () => {
      const before = ends;
      scores.renew();
      await until(() => ends > before);
    },
    resultOf: (caseId: string, check = 'check') => cells.get(`${caseId} a 1`)?.scores[check]?.result,
    headOf: (caseId: string) => cells.get(`${caseId} a 1`)?.head,
  };
}

const right = '{"team":"billing"}';
const wrong = '{"team":"sales"}';

describe('scores of an earlier check', () => {
  it('are made again some at a time, and stored by the tab that asks; those that count stay', async () => {
    const answers = Array.from({ length: 40 }, (_, index) => (index === 4 ? wrong : right));
    const some = someScores(answers);
    expect(some.scores.left()).toBe(0);
    await some.renewed();
    expect(some.changes).toEqual([
      { cells: 32, left: 8 },
      { cells: 8, left: 0 },
    ]);
    expect(['5', '6', '40'].map((id) => some.resultOf(id))).toEqual(['failed', 'passed', 'passed']);
    expect(some.resultOf('1', 'json')).toBe('passed');
    expect(some.resultOf('1', 'marks'), 'it is read where marks are kept').toBeUndefined();
    expect(some.stored).toEqual(['cells trial 0 a', 'cells trial 0 a']);
    await some.renewed();
    expect(some.changes, 'none is of an earlier check').toHaveLength(2);

    some.rules.isAsker = false;
    some.rules.trial = { ...some.rules.trial, checks: [{ ...aCheck, expected: { text: 'sales' } }] };
    await some.renewed();
    expect([some.resultOf('5'), some.resultOf('6')]).toEqual(['passed', 'failed']);
    expect(some.stored, 'another tab stores them').toHaveLength(2);
  });

  it('are made once where a later call comes meanwhile', async () => {
    const some = someScores(Array.from({ length: 40 }, () => right));
    some.scores.renew();
    await some.renewed();
    expect(some.changes.map(({ cells }) => cells)).toEqual([32, 8]);
  });

  it('are not put on an answer that has been asked again meanwhile, nor on one that cannot be read', async () => {
    const some = someScores([right, right, right]);
    const first = some.cells.get('1 a 1');
    if (!first) throw new Error('It is not there');
    some.rules.read = (runId) => {
      some.cells.set('1 a 1', { ...first, runId: 'newer', scores: {} });
      return runId === 'run 2' ? undefined : some.runs.get(runId);
    };
    await some.renewed();
    expect(['1', '2', '3'].map((id) => some.resultOf(id))).toEqual([undefined, undefined, 'passed']);
    expect(some.cells.get('1 a 1')?.runId).toBe('newer');
  });

  it('tell on how many answers a pattern was too slow, and what keeps them from being made', async () => {
    const slow: Score = { of: 'x', result: 'no answer', why: 'the pattern took over 100 ms' };
    const scorer: Pick<Scorer, 'score'> = {
      score: async (jobs) =>
        jobs.map(({ answer }): Score => (answer.text === 'slow' ? slow : { of: 'x', result: 'passed' })),
    };
    const one = someScores(['slow', 'quick'], scorer);
    await one.renewed();
    expect(one.told).toEqual(['The pattern took over 100 ms on 1 answer; it counts as no answer.']);
    const two = someScores(['slow', 'quick', 'slow'], scorer);
    await two.renewed();
    expect(two.told).toEqual(['The pattern took over 100 ms on 2 answers; they count as no answer.']);
    const quick = someScores(['quick'], scorer);
    await quick.renewed();
    expect(quick.told).toEqual([]);
    quick.rules.read = () => {
      throw new Error('The disk is gone.');
    };
    quick.scores.renew();
    await until(() => quick.told.length > 0);
    expect(quick.told).toEqual(['Scores could not be made again: The disk is gone.']);
  });
});

describe('the head of an answer', () => {
  it('is the value that the deciding check looks at, else how the text begins', async () => {
    const long = 'x'.repeat(300);
    const answers = [right, '```json\n{"team":5}\n```', '{"other":1}', 'no JSON', `{"team":"${long}"}`, long];
    const some = someScores(answers);
    await some.renewed();
    expect(['1', '2', '3', '4', '5', '6'].map((id) => some.headOf(id))).toEqual([
      'billing',
      '5',
      '{"other":1}',
      'no JSON',
      'x'.repeat(120),
      'x'.repeat(120),
    ]);
    // Another check decides, which looks at all of it.
    some.rules.trial = { ...some.rules.trial, decides: 'json' };
    await some.renewed();
    expect([some.headOf('1'), some.headOf('3')]).toEqual([right, '{"other":1}']);
    const { decides: _, ...undecided } = some.rules.trial;
    some.rules.trial = undecided;
    await some.renewed();
    expect(some.headOf('1')).toBe(right);
  });
});

describe('an answer that has just come', () => {
  it('has the scores that could be made, and that the others could not is told once', async () => {
    let isBroken = true;
    const scorer: Pick<Scorer, 'score'> = {
      score: async (jobs) =>
        jobs.map(({ check }): Score | undefined =>
          isBroken && check.id === 'json' ? undefined : { of: 'x', result: 'passed' },
        ),
    };
    const some = someScores([right, right], scorer);
    const [cell] = some.cells.values();
    const run = some.runs.get('run 1');
    if (!cell || !run) throw new Error('It is not there');
    expect(some.scores.hasUnscored()).toBe(true);
    const scored = await some.scores.scored(cell, run);
    expect(Object.keys(scored.scores)).toEqual(['check']);
    await some.scores.scored(cell, run);
    expect(some.told).toHaveLength(1);
    expect(some.told[0]).toContain('they are checked when the trial is opened again');
    isBroken = false;
    some.cells.set(cellName(cell), await some.scores.scored(cell, run));
    expect(some.scores.hasUnscored(), 'the second').toBe(true);
    const other = some.cells.get('2 a 1');
    if (other) some.cells.set('2 a 1', { ...other, outcome: 'no answer', why: 'failed' });
    expect(some.scores.hasUnscored(), 'there is nothing to score').toBe(false);
    expect(some.told).toHaveLength(1);
  });
});

describe('a check on trial', () => {
  it('is asked of every answer that can be read, and stores nothing', async () => {
    const some = someScores(Array.from({ length: 40 }, (_, index) => (index === 39 ? wrong : right)));
    some.rules.read = (runId) => (runId === 'run 2' ? undefined : some.runs.get(runId));
    const found = await some.scores.tryCheck({ ...aCheck, id: 'tried' });
    expect(found.size).toBe(39);
    expect(['1 a 1', '2 a 1', '40 a 1'].map((name) => found.get(name)?.result)).toEqual([
      'passed',
      undefined,
      'failed',
    ]);
    expect([some.changes, some.stored, some.resultOf('1')]).toEqual([[], [], undefined]);
    const stop = AbortSignal.abort(new Error('Closed'));
    await expect(some.scores.tryCheck(aCheck, stop)).rejects.toThrow('Closed');
  });
});

import { describe, expect, it } from 'vitest';

import type { Run } from '../../../conversation/session/types.ts';
import { createAnsweredRun, testCheck, createTestTrial, createColumns } from '../../../testing/trials.ts';
import { waitUntil } from '../../../testing/wait-until.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { buildCell } from '../../../trials/cell.ts';
import type { Case, Cell, Check, Score, Trial } from '../../../trials/trial.ts';
import { createScorer, type Scorer } from './trial-scores.ts';
import { createTrialScores } from './trial-scores.ts';

const jsonCheck: Check = { id: 'json', name: 'is JSON', kind: 'is JSON', settings: {} };
const marksCheck: Check = { id: 'marks', name: 'mine', kind: 'marks', settings: {} };

/** Creates the scores of a trial with one column and one unscored answer per case. */
function createTestScores(answers: readonly string[], scorer: Pick<Scorer, 'score'> = createScorer()) {
  const ids = answers.map((_, index) => String(index + 1));
  const runs = new Map(
    answers.map((text, index) => {
      const id = `run ${index + 1}`;
      return [id, createAnsweredRun(text, { id })];
    }),
  );
  const rules: { trial: Trial; ownsCells: boolean; read: (runId: string) => Run | undefined } = {
    trial: createTestTrial(answers.length, {
      columns: createColumns('north/one'),
      checks: [testCheck, jsonCheck, marksCheck],
    }),
    ownsCells: true,
    read: (runId) => runs.get(runId),
  };
  const cells = new Map<string, Cell>();
  for (const caseId of ids) {
    const run = runs.get(`run ${caseId}`);
    const cell = run && buildCell(run, { caseId, columnId: 'a', repeat: 1 }, 1);
    if (cell) cells.set(getCellId(cell), cell);
  }
  const notices: string[] = [];
  const stored: string[] = [];
  const changes: { cells: number; remaining: number }[] = [];
  let endCount = 0;
  let remaining = 0;
  const scores = createTrialScores(
    {
      getTrial: () => rules.trial,
      cases: new Map(ids.map((id): [string, Case] => [id, { id, values: { team: 'billing' } }])),
      cells,
      ownsCells: () => rules.ownsCells,
      isComplete: () => true,
      recountAll: () => undefined,
      addNotice: (text) => notices.push(text),
      setRescoringCount: (count) => (remaining = count),
      notifyCells: (keys) => changes.push({ cells: keys.length, remaining }),
      notify: () => (endCount += 1),
    },
    {
      recorder: { flush: async () => undefined, put: (key) => stored.push(key) },
      records: { readRecord: async (_, runId) => rules.read(runId) },
      scorer,
    },
  );
  return {
    rules,
    runs,
    cells,
    scores,
    notices,
    stored,
    changes,
    countRemaining: () => remaining,
    rescoreAll: async () => {
      const endsBefore = endCount;
      scores.rescore();
      await waitUntil(() => endCount > endsBefore);
    },
    getResult: (caseId: string, check = 'check') => cells.get(`${caseId} a 1`)?.scores[check]?.result,
    getHead: (caseId: string) => cells.get(`${caseId} a 1`)?.head,
  };
}

const rightAnswer = '{"team":"billing"}';
const wrongAnswer = '{"team":"sales"}';

describe('outdated scores', () => {
  it('updates outdated scores in batches, stores them in the tab that runs the trial, and keeps current scores', async () => {
    const answers = Array.from({ length: 40 }, (_, index) => (index === 4 ? wrongAnswer : rightAnswer));
    const testScores = createTestScores(answers);
    expect(testScores.countRemaining()).toBe(0);
    await testScores.rescoreAll();
    expect(testScores.changes).toEqual([
      { cells: 32, remaining: 8 },
      { cells: 8, remaining: 0 },
    ]);
    expect(['5', '6', '40'].map((id) => testScores.getResult(id))).toEqual(['failed', 'passed', 'passed']);
    expect(testScores.getResult('1', 'json')).toBe('passed');
    expect(testScores.getResult('1', 'marks'), 'marks are read from their own store').toBeUndefined();
    expect(testScores.stored).toEqual(['cells trial 0 a', 'cells trial 0 a']);
    await testScores.rescoreAll();
    expect(testScores.changes, 'no change belongs to an earlier check').toHaveLength(2);

    testScores.rules.ownsCells = false;
    testScores.rules.trial = {
      ...testScores.rules.trial,
      checks: [{ ...testCheck, expected: { text: 'sales' } }],
    };
    await testScores.rescoreAll();
    expect([testScores.getResult('5'), testScores.getResult('6')]).toEqual(['passed', 'failed']);
    expect(testScores.stored, 'another tab stores the results').toHaveLength(2);
  });

  it('updates outdated scores once if rescore is called again in the meantime', async () => {
    const testScores = createTestScores(Array.from({ length: 40 }, () => rightAnswer));
    testScores.scores.rescore();
    await testScores.rescoreAll();
    expect(testScores.changes.map(({ cells }) => cells)).toEqual([32, 8]);
  });

  it('skips answers that were run again in the meantime or cannot be read', async () => {
    const testScores = createTestScores([rightAnswer, rightAnswer, rightAnswer]);
    const first = testScores.cells.get('1 a 1');
    if (!first) throw new Error('The cell is missing');
    testScores.rules.read = (runId) => {
      testScores.cells.set('1 a 1', { ...first, runId: 'newer', scores: {} });
      return runId === 'run 2' ? undefined : testScores.runs.get(runId);
    };
    await testScores.rescoreAll();
    expect(['1', '2', '3'].map((id) => testScores.getResult(id))).toEqual([undefined, undefined, 'passed']);
    expect(testScores.cells.get('1 a 1')?.runId).toBe('newer');
  });

  it('reports how many answers had a slow pattern, and why scores are missing', async () => {
    const slowScore: Score = { of: 'x', result: 'no answer', why: 'the pattern took over 100 ms' };
    const scorer: Pick<Scorer, 'score'> = {
      score: async (jobs) =>
        jobs.map(({ answer }): Score => (answer.text === 'slow' ? slowScore : { of: 'x', result: 'passed' })),
    };
    const single = createTestScores(['slow', 'quick'], scorer);
    await single.rescoreAll();
    expect(single.notices).toEqual(['The pattern took over 100 ms on 1 answer, which counts as missing.']);
    const pair = createTestScores(['slow', 'quick', 'slow'], scorer);
    await pair.rescoreAll();
    expect(pair.notices).toEqual(['The pattern took over 100 ms on 2 answers, which count as missing.']);
    const quick = createTestScores(['quick'], scorer);
    await quick.rescoreAll();
    expect(quick.notices).toEqual([]);
    quick.rules.read = () => {
      throw new Error('The disk is gone.');
    };
    quick.scores.rescore();
    await waitUntil(() => quick.notices.length > 0);
    expect(quick.notices).toEqual(['Could not update scores: The disk is gone.']);
  });
});

describe('the head of an answer', () => {
  it('shows the value used by the deciding check, otherwise the start of the text', async () => {
    const longText = 'x'.repeat(300);
    const answers = [
      rightAnswer,
      '```json\n{"team":5}\n```',
      '{"other":1}',
      'no JSON',
      `{"team":"${longText}"}`,
      longText,
    ];
    const testScores = createTestScores(answers);
    await testScores.rescoreAll();
    expect(['1', '2', '3', '4', '5', '6'].map((id) => testScores.getHead(id))).toEqual([
      'billing',
      '5',
      '{"other":1}',
      'no JSON',
      'x'.repeat(120),
      'x'.repeat(120),
    ]);
    // The new deciding check uses the whole answer.
    testScores.rules.trial = { ...testScores.rules.trial, decides: 'json' };
    await testScores.rescoreAll();
    expect([testScores.getHead('1'), testScores.getHead('3')]).toEqual([rightAnswer, '{"other":1}']);
    const { decides: _, ...undecided } = testScores.rules.trial;
    testScores.rules.trial = undecided;
    await testScores.rescoreAll();
    expect(testScores.getHead('1')).toBe(rightAnswer);
  });
});

describe('a new answer', () => {
  it('keeps available scores and reports missing ones once', async () => {
    let isBroken = true;
    const scorer: Pick<Scorer, 'score'> = {
      score: async (jobs) =>
        jobs.map(({ check }): Score | undefined =>
          isBroken && check.id === 'json' ? undefined : { of: 'x', result: 'passed' },
        ),
    };
    const testScores = createTestScores([rightAnswer, rightAnswer], scorer);
    const [cell] = testScores.cells.values();
    const run = testScores.runs.get('run 1');
    if (!cell || !run) throw new Error('The cell is missing');
    expect(testScores.scores.hasUnscoredAnswers()).toBe(true);
    const scored = await testScores.scores.scoreCell(cell, run);
    expect(Object.keys(scored.scores)).toEqual(['check']);
    await testScores.scores.scoreCell(cell, run);
    expect(testScores.notices).toHaveLength(1);
    expect(testScores.notices[0]).toContain('Reopen the trial to check them.');
    isBroken = false;
    testScores.cells.set(getCellId(cell), await testScores.scores.scoreCell(cell, run));
    expect(testScores.scores.hasUnscoredAnswers(), 'the second answer has no score').toBe(true);
    const secondCell = testScores.cells.get('2 a 1');
    if (secondCell) testScores.cells.set('2 a 1', { ...secondCell, outcome: 'no answer', why: 'failed' });
    expect(testScores.scores.hasUnscoredAnswers(), 'nothing is left to score').toBe(false);
    expect(testScores.notices).toHaveLength(1);
  });
});

describe('a check preview', () => {
  it('scores every readable answer and stores nothing', async () => {
    const testScores = createTestScores(
      Array.from({ length: 40 }, (_, index) => (index === 39 ? wrongAnswer : rightAnswer)),
    );
    testScores.rules.read = (runId) => (runId === 'run 2' ? undefined : testScores.runs.get(runId));
    const previewScores = await testScores.scores.previewCheck({ ...testCheck, id: 'tried' });
    expect(previewScores.size).toBe(39);
    expect(['1 a 1', '2 a 1', '40 a 1'].map((name) => previewScores.get(name)?.result)).toEqual([
      'passed',
      undefined,
      'failed',
    ]);
    expect([testScores.changes, testScores.stored, testScores.getResult('1')]).toEqual([[], [], undefined]);
    const stop = AbortSignal.abort(new Error('Closed'));
    await expect(testScores.scores.previewCheck(testCheck, stop)).rejects.toThrow('Closed');
  });
});

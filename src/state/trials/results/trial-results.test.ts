import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { runToCompletion } from '../../../lib/steps.ts';
import { cases } from '../../../testing/seeds.ts';
import { aCheck, aTrial, someColumns } from '../../../testing/trials.ts';
import { cellName, drawnOrder } from '../../../trials/case-order.ts';
import { checkHash } from '../../../trials/checks/score-answer.ts';
import { codes } from '../../../trials/result-table.ts';
import { distanceMs } from '../../../trials/trial-pace.ts';
import type { Case, Cell, CellKey, Mark, Result, Trial } from '../../../trials/trial.ts';
import {
  createStanding,
  currentScore,
  type Standing,
  type StandingFacts,
  type Standings,
  type StandingSums,
} from './trial-results.ts';

const facts: StandingFacts = {
  perMinute: 0,
  places: 1,
  underWay: 0,
  earlierOf: () => undefined,
  granted: undefined,
};
const columns = someColumns('north/one', 'north/two');

function aStanding(
  trial: Trial,
  values: (id: string) => Case['values'] = () => ({ team: 'billing' }),
): Standings & { cells: Map<string, Cell>; marks: Map<string, Mark>; cases: Map<string, Case> } {
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  return {
    trial,
    cases: new Map(ids.map((id) => [id, { id, values: values(id) }])),
    cells: new Map(),
    marks: new Map(),
  };
}

/** A cell that ended so, with the score that the check gives it. */
function cellOf(of: Standings, key: CellKey, result: Result, changes: Partial<Cell> = {}): Cell {
  const values = of.cases.get(key.caseId)?.values ?? {};
  const scores = Object.fromEntries(
    of.trial.checks.map((check) => [check.id, { of: checkHash(check, values), result }]),
  );
  return {
    ...key,
    runId: 'run',
    tries: 1,
    outcome: result === 'no answer' ? 'no answer' : 'answered',
    ...(result === 'no answer' ? { why: 'failed' as const } : {}),
    head: '',
    answerHash: '',
    scores,
    ...changes,
  };
}

const keyOf = (caseId: string, columnId: string, repeat = 1): CellKey => ({ caseId, columnId, repeat });

/** What is counted of it, as if it had just been opened. */
function afresh(of: Standings, asked = facts): StandingSums {
  const standing = createStanding();
  standing.rebuild(of);
  return runToCompletion(standing.sums(of, asked));
}

const sumsOf = (standing: Standing, of: Standings, asked = facts): StandingSums =>
  runToCompletion(standing.sums(of, asked));

/** What is there to see: the plan works out some of it only when that is asked for. */
const seen = ({ plan, ...sums }: StandingSums) => ({ ...sums, plan: { ...plan } });

describe('a case without an expected value', () => {
  it('is left out in all columns and repeats before anything is asked, and is not waited for', () => {
    const of = aStanding(aTrial(3, { columns, repeats: 2 }), (id) => (id === '2' ? {} : { team: 'billing' }));
    const { tables, order, verdict } = afresh(of);
    const table = tables.get('check');
    if (!table) throw new Error('There is no table');
    const rowOf = order.indexOf('2');
    const lines = order.map((_, row) => [...table.bytes.subarray(row * 4, row * 4 + 4)]);
    for (const [row, line] of lines.entries())
      expect(line).toEqual(Array(4).fill(row === rowOf ? codes['left out'] : codes['to come']));
    expect(verdict, 'nothing is said of a draft').toBeUndefined();
    for (const caseId of ['1', '3'])
      for (const columnId of ['a', 'b'])
        for (const repeat of [1, 2]) {
          const cell = cellOf(of, keyOf(caseId, columnId, repeat), 'passed');
          of.cells.set(cellName(cell), cell);
        }
    expect(afresh(of).verdict).toMatchObject({ cases: 2, counted: 2 });
  });
});

describe('cells that belong to nothing on screen', () => {
  it('are not counted: of cases and columns that are retired, and of repeats that are no longer wished for', () => {
    const trial = aTrial(4, { columns });
    const of = aStanding({ ...trial, retired: { columns: [], caseIds: ['4'] } });
    const stray = [keyOf('4', 'a'), keyOf('1', 'gone'), keyOf('1', 'a', 2), keyOf('2', 'b', 3)];
    for (const key of stray) of.cells.set(cellName(key), cellOf(of, key, 'passed'));
    const sums = afresh(of);
    expect(sums.order).toHaveLength(3);
    expect([...(sums.tables.get('check')?.bytes ?? [])]).toEqual(Array(6).fill(codes['to come']));
    expect(sums.progress).toMatchObject({ cells: 6, ended: 0, missing: 0, counted: 0 });
    expect(sums.hasAnswers).toBe(true);
  });
});

describe('a row', () => {
  it('is counted once all cells before it and its own have ended; a stopped column is not waited for', () => {
    const of = aStanding(aTrial(3, { columns, repeats: 2 }));
    const [first = '', second = '', third = ''] = drawnOrder(of.trial);
    const standing = createStanding();
    const end = (...keys: CellKey[]) => {
      for (const key of keys) of.cells.set(cellName(key), cellOf(of, key, 'passed'));
      standing.take(of, keys);
      sumsOf(standing, of);
      return [first, second, third].map((id) => standing.isCounted(id));
    };
    standing.rebuild(of);
    expect(end(keyOf(second, 'a'), keyOf(second, 'a', 2))).toEqual([false, false, false]);
    expect(end(keyOf(first, 'a'), keyOf(first, 'a', 2), keyOf(first, 'b'))).toEqual([false, false, false]);
    expect(end(keyOf(first, 'b', 2))).toEqual([true, false, false]);
    const [a, b] = columns;
    if (!a || !b) throw new Error('There are two');
    const report = { source: 'gateway', kind: 'failed', message: 'No' } as const;
    of.trial = { ...of.trial, columns: [a, { ...b, stopped: { at: 1, report } }] };
    standing.rebuild(of);
    const sums = sumsOf(standing, of);
    expect(sums.progress).toMatchObject({ cells: 6, ended: 4, counted: 2 });
    expect([first, second, third].map((id) => standing.isCounted(id))).toEqual([true, true, false]);
    expect(standing.isCounted('of no case')).toBe(false);
    const { decides: _, ...undecided } = of.trial;
    of.trial = undecided;
    expect(sumsOf(standing, of).progress, 'of all where no check decides').toMatchObject({
      cases: 3,
      counted: 2,
    });
  });

  it('costs the time of its answers, or of earlier ones where there are none yet', () => {
    const of = aStanding(aTrial(3, { columns }));
    const earlier = { meanMs: 500, tokensIn: 1, tokensOut: 1, answers: 9 };
    const asked = {
      ...facts,
      earlierOf: (model: string) => (model === 'north/two' ? earlier : undefined),
    };
    expect(afresh(of, asked).timeLeft).toEqual({ ms: 1500, isAtLeast: true });
    for (const [caseId, totalMs] of [
      ['1', 1000],
      ['2', 2000],
    ] as const)
      of.cells.set(cellName(keyOf(caseId, 'a')), cellOf(of, keyOf(caseId, 'a'), 'passed', { totalMs }));
    of.cells.set(cellName(keyOf('1', 'b')), cellOf(of, keyOf('1', 'b'), 'no answer', { totalMs: 9000 }));
    const sums = afresh(of, { ...asked, underWay: 2 });
    expect(sums.timeLeft).toEqual({ ms: 1500 + 2 * 500, isAtLeast: false });
    expect(sums.progress).toMatchObject({ cells: 6, ended: 3, missing: 1, underWay: 2 });
    expect(sums.columns.map(({ cells, answered, noAnswer }) => [cells, answered, noAnswer])).toEqual([
      [2, 2, 0],
      [1, 0, 1],
    ]);
    expect(afresh(of, { ...asked, perMinute: 6 }).timeLeft.ms, 'the pace is slower').toBe(3 * distanceMs(6));
    expect(afresh(of, { ...asked, places: 2 }).timeLeft.ms).toBe(1250);
    const [a, b] = columns;
    if (!a || !b) throw new Error('There are two');
    const report = { source: 'gateway', kind: 'failed', message: 'No' } as const;
    of.trial = { ...of.trial, columns: [a, { ...b, stopped: { at: 1, report } }] };
    expect(afresh(of).timeLeft, 'a column that has stopped takes none').toEqual({
      ms: 1500,
      isAtLeast: false,
    });
  });
});

describe('a group', () => {
  const grouped = (
    batches: Trial['batches'],
    owner: (id: string) => string | undefined,
    groupField = 'owner',
  ) => {
    const of = aStanding(aTrial(0, { columns, batches, groupField }), (id) => {
      const name = owner(id);
      return { team: 'billing', ...(name === undefined ? {} : { [groupField]: name }) };
    });
    for (const id of of.cases.keys())
      for (const columnId of ['a', 'b'])
        of.cells.set(cellName(keyOf(id, columnId)), cellOf(of, keyOf(id, columnId), 'passed'));
    const { verdict, words } = afresh(of);
    return {
      units: verdict?.comparisons[0]?.units,
      isBack: words.method.includes('Where one came back with later cases'),
    };
  };
  const batchesOf = (...ids: string[][]) => ids.map((caseIds) => ({ caseIds, addedAt: 0 }));

  it('is one unit, and cases of none are each their own', () => {
    const four = batchesOf(['1', '2', '3', '4']);
    expect(grouped(four, (id) => (id < '3' ? 'ann' : 'bob'))).toEqual({ units: 2, isBack: false });
    expect(grouped(four, (id) => (id < '3' ? 'ann' : undefined)).units).toBe(3);
    expect(grouped(four, (id) => (id < '3' ? 'ann' : '')).units).toBe(3);
    expect(grouped(four, () => undefined).units).toBe(4);
    // A name that every object knows.
    expect(grouped(four, (id) => (id < '3' ? 'ann' : undefined), 'constructor').units).toBe(3);
  });

  it('that comes back with later cases is a new unit, and that is said; no other is', () => {
    const two = batchesOf(['1', '2'], ['3', '4']);
    expect(grouped(two, () => 'ann')).toEqual({ units: 2, isBack: true });
    expect(grouped(two, (id) => (id < '3' ? 'ann' : 'bob'))).toEqual({ units: 2, isBack: false });
    expect(grouped(two, (id) => (id === '2' || id === '3' ? '' : id))).toEqual({ units: 4, isBack: false });
  });
});

describe('a score', () => {
  it('is that of the check as it stands, of the values as they are, and of the mark', () => {
    const of = aStanding(aTrial(1, { columns }));
    const cell = cellOf(of, keyOf('1', 'a'), 'passed');
    expect(currentScore(aCheck, cell, { team: 'billing' }, undefined)?.result).toBe('passed');
    expect(currentScore(aCheck, cell, { team: 'delivery' }, undefined)).toBeUndefined();
    expect(currentScore({ ...aCheck, field: 'other' }, cell, { team: 'billing' }, undefined)).toBeUndefined();
    const missing = cellOf(of, keyOf('1', 'a'), 'no answer', { scores: {} });
    expect(currentScore(aCheck, missing, { team: 'billing' }, undefined)?.result).toBe('no answer');
    const marks = { id: 'marks', name: 'mine', kind: 'marks', settings: {} } as const;
    const mark: Mark = { trialId: 'trial', key: keyOf('1', 'a'), mark: 'right', at: 1 };
    expect(currentScore(marks, cell, {}, mark)?.result).toBe('passed');
    expect(currentScore(marks, cell, {}, { ...mark, mark: 'wrong' })?.result).toBe('failed');
    expect(currentScore(marks, cell, {}, undefined)?.why).toBe('not marked');
  });
});

describe('what is said before all answers are there', () => {
  it('counts nothing, and tells what there is to ask', () => {
    const of = aStanding(aTrial(3, { columns, messages: [{ role: 'user', content: '{{team}} {{gone}}' }] }));
    of.cells.set(cellName(keyOf('1', 'a')), cellOf(of, keyOf('1', 'a'), 'passed', { totalMs: 900 }));
    const standing = createStanding();
    standing.rebuild(of);
    const early = standing.outline(of, facts);
    expect(early).toMatchObject({
      order: drawnOrder(of.trial),
      progress: { cases: 3, counted: 0, cells: 0, ended: 0, underWay: 0, missing: 0 },
      problems: { said: ['{{gone}} is in the prompt, but no case has it.'] },
      plan: { requests: 6 },
      timeLeft: { ms: 0, isAtLeast: true },
      hasAnswers: true,
    });
    expect(early.columns.map(({ cells, answered }) => [cells, answered])).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect([early.verdict, early.tables.size, early.ended.length]).toEqual([undefined, 0, 0]);
  });
});

describe('answers that came after their cases were counted', () => {
  it('are bet on in the order in which they came, whatever their rows', () => {
    const of = aStanding(aTrial(30, { columns }));
    const order = drawnOrder(of.trial);
    // In the first rows the baseline is better, in those after them the second column.
    const evidence = (countedAt: (row: number) => number) => {
      for (const [row, caseId] of order.entries())
        for (const columnId of ['a', 'b']) {
          const isPassed = (columnId === 'a') === row < 12;
          const late = columnId === 'b' ? { countedAt: countedAt(row) } : {};
          const key = keyOf(caseId, columnId);
          of.cells.set(cellName(key), cellOf(of, key, isPassed ? 'passed' : 'failed', late));
        }
      return afresh(of).verdict?.comparisons[0]?.evidence;
    };
    const inOrder = evidence((row) => row + 1);
    expect(inOrder).toBe(evidence((row) => 10 * row + 5));
    expect(inOrder).not.toBe(evidence((row) => 30 - row));
  });
});

const marksCheck = { id: 'marks', name: 'mine', kind: 'marks', settings: {} } as const;
const keys = ['1', '2', '3', '4', '5', '6'].flatMap((caseId) =>
  ['a', 'b', 'c'].flatMap((columnId) => [keyOf(caseId, columnId), keyOf(caseId, columnId, 2)]),
);
const outcome = fc.constantFrom<Result>('passed', 'failed', 'no answer');
const step = fc.oneof(
  fc.record({
    what: fc.constant('ends' as const),
    key: fc.constantFrom(...keys),
    result: outcome,
    totalMs: fc.option(fc.integer({ min: 1, max: 9000 }), { nil: undefined }),
    countedAt: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  }),
  fc.record({
    what: fc.constant('is marked' as const),
    key: fc.constantFrom(...keys),
    mark: fc.constantFrom('right' as const, 'wrong' as const, undefined),
  }),
  fc.record({ what: fc.constant('is edited' as const), margin: fc.constantFrom(1, 5, 40) }),
  fc.record({
    what: fc.constant('says' as const),
    content: fc.constantFrom('{{team}}', '{{gone}}', '{{lost}}'),
  }),
);

describe('a trial that is followed cell by cell', () => {
  it('is planned again where the pace, the earlier answers or the room for new ones are others', () => {
    const of = aStanding(aTrial(30, { columns }));
    const standing = createStanding();
    standing.rebuild(of);
    const earlier = { meanMs: 500, tokensIn: 1, tokensOut: 1, answers: 9 };
    const others: StandingFacts[] = [
      facts,
      { ...facts, perMinute: 6 },
      { ...facts, earlierOf: () => earlier },
      { ...facts, earlierOf: () => earlier, places: 3 },
      { ...facts, granted: 1000 },
    ];
    const plans = others.map((asked) => JSON.stringify(sumsOf(standing, of, asked).plan));
    expect(plans).toEqual(others.map((asked) => JSON.stringify(afresh(of, asked).plan)));
    expect(new Set(plans).size).toBe(others.length);
  });

  it('counts the columns of its plan as compared, also those that are gone', () => {
    const of = aStanding(aTrial(3, { columns }));
    const key = keyOf('1', 'a');
    of.cells.set(cellName(key), cellOf(of, key, 'passed'));
    expect(afresh(of).verdict?.family).toBe(1);
    const plan = { at: 0, cases: 3, repeats: 1, columns: ['a', 'b', 'c'], baseline: 'a', margin: 5 };
    of.trial = { ...of.trial, plan };
    expect(afresh(of).verdict?.family).toBe(2);
    of.cells.clear();
    expect(afresh(of).verdict, 'it has begun').toMatchObject({ counted: 0, family: 2 });
  });

  it('compares the times of a column with those of the baseline as answers arrive in either', () => {
    const of = aStanding(aTrial(12, { columns }));
    const standing = createStanding();
    standing.rebuild(of);
    for (const columnId of ['b', 'a', 'b'])
      for (const [index, caseId] of [...of.cases.keys()].entries()) {
        const key = keyOf(caseId, columnId);
        const totalMs = (columnId === 'a' ? 100 : 200 + of.cells.size) + index;
        of.cells.set(cellName(key), cellOf(of, key, 'passed', { totalMs, firstTokenMs: totalMs / 2 }));
        standing.take(of, [key]);
        expect(sumsOf(standing, of).columns).toEqual(afresh(of).columns);
      }
    const ratios = () => afresh(of).columns.map(({ whole }) => whole.ratio && whole.ratio.times > 1);
    // The baseline is not compared with itself.
    expect(ratios()).toEqual([undefined, true]);
    of.trial = { ...of.trial, baseline: 'b' };
    expect(ratios()).toEqual([false, undefined]);
    expect(sumsOf(standing, of).columns).toEqual(afresh(of).columns);
  });

  it('says at each step what it would say if it were opened then', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.constantFrom(aCheck.id, marksCheck.id, undefined),
        (steps, decides) => {
          const { decides: _, ...draft } = aTrial(6, { repeats: 2, checks: [aCheck, marksCheck] });
          const trial: Trial = { ...draft, ...(decides === undefined ? {} : { decides }) };
          const of = aStanding(trial, (id) => (id === '6' ? {} : { team: 'billing', owner: id }));
          const standing = createStanding();
          standing.rebuild(of);
          for (const each of steps) {
            if (each.what === 'is edited') of.trial = { ...of.trial, margin: each.margin };
            else if (each.what === 'says')
              of.trial = { ...of.trial, messages: [{ role: 'user', content: each.content }] };
            else if (each.what === 'ends') {
              const { key, result, totalMs, countedAt } = each;
              const times = totalMs === undefined ? {} : { totalMs, firstTokenMs: totalMs / 3 };
              const late = countedAt === undefined ? {} : { countedAt };
              of.cells.set(cellName(key), cellOf(of, key, result, { ...times, ...late }));
            } else if (each.mark) {
              const mark: Mark = { trialId: 'trial', key: each.key, mark: each.mark, at: 1 };
              of.marks.set(cellName(each.key), mark);
            } else of.marks.delete(cellName(each.key));
            if ('key' in each) standing.take(of, [each.key]);
            expect(seen(sumsOf(standing, of))).toEqual(seen(afresh(of)));
          }
        },
      ),
      { numRuns: cases(30) },
    );
  });
});

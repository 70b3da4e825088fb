import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { ticked, aSetup } from '../testing/builders.ts';
import { cases } from '../testing/seeds.ts';
import { aCheck, aLargeTable, aTable, aTrial, someColumns } from '../testing/trials.ts';
import {
  changedFrom,
  columnNames,
  evidenceWords,
  plainWords,
  pointsWords,
  verdictWords,
  type VerdictContext,
} from './describe-verdict.ts';
import {
  codes,
  countResults,
  newResultTable,
  placeOf,
  setResult,
  shownRows,
  type CaseFilter,
  type Counting,
  type ResultTable,
} from './result-table.ts';
import { holm } from './statistics/sequential-test.ts';
import type { Trial } from './trial.ts';
import { isDecided, verdictOf, type Watches } from './verdict.ts';

const fixtures: { watched: { d: string; b: number; n: number; threshold: number }[] } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '__fixtures__/statistics.json'), 'utf8'),
);

function countingOf(table: ResultTable, changes: Partial<Counting> = {}): Counting {
  return { table, stopped: Array.from({ length: table.columns }, () => false), baseline: 0, ...changes };
}

interface Said {
  first: string;
  below: string[];
  method: string;
}

/** What is said of these results, as plain text. */
function said(counting: Counting, changes: Partial<Trial> = {}, context: Partial<VerdictContext> = {}): Said {
  const { table } = counting;
  const trial = aTrial(table.rows, {
    columns: someColumns(...['maker/A', 'maker/B', 'maker/C', 'maker/D'].slice(0, table.columns)),
    repeats: table.repeats,
    state: { name: 'finished', at: 0 },
    ...changes,
  });
  const verdict = verdictOf(counting, { margin: trial.margin, family: table.columns - 1 });
  const words = verdictWords(trial.decides === undefined ? undefined : verdict, {
    trial,
    perMinute: 50,
    hasAnswers: true,
    hasNewUnits: false,
    ...context,
  });
  return { first: plainWords(words.first), below: words.below.map(plainWords), method: words.method };
}

/** The baseline and a column that part as in a fixture of the watched range: + the column alone, - the baseline alone. */
function parted(signs: string): [string, string] {
  return [
    Array.from(signs, (sign) => (sign === '+' ? '-' : '+')).join(''),
    Array.from(signs, (sign) => (sign === '-' ? '-' : '+')).join(''),
  ];
}
const signsOf = (better: number, n: number): string =>
  fixtures.watched.find((each) => each.b === better && each.n === n)?.d ?? '';
/** 22 and 5 of 120 cases. */
const better = signsOf(22, 120);
/** 7 and 15 of 120 cases. */
const open = signsOf(7, 120);
const spread = (wins: number, losses: number, n: number): string => {
  const signs = Array.from({ length: n }, () => '0');
  for (const [count, sign] of [
    [losses, '-'],
    [wins, '+'],
  ] as const)
    for (let each = 0; each < count; each += 1) {
      let at = Math.floor(((each + 0.5) * n) / count);
      while (signs[at] !== '0') at = (at + 1) % n;
      signs[at] = sign;
    }
  return signs.join('');
};

describe('what is counted', () => {
  it('is a prefix of the drawn order: a case that ends early waits for those before it', () => {
    const { rows, cases: all } = countResults(countingOf(aTable('+-+.+', '++-++')));
    expect([rows, all]).toEqual([[0, 1, 2], 5]);
  });
  it('leaves out columns that have stopped and cases without an expected value', () => {
    const counts = countResults(
      countingOf(aTable('+0-+', '+0.-', '+0+-'), { stopped: [false, true, false] }),
    );
    expect([counts.rows, counts.cases]).toEqual([[0, 2, 3], 3]);
    expect(counts.pairs.map(({ column }) => column)).toEqual([2]);
    expect(counts.pairs[0]?.counts).toEqual({ both: 1, onlyColumn: 1, onlyBaseline: 1, neither: 0 });
  });
  it('has one denominator for rates, pairs and filters', () => {
    const marks = fc.constantFrom(codes.passed, codes.failed, codes['no answer']);
    const tables = fc.integer({ min: 1, max: 4 }).chain((repeats) =>
      fc
        .array(fc.array(marks, { minLength: 3 * repeats, maxLength: 3 * repeats }), {
          minLength: 1,
          maxLength: 30,
        })
        .map((rows): ResultTable => ({
          rows: rows.length,
          columns: 3,
          repeats,
          bytes: Uint8Array.from(rows.flat()),
        })),
    );
    fc.assert(
      fc.property(tables, (table) => {
        const counts = countResults(countingOf(table));
        expect(counts.rows).toHaveLength(table.rows);
        for (const pairs of counts.pairs) expect(pairs.units.length + pairs.noAnswer).toBe(table.rows);
        const shown = (name: 'all' | 'nobody passed' | 'columns disagree') =>
          shownRows(table, { name }).length;
        expect(shown('all')).toBe(table.rows);
        expect(shown('nobody passed') + shown('columns disagree')).toBeLessThanOrEqual(table.rows);
        for (const column of counts.columns) {
          expect(column.between[0]).toBeLessThanOrEqual(column.between[1]);
          expect(column.cells).toBe(table.rows * table.repeats);
        }
      }),
      { numRuns: cases(100) },
    );
  });
  it('filters what disagrees, failed, has no answer, and whose repeats differ', () => {
    const table = newResultTable(4, 2, 2);
    const rows = ['++ --', '+- +-', '?? ++', '-- --'];
    rows.forEach((row, at) =>
      row
        .split(' ')
        .forEach((letters, column) =>
          Array.from(letters, (letter, repeat) =>
            setResult(
              table,
              { row: at, column, repeat: repeat + 1 },
              letter === '+' ? 'passed' : letter === '-' ? 'failed' : 'no answer',
            ),
          ),
        ),
    );
    const shown = (filter: CaseFilter) => shownRows(table, filter);
    expect(shown({ name: 'columns disagree' })).toEqual([0]);
    expect(shown({ name: 'failed', column: 0 })).toEqual([1, 3]);
    expect(shown({ name: 'nobody passed' })).toEqual([3]);
    expect(shown({ name: 'no answer' })).toEqual([2]);
    expect(shown({ name: 'repeats differ' })).toEqual([1]);
  });
  it('means of repeats are values, over those that answered', () => {
    const table = newResultTable(1, 2, 3);
    (['passed', 'failed', 'no answer'] as const).forEach((result, index) => {
      setResult(table, { row: 0, column: 0, repeat: index + 1 }, result);
      setResult(table, { row: 0, column: 1, repeat: index + 1 }, 'passed');
    });
    const { columns, pairs } = countResults(countingOf(table));
    expect(columns[0]).toMatchObject({
      passed: 0.5,
      answered: 1,
      missing: 1,
      cells: 3,
      between: [1 / 3, 2 / 3],
    });
    expect(pairs[0]?.units).toMatchObject([{ rows: [0], differences: [0.5] }]);
    expect(pairs[0]?.counts).toBeUndefined();
  });
  it('a case that is answered late takes its place at the end, and nothing before it moves', () => {
    const table = aTable('+?++', '++-+');
    const before = countResults(countingOf(table)).pairs[0]?.units.map(({ rows }) => rows[0]);
    setResult(table, { row: 1, column: 0, repeat: 1 }, 'passed');
    const lateAt = new Map([[placeOf(table, 1, 0, 1), 1]]);
    const after = countResults(countingOf(table, { lateAt })).pairs[0]?.units.map(({ rows }) => rows[0]);
    expect([before, after]).toEqual([
      [0, 2, 3],
      [0, 2, 3, 1],
    ]);
  });
  it('a group counts as one, when the last of its cases is counted', () => {
    const table = aTable('+++++.', '+-+-+.');
    const groups = ['0/x', '0/y', '0/x', '0/y', undefined, '0/x'];
    const units = countResults(countingOf(table, { groups })).pairs[0]?.units;
    expect(units).toMatchObject([
      { rows: [1, 3], differences: [-1, -1] },
      { rows: [4], differences: [0] },
    ]);
  });
  it('marks count in the order in which they were made', () => {
    const table = aTable('+?+-', '-??+');
    const times = [
      [3, 0, 40],
      [3, 1, 10],
      [0, 0, 20],
      [0, 1, 50],
      [2, 0, 5],
    ] as const;
    const markedAt = new Map(times.map(([row, column, at]) => [placeOf(table, row, column, 1), at]));
    const { rows, pairs } = countResults(countingOf(table, { markedAt }));
    expect(rows).toEqual([0, 2, 3]);
    expect(pairs[0]?.units.map((unit) => unit.rows)).toEqual([[3], [0]]);
  });
});

describe('the words of a verdict', () => {
  it('ask for a check that decides', () => {
    expect(said(countingOf(aTable('+', '-')), { decides: 'none' }).first).not.toContain('Choose');
    const trial = aTrial(1);
    const none = verdictWords(undefined, { trial, perMinute: 50, hasAnswers: true, hasNewUnits: false });
    expect(plainWords(none.first)).toBe('Choose a check that decides.');
  });
  it('say under 15 cases that they are too few, and what it would take', () => {
    const { first, below } = said(countingOf(aTable('+++++++++---', '++++++++++++')));
    expect(first).toBe('12 cases: too few to say');
    expect(below).toEqual([
      'A passed 9 of 12 and B 12 of 12.',
      'From 15 cases on there is a verdict; to see 20 points, 88 are needed.',
    ]);
  });
  it('name what is better, with its range, and what is open below it', () => {
    const [, column] = parted(better);
    const [baseline] = parted(better);
    expect(said(countingOf(aTable(baseline, column)))).toEqual({
      first: 'B is better than A by 14 points (2 to 27)',
      below: ['A passed 98 of 120 and B 115 of 120.'],
      method:
        'Check “right team”, 120 cases, one answer each, drawn order 2026. Ranges may be watched at any time. Evidence 63, needed 20.',
    });
  });
  it('name what is worse by its distance', () => {
    const turned = better.replaceAll(/[+-]/g, (sign) => (sign === '+' ? '-' : '+'));
    expect(said(countingOf(aTable(...parted(turned)))).first).toBe(
      'B is worse than A by 14 points (2 to 27)',
    );
  });
  it('say what is about the same as a finding', () => {
    expect(said(countingOf(aTable(...parted(spread(15, 14, 1200))))).first).toMatch(
      /^B is about the same as A: within 5 points \(−\d to \d\)$/,
    );
  });
  it('say that what is better by less than counts is that', () => {
    const { first } = said(countingOf(aTable(...parted(spread(60, 10, 6000)))));
    expect(first).toBe('B is better than A by 1 point (1 to 3), less than the 5 points that count');
  });
  it('say that first and later cases contradict each other', () => {
    const { first } = said(countingOf(aTable(...parted('+'.repeat(40) + '-'.repeat(40) + '+'.repeat(40)))));
    expect(first).toBe('Not decided: the first cases and the later ones contradict each other');
  });
  it('say what is open, while it runs and after, and how many more cases would tell', () => {
    const counting = countingOf(aTable(...parted(open)));
    const { first, below } = said(counting);
    expect(first).toBe('Not decided: B is behind A by 7 points (−19 to 5)');
    expect(below.at(-1)).toMatch(
      /^If that is the true difference, about \d+0 more cases would tell, \d+ min( \d+ s)?\.$/,
    );
    expect(said(counting, { state: { name: 'running', since: 0 } }).first).toBe(
      'Not decided yet: B is behind A by 7 points (−19 to 5)',
    );
    expect(said(countingOf(aTable(...parted('0'.repeat(20))))).first).toMatch(
      /^Not decided: B and A are level \(−/,
    );
  });
  it('say several that are alike in one sentence', () => {
    const [baseline, column] = parted(spread(30, 0, 60));
    const words = said(countingOf(aTable(baseline, column, column)));
    expect(words.first).toMatch(
      /^B and C are better than A: by 50 points \(\d+ to \d+\) and 50 points \(\d+ to \d+\)\. Between B and C nothing was compared\.$/,
    );
    expect(words.method).toContain('needed 40 for the first of 2 comparisons.');
  });
  it('say the rest below, the best first', () => {
    const [baseline, column] = parted(spread(30, 0, 60));
    const worse = Array.from(baseline, (letter, row) => (letter === '+' && row % 6 < 4 ? '-' : letter)).join(
      '',
    );
    const { first, below } = said(countingOf(aTable(baseline, column, baseline, worse)));
    expect(first).toMatch(/^B is better than A by 50 points \(/);
    expect(below.slice(0, 3)).toEqual([
      expect.stringMatching(/^A passed 30 of 60, B 60 of 60, C 30 of 60 and D \d+ of 60\.$/),
      expect.stringMatching(/^D is worse than A by \d\d points \(/),
      expect.stringMatching(/^C is not decided: level with A \(−/),
    ]);
  });
  it('say what would tell behind the sentence that it is of, and several that are open in one', () => {
    const [baseline, column] = parted(open);
    const three = said(countingOf(aTable(baseline, column, column)));
    const more = /^If that is the true difference, about \S+ more cases would tell, /;
    expect(three.below.slice(1)).toEqual([
      expect.stringMatching(more),
      'C is not decided: behind A by 7 points (−20 to 6).',
      expect.stringMatching(more),
    ]);
    const four = said(countingOf(aTable(baseline, column, column, column)));
    expect(four.below.slice(1)).toEqual([
      expect.stringMatching(more),
      expect.stringMatching(
        /^C and D are not decided: behind by 7 points \(.*\) and behind by 7 points \(.*\)\.$/,
      ),
      expect.stringMatching(
        /^If these are the true differences, about \S+ more cases would tell one of them, /,
      ),
    ]);
  });
  it('add that there are few cases', () => {
    expect(said(countingOf(aTable('-'.repeat(20), '+'.repeat(20)))).below).toContain('Few cases.');
    expect(said(countingOf(aTable('-'.repeat(30), '+'.repeat(30)))).below).not.toContain('Few cases.');
  });
  it('add what is missing, and whether all hangs on it', () => {
    const [baseline, column] = parted(spread(9, 0, 50));
    const missing = `${'?'.repeat(5)}${baseline.slice(5, 45)}${'?'.repeat(5)}`;
    const { below } = said(countingOf(aTable(missing, column)));
    expect(below).toContain('20 % gave no answer in A: its rate is between 66 and 86 %.');
    const [few, most] = parted(`0000${spread(9, 0, 46)}`);
    const words = said(countingOf(aTable(few, `????${most.slice(4)}`)));
    expect(words.first).toMatch(/^B is better/);
    expect(words.below.slice(-2)).toEqual([
      '8 % gave no answer in B: its rate is between 92 and 100 %.',
      'If all of these had failed, nothing would be decided.',
    ]);
    const strong = said(countingOf(aTable('-'.repeat(100), `${'+'.repeat(97)}???`)));
    expect(strong.below.at(-1)).toBe('3 % gave no answer in B: its rate is between 97 and 100 %.');
    expect(said(countingOf(aTable('-'.repeat(100), `${'+'.repeat(98)}??`))).below).toHaveLength(1);
  });
  it('add that the best of many is to be confirmed', () => {
    const [baseline, column] = parted(spread(30, 0, 60));
    const { below } = said(countingOf(aTable(baseline, column, baseline, baseline)));
    expect(below.at(-1)).toBe('Best of 4 columns: confirm on new cases.');
    const madeFrom = { param: 'temperature', value: '1' } as const;
    const columns = someColumns('m/A', 'm/B').map((each) => ({ ...each, madeFrom }));
    expect(said(countingOf(aTable(baseline, column)), { columns }).below.at(-1)).toBe(
      'Best of 2 columns: confirm on new cases.',
    );
  });
  it('add what was chosen or changed after the answers were seen', () => {
    const plan = {
      at: 0,
      cases: 100,
      repeats: 1,
      columns: ['a', 'b'],
      decides: aCheck.id,
      baseline: 'a',
      margin: 10,
    };
    const counting = countingOf(aTable(...parted(better)));
    const changes = { plan, valuesChanged: ['1', '2', '3'], retired: { columns: [], caseIds: ['9'] } };
    const { below, method } = said(counting, changes);
    expect(below.at(-1)).toBe('Chosen after the answers were seen.');
    expect(method).toContain('Expected values were changed after the answers were seen: 3 cases.');
    expect(method).toContain('Taken out after they were answered: 1 case.');
    expect(method).toMatch(/Planned with 100 cases\.$/);
    expect(said(counting, changes, { hasAnswers: false }).below).not.toContain(
      'Chosen after the answers were seen.',
    );
  });
  it('say how it was counted', () => {
    const counting = countingOf(aTable(`${'+'.repeat(62)}${'.'.repeat(58)}`, '+'.repeat(120)));
    expect(said(counting).method).toMatch(
      /^Check “right team”, 62 of 120 cases counted in drawn order 2026\./,
    );
    const marks = { ...aCheck, kind: 'marks' } as const;
    const marked = said(countingOf(aTable('++', '--'), { markedAt: new Map([[0, 1]]) }), { checks: [marks] });
    expect(marked.method).toContain('Marks are not blind, and whoever marked chose which cases count.');
    const groups = said(countingOf(aTable('++', '--')), { groupField: 'shop' }, { hasNewUnits: true });
    expect(groups.first).toBe('2 cases: too few to say'.replace('cases', 'groups'));
    expect(groups.method).toMatch(
      /Cases with the same shop count as one\. Where one came back with later cases, it counts as a new one\.$/,
    );
  });
  it('round points so that no range seems to touch a 0 that it leaves out', () => {
    expect([0.003, -0.004, 0.28, -0.191, 0, 0.145, -0.145, 0.00002].map(pointsWords)).toEqual([
      '0.3',
      '−0.4',
      '28',
      '−19',
      '0',
      '15',
      '−15',
      '0',
    ]);
    expect([1, 3.19, 39.99, 63.2, 1000, 1000.1].map(evidenceWords)).toEqual([
      '1',
      '3.1',
      '39',
      '63',
      '1000',
      'over 1,000',
    ]);
  });
});

describe('the verdict', () => {
  /** Tables that favour one side more or less, so that all outcomes come up. */
  const tables = fc
    .record({ bias: fc.double({ min: 0, max: 1, noNaN: true }), columns: fc.integer({ min: 2, max: 4 }) })
    .chain(({ bias, columns }) =>
      fc
        .array(
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: columns, maxLength: columns }),
          { maxLength: 90 },
        )
        .map((rows) => {
          const letters = (column: number) =>
            rows
              .map((places) => {
                const place = places[column] ?? 0;
                return place > 0.95 ? '?' : place < (column === 1 ? bias : 0.5) ? '+' : '-';
              })
              .join('');
          return aTable(...Array.from({ length: columns }, (_, column) => letters(column)));
        }),
    );

  it('never says better or worse unless the evidence reached its threshold, and never against its range', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const verdict = verdictOf(countingOf(table), { margin: 5, family: table.columns - 1 });
        const steps = holm(verdict.comparisons.map(({ evidence }) => evidence));
        verdict.comparisons.forEach(({ outcome, range, evidence, needed, decided, difference }, index) => {
          expect(steps[index]).toMatchObject({ needed, decided });
          if (outcome === 'better' || outcome === 'worse') {
            expect(decided).toBe(true);
            expect(evidence).toBeGreaterThanOrEqual(needed * (1 - 1e-9));
            expect(Math.sign(difference)).toBe(outcome === 'better' ? 1 : -1);
          }
          const [low, high] = range ?? [0, 0];
          if (outcome === 'better') expect(low).toBeGreaterThan(0);
          if (outcome === 'worse') expect(high).toBeLessThan(0);
          if (outcome === 'about the same') expect(Math.max(-low, high)).toBeLessThan(0.05);
          if (outcome === 'open') expect(low <= 0 && high >= 0).toBe(true);
        });
      }),
      { numRuns: cases(500) },
    );
  });

  it('is the same whether it was watched case by case or made at once', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const watches: Watches = new Map();
        const plan = { margin: 5, family: table.columns - 1 };
        let last;
        for (let rows = 0; rows <= table.rows; rows += 7) {
          const bytes = table.bytes.slice();
          bytes.fill(codes['to come'], rows * table.columns);
          last = verdictOf(countingOf({ ...table, bytes }), plan, watches);
        }
        const larger = { ...plan, family: plan.family + 2 };
        expect(verdictOf(countingOf(table), larger, watches)).toEqual(verdictOf(countingOf(table), larger));
        const whole = verdictOf(countingOf(table), plan, watches);
        expect(whole).toEqual(verdictOf(countingOf(table), plan));
        expect(last?.counted ?? 0).toBeLessThanOrEqual(whole.counted);
      }),
      { numRuns: cases(60) },
    );
  });

  it('counts a large trial to its end', () => {
    const table = aLargeTable(2000, 3);
    const { counted, cases: all, comparisons } = verdictOf(countingOf(table), { margin: 5, family: 2 });
    expect([counted, all]).toEqual([2000, 2000]);
    expect(comparisons.map(({ units, noAnswer }) => units + noAnswer)).toEqual([2000, 2000]);
  });

  it('keeps the family of the plan when a column has stopped', () => {
    const [baseline, column] = parted(better);
    const table = aTable(baseline, column, '-?'.padEnd(120, '.'));
    const verdict = verdictOf(countingOf(table, { stopped: [false, false, true] }), { margin: 5, family: 2 });
    expect(verdict.comparisons).toMatchObject([{ column: 1, needed: 40, decided: true, outcome: 'better' }]);
    expect(isDecided(verdict)).toBe(true);
    expect(isDecided(verdictOf(countingOf(aTable('++', '--')), { margin: 5, family: 1 }))).toBe(false);
  });
});

describe('columns', () => {
  const setup = (model: string, temperature?: string) =>
    aSetup({ model, params: ticked(temperature === undefined ? {} : { temperature }) });
  const named = (...setups: ReturnType<typeof setup>[]) =>
    columnNames(setups.map((each, index) => ({ id: String(index), setup: each }))).map(({ name }) => name);

  it('are called by their models, else by what differs, else by their letters', () => {
    expect(named(setup('x/heron-32b'), setup('y/plover'))).toEqual(['heron-32b', 'plover']);
    expect(named(setup('x/heron', '0'), setup('x/heron', '1.2'))).toEqual([
      'temperature 0',
      'temperature 1.2',
    ]);
    expect(named(setup('x/heron'), setup('x/heron', '1.2'))).toEqual(['no temperature', 'temperature 1.2']);
    expect(named(setup('x/heron', '0'), setup('x/heron', '1'), setup('y/plover', '1'))).toEqual([
      'heron, temperature 0',
      'heron, temperature 1',
      'plover, temperature 1',
    ]);
    expect(named(setup('x/heron'), setup('x/heron'))).toEqual(['A', 'B']);
  });
  it('say what was changed from the baseline', () => {
    const column = { id: 'b', setup: setup('x/heron', '1.2'), messages: [] };
    expect(changedFrom(column, { id: 'a', setup: setup('x/heron') })).toEqual([
      'temperature 1.2',
      'another wording',
    ]);
  });
});

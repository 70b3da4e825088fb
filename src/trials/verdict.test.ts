import { readFileSync } from 'node:fs';
import path from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { getCaseCount } from '../testing/seeds.ts';
import {
  createColumnPair,
  createCountInputs,
  createLargeTable,
  createVerdictPlan,
  parseResultTable,
} from '../testing/trials.ts';
import {
  resultCodes,
  countResults,
  fillMissingAnswers,
  createResultTable,
  getCellIndex,
  setResult,
  filterRows,
  type CaseFilter,
  type ResultTable,
} from './result-table.ts';
import { applyHolm } from './statistics/sequential-test.ts';
import { isDecided, computeVerdict, type SequentialTests } from './verdict.ts';

const fixtures: { watched: { d: string; b: number; n: number; threshold: number }[] } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '__fixtures__/statistics.json'), 'utf8'),
);

const findSigns = (better: number, n: number): string =>
  fixtures.watched.find((fixture) => fixture.b === better && fixture.n === n)?.d ?? '';
/** Fixture with 22 wins for the column and 5 for the baseline in 120 cases. */
const betterSigns = findSigns(22, 120);

describe('counted cases', () => {
  it('counts a prefix of the random order, so cases that end early count only after the cases before them', () => {
    const { rows, cases: caseTotal } = countResults(createCountInputs(parseResultTable('+-+.+', '++-++')));
    expect([rows, caseTotal]).toEqual([[0, 1, 2], 5]);
  });
  it('excludes stopped columns and cases without an expected value', () => {
    const counts = countResults(
      createCountInputs(parseResultTable('+0-+', '+0.-', '+0+-'), { stopped: [false, true, false] }),
    );
    expect([counts.rows, counts.cases]).toEqual([[0, 2, 3], 3]);
    expect(counts.pairs.map(({ column }) => column)).toEqual([2]);
    expect(counts.pairs[0]?.counts).toEqual({ both: 1, onlyColumn: 1, onlyBaseline: 1, neither: 0 });
  });
  it('compares a baseline with copied answers on the cases that it has, whatever the others have', () => {
    const table = parseResultTable('+x-x+?', '++++-+', '-.++..');
    const { rows, cases, pairs, columns } = countResults(createCountInputs(table));
    expect([rows, cases]).toEqual([[0, 2], 4]);
    expect(pairs.map((pair) => [pair.rows, pair.cases, pair.missingCount])).toEqual([
      [[0, 2, 4, 5], 4, 1],
      [[0, 2], 4, 0],
    ]);
    expect(columns[0]).toMatchObject({ rows: [0, 2, 4, 5], answered: 3, missing: 1, cells: 4 });
    const plannedEnd = countResults(createCountInputs(table, { plannedRows: 4 })).pairs;
    expect(plannedEnd.map(({ hasReachedPlannedEnd }) => hasReachedPlannedEnd)).toEqual([true, true]);
  });
  it('does not let a column with copied answers hold up or shorten the other comparisons', () => {
    const table = parseResultTable('+-+-', '++-.', 'xxx+');
    const { rows, cases, pairs } = countResults(createCountInputs(table));
    expect([rows, cases]).toEqual([[0, 1, 2], 4]);
    expect(pairs.map((pair) => [pair.rows, pair.cases])).toEqual([
      [[0, 1, 2], 4],
      [[3], 1],
    ]);
  });
  it('averages copied answers over fewer repeats than the other columns have', () => {
    const table = createResultTable(2, 2, 2);
    const cells = [
      'passed',
      'absent',
      'passed',
      'failed',
      'no answer',
      'absent',
      'passed',
      'passed',
    ] as const;
    cells.forEach((result, index) =>
      setResult(
        table,
        { row: Math.floor(index / 4), column: Math.floor(index / 2) % 2, repeat: (index % 2) + 1 },
        result,
      ),
    );
    const { columns, pairs } = countResults(createCountInputs(table));
    expect(pairs[0]).toMatchObject({ units: [{ differences: [-0.5] }], missingCount: 1 });
    expect(columns[0]).toMatchObject({ passed: 1, answered: 1, missing: 1, cells: 2, rateBounds: [0.5, 1] });
    const [filled] = fillMissingAnswers(createCountInputs(table), [1], 1, false).units;
    expect(filled?.differences).toEqual([0]);
  });
  it('uses the same denominators for rates, pairs and filters', () => {
    const codeArbitrary = fc.constantFrom(resultCodes.passed, resultCodes.failed, resultCodes['no answer']);
    const tableArbitrary = fc.integer({ min: 1, max: 4 }).chain((repeats) =>
      fc
        .array(fc.array(codeArbitrary, { minLength: 3 * repeats, maxLength: 3 * repeats }), {
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
      fc.property(tableArbitrary, (table) => {
        const counts = countResults(createCountInputs(table));
        expect(counts.rows).toHaveLength(table.rows);
        for (const pairs of counts.pairs) expect(pairs.units.length + pairs.missingCount).toBe(table.rows);
        const countRows = (name: 'all' | 'nobody passed' | 'columns disagree') =>
          filterRows(table, { name }).length;
        expect(countRows('all')).toBe(table.rows);
        expect(countRows('nobody passed') + countRows('columns disagree')).toBeLessThanOrEqual(table.rows);
        for (const column of counts.columns) {
          expect(column.rateBounds[0]).toBeLessThanOrEqual(column.rateBounds[1]);
          expect(column.cells).toBe(table.rows * table.repeats);
        }
      }),
      { numRuns: getCaseCount(100) },
    );
  });
  it('filters cases by disagreeing columns, failures, missing answers and differing repeats', () => {
    const table = createResultTable(4, 2, 2);
    const rows = ['++ --', '+- +-', '?? ++', '-- --'];
    rows.forEach((row, rowIndex) =>
      row
        .split(' ')
        .forEach((letters, column) =>
          Array.from(letters, (letter, repeat) =>
            setResult(
              table,
              { row: rowIndex, column, repeat: repeat + 1 },
              letter === '+' ? 'passed' : letter === '-' ? 'failed' : 'no answer',
            ),
          ),
        ),
    );
    const findRows = (filter: CaseFilter) => filterRows(table, filter);
    expect(findRows({ name: 'columns disagree' })).toEqual([0]);
    expect(findRows({ name: 'failed', column: 0 })).toEqual([1, 3]);
    expect(findRows({ name: 'nobody passed' })).toEqual([3]);
    expect(findRows({ name: 'no answer' })).toEqual([2]);
    expect(findRows({ name: 'repeats differ' })).toEqual([1]);
  });
  it('averages only the answered repeats of a case', () => {
    const table = createResultTable(1, 2, 3);
    (['passed', 'failed', 'no answer'] as const).forEach((result, index) => {
      setResult(table, { row: 0, column: 0, repeat: index + 1 }, result);
      setResult(table, { row: 0, column: 1, repeat: index + 1 }, 'passed');
    });
    const { columns, pairs } = countResults(createCountInputs(table));
    expect(columns[0]).toMatchObject({
      passed: 0.5,
      answered: 1,
      missing: 1,
      cells: 3,
      rateBounds: [1 / 3, 2 / 3],
    });
    expect(pairs[0]?.units).toMatchObject([{ rows: [0], differences: [0.5] }]);
    expect(pairs[0]?.counts).toBeUndefined();
  });
  it('appends a case that is answered late without moving earlier cases', () => {
    const table = parseResultTable('+?++', '++-+');
    const rowsBefore = countResults(createCountInputs(table)).pairs[0]?.units.map(({ rows }) => rows[0]);
    setResult(table, { row: 1, column: 0, repeat: 1 }, 'passed');
    const lateOrder = new Map([[getCellIndex(table, 1, 0, 1), 1]]);
    const rowsAfter = countResults(createCountInputs(table, { lateOrder })).pairs[0]?.units.map(
      ({ rows }) => rows[0],
    );
    expect([rowsBefore, rowsAfter]).toEqual([
      [0, 2, 3],
      [0, 2, 3, 1],
    ]);
  });
  it('counts a group as one unit once all of its cases are counted', () => {
    const table = parseResultTable('+++++.', '+-+-+.');
    const groups = ['0/x', '0/y', '0/x', '0/y', undefined, '0/x'];
    const units = countResults(createCountInputs(table, { groups })).pairs[0]?.units;
    expect(units).toMatchObject([
      { rows: [1, 3], differences: [-1, -1] },
      { rows: [4], differences: [0] },
    ]);
  });
  it('counts marked cases in the order of their marks', () => {
    const table = parseResultTable('+?+-', '-??+');
    const times = [
      [3, 0, 40],
      [3, 1, 10],
      [0, 0, 20],
      [0, 1, 50],
      [2, 0, 5],
    ] as const;
    const markedAt = new Map(times.map(([row, column, at]) => [getCellIndex(table, row, column, 1), at]));
    const { rows, pairs } = countResults(createCountInputs(table, { markedAt }));
    expect(rows).toEqual([0, 2, 3]);
    expect(pairs[0]?.units.map((unit) => unit.rows)).toEqual([[3], [0]]);
  });
});

describe('computation of the verdict', () => {
  /** Tables that favour one side to varying degrees, so that all outcomes occur. */
  const tableArbitrary = fc
    .record({ bias: fc.double({ min: 0, max: 1, noNaN: true }), columns: fc.integer({ min: 2, max: 4 }) })
    .chain(({ bias, columns }) =>
      fc
        .array(
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: columns, maxLength: columns }),
          { maxLength: 90 },
        )
        .map((rows) => {
          const getSigns = (column: number) =>
            rows
              .map((draws) => {
                const draw = draws[column] ?? 0;
                return draw > 0.95 ? '?' : draw < (column === 1 ? bias : 0.5) ? '+' : '-';
              })
              .join('');
          return parseResultTable(...Array.from({ length: columns }, (_, column) => getSigns(column)));
        }),
    );

  const rulesArbitrary = fc.constantFrom(1 as const, 2 as const);
  const plannedRowsArbitrary = fc.integer({ min: 0, max: 100 });

  it('calls a column better or worse only if evidence and interval agree', () => {
    fc.assert(
      fc.property(tableArbitrary, rulesArbitrary, plannedRowsArbitrary, (table, rules, plannedRows) => {
        const verdict = computeVerdict(
          createCountInputs(table, rules === 2 ? { plannedRows } : {}),
          createVerdictPlan(table, { rules }),
        );
        const steps = applyHolm(verdict.comparisons.map(({ evidence }) => evidence));
        verdict.comparisons.forEach(
          ({ outcome, interval, evidence, requiredEvidence, decided, reason, difference }, index) => {
            if (rules === 1) expect(steps[index]).toMatchObject({ requiredEvidence, decided });
            if (outcome === 'better' || outcome === 'worse') {
              expect(decided).toBe(true);
              if (reason !== 'planned end')
                expect(evidence).toBeGreaterThanOrEqual(requiredEvidence * (1 - 1e-9));
              expect(Math.sign(difference)).toBe(outcome === 'better' ? 1 : -1);
            }
            const [low, high] = interval ?? [0, 0];
            if (outcome === 'better') expect(low).toBeGreaterThan(0);
            if (outcome === 'worse') expect(high).toBeLessThan(0);
            if (outcome === 'about the same') expect(Math.max(-low, high)).toBeLessThan(0.05);
            if (outcome === 'open') expect(low <= 0 && high >= 0).toBe(true);
          },
        );
      }),
      { numRuns: getCaseCount(500) },
    );
  });

  it('computes the same verdict case by case as for all cases together', () => {
    fc.assert(
      fc.property(tableArbitrary, rulesArbitrary, plannedRowsArbitrary, (table, rules, plannedRows) => {
        const tests: SequentialTests = new Map();
        const plan = createVerdictPlan(table, { rules });
        const createInputs = (partialTable: ResultTable) =>
          createCountInputs(partialTable, rules === 2 ? { plannedRows } : {});
        let latestVerdict;
        for (let rows = 0; rows <= table.rows; rows += 7) {
          const bytes = table.bytes.slice();
          bytes.fill(resultCodes['to come'], rows * table.columns);
          latestVerdict = computeVerdict(createInputs({ ...table, bytes }), plan, tests);
        }
        const largerPlan = { ...plan, family: plan.family + 2 };
        expect(computeVerdict(createInputs(table), largerPlan, tests)).toEqual(
          computeVerdict(createInputs(table), largerPlan),
        );
        const finalVerdict = computeVerdict(createInputs(table), plan, tests);
        expect(finalVerdict).toEqual(computeVerdict(createInputs(table), plan));
        expect(latestVerdict?.counted ?? 0).toBeLessThanOrEqual(finalVerdict.counted);
      }),
      { numRuns: getCaseCount(60) },
    );
  });

  it('counts all 2,000 cases of a large trial', () => {
    const table = createLargeTable(2000, 3);
    const {
      counted,
      cases: caseTotal,
      comparisons,
    } = computeVerdict(createCountInputs(table), createVerdictPlan(table));
    expect([counted, caseTotal]).toEqual([2000, 2000]);
    expect(comparisons.map(({ units, missingCount }) => units + missingCount)).toEqual([2000, 2000]);
  });

  it('keeps a verdict when a column is added, and counts the column on its own cases', () => {
    const [baseline, column] = createColumnPair(betterSigns);
    const pair = parseResultTable(baseline, column);
    const extended = parseResultTable(baseline, column, '+-'.padEnd(120, '.'));
    const plan = createVerdictPlan(pair);
    const [before] = computeVerdict(createCountInputs(pair, { plannedRows: 120 }), plan).comparisons;
    const verdict = computeVerdict(createCountInputs(extended, { plannedRows: 120 }), {
      ...plan,
      laterFamilies: [undefined, undefined, 2],
    });
    expect(verdict.comparisons[0]).toEqual(before);
    expect(verdict.comparisons[1]).toMatchObject({ outcome: 'too few', counted: 2, family: 2, units: 2 });
    expect(verdict.columns.map(({ answered }) => answered)).toEqual([120, 120, 2]);
    expect([verdict.counted, verdict.family]).toEqual([2, 2]);
  });

  it('decides at the planned end where the evidence does not, and requires more evidence after it', () => {
    // 18 against 6 discordant cases: the evidence of 4.5 stays far below 40.
    const [baseline, column] = createColumnPair(`${'+++-'.repeat(6)}${'.'.repeat(36)}`);
    const table = parseResultTable(baseline, column);
    const plan = createVerdictPlan(table);
    const judge = (plannedRows: number, rules: 1 | 2 = 2) =>
      computeVerdict(createCountInputs(table, { plannedRows }), { ...plan, rules }).comparisons[0];
    expect(judge(60)).toMatchObject({ outcome: 'better', reason: 'planned end', hasReachedPlannedEnd: true });
    expect(judge(60, 1)).toMatchObject({ outcome: 'open' });
    const unfinished = parseResultTable(`${baseline}.`, `${column}.`);
    expect(
      computeVerdict(createCountInputs(unfinished, { plannedRows: 61 }), plan).comparisons[0],
    ).toMatchObject({ outcome: 'open', hasReachedPlannedEnd: false, requiredEvidence: 40 });
    expect(judge(12)).toMatchObject({ outcome: 'open', hasReachedPlannedEnd: true, requiredEvidence: 100 });
    // With other repeats, the cases are counted a second time.
    const { comparisons } = computeVerdict(createCountInputs(table, { plannedRows: 60 }), {
      ...plan,
      hasPlannedRepeats: false,
    });
    expect(comparisons[0]).toMatchObject({ outcome: 'open', requiredEvidence: 100 });
  });

  it('requires more evidence from each further setup that is tried on the same cases', () => {
    const table = parseResultTable('++', '++');
    const getRequiredEvidence = (laterFamilies: (number | undefined)[]) =>
      computeVerdict(createCountInputs(table), createVerdictPlan(table, { laterFamilies })).comparisons[0]
        ?.requiredEvidence;
    expect(getRequiredEvidence([])).toBe(40);
    expect(getRequiredEvidence([undefined, 4])).toBe(160);
    // A replaced baseline makes every comparison a new one.
    expect(getRequiredEvidence([3])).toBe(120);
  });

  it('counts a stopped column on the cases that it was asked', () => {
    const table = parseResultTable('+'.repeat(60), '+?-'.padEnd(60, '.'));
    const { columns, comparisons } = computeVerdict(
      createCountInputs(table, { stopped: [false, true] }),
      createVerdictPlan(table),
    );
    expect(columns[1]).toMatchObject({ cells: 3, missing: 1, rateBounds: [1 / 3, 2 / 3] });
    expect(comparisons).toEqual([]);
  });

  it('reports for each comparison whether its outcome depends on missing answers', () => {
    // Column B is better without doubt; column C only as long as its missing answers are ignored.
    const [baseline, better] = createColumnPair('+..'.repeat(25));
    const doubtful = Array.from(better, (sign, row) => (row % 3 === 1 ? '?' : sign)).join('');
    const table = parseResultTable(baseline, better, doubtful);
    const { comparisons } = computeVerdict(createCountInputs(table), createVerdictPlan(table));
    expect(comparisons.map(({ outcome, dependsOnMissing }) => [outcome, dependsOnMissing])).toEqual([
      ['better', false],
      ['better', true],
    ]);
    const [same, alsoSame] = ['+-'.repeat(400), '+-'.repeat(280).padEnd(800, '?')];
    const sameTable = parseResultTable(same, alsoSame);
    expect(
      computeVerdict(createCountInputs(sameTable), createVerdictPlan(sameTable)).comparisons[0],
    ).toMatchObject({ outcome: 'about the same', dependsOnMissing: true });
  });

  it('counts rates by group, in the same unit as the difference', () => {
    const groups = [
      ...Array.from({ length: 60 }, () => '0/big'),
      ...Array.from({ length: 30 }, (_, i) => `0/${i}`),
    ];
    const table = parseResultTable(
      `${'+'.repeat(60)}${'-'.repeat(30)}`,
      `${'-'.repeat(60)}${'+'.repeat(30)}`,
    );
    const { columns, comparisons } = computeVerdict(
      createCountInputs(table, { groups, countsRatesByGroup: true }),
      createVerdictPlan(table),
    );
    expect(columns.map(({ answered, passed }) => [passed, answered])).toEqual([
      [1, 31],
      [30, 31],
    ]);
    expect(comparisons[0]?.difference).toBeCloseTo(29 / 31, 2);
    expect(columns[1]?.rate?.rate).toBeCloseTo(30 / 31, 12);
    // The spread of 31 groups is corrected by 31 ÷ 30.
    expect(columns[1]?.rate?.effectiveCount).toBeCloseTo(30, 8);
  });

  it('keeps the planned number of comparisons when a column has stopped', () => {
    const [baseline, column] = createColumnPair(betterSigns);
    const table = parseResultTable(baseline, column, '-?'.padEnd(120, '.'));
    const verdict = computeVerdict(
      createCountInputs(table, { stopped: [false, false, true] }),
      createVerdictPlan(table, { rules: 1 }),
    );
    expect(verdict.comparisons).toMatchObject([
      { column: 1, requiredEvidence: 40, decided: true, outcome: 'better' },
    ]);
    expect(isDecided(verdict)).toBe(true);
    const shortTable = parseResultTable('++', '--');
    expect(isDecided(computeVerdict(createCountInputs(shortTable), createVerdictPlan(shortTable)))).toBe(
      false,
    );
  });
});

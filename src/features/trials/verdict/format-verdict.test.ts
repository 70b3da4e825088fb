import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { createTickedParams, createTestSetup } from '../../../testing/builders.ts';
import {
  testCheck,
  createColumnPair,
  createColumns,
  createCountInputs,
  createTestTrial,
  parseResultTable,
} from '../../../testing/trials.ts';
import type { CountInputs } from '../../../trials/result-table.ts';
import { describeSetupChanges } from '../../../trials/setup-changes.ts';
import type { Trial } from '../../../trials/trial.ts';
import { computeVerdict, type VerdictContext } from '../../../trials/verdict.ts';
import { getColumnNames } from '../format-columns.ts';
import { describeVerdict, formatEvidence, formatPoints, toPlainText } from './format-verdict.ts';

const fixtures: { watched: { d: string; b: number; n: number; threshold: number }[] } = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../trials/__fixtures__/statistics.json'), 'utf8'),
);

interface PlainVerdict {
  first: string;
  details: string[];
  method: string;
}

/** Describes the verdict on these results as plain text. */
function describeResults(
  countInputs: CountInputs,
  changes: Partial<Trial> = {},
  context: Partial<VerdictContext> = {},
): PlainVerdict {
  const { table } = countInputs;
  const trial = createTestTrial(table.rows, {
    columns: createColumns(...['maker/A', 'maker/B', 'maker/C', 'maker/D'].slice(0, table.columns)),
    repeats: table.repeats,
    state: { name: 'finished', at: 0 },
    ...changes,
  });
  const verdict = computeVerdict(countInputs, { margin: trial.margin, family: table.columns - 1 });
  const limits = trial.columns.map(() => ({ gateway: 'default', perMinute: 50 }));
  const verdictText = describeVerdict({
    verdict: trial.decides === undefined ? undefined : verdict,
    verdictContext: { trial, limits, hasAnswers: true, hasNewUnits: false, ...context },
  });
  return {
    first: toPlainText(verdictText.first),
    details: verdictText.details.map(toPlainText),
    method: verdictText.method,
  };
}

const findSigns = (better: number, n: number): string =>
  fixtures.watched.find((fixture) => fixture.b === better && fixture.n === n)?.d ?? '';
/** Fixture with 22 wins for the column and 5 for the baseline in 120 cases. */
const betterSigns = findSigns(22, 120);
/** Fixture with 7 wins for the column and 15 for the baseline in 120 cases. */
const openSigns = findSigns(7, 120);
const spreadSigns = (wins: number, losses: number, n: number): string => {
  const signs = Array.from({ length: n }, () => '0');
  for (const [count, sign] of [
    [losses, '-'],
    [wins, '+'],
  ] as const)
    for (let index = 0; index < count; index += 1) {
      let position = Math.floor(((index + 0.5) * n) / count);
      while (signs[position] !== '0') position = (position + 1) % n;
      signs[position] = sign;
    }
  return signs.join('');
};

describe('sentences of a verdict', () => {
  it('requests the choice of a deciding check if there is none', () => {
    expect(
      describeResults(createCountInputs(parseResultTable('+', '-')), { decides: 'none' }).first,
    ).not.toContain('Choose');
    const trial = createTestTrial(1);
    const verdictText = describeVerdict({
      verdict: undefined,
      verdictContext: { trial, limits: [], hasAnswers: true, hasNewUnits: false },
    });
    expect(toPlainText(verdictText.first)).toBe('Choose a check that decides.');
  });
  it('reports fewer than 15 cases as too few and states how many are needed', () => {
    const { first, details } = describeResults(
      createCountInputs(parseResultTable('+++++++++---', '++++++++++++')),
    );
    expect(first).toBe('12 cases: too few to say');
    expect(details).toEqual([
      'A passed 9 of 12 and B 12 of 12.',
      'From 15 cases on there is a verdict; to see 20 points, 88 are needed.',
    ]);
  });
  it('names the better column with its interval, and the rates below it', () => {
    const [, column] = createColumnPair(betterSigns);
    const [baseline] = createColumnPair(betterSigns);
    expect(describeResults(createCountInputs(parseResultTable(baseline, column)))).toEqual({
      first: 'B is better than A by 14 points (2 to 27)',
      details: ['A passed 98 of 120 and B 115 of 120.'],
      method:
        'Check “right team”, 120 cases, one answer each, drawn order 2026. Ranges may be watched at any time. Evidence 63, needed 20.',
    });
  });
  it('describes a worse column with a positive distance', () => {
    const reversedSigns = betterSigns.replaceAll(/[+-]/g, (sign) => (sign === '+' ? '-' : '+'));
    expect(
      describeResults(createCountInputs(parseResultTable(...createColumnPair(reversedSigns)))).first,
    ).toBe('B is worse than A by 14 points (2 to 27)');
  });
  it('reports columns within the margin as about the same', () => {
    expect(
      describeResults(createCountInputs(parseResultTable(...createColumnPair(spreadSigns(15, 14, 1200)))))
        .first,
    ).toMatch(/^B is about the same as A: within 5 points \(−\d to \d\)$/);
  });
  it('mentions that the difference of a better column is below the margin', () => {
    const { first } = describeResults(
      createCountInputs(parseResultTable(...createColumnPair(spreadSigns(60, 10, 6000)))),
    );
    expect(first).toBe('B is better than A by 1 point (1 to 3), less than the 5 points that count');
  });
  it('reports that earlier and later cases contradict each other', () => {
    const { first } = describeResults(
      createCountInputs(
        parseResultTable(...createColumnPair('+'.repeat(40) + '-'.repeat(40) + '+'.repeat(40))),
      ),
    );
    expect(first).toBe('Not decided: the first cases and the later ones contradict each other');
  });
  it('reports an open comparison, during and after the run, and the cases still needed', () => {
    const countInputs = createCountInputs(parseResultTable(...createColumnPair(openSigns)));
    const { first, details } = describeResults(countInputs);
    expect(first).toBe('Not decided: B is behind A by 7 points (−19 to 5)');
    expect(details.at(-1)).toMatch(
      /^If that is the true difference, about \d+0 more cases would tell, \d+ min( \d+ s)?\.$/,
    );
    expect(describeResults(countInputs, { state: { name: 'running', since: 0 } }).first).toBe(
      'Not decided yet: B is behind A by 7 points (−19 to 5)',
    );
    expect(
      describeResults(createCountInputs(parseResultTable(...createColumnPair('0'.repeat(20))))).first,
    ).toMatch(/^Not decided: B and A are level \(−/);
  });
  it('combines columns with the same outcome in one sentence', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const result = describeResults(createCountInputs(parseResultTable(baseline, column, column)));
    expect(result.first).toMatch(
      /^B and C are better than A: by 50 points \(\d+ to \d+\) and 50 points \(\d+ to \d+\)\. Between B and C nothing was compared\.$/,
    );
    expect(result.method).toContain('needed 40 for the first of 2 comparisons.');
  });
  it('lists the remaining columns below the first line, best first', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const worseColumn = Array.from(baseline, (letter, row) =>
      letter === '+' && row % 6 < 4 ? '-' : letter,
    ).join('');
    const { first, details } = describeResults(
      createCountInputs(parseResultTable(baseline, column, baseline, worseColumn)),
    );
    expect(first).toMatch(/^B is better than A by 50 points \(/);
    expect(details.slice(0, 3)).toEqual([
      expect.stringMatching(/^A passed 30 of 60, B 60 of 60, C 30 of 60 and D \d+ of 60\.$/),
      expect.stringMatching(/^D is worse than A by \d\d points \(/),
      expect.stringMatching(/^C is not decided: level with A \(−/),
    ]);
  });
  it('puts the number of cases still needed after the sentence of its column and combines several open columns', () => {
    const [baseline, column] = createColumnPair(openSigns);
    const threeColumns = describeResults(createCountInputs(parseResultTable(baseline, column, column)));
    const moreCasesPattern = /^If that is the true difference, about \S+ more cases would tell, /;
    expect(threeColumns.details.slice(1)).toEqual([
      expect.stringMatching(moreCasesPattern),
      'C is not decided: behind A by 7 points (−20 to 6).',
      expect.stringMatching(moreCasesPattern),
    ]);
    const fourColumns = describeResults(
      createCountInputs(parseResultTable(baseline, column, column, column)),
    );
    expect(fourColumns.details.slice(1)).toEqual([
      expect.stringMatching(moreCasesPattern),
      expect.stringMatching(
        /^C and D are not decided: behind by 7 points \(.*\) and behind by 7 points \(.*\)\.$/,
      ),
      expect.stringMatching(
        /^If these are the true differences, about \S+ more cases would tell one of them, /,
      ),
    ]);
  });
  it('adds a remark about few cases', () => {
    expect(
      describeResults(createCountInputs(parseResultTable('-'.repeat(20), '+'.repeat(20)))).details,
    ).toContain('Few cases.');
    expect(
      describeResults(createCountInputs(parseResultTable('-'.repeat(30), '+'.repeat(30)))).details,
    ).not.toContain('Few cases.');
  });
  it('adds the share of missing answers and whether the verdict depends on them', () => {
    const [baseline, column] = createColumnPair(spreadSigns(9, 0, 50));
    const baselineWithMissing = `${'?'.repeat(5)}${baseline.slice(5, 45)}${'?'.repeat(5)}`;
    const { details } = describeResults(createCountInputs(parseResultTable(baselineWithMissing, column)));
    expect(details).toContain('20 % gave no answer in A: its rate is between 66 and 86 %.');
    const [baselineSigns, columnSigns] = createColumnPair(`0000${spreadSigns(9, 0, 46)}`);
    const result = describeResults(
      createCountInputs(parseResultTable(baselineSigns, `????${columnSigns.slice(4)}`)),
    );
    expect(result.first).toMatch(/^B is better/);
    expect(result.details.slice(-2)).toEqual([
      '8 % gave no answer in B: its rate is between 92 and 100 %.',
      'If all of these had failed, nothing would be decided.',
    ]);
    const strongResult = describeResults(
      createCountInputs(parseResultTable('-'.repeat(100), `${'+'.repeat(97)}???`)),
    );
    expect(strongResult.details.at(-1)).toBe('3 % gave no answer in B: its rate is between 97 and 100 %.');
    expect(
      describeResults(createCountInputs(parseResultTable('-'.repeat(100), `${'+'.repeat(98)}??`))).details,
    ).toHaveLength(1);
  });
  it('adds a remark that the best of many columns needs confirmation', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const { details } = describeResults(
      createCountInputs(parseResultTable(baseline, column, baseline, baseline)),
    );
    expect(details.at(-1)).toBe('Best of 4 columns: confirm on new cases.');
    const madeFrom = { param: 'temperature', value: '1' } as const;
    const columns = createColumns('m/A', 'm/B').map((column) => ({ ...column, madeFrom }));
    expect(
      describeResults(createCountInputs(parseResultTable(baseline, column)), { columns }).details.at(-1),
    ).toBe('Best of 2 columns: confirm on new cases.');
  });
  it('adds remarks about choices and changes made after answers were seen', () => {
    const plan = {
      at: 0,
      cases: 100,
      repeats: 1,
      columns: ['a', 'b'],
      decides: testCheck.id,
      baseline: 'a',
      margin: 10,
    };
    const countInputs = createCountInputs(parseResultTable(...createColumnPair(betterSigns)));
    const changes = { plan, valuesChanged: ['1', '2', '3'], retired: { columns: [], caseIds: ['9'] } };
    const { details, method } = describeResults(countInputs, changes);
    expect(details.at(-1)).toBe('Chosen after the answers were seen.');
    expect(method).toContain('Expected values were changed after the answers were seen: 3 cases.');
    expect(method).toContain('Taken out after they were answered: 1 case.');
    expect(method).toMatch(/Planned with 100 cases\.$/);
    expect(describeResults(countInputs, changes, { hasAnswers: false }).details).not.toContain(
      'Chosen after the answers were seen.',
    );
  });
  it('describes the method of counting', () => {
    const countInputs = createCountInputs(
      parseResultTable(`${'+'.repeat(62)}${'.'.repeat(58)}`, '+'.repeat(120)),
    );
    expect(describeResults(countInputs).method).toMatch(
      /^Check “right team”, 62 of 120 cases counted in drawn order 2026\./,
    );
    const marksCheck = { ...testCheck, kind: 'marks' } as const;
    const markedResult = describeResults(
      createCountInputs(parseResultTable('++', '--'), { markedAt: new Map([[0, 1]]) }),
      { checks: [marksCheck] },
    );
    expect(markedResult.method).toContain('Marks are not blind, and whoever marked chose which cases count.');
    const groupedResult = describeResults(
      createCountInputs(parseResultTable('++', '--')),
      { groupField: 'shop' },
      { hasNewUnits: true },
    );
    expect(groupedResult.first).toBe('2 cases: too few to say'.replace('cases', 'groups'));
    expect(groupedResult.method).toMatch(
      /Cases with the same shop count as one\. Where one came back with later cases, it counts as a new one\.$/,
    );
  });
  it('rounds points so that no interval seems to touch a 0 that it excludes', () => {
    expect([0.003, -0.004, 0.28, -0.191, 0, 0.145, -0.145, 0.00002].map(formatPoints)).toEqual([
      '0.3',
      '−0.4',
      '28',
      '−19',
      '0',
      '15',
      '−15',
      '0',
    ]);
    expect([1, 3.19, 39.99, 63.2, 1000, 1000.1].map(formatEvidence)).toEqual([
      '1',
      '3.1',
      '39',
      '63',
      '1000',
      'over 1,000',
    ]);
  });
});

describe('column descriptions', () => {
  const createSetup = (model: string, temperature?: string) =>
    createTestSetup({ model, params: createTickedParams(temperature === undefined ? {} : { temperature }) });
  const getNames = (...setups: ReturnType<typeof createSetup>[]) =>
    getColumnNames(setups.map((setup, index) => ({ id: String(index), setup }))).map(({ name }) => name);

  it('names columns by model, otherwise by the differing settings, otherwise by letter', () => {
    expect(getNames(createSetup('x/heron-32b'), createSetup('y/plover'))).toEqual(['heron-32b', 'plover']);
    expect(getNames(createSetup('x/heron', '0'), createSetup('x/heron', '1.2'))).toEqual([
      'temperature 0',
      'temperature 1.2',
    ]);
    expect(getNames(createSetup('x/heron'), createSetup('x/heron', '1.2'))).toEqual([
      'no temperature',
      'temperature 1.2',
    ]);
    expect(
      getNames(createSetup('x/heron', '0'), createSetup('x/heron', '1'), createSetup('y/plover', '1')),
    ).toEqual(['heron, temperature 0', 'heron, temperature 1', 'plover, temperature 1']);
    expect(getNames(createSetup('x/heron'), createSetup('x/heron'))).toEqual(['A', 'B']);
  });
  it("describes the changes from the baseline's setup", () => {
    const column = { id: 'b', setup: createSetup('x/heron', '1.2'), messages: [] };
    expect(describeSetupChanges(column, { id: 'a', setup: createSetup('x/heron') })).toEqual([
      'temperature 1.2',
      'another wording',
    ]);
  });
});

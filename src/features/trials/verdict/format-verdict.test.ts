import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it } from 'vitest';

import { getIntervalMs } from '../../../gateway/http/request-rate.ts';
import { createTickedParams, createTestSetup } from '../../../testing/builders.ts';
import {
  testCheck,
  createColumnPair,
  createColumns,
  createCountInputs,
  createTestTrial,
  createVerdictPlan,
  parseResultTable,
} from '../../../testing/trials.ts';
import type { CountInputs } from '../../../trials/result-table.ts';
import { describeSetupChanges } from '../../../trials/setup-changes.ts';
import type { Plan, Trial, TrialRules } from '../../../trials/trial.ts';
import { computeVerdict, type VerdictContext } from '../../../trials/verdict.ts';
import { getColumnNames } from '../format-columns.ts';
import { formatLongDuration } from '../format-duration.ts';
import { formatCopyAge } from './format-copied.ts';
import { describeCounts, formatCountsRow } from './format-counts.ts';
import { formatEvidence } from './format-method.ts';
import { describeVerdict } from './format-verdict.ts';
import { formatPoints, toPlainText } from './rich-text.ts';

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
  rules: TrialRules = 1,
): PlainVerdict {
  const { table } = countInputs;
  const trial = createTestTrial(table.rows, {
    columns: createColumns(
      ...['maker/A', 'maker/B', 'maker/C', 'maker/D', 'maker/E'].slice(0, table.columns),
    ),
    repeats: table.repeats,
    state: { name: 'finished', at: 0 },
    ...changes,
  });
  const verdict = computeVerdict(countInputs, createVerdictPlan(table, { rules, margin: trial.margin }));
  const limits = trial.columns.map(() => ({ gateway: 'default', perMinute: 50 }));
  const verdictText = describeVerdict({
    verdict: trial.decides === undefined ? undefined : verdict,
    columnStats: [],
    verdictContext: {
      trial,
      limits,
      slots: 3,
      hasAnswers: true,
      hasNewUnits: false,
      absentCases: [],
      ...context,
    },
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

const createPlan = (cases: number): Plan => ({
  rules: 2,
  at: 0,
  cases,
  repeats: 1,
  columns: ['a', 'b'],
  baseline: 'a',
  margin: 5,
});

describe('sentences of a verdict', () => {
  it('requests the choice of a deciding check if there is none', () => {
    expect(
      describeResults(createCountInputs(parseResultTable('+', '-')), { decides: 'none' }).first,
    ).not.toContain('Choose');
    const trial = createTestTrial(1);
    const verdictText = describeVerdict({
      verdict: undefined,
      columnStats: [],
      verdictContext: { trial, limits: [], slots: 3, hasAnswers: true, hasNewUnits: false, absentCases: [] },
    });
    expect(toPlainText(verdictText.first)).toBe('Choose which check decides.');
  });
  it('reports fewer than 15 cases as too few and states how many are needed', () => {
    const { first, details } = describeResults(
      createCountInputs(parseResultTable('+++++++++---', '++++++++++++')),
    );
    expect(first).toBe('Too early to say: 12 cases so far');
    expect(details).toEqual([
      'A passed 9 of 12 and B 12 of 12.',
      'There is a verdict from 15 cases on. To spot a difference of 20 points, plan for about 88 cases.',
    ]);
  });
  it('names the better column with its interval, and the rates below it', () => {
    const [, column] = createColumnPair(betterSigns);
    const [baseline] = createColumnPair(betterSigns);
    expect(describeResults(createCountInputs(parseResultTable(baseline, column)))).toEqual({
      first: 'B is better than A: 14 more of 100 cases passed (likely between 2 and 27)',
      details: ['A passed 98 of 120 and B 115 of 120.'],
      method:
        'Check “right team” on 120 cases, one answer each, in random order no. 2026. Evidence 63 : 1 (20 : 1 is enough). You may look at any time, also while it runs: looking does not make a wrong verdict likelier. Answers that timed out or were cut off count as failed, answers lost by the gateway do not count. Rules of version 1.',
    });
  });
  it('describes a worse column with a positive distance', () => {
    const reversedSigns = betterSigns.replaceAll(/[+-]/g, (sign) => (sign === '+' ? '-' : '+'));
    expect(
      describeResults(createCountInputs(parseResultTable(...createColumnPair(reversedSigns)))).first,
    ).toBe('B is worse than A: 14 fewer of 100 cases passed (likely between 2 and 27)');
  });
  it('reports columns within the margin as about the same', () => {
    expect(
      describeResults(createCountInputs(parseResultTable(...createColumnPair(spreadSigns(15, 14, 1200)))))
        .first,
    ).toMatch(/^B and A are about the same: less than 5 points apart \(−\d to \d\)$/);
  });
  it('mentions that the difference of a better column is below the margin', () => {
    const { first } = describeResults(
      createCountInputs(parseResultTable(...createColumnPair(spreadSigns(60, 10, 6000)))),
    );
    expect(first).toBe(
      'B is slightly better than A: 1 more of 100 cases passed (likely between 1 and 3), which is all under the 5 points you set as mattering',
    );
  });
  it('reports that earlier and later cases contradict each other', () => {
    const { first } = describeResults(
      createCountInputs(
        parseResultTable(...createColumnPair('+'.repeat(40) + '-'.repeat(40) + '+'.repeat(40))),
      ),
    );
    expect(first).toMatch(
      /^No verdict: B did much better on the (?:first|later) cases than on the (?:first|later) ones\. Look for a change on the way\.$/,
    );
  });
  it('reports an open comparison, during and after the run, and the cases still needed', () => {
    const countInputs = createCountInputs(parseResultTable(...createColumnPair(openSigns)));
    const { first, details } = describeResults(countInputs);
    expect(first).toBe(
      'No verdict: B is 7 points behind A, which may be chance (anything from 19 behind to 5 ahead is possible)',
    );
    expect(details.at(-1)).toMatch(
      /^If the difference stays like this, \d+0 more cases \(\d+ min( \d+ s)?\) will probably settle it\.$/,
    );
    expect(describeResults(countInputs, { state: { name: 'running', since: 0 } }).first).toBe(
      'No verdict yet: B is behind by 7 points, but it could be anything from 19 behind to 5 ahead',
    );
    expect(
      describeResults(createCountInputs(parseResultTable(...createColumnPair('0'.repeat(20))))).first,
    ).toMatch(/^No verdict: B and A passed equally often, but up to \d+ points either way are possible$/);
  });
  it('combines columns with the same outcome in one sentence', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const result = describeResults(createCountInputs(parseResultTable(baseline, column, column)));
    expect(result.first).toMatch(
      /^B and C are both better than A, by 50 points \(\d+ to \d+\) and by 50 points \(\d+ to \d+\)\. Which of B and C is better was not tested\.$/,
    );
    expect(result.method).toContain('(40 : 1 is enough with 2 comparisons)');
  });
  it('lists the remaining columns below the first line, best first', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const worseColumn = Array.from(baseline, (letter, row) =>
      letter === '+' && row % 6 < 4 ? '-' : letter,
    ).join('');
    const { first, details } = describeResults(
      createCountInputs(parseResultTable(baseline, column, baseline, worseColumn)),
    );
    expect(first).toMatch(/^B is better than A: 50 more of 100 cases passed \(/);
    expect(details.slice(0, 3)).toEqual([
      expect.stringMatching(/^B passed 60 of 60, A 30 of 60, C 30 of 60 and D \d+ of 60\.$/),
      expect.stringMatching(/^D is worse than A by \d\d points \(/),
      expect.stringMatching(
        /^No verdict on C: C and A passed equally often, but up to \d+ points either way are possible\.$/,
      ),
    ]);
  });
  it('puts the number of cases still needed after the sentence of its column and combines several open columns', () => {
    const [baseline, column] = createColumnPair(openSigns);
    const countInputs = createCountInputs(parseResultTable(baseline, column, column));
    const threeColumns = describeResults(countInputs);
    const openPattern = (letter: string) =>
      new RegExp(
        `^${letter} is 7 points behind A, which may be chance \\(anything from 20 behind to 6 ahead is possible\\)\\.$`,
      );
    expect(threeColumns.first).toBe('No verdict: A leads (94 %), before B (87.5 %) and C (87.5 %)');
    expect(threeColumns.details.slice(1)).toEqual([
      expect.stringMatching(openPattern('B')),
      expect.stringMatching(openPattern('C')),
      expect.stringMatching(/^\d+ more cases \(\d+ min.*\) will probably settle at least one of these\.$/),
    ]);
    const [, caseCount, durationText] =
      /^(\d+) more cases \((.+)\)/.exec(threeColumns.details.at(-1) ?? '') ?? [];
    // All three columns take part in the time.
    expect(durationText).toBe(formatLongDuration(Number(caseCount) * 3 * getIntervalMs(50)));
    const fiveColumns = describeResults(
      createCountInputs(parseResultTable(baseline, column, column, column, column)),
    );
    expect(fiveColumns.details).toHaveLength(2);
  });
  it('adds a remark about few cases', () => {
    expect(
      describeResults(createCountInputs(parseResultTable('-'.repeat(20), '+'.repeat(20)))).details,
    ).toContain('Based on only 20 cases.');
    expect(
      describeResults(createCountInputs(parseResultTable('-'.repeat(30), '+'.repeat(30)))).details,
    ).toHaveLength(1);
  });
  it('adds the share of missing answers and whether the verdict depends on them', () => {
    const [baseline, column] = createColumnPair(spreadSigns(9, 0, 50));
    const baselineWithMissing = `${'?'.repeat(5)}${baseline.slice(5, 45)}${'?'.repeat(5)}`;
    const { details } = describeResults(createCountInputs(parseResultTable(baselineWithMissing, column)));
    expect(details).toEqual(
      expect.arrayContaining([
        'Compared on the 40 cases that both answered: A passed 33 of them and B 40.',
        'A gave no answer 10 of 50 times: it would have 66 % if all of those were wrong, 86 % if all were right.',
      ]),
    );
    const signs = spreadSigns(9, 0, 46);
    const [baselineSigns, columnSigns] = createColumnPair(`0000${signs}`);
    const result = describeResults(
      createCountInputs(parseResultTable(baselineSigns, `????${columnSigns.slice(4)}`)),
    );
    expect(result.first).toMatch(/^B is better/);
    expect(result.details).toEqual(
      expect.arrayContaining([
        'B gave no answer 4 of 50 times: it would have 92 % if all of those were wrong, 100 % if all were right.',
        'Careful: with the missing answers counted against B, the difference could be chance and there would be no verdict.',
      ]),
    );
    // The same where the baseline is the better one.
    const worseResult = describeResults(
      createCountInputs(parseResultTable(`????${columnSigns.slice(4)}`, baselineSigns)),
    );
    expect(worseResult.first).toMatch(/^B is worse/);
    expect(worseResult.details).toContain(
      'Careful: with the missing answers counted in favour of B, the difference could be chance and there would be no verdict.',
    );
    const strongResult = describeResults(
      createCountInputs(parseResultTable('-'.repeat(100), `${'+'.repeat(97)}???`)),
    );
    expect(strongResult.details.at(-1)).toBe(
      'B gave no answer 3 of 100 times: it would have 97 % if all of those were wrong, 100 % if all were right.',
    );
    expect(
      describeResults(createCountInputs(parseResultTable('-'.repeat(100), `${'+'.repeat(98)}??`))).details,
    ).toHaveLength(1);
  });
  it('says what a stopped column was asked', () => {
    const columns = createColumns('m/A', 'm/B', 'm/C').map((column, index) =>
      index === 2
        ? {
            ...column,
            stopped: { at: 0, report: { source: 'gateway', kind: 'failed', message: 'No' } as const },
          }
        : column,
    );
    const table = parseResultTable('+'.repeat(60), '+'.repeat(60), '?'.repeat(11).padEnd(60, '.'));
    const { details } = describeResults(createCountInputs(table, { stopped: [false, false, true] }), {
      columns,
    });
    expect(details).toContain('C stopped after 11 requests, none was answered.');
    expect(details.join(' ')).not.toContain('no answers yet');
    expect(details.join(' ')).not.toContain('C gave no answer');
  });
  it('adds a remark that the best of many columns needs confirmation', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const { details } = describeResults(
      createCountInputs(parseResultTable(baseline, column, baseline, baseline)),
    );
    expect(details.at(-1)).toBe(
      'The best of 4 setups tried on these cases often looks better than it is, since luck is part of its lead: confirm it on new cases.',
    );
    // If every column is better, none was selected. A replaced column was a selection.
    const allBetter = parseResultTable(baseline, column, column, column);
    expect(describeResults(createCountInputs(allBetter)).details.join(' ')).not.toContain(
      'often looks better',
    );
    const retired = { columns: createColumns('m/old', 'm/older'), caseIds: [] };
    const replaced = describeResults(createCountInputs(parseResultTable(baseline, column)), { retired });
    expect(replaced.details.join(' ')).toContain('The best of 4 setups tried on these cases');
  });
  it('says that a range only narrows if the difference is at its edge', () => {
    const describeDetails = (signs: string) =>
      describeResults(createCountInputs(parseResultTable(...createColumnPair(signs)))).details.join(' ');
    expect(describeDetails(`${'+0'.repeat(20)}${'0'.repeat(40)}`)).toContain(
      'A range only ever narrows: earlier cases were further apart.',
    );
    expect(describeDetails(betterSigns)).not.toContain('A range only ever narrows');
  });
  it('says how many setups were tried after a column was decided', () => {
    const [baseline, column] = createColumnPair(spreadSigns(30, 0, 60));
    const table = parseResultTable(baseline, column, baseline, baseline);
    const trial = createTestTrial(60, {
      columns: createColumns('m/A', 'm/B', 'm/C', 'm/D').map((each, index) =>
        index > 1 ? { ...each, comparisons: index } : each,
      ),
    });
    const { details } = describeVerdict({
      verdict: computeVerdict(createCountInputs(table), {
        ...createVerdictPlan(table, { rules: 2 }),
        family: 1,
        laterFamilies: trial.columns.map(({ comparisons }) => comparisons),
      }),
      verdictContext: { trial, limits: [], slots: 3, hasAnswers: true, hasNewUnits: false, absentCases: [] },
      columnStats: [],
    });
    expect(details.map(toPlainText)).toContain('B was decided before 2 further tries.');
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
    expect(details.at(-1)).toBe('The margin was changed after answers had come in.');
    expect(method).toContain('Expected values were changed after the answers were seen: 3 cases.');
    expect(method).toContain('1 case was removed or changed after it had been answered.');
    expect(method).toMatch(/Planned: 100 cases\. Rules of version 1\.$/);
    expect(describeResults(countInputs, changes, { hasAnswers: false }).details).not.toContain(
      'The margin was changed after answers had come in.',
    );
    const laterChanges = describeResults(countInputs, {
      plan: { ...plan, rules: 2, margin: 5, checkHash: 'of another rule', groupField: 'shop' },
      leavesOutTimeouts: true,
      retired: { columns: createColumns('m/old'), caseIds: [] },
    });
    expect(laterChanges.details.slice(-2)).toEqual([
      'The check, the group and the treatment of timeouts were changed after answers had come in.',
      '1 column was replaced or removed after answers had come in.',
    ]);
  });
  it('names the planned number of cases, also after cases were added', () => {
    const table = parseResultTable(...createColumnPair(`${'+++-'.repeat(6)}${'.'.repeat(40)}`));
    const countInputs = createCountInputs(table, { plannedRows: 60 });
    expect(describeResults(countInputs, { plan: createPlan(60) }, {}, 2).method).toContain(
      'Decided by the look at the planned end, at 60 cases.',
    );
    // Cases without an expected value are no cases for the check.
    const [baseline, column] = createColumnPair('+++-'.repeat(6));
    const tableWithExcluded = parseResultTable(baseline.padEnd(30, '0'), column.padEnd(30, '0'));
    expect(
      describeResults(
        createCountInputs(tableWithExcluded, { plannedRows: 30 }),
        { plan: createPlan(30) },
        {},
        2,
      ).method,
    ).toContain(
      'on 24 cases, one answer each, in random order no. 2026. Decided by the look at the planned end, at 24 cases.',
    );
  });
  it('names the evidence that is required before and after the planned end, and for how many comparisons', () => {
    const table = parseResultTable(...createColumnPair('0'.repeat(40)), '+'.repeat(40));
    const verdict = computeVerdict(
      createCountInputs(table, { plannedRows: 40 }),
      createVerdictPlan(table, { rules: 2 }),
    );
    expect(formatCountsRow(verdict.comparisons[0]!)[6]).toBe('200');
    expect(describeCounts(verdict, { baseline: 'A' })[1]?.lead).toBe(
      '2 comparisons on these cases, so the first needs 80, or 200 after the planned end.',
    );
    expect(describeResults(createCountInputs(table, { plannedRows: 40 }), {}, {}, 2).method).toContain(
      '(200 : 1 is needed with 2 comparisons beyond the planned cases)',
    );
  });
  it('describes the method of counting', () => {
    const countInputs = createCountInputs(
      parseResultTable(`${'+'.repeat(62)}${'.'.repeat(58)}`, '+'.repeat(120)),
    );
    expect(describeResults(countInputs).method).toMatch(
      /^Check “right team” on 62 of 120 cases counted so far, one answer each, in random order no\. 2026\./,
    );
    const marksCheck = { ...testCheck, kind: 'marks' } as const;
    const markedResult = describeResults(
      createCountInputs(parseResultTable('++', '--'), { markedAt: new Map([[0, 1]]) }),
      { checks: [marksCheck] },
    );
    expect(markedResult.method).toContain(
      'Marked by hand, knowing which answer was whose; only marked cases count.',
    );
    const groupedResult = describeResults(
      createCountInputs(parseResultTable('++', '--')),
      { groupField: 'shop' },
      { hasNewUnits: true },
    );
    expect(groupedResult.first).toBe('Too early to say: 2 groups so far');
    expect(groupedResult.details.at(-1)).toMatch(
      /^There is a verdict from 15 groups on\. To spot a difference of 20 points, plan for about \d+ groups\.$/,
    );
    expect(groupedResult.method).toContain(
      'Cases with the same shop count as one. Groups that came back in later cases count as new ones.',
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

describe('a baseline with copied answers', () => {
  const noonOf = (day: number) => Date.UTC(2026, 10, day, 12);
  const savedAnswers = {
    title: 'June',
    letter: 'B',
    firstAt: noonOf(24),
    lastAt: noonOf(25),
    unmatchedCases: 3,
  };
  const [baseline, column] = createColumns('maker/A', 'maker/B');
  if (!baseline || !column) throw new Error('Two columns are expected');
  const copiedColumns = [{ ...baseline, savedAnswers }, column];
  const [baselineResults, columnResults] = createColumnPair(openSigns);

  it('says when and where it was answered, which cases only one trial has and what that means', () => {
    const { details, method } = describeResults(
      createCountInputs(parseResultTable(`${baselineResults}xx`, `${columnResults}++`), { plannedRows: 122 }),
      { columns: copiedColumns, createdAt: noonOf(27), plan: { ...createPlan(122), decides: testCheck.id } },
      { absentCases: [[7, 122], []] },
      2,
    );
    expect(details.slice(-4)).toEqual([
      'New cases are not compared with A, which has no answers to them. Duplicate its column to ask it, too.',
      'The answers of A are from 24 November to 25 November; anything else that changed since then counts as a difference, too.',
      'A has no answers to cases 7 and 122, which are not compared with it.',
      '“June” has answers to 3 more cases, which are not in this trial.',
    ]);
    expect(method).toContain(
      'Column A has the answers of “June”, column B, from 24 November to 25 November.',
    );
    expect(method).toContain('All 120 planned cases are counted.');
  });

  it('estimates more cases only if all of them have been answered before', () => {
    const pending = Array.from({ length: 1000 }, () => '.').join('');
    const { details } = describeResults(
      createCountInputs(
        parseResultTable(`${baselineResults}${pending.replaceAll('.', '+')}`, `${columnResults}${pending}`),
      ),
      { columns: copiedColumns },
    );
    expect(details.join(' ')).toMatch(/more cases .*will probably settle it/);
  });

  it('attributes the difference of equal setups to chance, or to the time between the answers', () => {
    const describeEqual = (columns: Trial['columns']) =>
      describeResults(createCountInputs(parseResultTable('+-+-', '++--')), { columns }).details.at(-1);
    const twin = { ...baseline, id: 'b' };
    expect(describeEqual([baseline, twin])).toBe(
      'B and A have the same setup: any difference is chance alone.',
    );
    expect(describeEqual([{ ...baseline, savedAnswers: { ...savedAnswers, unmatchedCases: 0 } }, twin])).toBe(
      'B and A have the same setup: any difference is chance, or a change since the earlier answers.',
    );
  });

  it('states its age in days', () => {
    const ages = [25, 26, 28].map((day) => formatCopyAge(savedAnswers, noonOf(day)));
    expect(ages).toEqual([
      'answered today in June',
      'answered yesterday in June',
      'answered 3 days ago in June',
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

/**
 * Tests that every number of a trial is the same in the sentence, the column headers, the counts, the filters and both
 * files.
 */
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';

import { listCaseRows, findDecidingTable, listFilterChoices } from '../features/trials/grid/case-rows.ts';
import { formatHeaderName } from '../features/trials/grid/format-header.ts';
import { formatCountsRow } from '../features/trials/verdict/format-counts.ts';
import { summarizeVerdict } from '../features/trials/verdict/format-verdict.ts';
import { formatPoints } from '../features/trials/verdict/rich-text.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import {
  createOpenTrial,
  createTrialTab,
  createCases,
  getTicket,
  waitForTrialState,
} from '../testing/open-trials.ts';
import { createColumns } from '../testing/trials.ts';
import { getCaseOrder } from '../trials/case-order.ts';

const checkName = 'right team';

/** Returns what a model answers for a ticket: right, wrong or nothing (`south/two` skips some tickets). */
function judgeTicket(model: string, ticket: string): 'right' | 'wrong' | 'nothing' {
  const number = Number(ticket.replace('ticket ', ''));
  if (model === 'north/one') return number % 3 === 0 ? 'wrong' : 'right';
  if (number % 13 === 0) return 'nothing';
  return number % 10 === 0 ? 'wrong' : 'right';
}

async function createFinishedTrial(): Promise<OpenTrial> {
  const { bench } = await createTrialTab(
    (answer, { body }) => {
      const judgement = judgeTicket(getStringProperty(body, 'model') ?? '', getTicket(body));
      if (judgement === 'nothing')
        answer.sendJson(400, { error: { message: 'Refused', type: 'bad_request' } });
      else answer.sendAnswer(JSON.stringify({ team: judgement === 'right' ? 'billing' : 'sales' }));
    },
    { requestsPerMinute: 0 },
  );
  const trial = await createOpenTrial(bench, createCases(60), {
    columns: createColumns('north/one', 'south/two'),
  });
  await trial.run();
  await waitForTrialState(trial, 'finished');
  return trial;
}

/** Reads the check results by case and column from the CSV alone, with an independent parser. */
async function readCsv(trial: OpenTrial) {
  const { pieces } = await trial.exportCsv();
  const lines = Papa.parse<Record<string, string>>(pieces.join(''), {
    header: true,
    skipEmptyLines: true,
  }).data;
  const byCase = new Map<string, Record<string, string>>();
  for (const line of lines)
    byCase.set(line['case'] ?? '', {
      ...byCase.get(line['case'] ?? ''),
      [line['column'] ?? '']: line[checkName] ?? '',
    });
  return { lines, cases: [...byCase.values()] };
}

const countItems = <T>(items: readonly T[], isMatch: (item: T) => boolean) => items.filter(isMatch).length;

describe('numbers of a trial', () => {
  it('shows the same numbers in the sentence, headers, counts, filters and both export files', async () => {
    const trial = await createFinishedTrial();
    const state = trial.state.getState();
    const { lines, cases } = await readCsv(trial);
    expect(lines).toHaveLength(120);
    expect(cases).toHaveLength(60);

    const countPassed = (letter: string) => countItems(cases, (testCase) => testCase[letter] === 'passed');
    const countAnswered = (letter: string) =>
      countItems(cases, (testCase) => testCase[letter] !== 'no answer');
    const { words, method } = summarizeVerdict(state);
    expect(words[1]).toBe(
      `one passed ${countPassed('A')} of ${countAnswered('A')} and two ${countPassed('B')} of ${countAnswered('B')}.`,
    );
    const computePassRate = (letter: string) =>
      Math.round((100 * countPassed(letter)) / countAnswered(letter));
    state.trial.columns.forEach(({ setup }, index) => {
      const letter = 'AB'[index] ?? '';
      expect(formatHeaderName(index, setup.model, state.verdict?.columns[index])).toBe(
        `Column ${letter}, ${setup.model}, ${computePassRate(letter)} percent passed, ${countPassed(letter)} of ${countAnswered(letter)}`,
      );
    });

    const pairedCases = cases.filter(
      (testCase) => testCase['A'] !== 'no answer' && testCase['B'] !== 'no answer',
    );
    const countPairs = (resultB: string, resultA: string) =>
      countItems(pairedCases, (testCase) => testCase['B'] === resultB && testCase['A'] === resultA);
    const onlyB = countPairs('passed', 'failed');
    const onlyA = countPairs('failed', 'passed');
    const [comparison] = state.verdict?.comparisons ?? [];
    if (!comparison) throw new Error('The comparison is missing');
    expect(formatCountsRow(comparison).slice(0, 5)).toEqual(
      [
        countPairs('passed', 'passed'),
        onlyB,
        onlyA,
        countPairs('failed', 'failed'),
        cases.length - pairedCases.length,
      ].map(String),
    );
    expect(words[0]).toContain(
      `${formatPoints((onlyB - onlyA) / pairedCases.length)} more of 100 cases passed (likely between ${formatCountsRow(comparison)[7]?.replace('to', 'and')})`,
    );

    const table = findDecidingTable(state);
    const choices = listFilterChoices({ ...state, table });
    const countsByLabel = Object.fromEntries(choices.map(({ label, count }) => [label, count]));
    expect(countsByLabel).toEqual({
      All: cases.length,
      'Columns disagree': onlyA + onlyB,
      'A failed': countItems(cases, (testCase) => testCase['A'] === 'failed'),
      'Failed in all columns': countItems(
        cases,
        (testCase) => testCase['A'] !== 'passed' && testCase['B'] !== 'passed',
      ),
      'No answer': countItems(cases, (testCase) => Object.values(testCase).includes('no answer')),
    });
    for (const { filter, label, count } of choices)
      expect(listCaseRows(state, { filter, searchQuery: '', order: 'in order' }), label).toHaveLength(count);

    const { pieces } = await trial.exportJsonLines(summarizeVerdict);
    const head: unknown = JSON.parse(pieces.join('').split('\n')[0] ?? '');
    const { difference, interval, evidence } = comparison;
    expect(getOwnProperty(head, 'verdict')).toMatchObject({
      words,
      method,
      comparisons: [{ difference, range: interval, evidence }],
    });
  });

  it('counts the cases of a grouped trial in the order in which they run, from the first run on', async () => {
    const { bench } = await createTrialTab(undefined, { requestsPerMinute: 0 });
    const cases = createCases(40).map((testCase, index) => ({
      ...testCase,
      values: { ...testCase.values, customer: `customer ${index % 16}` },
    }));
    const trial = await createOpenTrial(bench, cases, {
      columns: createColumns('north/one', 'south/two'),
      fields: ['ticket', 'team', 'customer'],
      groupField: 'customer',
    });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    const { order, trial: groupedTrial } = trial.state.getState();
    expect(order).toEqual(getCaseOrder(groupedTrial));
  });
});

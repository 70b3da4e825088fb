/** Each number of a trial, wherever it stands: the sentence, the heads, the counts, the filters, and both files. */
import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { listCaseRows, findDecidingTable, listFilterChoices } from '../features/trials/grid/case-rows.ts';
import { formatHeaderName } from '../features/trials/grid/format-header.ts';
import { formatCountsRow } from '../features/trials/verdict/format-counts.ts';
import { getOwnProperty, getStringProperty } from '../lib/json.ts';
import type { OpenTrial } from '../state/trials/open-trial.ts';
import { anOpenTrial, aTrialBench, someCases, stateIs } from '../testing/open-trials.ts';
import { someColumns } from '../testing/trials.ts';
import { toPlainText, formatPoints } from '../trials/describe-verdict.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const check = 'right team';

/** Which case this is about, and whether each model is right there; `south/two` gives no answer to some. */
function says(model: string, ticket: string): 'right' | 'wrong' | 'nothing' {
  const number = Number(ticket.replace('ticket ', ''));
  if (model === 'north/one') return number % 3 === 0 ? 'wrong' : 'right';
  if (number % 13 === 0) return 'nothing';
  return number % 10 === 0 ? 'wrong' : 'right';
}

async function aFinishedTrial(): Promise<OpenTrial> {
  const { bench } = await aTrialBench(
    (answer, { body }) => {
      const messages: unknown = body['messages'];
      const ticket =
        getStringProperty(Array.isArray(messages) ? messages.at(-1) : undefined, 'content') ?? '';
      const said = says(getStringProperty(body, 'model') ?? '', ticket);
      if (said === 'nothing') answer.json(400, { error: { message: 'Refused', type: 'bad_request' } });
      else answer.whole(JSON.stringify({ team: said === 'right' ? 'billing' : 'sales' }));
    },
    { limit: 0 },
  );
  const trial = await anOpenTrial(bench, someCases(60), { columns: someColumns('north/one', 'south/two') });
  await trial.run();
  await stateIs(trial, 'finished');
  return trial;
}

/** What the CSV says of each case, by column: rows of the file alone, read by another reader. */
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
      [line['column'] ?? '']: line[check] ?? '',
    });
  return { lines, cases: [...byCase.values()] };
}

const countOf = <T>(items: readonly T[], isOne: (item: T) => boolean) => items.filter(isOne).length;

describe('the numbers of a trial', () => {
  it('are the same in the sentence, the heads, the counts, the filters and both files', async () => {
    const trial = await aFinishedTrial();
    const now = trial.state.getState();
    const { lines, cases } = await readCsv(trial);
    expect(lines).toHaveLength(120);
    expect(cases).toHaveLength(60);

    const passed = (letter: string) => countOf(cases, (each) => each[letter] === 'passed');
    const answered = (letter: string) => countOf(cases, (each) => each[letter] !== 'no answer');
    const rates = toPlainText(now.verdictText.details[0] ?? []);
    expect(rates).toBe(
      `one passed ${passed('A')} of ${answered('A')} and two ${passed('B')} of ${answered('B')}.`,
    );
    const share = (letter: string) => Math.round((100 * passed(letter)) / answered(letter));
    now.trial.columns.forEach(({ setup }, place) => {
      const letter = 'AB'[place] ?? '';
      expect(formatHeaderName(place, setup.model, now.verdict?.columns[place])).toBe(
        `Column ${letter}, ${setup.model}, ${share(letter)} percent passed, ${passed(letter)} of ${answered(letter)}`,
      );
    });

    const paired = cases.filter((each) => each['A'] !== 'no answer' && each['B'] !== 'no answer');
    const pairs = (one: string, other: string) =>
      countOf(paired, (each) => each['B'] === one && each['A'] === other);
    const onlyB = pairs('passed', 'failed');
    const onlyA = pairs('failed', 'passed');
    const [comparison] = now.verdict?.comparisons ?? [];
    if (!comparison) throw new Error('There is no comparison');
    expect(formatCountsRow(comparison).slice(0, 5)).toEqual(
      [pairs('passed', 'passed'), onlyB, onlyA, pairs('failed', 'failed'), cases.length - paired.length].map(
        String,
      ),
    );
    expect(toPlainText(now.verdictText.first)).toContain(
      `${formatPoints((onlyB - onlyA) / paired.length)} points (${formatCountsRow(comparison)[7]})`,
    );

    const table = findDecidingTable(now);
    const choices = listFilterChoices({ ...now, table });
    const shown = Object.fromEntries(choices.map(({ label, count }) => [label, count]));
    expect(shown).toEqual({
      All: cases.length,
      'Columns disagree': onlyA + onlyB,
      'A failed': countOf(cases, (each) => each['A'] === 'failed'),
      'Nobody passed': countOf(cases, (each) => each['A'] !== 'passed' && each['B'] !== 'passed'),
      'No answer': countOf(cases, (each) => Object.values(each).includes('no answer')),
    });
    for (const { filter, label, count } of choices)
      expect(listCaseRows(now, { filter, searchQuery: '', order: 'in order' }), label).toHaveLength(count);

    const { pieces } = await trial.exportJsonLines();
    const head: unknown = JSON.parse(pieces.join('').split('\n')[0] ?? '');
    const { difference, interval, evidence } = comparison;
    expect(getOwnProperty(head, 'verdict')).toMatchObject({
      words: [now.verdictText.first, ...now.verdictText.details].map(toPlainText),
      method: now.verdictText.method,
      comparisons: [{ difference, range: interval, evidence }],
    });
  });
});

import { describe, expect, it } from 'vitest';

import { trialPath } from '../../state/route.ts';
import { aCheck, aTrial, someColumns } from '../../testing/trials.ts';
import { cellName } from '../../trials/case-order.ts';
import { newEndedCells, setEnded } from '../../trials/ended-cells.ts';
import { newResultTable, setResult } from '../../trials/result-table.ts';
import type { Cell, Trial } from '../../trials/trial.ts';
import { expectationOf, wordAt } from './cell/expectation.ts';
import { checkWords, kindRows, newCheck } from './checks/describe-check.ts';
import { settingRows } from './checks/setting-rows.ts';
import { escapeDeed } from './escape-action.ts';
import {
  caseRows,
  decidingTable,
  filterChoices,
  nextDisagreement,
  type GridFacts,
} from './grid/case-rows.ts';
import { cellFacts, cellLabel } from './grid/format-cell.ts';
import { cellAfterKey, columnsInView, gridLayout, leftToShow } from './grid/grid-layout.ts';
import { openingWords, stateLine } from './progress/format-progress.ts';
import { offerWords, reasonsOf } from './progress/pause-reasons.ts';
import { mostTicks, ticksOf } from './progress/progress-ticks.ts';
import { readValues } from './setup/parse-param-values.ts';
import { trialIdOf } from './trial-routes.ts';
import { plotScale } from './verdict/plot-scale.ts';

const cellOf = (caseId: string, columnId: string, change: Partial<Cell> = {}): Cell => ({
  caseId,
  columnId,
  repeat: 1,
  runId: `${caseId} ${columnId}`,
  tries: 1,
  outcome: 'answered',
  head: 'billing',
  answerHash: '0',
  totalMs: 540,
  scores: { [aCheck.id]: { of: '0', result: 'passed' } },
  ...change,
});

/** Cases 1 to 4, in the drawn order 3 1 4 2; of 1 the columns disagree. */
function facts(change: Partial<Trial> = {}): GridFacts {
  const trial = aTrial(4, { columns: someColumns('m/one', 'm/two'), baseline: 'a', ...change });
  const ids = trial.batches.flatMap(({ caseIds }) => caseIds);
  const order = [2, 0, 3, 1].flatMap((index) => ids[index] ?? []);
  const table = newResultTable(4, 2, 1);
  for (let row = 0; row < 4; row += 1)
    for (let column = 0; column < 2; column += 1)
      setResult(table, { row, column, repeat: 1 }, row === 1 && column === 0 ? 'failed' : 'passed');
  return {
    trial,
    order,
    cases: new Map(ids.map((id) => [id, { id, values: { ticket: `ticket ${id}`, team: 'billing' } }])),
    cells: new Map(),
    live: new Map(),
    tables: new Map([[aCheck.id, table]]),
  };
}

const whole = { filter: { name: 'all' }, find: '', order: 'in order' } as const;

describe('the cases of a trial', () => {
  it('are shown as they were added, and keep their numbers under filter and search', () => {
    const own = facts();
    const ids = own.trial.batches.flatMap(({ caseIds }) => caseIds);
    expect(caseRows(own, whole).map(({ number }) => number)).toEqual([1, 2, 3, 4]);
    expect(caseRows(own, { ...whole, filter: { name: 'failed', column: 0 } })).toMatchObject([
      { number: 1, at: 1 },
    ]);
    expect(caseRows(own, { ...whole, find: `TICKET ${ids[3]}` })).toMatchObject([{ number: 4 }]);
    const choices = filterChoices({ ...own, table: decidingTable(own) });
    expect(choices.map(({ label, count }) => [label, count])).toEqual([
      ['All', 4],
      ['Columns disagree', 1],
      ['A failed', 1],
      ['Nobody passed', 0],
      ['No answer', 0],
    ]);
  });

  it('are walked from one disagreement to the next, and no further than the last', () => {
    const own = facts();
    const rows = caseRows(own, whole);
    const [first] = rows;
    expect(nextDisagreement(own, rows, undefined, 1)).toBe(first);
    expect(nextDisagreement(own, rows, first?.caseId, 1)).toBeUndefined();
    expect(nextDisagreement(own, rows, rows[3]?.caseId, -1)).toBe(first);
  });

  it('have cells that say their result, their answer and what was expected', () => {
    const column = someColumns('m/one')[0];
    if (!column) throw new Error('No column');
    const own = { id: '1', values: { team: 'legal' } };
    const state = { live: new Map(), opening: undefined, repeats: 1, check: aCheck };
    const failed = cellOf('1', 'a', { scores: { [aCheck.id]: { of: '0', result: 'failed' } } });
    const label = (cells: Map<string, Cell>, repeats = 1) =>
      cellLabel(12, 2, cellFacts({ ...state, repeats, cells }, own, column));
    expect(label(new Map())).toBe('Case 12, column C: waiting');
    expect(label(new Map([['1 a 1', cellOf('1', 'a')]]))).toBe('Case 12, column C: passed, billing');
    expect(label(new Map([['1 a 1', failed]]))).toBe('Case 12, column C: failed, billing, expected legal');
    const opening = { name: 'reading', answers: 1 } as const;
    const early = cellFacts(
      { ...state, opening, repeats: 2, cells: new Map([['1 a 1', failed]]) },
      own,
      column,
    );
    expect(cellLabel(12, 2, early)).toBe('Case 12, column C: not loaded yet');
    const cut = cellOf('1', 'a', { outcome: 'no answer', why: 'cut' });
    expect(label(new Map([['1 a 1', cut]]))).toBe('Case 12, column C: no answer, cut off');
    const failedAnswer = cellOf('1', 'a', { outcome: 'no answer', why: 'failed', finishReason: 'abort' });
    expect(label(new Map([['1 a 1', failedAnswer]]))).toBe(
      'Case 12, column C: no answer, the provider failed',
    );
    const several = new Map([
      ['1 a 1', cellOf('1', 'a')],
      ['1 a 2', { ...failed, repeat: 2, head: 'account' }],
      ['1 a 3', cellOf('1', 'a', { repeat: 3 })],
    ]);
    expect(label(several, 3)).toBe('Case 12, column C: failed, billing, expected legal, 2 of 3 passed');
    expect(cellFacts({ ...state, repeats: 3, cells: several }, own, column).folds).toMatchObject([
      { text: 'billing', count: 2 },
      { text: 'account', count: 1, rest: 'expected legal' },
    ]);
  });
});

describe('the grid', () => {
  it('gives columns the room that is there, and mounts those in view with the first', () => {
    const roomy = gridLayout(1440, 2, 2);
    expect(roomy.widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(1440);
    const narrow = gridLayout(800, 2, 12);
    expect(narrow.widths.at(-1)).toBe(208);
    expect(columnsInView(narrow, 1600, 800)[0]).toBe(0);
    expect(columnsInView(narrow, 1600, 800).length).toBeLessThan(7);
    expect(leftToShow(narrow, 14, 0, 800)).toBe((narrow.edges.at(-1) ?? 0) - 800);
    expect(leftToShow(narrow, 1, 400, 800)).toBe(0);
  });

  it('is walked by arrows, pages and ends, and never left', () => {
    const size = { rows: 100, columns: 6, page: 20 };
    const after = (key: string, isCtrl = false, from = { row: 50, column: 3 }) =>
      cellAfterKey(from, { key, isCtrl }, size);
    expect(after('ArrowDown')).toEqual({ row: 51, column: 3 });
    expect(after('ArrowLeft', false, { row: 0, column: 0 })).toEqual({ row: 0, column: 0 });
    expect(after('PageDown', false, { row: 90, column: 3 })).toEqual({ row: 99, column: 3 });
    expect(after('Home')).toEqual({ row: 50, column: 0 });
    expect(after('End', true)).toEqual({ row: 99, column: 5 });
    expect(after('j')).toBeUndefined();
  });
});

describe('a check', () => {
  it('of every kind says in words when it passes, and has settings that can be read', () => {
    const trial = { fields: ['ticket', 'team'], checks: [] };
    for (const { kind } of kindRows) {
      const check = { ...newCheck(kind, trial), id: 'new' };
      expect(checkWords(check), kind).not.toBe('its settings cannot be read');
      expect(settingRows(check)).toBeDefined();
    }
    expect(checkWords(aCheck)).toBe('field team equals value team');
    expect(newCheck('equals', { fields: [], checks: [{ ...aCheck, name: 'Equals' }] }).name).toBe('Equals 2');
  });

  it('is made of a word that was clicked: in JSON of its field, else of the whole answer or a part of it', () => {
    const none = { checks: [] };
    expect(expectationOf(none, '{"a":{"team":"legal"}}', 'legal').check).toMatchObject({
      kind: 'equals',
      field: 'a.team',
    });
    expect(expectationOf(none, 'legal', 'legal').check).toMatchObject({ kind: 'equals' });
    expect(expectationOf(none, 'It is legal.', 'legal').check).toMatchObject({ kind: 'contains' });
    expect(expectationOf({ checks: [aCheck], decides: aCheck.id }, 'legal', 'legal')).toEqual({
      field: 'team',
      word: 'legal',
    });
    expect(wordAt('{"team": "legal aid"}', 13)).toBe('legal aid');
    expect(wordAt('It is 41.5 % of all.', 7)).toBe('41.5');
  });
});

describe('what holds a trial up', () => {
  it('is said with what is kept and what can be done next', () => {
    const [column, other] = someColumns('m/one', 'm/two');
    if (!column || !other) throw new Error('No columns');
    const report = {
      status: 400,
      message: 'Unknown field thinking_budget',
      kind: 'rejected',
      source: 'gateway',
    } as const;
    const stopped = {
      ...column,
      setup: { ...column.setup, params: { thinking_budget: { sent: true, text: '2048' } } },
      stopped: { at: 1, report: { ...report, kind: 'invalid-request' as const } },
    };
    const state = {
      trial: aTrial(1, { columns: [stopped, other], state: { name: 'paused', at: 1, why: 'storage' } }),
      progress: { cases: 120, counted: 60, cells: 360, ended: 214, underWay: 0, missing: 0 },
      asker: { name: 'nobody' as const },
      timeLeft: { ms: 60_000, isAtLeast: false },
      opening: undefined,
    };
    const reasons = reasonsOf(state).map(({ title, text }) => `${title} ${text}`);
    expect(reasons[0]).toMatch(
      /^This browser has no room for more answers\. Paused after 214 of 360\. All that came is kept\./,
    );
    expect(reasons[1]).toBe(
      'Column A does not support thinking_budget. 400: “Unknown field thinking_budget”. B goes on. Nothing more is sent for A.',
    );
    const renamed = {
      ...stopped,
      stopped: {
        at: 1,
        report: { ...stopped.stopped.report, message: "Use 'thinking_tokens' instead of 'thinking_budget'." },
      },
    };
    const renaming = { ...state, trial: { ...state.trial, columns: [renamed, other] } };
    const [offer] = reasonsOf(renaming)[1]?.offers ?? [];
    expect(offer && offerWords(offer, renaming)).toBe('Send as thinking_tokens');
    expect(reasonsOf({ ...state, asker: { name: 'another tab' } })[0]?.title).toBe('Running in another tab.');
    const opening = { name: 'reading', answers: 2048 } as const;
    expect(reasonsOf({ ...state, opening })).toEqual([]);
    expect(stateLine({ ...state, opening })).toBe('Loading answers');
    expect(openingWords(opening)).toBe('Loading answers: 2,048 so far');
  });

  it('lets Escape close what is open before it pauses', () => {
    const running = {
      trial: aTrial(1, { state: { name: 'running', since: 1 } }),
      asker: { name: 'here' as const },
    };
    const nothing = { isCounted: false, shows: 'cases' as const };
    expect(escapeDeed({ ...nothing, isCounted: true }, running)).toBe('close figures');
    expect(escapeDeed({ ...nothing, panel: { name: 'check', id: 'x' } }, running)).toBe('close panel');
    expect(escapeDeed(nothing, running)).toBe('pause');
    expect(escapeDeed(nothing, { ...running, asker: { name: 'another tab' } })).toBeUndefined();
  });
});

describe('the small parts of a trial', () => {
  it('has an address that leads back to it', () => {
    const path = trialPath('a/b c');
    expect(trialIdOf({ screen: 'page', path })).toBe('a/b c');
    expect(trialIdOf({ screen: 'page', path: '/trials' })).toBeUndefined();
  });

  it('reads a list of values, and says what is wrong with it', () => {
    expect(readValues('temperature', '0, 0.7,0.7', 1)).toEqual({ values: ['0', '0.7'] });
    expect(readValues('temperature', '3', 1).problem).toMatch(/^3: Must be 0 to 2/);
    expect(readValues('temperature', '0,0.1,0.2', 10).problem).toMatch(/^At most 12 columns/);
  });

  it('never draws more ticks than fit, and shows the one that matters of several', () => {
    const own = facts();
    const trial = aTrial(1000, { columns: own.trial.columns });
    const order = trial.batches.flatMap(({ caseIds }) => caseIds);
    const ended = trial.columns.map(() => newEndedCells(1000));
    if (ended[0]) setEnded(ended[0], 0, cellOf('1', 'a', { outcome: 'no answer' }));
    const key = { caseId: order[999] ?? '', columnId: 'b', repeat: 1 };
    const live = new Map([[cellName(key), { ...key, runId: 'run', life: 'waiting' as const }]]);
    const { ticks, each } = ticksOf({ trial, order, ended, live });
    expect(ticks.length).toBeLessThanOrEqual(mostTicks);
    expect(each).toBe(3);
    expect(ticks[0]).toBe('x');
    expect(ticks.at(-1)).toBe('r');
  });

  it('has an axis that holds every range', () => {
    const comparison = { column: 1, range: [-0.19, 0.27] as const, difference: 0.1 };
    const scale = plotScale([comparison], 5);
    expect(scale.most).toBe(30);
    expect(scale.at(0)).toBe(0.5);
    expect(scale.ticks).toContain(-30);
  });
});

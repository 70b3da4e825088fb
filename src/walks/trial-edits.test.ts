/** Tests edits, marks, lanes and files of a trial that already has answers. */
import { describe, expect, it } from 'vitest';

import { toImageUrl } from '../conversation/request/message-images.ts';
import { startOrResumeTrial } from '../features/trials/trial-handlers.ts';
import { summarizeVerdict } from '../features/trials/verdict/format-verdict.ts';
import type { Message } from '../gateway/wire.ts';
import { computeSha256 } from '../lib/sha256.ts';
import { buildAllCellWrites, buildTrialDraftWrites } from '../state/trials/repository/trial-records.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import { createBench, waitForStoreState, type Bench } from '../testing/bench.ts';
import {
  createTestSetup,
  doneEvent,
  createStreamResponse,
  formatFinishChunk,
  createUserPrompt,
  formatTextChunk,
} from '../testing/builders.ts';
import {
  createOpenTrial,
  openTrialInTab,
  parseFetchRequest,
  createCases,
  realEnvironment,
} from '../testing/open-trials.ts';
import { createLargeTrial, createColumns } from '../testing/trials.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { getCellId } from '../trials/case-order.ts';
import { countCases, type Column } from '../trials/trial.ts';

/** Answers with team "billing"; the second model answers "delivery". */
const createInMemoryFetch =
  (requestBodies: string[]): typeof fetch =>
  async (input, init) => {
    const { path, body } = parseFetchRequest(input, init);
    if (!path.endsWith('/chat/completions')) return new Response('{"data":[]}');
    const { model }: { model: string } = JSON.parse(body);
    requestBodies.push(body);
    const team = model === 'north/two' ? 'delivery' : 'billing';
    return createStreamResponse(
      (async function* pieces() {
        yield formatTextChunk(JSON.stringify({ team, why: 'so' })) + formatFinishChunk() + doneEvent;
      })(),
    );
  };

const columns: Column[] = ['north/one', 'north/two'].map((model, index) => ({
  id: index === 0 ? 'a' : 'b',
  setup: createTestSetup({ model, system: 'You route {{team}}s not.' }),
}));

async function createFinishedTrial(
  cases = 4,
): Promise<{ bench: Bench; trial: OpenTrial; requestBodies: string[] }> {
  const requestBodies: string[] = [];
  const bench = await createBench({
    origin: 'http://127.0.0.1:9',
    fetch: createInMemoryFetch(requestBodies),
    environment: realEnvironment,
    records: createMemoryRecordStore(),
  });
  const trial = await createOpenTrial(bench, createCases(cases), {
    columns: columns.map((column) => ({ ...column, setup: { ...column.setup, system: 'You route.' } })),
  });
  await trial.run();
  await waitForFinish(trial);
  return { bench, trial, requestBodies };
}

const waitForFinish = (trial: OpenTrial): Promise<void> =>
  waitForStoreState(
    trial.state,
    (state) => state.trial.state.name === 'finished' && state.runnerStatus.name === 'nobody',
  );
const listPassRates = (trial: OpenTrial): (number | undefined)[] =>
  trial.state.getState().verdict?.columns.map(({ passed }) => passed) ?? [];

describe('edited check', () => {
  it('scores existing answers with an edited check without sending requests', async () => {
    const { trial, requestBodies } = await createFinishedTrial();
    const previousCount = requestBodies.length;
    expect(listPassRates(trial)).toEqual([4, 0]);
    const [check] = trial.state.getState().trial.checks;
    if (!check) throw new Error('The check is missing');
    const triedResults = await trial.previewCheck({
      ...check,
      kind: 'contains',
      expected: { text: 'delivery' },
    });
    expect([...triedResults.values()].filter(({ result }) => result === 'passed')).toHaveLength(4);
    expect(listPassRates(trial)).toEqual([4, 0]);
    trial.editCheck({ ...check, kind: 'contains', expected: { text: 'delivery' } });
    await waitUntil(() => listPassRates(trial)[1] === 4);
    expect(listPassRates(trial)).toEqual([0, 4]);
    const jsonCheckId = trial.addCheck({ name: 'is JSON', kind: 'is JSON', settings: {} });
    trial.setDecidingCheck(jsonCheckId);
    await waitUntil(() => listPassRates(trial)[0] === 4 && trial.state.getState().rescoringCount === 0);
    const state = trial.state.getState();
    expect(summarizeVerdict(state).words).toContain(
      'The choice of the check was changed after answers had come in.',
    );
    expect([...state.cells.values()][0]?.head).toContain('"why"');
    expect(requestBodies).toHaveLength(previousCount);
  });
});

describe('edited case with answers', () => {
  it('keeps the answers of an edited case and re-scores them if no message uses the edited field', async () => {
    const { trial } = await createFinishedTrial();
    await trial.editCase('2', { values: { ticket: 'ticket 2', team: 'delivery' }, line: 2 });
    await waitUntil(() => listPassRates(trial)[1] === 1);
    const state = trial.state.getState();
    expect(state.trial.retired.caseIds).toEqual([]);
    expect(summarizeVerdict(state).method).toContain(
      'Expected values were changed after the answers were seen: 1 case.',
    );
  });

  it('retires a case when its sent text changes, and restores it when the change is reverted', async () => {
    const { trial, bench } = await createFinishedTrial();
    await trial.editCase('2', { values: { ticket: 'another', team: 'billing' } });
    expect(trial.state.getState().trial.retired.caseIds).toEqual(['2']);
    expect(countCases(trial.state.getState().trial)).toBe(4);
    await waitUntil(() => trial.state.getState().progress.ended === 6);
    await trial.run();
    await waitForFinish(trial);
    expect(trial.state.getState().cells.size).toBe(10);
    const addedId = trial.state.getState().order.find((id) => id.length === 16) ?? '';
    await trial.editCase(addedId, { values: { ticket: 'ticket 2', team: 'billing' } });
    expect(trial.state.getState().trial.retired.caseIds).toEqual([addedId]);
    await waitUntil(() => trial.state.getState().progress.ended === 8);
    await trial.whenSaved();
    const reopenedTrial = await openTrialInTab(await bench.reopen({ records: bench.records }));
    expect(reopenedTrial.state.getState().order).toEqual(trial.state.getState().order);
    expect(reopenedTrial.state.getState().cells.size).toBe(10);
    expect(reopenedTrial.state.getState().cases.size).toBe(5);
  });
});

describe('edited column with answers', () => {
  it('retires an edited column and runs the new one in its place', async () => {
    const { trial, requestBodies } = await createFinishedTrial();
    expect(trial.setMessages([{ role: 'user', content: 'Other words' }])).toBe(false);
    trial.setSetup('b', createTestSetup({ model: 'north/one', system: 'Other words' }));
    const { trial: currentTrial } = trial.state.getState();
    expect(currentTrial.retired.columns.map(({ id }) => id)).toEqual(['b']);
    expect(currentTrial.columns[0]?.id).toBe('a');
    await trial.run();
    await waitForFinish(trial);
    expect(requestBodies).toHaveLength(12);
    expect(listPassRates(trial)).toEqual([4, 4]);
  });
});

describe('answered cases and columns', () => {
  const getTrial = (trial: OpenTrial) => trial.state.getState().trial;

  it('retires answered cases and columns on removal and deletes unanswered ones', async () => {
    const { trial } = await createFinishedTrial();
    await trial.addCases([{ values: { ticket: 'late', team: 'billing' } }]);
    const [, secondBatch] = getTrial(trial).batches;
    expect(secondBatch?.caseIds).toHaveLength(1);
    trial.removeCases(['2', ...(secondBatch?.caseIds ?? [])]);
    expect(getTrial(trial)).toMatchObject({ retired: { caseIds: ['2'] }, batches: [{}] });
    expect([...trial.state.getState().cases.keys()].toSorted()).toEqual(['1', '2', '3', '4']);
    const addedColumnId = trial.addColumn();
    trial.removeColumn(addedColumnId);
    expect(getTrial(trial).retired.columns).toEqual([]);
    trial.removeColumn('b');
    expect(getTrial(trial).retired.columns.map(({ id }) => id)).toEqual(['b']);
    expect(getTrial(trial)).toMatchObject({ baseline: 'a', columns: [{ id: 'a' }] });
    expect(trial.state.getState().cells.size).toBe(8);
  });

  it('keeps stored answers if earlier cases are removed and other cases are answered later', async () => {
    const { bench } = await createFinishedTrial(1);
    const { trial: largeTrial, cases, cells } = createLargeTrial(70, 1);
    const id = 'other';
    const answeredCells = new Map(cells.slice(2).map((cell) => [getCellId(cell), cell]));
    await bench.records.write([
      ...buildTrialDraftWrites({ ...largeTrial, id }, cases),
      ...buildAllCellWrites({ ...largeTrial, id }, answeredCells),
    ]);
    const trial = await openTrialInTab(bench, id);
    trial.removeCases(cases.slice(0, 2).map((testCase) => testCase.id));
    await trial.addCases([{ values: { ticket: 'late', team: 'billing' } }]);
    await trial.run();
    await waitForFinish(trial);
    await trial.whenSaved();
    const reopenedTrial = await openTrialInTab(await bench.reopen({ records: bench.records }), id);
    expect(reopenedTrial.state.getState().cells).toEqual(trial.state.getState().cells);
    expect(reopenedTrial.state.getState().cells.size).toBe(69);
  });

  it('retries nothing if no answers are missing', async () => {
    const { trial, requestBodies } = await createFinishedTrial();
    const previousTrial = getTrial(trial);
    await trial.retry();
    expect(getTrial(trial)).toBe(previousTrial);
    expect(requestBodies).toHaveLength(8);
    // An answered cell is run again if it is named explicitly.
    await trial.retry([{ caseId: '2', columnId: 'b', repeat: 1 }]);
    await waitForFinish(trial);
    expect(requestBodies).toHaveLength(9);
    expect([...trial.state.getState().cells.values()].filter(({ tries }) => tries === 2)).toMatchObject([
      { caseId: '2', columnId: 'b' },
    ]);
  });

  it('creates a new column when the prompt or system prompt changes', async () => {
    const { trial } = await createFinishedTrial();
    trial.setColumnPrompt('a', [{ role: 'user', content: 'Reworded' }]);
    const [first, second] = getTrial(trial).columns;
    expect(first).toMatchObject({ messages: [{ role: 'user', content: 'Reworded' }] });
    expect(first?.id).not.toBe('a');
    expect(getTrial(trial).baseline).toBe(first?.id);
    expect(second?.id).toBe('b');
    trial.setSystem('Another');
    expect(getTrial(trial).retired.columns.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(getTrial(trial).columns.map(({ setup }) => setup.system)).toEqual(['Another', 'Another']);
    expect(trial.state.getState().progress).toMatchObject({ cells: 8, ended: 0 });
  });

  it('keeps the case order despite a new seed and immediately compares with a new baseline', async () => {
    const { trial } = await createFinishedTrial(20);
    const { order, verdict } = trial.state.getState();
    expect(verdict?.comparisons.map(({ column }) => column)).toEqual([1]);
    trial.edit({ seed: 7, baseline: 'b' });
    expect(getTrial(trial).seed).toBe(2026);
    expect(trial.state.getState().order).toEqual(order);
    expect(trial.state.getState().verdict?.comparisons.map(({ column }) => column)).toEqual([0]);
  });

  it('duplicates the setup of a column without its answers', async () => {
    const { trial } = await createFinishedTrial();
    const copyId = trial.duplicateColumn('b') ?? '';
    expect(getTrial(trial).columns.at(-1)).toEqual({
      id: copyId,
      setup: getTrial(trial).columns[1]?.setup,
      comparisons: 2,
    });
    expect(trial.state.getState().progress).toMatchObject({ cells: 12, ended: 8 });
    await trial.run();
    await waitForFinish(trial);
    expect(listPassRates(trial)).toEqual([4, 0, 0]);
  });
});

describe('draft trial', () => {
  async function createDraftTrial(): Promise<OpenTrial> {
    const bench = await createBench({
      origin: 'http://127.0.0.1:9',
      fetch: createInMemoryFetch([]),
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    return createOpenTrial(bench, createCases(2), { columns });
  }
  const listColumnIds = (trial: OpenTrial) => trial.state.getState().trial.columns.map(({ id }) => id);

  it('finds cases that are nearly the same, and counts each group of them as one', async () => {
    const trial = await createDraftTrial();
    const text = 'The parcel to order 4711 has not arrived, and nobody answers the telephone in your shop.';
    await trial.addCases(
      [text, `${text} Please help.`, 'An invoice is missing.', 'ticket 3'].map((ticket) => ({
        values: { ticket, team: 'billing' },
      })),
    );
    const groups = await trial.findSimilarCases();
    expect(
      groups.map((ids) => ids.map((id) => trial.state.getState().cases.get(id)?.values['ticket'])),
    ).toEqual([[text, `${text} Please help.`]]);
    trial.groupCases(groups);
    const { trial: data, cases } = trial.state.getState();
    expect(data.groupField).toBe('similar');
    const [first, second] = data.batches[0]?.groups?.slice(2, 4) ?? [];
    expect(first).toBe(second);
    expect(new Set(data.batches[0]?.groups).size).toBe(5);
    expect(cases.get(groups[0]?.[0] ?? '')?.values['similar']).toBe('1');
  });

  it('moves, duplicates, creates from values and removes columns, and reports too many columns', async () => {
    const trial = await createDraftTrial();
    trial.moveColumn('b', 0);
    expect(listColumnIds(trial)).toEqual(['b', 'a']);
    const copyId = trial.duplicateColumn('a');
    expect(listColumnIds(trial)).toEqual(['b', 'a', copyId]);
    expect(trial.state.getState().trial.columns[2]?.setup).toEqual(columns[0]?.setup);
    trial.moveColumn('b', 1);
    expect(listColumnIds(trial)).toEqual(['a', 'b', copyId]);
    trial.moveColumn('a', 1);
    expect(trial.duplicateColumn('gone')).toBeUndefined();
    expect(trial.addValueColumns('gone', 'temperature', ['1'])).toEqual([]);
    expect(listColumnIds(trial)).toEqual(['b', 'a', copyId]);

    const values = Array.from({ length: 11 }, (_, index) => String(index / 10));
    const newColumnIds = trial.addValueColumns('a', 'temperature', values);
    expect(newColumnIds).toHaveLength(9);
    expect(listColumnIds(trial)).toEqual(['b', 'a', copyId, ...newColumnIds]);
    const lastColumn = trial.state.getState().trial.columns.at(-1);
    expect(lastColumn?.setup.params['temperature']).toMatchObject({ sent: true, text: '0.8' });
    expect(trial.state.getState().notices.at(-1)?.text).toBe(
      'A trial can have up to 12 columns. 2 columns were left out.',
    );

    expect(trial.state.getState().trial.baseline).toBe('a');
    trial.removeColumn('a');
    expect(listColumnIds(trial)).toHaveLength(11);
    expect(trial.state.getState().trial.baseline).toBe('b');
  });

  const getTrial = (trial: OpenTrial) => trial.state.getState().trial;

  it('replaces the messages and adds columns with a given setup or with the setup of the last column', async () => {
    const trial = await createDraftTrial();
    expect(trial.setMessages([{ role: 'user', content: 'Other words' }])).toBe(true);
    expect(getTrial(trial).messages).toEqual([{ role: 'user', content: 'Other words' }]);
    const givenId = trial.addColumn(createTestSetup({ model: 'given' }));
    const copiedId = trial.addColumn();
    expect(getTrial(trial).columns).toEqual([
      ...columns,
      { id: givenId, setup: createTestSetup({ model: 'given' }) },
      { id: copiedId, setup: createTestSetup({ model: 'given' }) },
    ]);
    // The first column becomes the baseline; without columns there is no setup to copy.
    for (const id of listColumnIds(trial)) trial.removeColumn(id);
    expect(getTrial(trial)).toMatchObject({ columns: [], baseline: '', retired: { columns: [] } });
    const firstId = trial.addColumn();
    expect(getTrial(trial)).toMatchObject({ baseline: firstId, columns: [{ setup: { system: '' } }] });
    const previousTrial = getTrial(trial);
    trial.removeColumn('gone');
    trial.moveColumn('gone', 0);
    expect(getTrial(trial).columns).toEqual(previousTrial.columns);
    for (let count = 1; count < 12; count += 1) trial.addColumn();
    expect(trial.state.getState().notices).toEqual([]);
    const fullTrial = getTrial(trial);
    expect(trial.addColumn()).toBe('');
    expect(getTrial(trial), 'the trial is unchanged').toBe(fullTrial);
    expect(trial.addColumn()).toBe('');
    const [notice, secondNotice] = trial.state.getState().notices;
    const text = 'A trial can have up to 12 columns. 1 column was left out.';
    expect([notice?.text, secondNotice?.text]).toEqual([text, text]);
    trial.dismissNotice(notice?.id ?? '');
    expect(trial.state.getState().notices).toEqual([secondNotice]);
  });

  it('edits setup, prompt and system prompt of a column in place', async () => {
    const trial = await createDraftTrial();
    const setup = createTestSetup({ model: 'north/three', system: 'Be brief.' });
    trial.setSetup('b', setup);
    trial.setColumnPrompt('a', [{ role: 'user', content: 'Reworded' }]);
    expect(getTrial(trial).columns).toEqual([
      { ...columns[0], messages: [{ role: 'user', content: 'Reworded' }] },
      { id: 'b', setup },
    ]);
    const previousTrial = getTrial(trial);
    trial.setSetup('b', { ...setup });
    trial.setSetup('gone', setup);
    expect(getTrial(trial), 'the trial is unchanged').toBe(previousTrial);
    const copyId = trial.duplicateColumn('a') ?? '';
    expect(getTrial(trial).columns[2]?.messages).toEqual([{ role: 'user', content: 'Reworded' }]);
    trial.removeColumn(copyId);
    trial.setColumnPrompt('a', undefined);
    expect(getTrial(trial).columns[0]).toEqual(columns[0]);
    trial.setSystem('The same for all');
    expect(getTrial(trial).columns.map((column) => column.setup.system)).toEqual([
      'The same for all',
      'The same for all',
    ]);
    expect(getTrial(trial)).toMatchObject({ baseline: 'a', retired: { columns: [] } });
  });

  it('edits fields, groups, repeats, title and order within their limits', async () => {
    const trial = await createDraftTrial();
    trial.addField('team');
    trial.addField('language');
    expect(getTrial(trial).fields).toEqual(['ticket', 'team', 'language']);
    for (let count = 0; count < 70; count += 1) trial.addField(`field ${count}`);
    expect(getTrial(trial).fields).toHaveLength(64);
    trial.setGroup('team');
    expect(getTrial(trial).groupField).toBe('team');
    trial.setGroup(undefined);
    expect(getTrial(trial)).not.toHaveProperty('groupField');
    const repeats = [0, 2.4, 21].map((count) => {
      trial.setRepeats(count);
      return getTrial(trial).repeats;
    });
    expect(repeats).toEqual([1, 2, 20]);
    expect(getTrial(trial)).not.toHaveProperty('titled');
    trial.edit({ margin: 3, seed: 7 });
    expect(getTrial(trial)).toMatchObject({ title: 'Ticket routing', margin: 3, seed: 7 });
    expect(getTrial(trial)).not.toHaveProperty('titled');
    trial.edit({ title: 'Mine' });
    expect(getTrial(trial)).toMatchObject({ title: 'Mine', titled: true, seed: 7 });
  });

  it('shuffles the order with another seed', async () => {
    const bench = await createBench({ origin: 'http://127.0.0.1:9', records: createMemoryRecordStore() });
    const trial = await createOpenTrial(bench, createCases(12), { columns });
    const { order } = trial.state.getState();
    trial.edit({ seed: 7 });
    expect(trial.state.getState().order).not.toEqual(order);
    trial.edit({ seed: 2026 });
    expect(trial.state.getState().order).toEqual(order);
  });

  it('allows up to 40 checks; the first decides until it is removed', async () => {
    const trial = await createDraftTrial();
    trial.removeCheck('check');
    expect(getTrial(trial)).toMatchObject({ checks: [] });
    expect(getTrial(trial)).not.toHaveProperty('decides');
    const jsonCheck = { name: 'is JSON', kind: 'is JSON', settings: {} } as const;
    const ids = Array.from({ length: 40 }, () => trial.addCheck(jsonCheck));
    expect(getTrial(trial).decides).toBe(ids[0]);
    expect(trial.state.getState().notices).toEqual([]);
    expect(trial.addCheck(jsonCheck)).toBe('');
    expect(trial.state.getState().notices.map(({ text }) => text)).toEqual([
      'A trial can have up to 40 checks.',
    ]);
    trial.removeCheck(ids[1] ?? '');
    expect(getTrial(trial).decides).toBe(ids[0]);
    trial.editCheck({ ...jsonCheck, id: ids[2] ?? '', name: 'renamed' });
    expect(getTrial(trial).checks.filter(({ name }) => name === 'renamed')).toHaveLength(1);
    expect(getTrial(trial).checks).toHaveLength(39);
    trial.setDecidingCheck(undefined);
    trial.removeCheck(ids[3] ?? '');
    expect(getTrial(trial)).not.toHaveProperty('decides');
  });

  it('adds cases with new fields up to the limits, and none beyond them', async () => {
    const trial = await createDraftTrial();
    const [small, large] = [{ values: {} }, { values: { ticket: 'x'.repeat(100_001) } }];
    const createManyCases = (count: number) => [large, ...Array.from({ length: count - 1 }, () => small)];
    const createFieldNames = (count: number) => Array.from({ length: count }, (_, index) => `field ${index}`);
    const getReason = async (...args: Parameters<OpenTrial['addCases']>) =>
      (await trial.addCases(...args)).reason;
    expect(await getReason(createManyCases(9_998))).toBe('Case 3 is larger than 100 KB.');
    expect(await getReason(createManyCases(9_999))).toMatch('Too many cases: 10,001. The limit is 10,000.');
    expect(await getReason([large], createFieldNames(62))).toBe('Case 3 is larger than 100 KB.');
    expect(await getReason([large], createFieldNames(63))).toBe(
      'Too many values per case: 65. The limit is 64.',
    );
    expect(await getReason([{ values: { one: '' } }], createFieldNames(62))).toBe(
      'Too many values per case: 65. The limit is 64.',
    );
    expect(trial.state.getState().order).toHaveLength(2);
    const outcome = await trial.addCases(
      [{ values: { ticket: 'new', language: 'fr' } }, { values: { ticket: 'new', language: 'de' } }],
      ['notes', 'team'],
    );
    expect(outcome).toEqual({ added: 2, duplicates: [] });
    const previousTrial = getTrial(trial);
    expect(await trial.addCases([])).toEqual({ added: 0, duplicates: [] });
    expect(getTrial(trial), 'the trial is unchanged').toBe(previousTrial);
    expect(getTrial(trial).fields).toEqual(['ticket', 'team', 'notes', 'language']);
    // Cases that send the same text are still separate cases.
    const ids = getTrial(trial).batches.flatMap(({ caseIds }) => caseIds);
    expect(ids).toHaveLength(4);
    expect(ids[3]).toBe(`${ids[2]}-2`);
  });

  it('removes cases of a draft trial from the screen and from storage', async () => {
    const bench = await createBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const trial = await createOpenTrial(bench, createCases(3), { columns });
    // Values that are not sent do not change the identity of a case.
    const values = { ticket: 'ticket 3', team: 'billing', note: 'kept' };
    await trial.editCase('3', { values });
    expect(getTrial(trial)).not.toHaveProperty('valuesChanged');
    trial.removeCases(['1', '2']);
    expect(trial.state.getState()).toMatchObject({
      order: ['3'],
      trial: { retired: { caseIds: [] }, batches: [{ caseIds: ['3'] }] },
    });
    await trial.whenSaved();
    const reopenedTrial = await openTrialInTab(await bench.reopen({ records: bench.records }));
    expect([...reopenedTrial.state.getState().cases.values()]).toEqual([{ id: '3', values }]);
    // Changing a sent value creates a new case and removes the previous one completely.
    await reopenedTrial.editCase('3', { values: { ...values, team: 'delivery' } });
    const [id = ''] = reopenedTrial.state.getState().order;
    expect(id).toHaveLength(16);
    expect([...reopenedTrial.state.getState().cases.keys()]).toEqual([id]);
  });

  it('rejects an oversized case with its line or position', async () => {
    const trial = await createDraftTrial();
    const large = { ticket: 'x'.repeat(100_001) };
    const outcome = await trial.addCases([{ values: { ticket: 'small' } }, { values: large }]);
    expect(outcome).toMatchObject({ added: 0, reason: 'Case 4 is larger than 100 KB.' });
    expect((await trial.addCases([{ values: large, line: 17 }])).reason).toBe(
      'Case 17 is larger than 100 KB.',
    );
    expect(trial.state.getState().order).toHaveLength(2);
  });
});

describe('user marks', () => {
  it('counts marks if the marks check decides, and clears a mark', async () => {
    const { trial, bench } = await createFinishedTrial();
    const marksCheckId = trial.addCheck({ name: 'my marks', kind: 'marks', settings: {} });
    trial.setDecidingCheck(marksCheckId);
    const createKey = (caseId: string, columnId: string) => ({ caseId, columnId, repeat: 1 });
    trial.setMark(createKey('3', 'a'), 'right');
    trial.setMark(createKey('3', 'b'), 'wrong');
    trial.setMark(createKey('1', 'a'), 'right');
    trial.setMark(createKey('1', 'a'), undefined);
    await waitUntil(() => trial.state.getState().verdict?.counted === 1);
    expect(listPassRates(trial)).toEqual([1, 0]);
    await trial.whenSaved();
    const reopenedTrial = await openTrialInTab(await bench.reopen({ records: bench.records }));
    expect(reopenedTrial.state.getState().marks.size).toBe(2);
    expect(listPassRates(reopenedTrial)).toEqual([1, 0]);
  });
});

describe('trials and sessions', () => {
  it('opens a case as lanes with answers and recordings, and adds lanes as columns', async () => {
    const { trial, bench } = await createFinishedTrial();
    const { sessionId, omittedColumns } = await trial.openAsLanes('3');
    expect(omittedColumns).toEqual([]);
    const loadedSession = await bench.library.load(sessionId);
    const runs = Object.values(loadedSession?.data.runs ?? {});
    expect(runs.map(({ setup, cell }) => [setup.model, cell])).toEqual([
      ['north/one', undefined],
      ['north/two', undefined],
    ]);
    expect(Object.values(loadedSession?.data.prompts ?? {}).map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'ticket 3' }],
    ]);
    for (const { id } of runs) expect(await bench.library.readTape(id)).not.toEqual([]);
    expect((await bench.library.list()).map(({ id }) => id)).toContain(sessionId);
    await expect(trial.openAsLanes('gone')).rejects.toThrow('This case is no longer in the trial.');

    await bench.actions.createSession();
    await bench.actions.sendPrompt(createUserPrompt('Which team takes {{ticket}}?'));
    const trials = await bench.lazyTrials.load();
    const newTrial = await trials.open(await trials.createFromLanes(bench.getOpenSession().session.id));
    expect(newTrial?.state.getState().trial).toMatchObject({
      messages: [{ role: 'user', content: 'Which team takes {{ticket}}?' }],
      columns: [
        {
          setup: {
            model: bench.getOpenSession().lanes[bench.getOpenSession().session.laneIds[0] ?? '']?.setup.model,
          },
        },
      ],
      state: { name: 'draft' },
    });
  });
});

describe('case of a trial with many columns', () => {
  it('opens a case with the baseline first and as many columns as fit, or with the named columns', async () => {
    const bench = await createBench({
      origin: 'http://127.0.0.1:9',
      fetch: createInMemoryFetch([]),
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const models = Array.from({ length: 8 }, (_, index) => `north/${index + 1}`);
    const trial = await createOpenTrial(bench, createCases(1), {
      columns: createColumns(...models),
      baseline: 'c',
      repeats: 2,
    });
    await trial.run();
    await waitForFinish(trial);
    const readOpenedLanes = async (...args: Parameters<OpenTrial['openAsLanes']>) => {
      const { sessionId, omittedColumns } = await trial.openAsLanes(...args);
      const data = (await bench.library.load(sessionId))?.data;
      const runs = Object.values(data?.runs ?? {}).map(({ id }) => id);
      return {
        omittedColumns,
        models: data?.session.laneIds.map((id) => data.lanes[id]?.setup.model),
        tapes: await Promise.all(runs.map((id) => bench.library.readTape(id))),
      };
    };
    const allLanes = await readOpenedLanes('1');
    expect(allLanes.omittedColumns).toEqual(['g', 'h']);
    expect(allLanes.models).toEqual(['north/3', 'north/1', 'north/2', 'north/4', 'north/5', 'north/6']);
    expect(allLanes.tapes).toHaveLength(6);
    const readTape = async (repeat: number) =>
      (await trial.readCell({ caseId: '1', columnId: 'g', repeat }))?.tape;
    trial.removeColumn('g');
    const namedLanes = await readOpenedLanes('1', ['c', 'g'], 2);
    expect([namedLanes.omittedColumns, namedLanes.models]).toEqual([[], ['north/3', 'north/7']]);
    expect(namedLanes.tapes).toContainEqual(await readTape(2));
    // A repeat without runs opens as lanes without answers.
    expect((await readOpenedLanes('1', ['g'], 3)).tapes).toEqual([]);
  });
});

describe('trial that cannot run', () => {
  it('reports missing parts or too little storage, and stays a draft', async () => {
    const requestBodies: string[] = [];
    const records = createMemoryRecordStore();
    const bench = await createBench({
      origin: 'http://127.0.0.1:9',
      fetch: createInMemoryFetch(requestBodies),
      environment: realEnvironment,
      records,
    });
    let grantedBytes = 1_000;
    Object.assign(bench.page, { getQuotaBytes: async () => grantedBytes });
    const trial = await createOpenTrial(bench, [], { columns });
    await expect(startOrResumeTrial(trial)).rejects.toThrow('Add or import cases first.');
    await trial.addCases([{ values: { ticket: 'new', team: 'billing' } }]);
    await expect(startOrResumeTrial(trial)).rejects.toThrow(
      /^Too large to run: needs .* of the 1 KB this browser allows\.$/,
    );
    grantedBytes = 1_000_000_000;
    await trial.whenSaved();
    const secondBench = await bench.reopen({ fetch: createInMemoryFetch(requestBodies), records });
    Object.assign(secondBench.page, { getQuotaBytes: async () => grantedBytes });
    const reopenedTrial = await openTrialInTab(secondBench);
    for (const id of ['a', 'b']) reopenedTrial.removeColumn(id);
    await expect(startOrResumeTrial(reopenedTrial)).rejects.toThrow('Add a column first.');
    const id = reopenedTrial.addColumn(createTestSetup({ model: '' }));
    await expect(startOrResumeTrial(reopenedTrial)).rejects.toThrow('Choose a model for every column.');
    expect(reopenedTrial.state.getState().trial.state.name).toBe('draft');
    expect(requestBodies).toEqual([]);
    reopenedTrial.setSetup(id, createTestSetup({ model: 'north/one' }));
    await reopenedTrial.run();
    await waitForFinish(reopenedTrial);
    expect(requestBodies).toHaveLength(1);
    // A trial that has started continues, since the browser may grant more than its reported quota.
    grantedBytes = 1_000;
    await reopenedTrial.whenSaved();
    const thirdBench = await secondBench.reopen({ fetch: createInMemoryFetch(requestBodies), records });
    Object.assign(thirdBench.page, { getQuotaBytes: async () => grantedBytes });
    const resumedTrial = await openTrialInTab(thirdBench);
    await resumedTrial.addCases([{ values: { ticket: 'late', team: 'billing' } }]);
    expect(resumedTrial.state.getState().plan.space?.isBlocking).toBe(true);
    await resumedTrial.run();
    await waitForFinish(resumedTrial);
    expect(requestBodies).toHaveLength(2);
  });
});

describe('files of a trial', () => {
  it('exports the same JSON Lines after an import of them', async () => {
    const { trial, bench } = await createFinishedTrial();
    trial.setMark({ caseId: '3', columnId: 'b', repeat: 1 }, 'wrong');
    await trial.whenSaved();
    const file = await trial.exportJsonLines(summarizeVerdict, true);
    const trials = await bench.lazyTrials.load();
    const outcome = await trials.importFile(file.pieces.join(''));
    expect(outcome).toMatchObject({ ok: true });
    const copiedTrial = await trials.open(outcome.ok ? outcome.id : '');
    expect(copiedTrial?.state.getState().cells.size).toBe(8);
    expect(listPassRates(trial)).toEqual(copiedTrial ? listPassRates(copiedTrial) : []);
    const secondExport = await copiedTrial?.exportJsonLines(summarizeVerdict, true);
    expect(secondExport?.pieces.join('')).toBe(file.pieces.join(''));
    expect(await trials.importFile(`${file.pieces[0] ?? ''}{"cell":1}\n`)).toMatchObject({
      ok: false,
      line: 2,
    });

    const plainText = (await trial.exportJsonLines(summarizeVerdict)).pieces.join('');
    expect([file.pieces.join('').includes('"tape"'), plainText.includes('"tape"')]).toEqual([true, false]);
    await trial.editCase('1', { values: { ticket: 'ticket 1', team: '=billing' } });
    expect((await trial.exportCsv()).pieces.join('')).toContain("'=billing");
    expect((await trial.exportCsv(false)).pieces.join('')).not.toContain("'=billing");
    const csv = (await trial.exportCsv()).pieces.join('');
    expect(csv.split('\r\n')).toHaveLength(10);
    expect(csv).toContain('"{""team"":""delivery"",""why"":""so""}"');
    expect((await trials.list()).map(({ title }) => title)).toEqual(['Ticket routing', 'Ticket routing']);
  });

  it("exports the images in a trial's messages and rejects images with a wrong hash", async () => {
    const bytes = new Uint8Array([137, 80, 78, 71, 1, 2, 3, 4]);
    const hash = await computeSha256(bytes);
    const bench = await createBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const blob = new Blob([bytes], { type: 'image/png' });
    await bench.records.write([{ store: 'images', put: { hash, blob } }]);
    const image: Message = {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: toImageUrl(hash) } }],
    };
    const [first, ...otherCases] = createCases(2);
    if (!first) throw new Error('The case is missing');
    const trial = await createOpenTrial(bench, [{ ...first, history: [image] }, ...otherCases]);
    const text = (await trial.exportJsonLines(summarizeVerdict)).pieces.join('');
    const otherBench = await createBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const trials = await otherBench.lazyTrials.load();
    const outcome = await trials.importFile(text);
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(await otherBench.records.listKeys('images')).toEqual([hash]);
    const copiedTrial = await openTrialInTab(otherBench, outcome.id);
    expect((await copiedTrial.exportJsonLines(summarizeVerdict)).pieces.join('')).toBe(text);
    const line = text.trimEnd().split('\n').length;
    for (const [invalidText, reason] of [
      [text.replaceAll(hash, 'c'.repeat(64)), 'The image does not match its hash.'],
      [text.replace('data:image/png', 'data:text/html'), 'The image cannot be read.'],
    ] as const)
      expect(await trials.importFile(invalidText)).toEqual({ ok: false, line, reason });
    expect(await otherBench.records.listKeys('images')).toEqual([hash]);
  });

  it('exports a trial as JSON and restores it on import', async () => {
    const { bench, trial } = await createFinishedTrial();
    await trial.whenSaved();
    const exportText = async ({ sessionFiles }: Bench, id: string) =>
      (await sessionFiles.exporter.buildJson(id))?.pieces.join('') ?? '';
    const text = await exportText(bench, trial.id);
    const otherBench = await createBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const outcome = await otherBench.sessionFiles.importFile(new File([text], 'all.json'));
    expect(outcome).toMatchObject({ ok: true, sessionIds: [], damaged: 0 });
    expect(otherBench.session.getState().undo?.text).toBe('Imported 1 trial.');
    const [trialId = ''] = outcome.ok ? outcome.trialIds : [];
    const copiedTrial = await openTrialInTab(otherBench, trialId);
    expect(copiedTrial.state.getState().cells.size).toBe(8);
    expect(await exportText(otherBench, trialId)).toBe(text);
    const trials = await otherBench.lazyTrials.load();
    await trials.duplicate(trialId);
    const copy = (await trials.list()).find(({ title }) => title.endsWith('(copy)'));
    const duplicatedTrial = await openTrialInTab(otherBench, copy?.id ?? '');
    expect(duplicatedTrial.state.getState().cells.size).toBe(8);
    await trials.remove(copy?.id ?? '');
    await otherBench.sessionFiles.importFile(new File([text], 'all.json'));
    expect(await trials.list()).toHaveLength(2);
    otherBench.session.getState().undo?.restore();
    await waitUntil(async () => (await trials.list()).length === 1);
    expect(await otherBench.records.listKeys('trials')).toEqual([trialId]);
  });

  it('finds a trial by title, prompt and cases until it is deleted', async () => {
    const { bench } = await createFinishedTrial();
    const trials = await bench.lazyTrials.load();
    expect([...(await trials.search('routing')).keys()]).toEqual(['trial']);
    expect((await trials.search('ticket 3')).get('trial')?.pieces.some(({ isHit }) => isHit)).toBe(true);
    expect((await trials.search('nothing like it')).size).toBe(0);
    await trials.remove('trial');
    expect(await trials.list()).toEqual([]);
    bench.session.getState().undo?.expire();
    await waitUntil(async () => (await bench.records.listRunIds('trial')).length === 0);
    expect(await bench.records.listKeys('trials')).toEqual([]);
  });

  it('creates a new version, or a confirmation trial of the winner with new cases', async () => {
    const { bench, trial } = await createFinishedTrial();
    const trials = await bench.lazyTrials.load();
    const nextVersion = await trials.open(
      await trial.createNextVersion([{ role: 'user', content: 'Say: {{ticket}}' }]),
    );
    expect(nextVersion?.state.getState()).toMatchObject({
      hasAnswers: false,
      trial: { follows: { why: 'new version' } },
    });
    expect(nextVersion?.state.getState().order).toHaveLength(4);
    expect(nextVersion?.state.getState().trial.messages).toEqual([
      { role: 'user', content: 'Say: {{ticket}}' },
    ]);
    trial.removeCases(['1']);
    const copiedVersion = await trials.open(await trial.createNextVersion());
    expect([...(copiedVersion?.state.getState().cases.keys() ?? [])]).toEqual(['2', '3', '4']);
    expect(copiedVersion?.state.getState().trial.messages).toEqual(trial.state.getState().trial.messages);
    const confirmingTrial = await trials.open(await trial.createConfirmation('b'));
    const outcome = await confirmingTrial?.addCases([
      { values: { ticket: 'ticket 3', team: 'billing' } },
      { values: { ticket: 'a new one', team: 'billing' } },
    ]);
    expect(outcome).toMatchObject({ added: 1, duplicates: [{ values: { ticket: 'ticket 3' } }] });
  });
});

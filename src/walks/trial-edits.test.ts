/** Edits, marks, lanes and files of a trial that already has answers. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { toImageUrl } from '../conversation/request/message-images.ts';
import type { Message } from '../gateway/wire.ts';
import { computeSha256 } from '../lib/sha256.ts';
import type { OpenTrial } from '../state/trials/open-trial.ts';
import { buildTrialDraftWrites } from '../state/trials/stored-trial-opener.ts';
import { buildCellWrites } from '../state/trials/trial-records.ts';
import { createMemoryRecordStore } from '../storage/memory-store.ts';
import { aBench, whenTrue, type Bench } from '../testing/bench.ts';
import { aSetup, doneMark, eventStream, finishChunk, spoken, textChunk } from '../testing/builders.ts';
import { anOpenTrial, openTrialIn, requestTo, someCases, realEnvironment } from '../testing/open-trials.ts';
import { aLargeTrial, someColumns } from '../testing/trials.ts';
import { until } from '../testing/wait-until.ts';
import { getCellId } from '../trials/case-order.ts';
import { toPlainText } from '../trials/describe-verdict.ts';
import { countCases, type Column } from '../trials/trial.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Answers with the team that is asked for last in the prompt, the second model with delivery. */
const inMemory =
  (asked: string[]): typeof fetch =>
  async (input, init) => {
    const { path, body } = requestTo(input, init);
    if (!path.endsWith('/chat/completions')) return new Response('{"data":[]}');
    const { model }: { model: string } = JSON.parse(body);
    asked.push(body);
    const team = model === 'north/two' ? 'delivery' : 'billing';
    return eventStream(
      (async function* pieces() {
        yield textChunk(JSON.stringify({ team, why: 'so' })) + finishChunk() + doneMark;
      })(),
    );
  };

const columns: Column[] = ['north/one', 'north/two'].map((model, index) => ({
  id: index === 0 ? 'a' : 'b',
  setup: aSetup({ model, system: 'You route {{team}}s not.' }),
}));

async function aFinishedTrial(cases = 4): Promise<{ bench: Bench; trial: OpenTrial; asked: string[] }> {
  const asked: string[] = [];
  const bench = await aBench({
    origin: 'http://127.0.0.1:9',
    fetch: inMemory(asked),
    environment: realEnvironment,
    records: createMemoryRecordStore(),
  });
  const trial = await anOpenTrial(bench, someCases(cases), {
    columns: columns.map((column) => ({ ...column, setup: { ...column.setup, system: 'You route.' } })),
  });
  await trial.run();
  await finished(trial);
  return { bench, trial, asked };
}

const finished = (trial: OpenTrial): Promise<void> =>
  whenTrue(trial.state, (now) => now.trial.state.name === 'finished' && now.runnerStatus.name === 'nobody');
const rates = (trial: OpenTrial): (number | undefined)[] =>
  trial.state.getState().verdict?.columns.map(({ passed }) => passed) ?? [];

describe('a check that is changed', () => {
  it('is asked of the answers that are there, and nothing is sent', async () => {
    const { trial, asked } = await aFinishedTrial();
    const before = asked.length;
    expect(rates(trial)).toEqual([4, 0]);
    const [check] = trial.state.getState().trial.checks;
    if (!check) throw new Error('There is no check');
    const tried = await trial.previewCheck({ ...check, kind: 'contains', expected: { text: 'delivery' } });
    expect([...tried.values()].filter(({ result }) => result === 'passed')).toHaveLength(4);
    expect(rates(trial)).toEqual([4, 0]);
    trial.editCheck({ ...check, kind: 'contains', expected: { text: 'delivery' } });
    await until(() => rates(trial)[1] === 4);
    expect(rates(trial)).toEqual([0, 4]);
    const isJson = trial.addCheck({ name: 'is JSON', kind: 'is JSON', settings: {} });
    trial.setDecidingCheck(isJson);
    await until(() => rates(trial)[0] === 4 && trial.state.getState().rescoringCount === 0);
    const { verdictText, cells } = trial.state.getState();
    expect(verdictText.details.map(toPlainText)).toContain('Chosen after the answers were seen.');
    expect([...cells.values()][0]?.head).toContain('"why"');
    expect(asked).toHaveLength(before);
  });
});

describe('a case that is edited after it was answered', () => {
  it('keeps its answers where no message names what was changed, and is scored again', async () => {
    const { trial } = await aFinishedTrial();
    await trial.editCase('2', { values: { ticket: 'ticket 2', team: 'delivery' }, line: 2 });
    await until(() => rates(trial)[1] === 1);
    const { trial: now, verdictText } = trial.state.getState();
    expect(now.retired.caseIds).toEqual([]);
    expect(verdictText.method).toContain('Expected values were changed after the answers were seen: 1 case.');
  });

  it('retires where what was sent has changed; edited back it returns with its answers', async () => {
    const { trial, bench } = await aFinishedTrial();
    await trial.editCase('2', { values: { ticket: 'another', team: 'billing' } });
    expect(trial.state.getState().trial.retired.caseIds).toEqual(['2']);
    expect(countCases(trial.state.getState().trial)).toBe(4);
    await until(() => trial.state.getState().progress.ended === 6);
    await trial.run();
    await finished(trial);
    expect(trial.state.getState().cells.size).toBe(10);
    const added = trial.state.getState().order.find((id) => id.length === 16) ?? '';
    await trial.editCase(added, { values: { ticket: 'ticket 2', team: 'billing' } });
    expect(trial.state.getState().trial.retired.caseIds).toEqual([added]);
    await until(() => trial.state.getState().progress.ended === 8);
    await trial.whenSaved();
    const again = await openTrialIn(await bench.reopened({ records: bench.records }));
    expect(again.state.getState().order).toEqual(trial.state.getState().order);
    expect(again.state.getState().cells.size).toBe(10);
    expect(again.state.getState().cases.size).toBe(5);
  });
});

describe('a column that is edited after it was answered', () => {
  it('retires, and a new one takes its place and is asked', async () => {
    const { trial, asked } = await aFinishedTrial();
    expect(trial.setMessages([{ role: 'user', content: 'Other words' }])).toBe(false);
    trial.setSetup('b', aSetup({ model: 'north/one', system: 'Other words' }));
    const { trial: now } = trial.state.getState();
    expect(now.retired.columns.map(({ id }) => id)).toEqual(['b']);
    expect(now.columns[0]?.id).toBe('a');
    await trial.run();
    await finished(trial);
    expect(asked).toHaveLength(12);
    expect(rates(trial)).toEqual([4, 4]);
  });
});

describe('what has been answered', () => {
  const now = (trial: OpenTrial) => trial.state.getState().trial;

  it('retires where it is taken out, and what was added since is gone', async () => {
    const { trial } = await aFinishedTrial();
    await trial.addCases([{ values: { ticket: 'late', team: 'billing' } }]);
    const [, later] = now(trial).batches;
    expect(later?.caseIds).toHaveLength(1);
    trial.removeCases(['2', ...(later?.caseIds ?? [])]);
    expect(now(trial)).toMatchObject({ retired: { caseIds: ['2'] }, batches: [{}] });
    expect([...trial.state.getState().cases.keys()].toSorted()).toEqual(['1', '2', '3', '4']);
    const added = trial.addColumn();
    trial.removeColumn(added);
    expect(now(trial).retired.columns).toEqual([]);
    trial.removeColumn('b');
    expect(now(trial).retired.columns.map(({ id }) => id)).toEqual(['b']);
    expect(now(trial)).toMatchObject({ baseline: 'a', columns: [{ id: 'a' }] });
    expect(trial.state.getState().cells.size).toBe(8);
  });

  it('stays on the disk where cases before it are taken out, also when others are answered later', async () => {
    const { bench } = await aFinishedTrial(1);
    const { trial: stored, cases, cells } = aLargeTrial(70, 1);
    const id = 'other';
    const answered = new Map(cells.slice(2).map((cell) => [getCellId(cell), cell]));
    await bench.records.write([
      ...buildTrialDraftWrites({ ...stored, id }, cases),
      ...buildCellWrites({ ...stored, id }, answered),
    ]);
    const trial = await openTrialIn(bench, id);
    trial.removeCases(cases.slice(0, 2).map((each) => each.id));
    await trial.addCases([{ values: { ticket: 'late', team: 'billing' } }]);
    await trial.run();
    await finished(trial);
    await trial.whenSaved();
    const again = await openTrialIn(await bench.reopened({ records: bench.records }), id);
    expect(again.state.getState().cells).toEqual(trial.state.getState().cells);
    expect(again.state.getState().cells.size).toBe(69);
  });

  it('is not asked again where nothing is missing', async () => {
    const { trial, asked } = await aFinishedTrial();
    const before = now(trial);
    await trial.retry();
    expect(now(trial)).toBe(before);
    expect(asked).toHaveLength(8);
    // One that was answered is asked again where it is named.
    await trial.retry([{ caseId: '2', columnId: 'b', repeat: 1 }]);
    await finished(trial);
    expect(asked).toHaveLength(9);
    expect([...trial.state.getState().cells.values()].filter(({ tries }) => tries === 2)).toMatchObject([
      { caseId: '2', columnId: 'b' },
    ]);
  });

  it('is kept apart from another wording, and from another system prompt', async () => {
    const { trial } = await aFinishedTrial();
    trial.setColumnPrompt('a', [{ role: 'user', content: 'Reworded' }]);
    const [first, second] = now(trial).columns;
    expect(first).toMatchObject({ messages: [{ role: 'user', content: 'Reworded' }] });
    expect(first?.id).not.toBe('a');
    expect(now(trial).baseline).toBe(first?.id);
    expect(second?.id).toBe('b');
    trial.setSystem('Another');
    expect(now(trial).retired.columns.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(now(trial).columns.map(({ setup }) => setup.system)).toEqual(['Another', 'Another']);
    expect(trial.state.getState().progress).toMatchObject({ cells: 8, ended: 0 });
  });

  it('keeps its order whatever seed is given, and is compared with another baseline at once', async () => {
    const { trial } = await aFinishedTrial(20);
    const { order, verdict } = trial.state.getState();
    expect(verdict?.comparisons.map(({ column }) => column)).toEqual([1]);
    trial.edit({ seed: 7, baseline: 'b' });
    expect(now(trial).seed).toBe(2026);
    expect(trial.state.getState().order).toEqual(order);
    expect(trial.state.getState().verdict?.comparisons.map(({ column }) => column)).toEqual([0]);
  });

  it('gives its setup to a copy that has neither its answers nor its stop', async () => {
    const { trial } = await aFinishedTrial();
    const copy = trial.duplicateColumn('b') ?? '';
    expect(now(trial).columns.at(-1)).toEqual({ id: copy, setup: now(trial).columns[1]?.setup });
    expect(trial.state.getState().progress).toMatchObject({ cells: 12, ended: 8 });
    await trial.run();
    await finished(trial);
    expect(rates(trial)).toEqual([4, 0, 0]);
  });
});

describe('a draft', () => {
  async function aDraft(): Promise<OpenTrial> {
    const bench = await aBench({
      origin: 'http://127.0.0.1:9',
      fetch: inMemory([]),
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    return anOpenTrial(bench, someCases(2), { columns });
  }
  const idsOf = (trial: OpenTrial) => trial.state.getState().trial.columns.map(({ id }) => id);

  it('has its columns moved, copied, made of values and removed, and says which are too many', async () => {
    const trial = await aDraft();
    trial.moveColumn('b', 0);
    expect(idsOf(trial)).toEqual(['b', 'a']);
    const copy = trial.duplicateColumn('a');
    expect(idsOf(trial)).toEqual(['b', 'a', copy]);
    expect(trial.state.getState().trial.columns[2]?.setup).toEqual(columns[0]?.setup);
    trial.moveColumn('b', 1);
    expect(idsOf(trial)).toEqual(['a', 'b', copy]);
    trial.moveColumn('a', 1);
    expect(trial.duplicateColumn('gone')).toBeUndefined();
    expect(trial.addValueColumns('gone', 'temperature', ['1'])).toEqual([]);
    expect(idsOf(trial)).toEqual(['b', 'a', copy]);

    const values = Array.from({ length: 11 }, (_, index) => String(index / 10));
    const made = trial.addValueColumns('a', 'temperature', values);
    expect(made).toHaveLength(9);
    expect(idsOf(trial)).toEqual(['b', 'a', copy, ...made]);
    const last = trial.state.getState().trial.columns.at(-1);
    expect(last?.setup.params['temperature']).toMatchObject({ sent: true, text: '0.8' });
    expect(trial.state.getState().notices.at(-1)?.text).toBe(
      'A trial takes up to 12 columns. 2 columns left out.',
    );

    expect(trial.state.getState().trial.baseline).toBe('a');
    trial.removeColumn('a');
    expect(idsOf(trial)).toHaveLength(11);
    expect(trial.state.getState().trial.baseline).toBe('b');
  });

  const trialOf = (trial: OpenTrial) => trial.state.getState().trial;

  it('takes other words, and a column like the last one or as it is given', async () => {
    const trial = await aDraft();
    expect(trial.setMessages([{ role: 'user', content: 'Other words' }])).toBe(true);
    expect(trialOf(trial).messages).toEqual([{ role: 'user', content: 'Other words' }]);
    const given = trial.addColumn(aSetup({ model: 'given' }));
    const like = trial.addColumn();
    expect(trialOf(trial).columns).toEqual([
      ...columns,
      { id: given, setup: aSetup({ model: 'given' }) },
      { id: like, setup: aSetup({ model: 'given' }) },
    ]);
    // The first of all is the baseline; there is none to copy.
    for (const id of idsOf(trial)) trial.removeColumn(id);
    expect(trialOf(trial)).toMatchObject({ columns: [], baseline: '', retired: { columns: [] } });
    const first = trial.addColumn();
    expect(trialOf(trial)).toMatchObject({ baseline: first, columns: [{ setup: { system: '' } }] });
    const before = trialOf(trial);
    trial.removeColumn('gone');
    trial.moveColumn('gone', 0);
    expect(trialOf(trial).columns).toEqual(before.columns);
    for (let count = 1; count < 12; count += 1) trial.addColumn();
    expect(trial.state.getState().notices).toEqual([]);
    const full = trialOf(trial);
    expect(trial.addColumn()).toBe('');
    expect(trialOf(trial), 'nothing has changed').toBe(full);
    expect(trial.addColumn()).toBe('');
    const [notice, another] = trial.state.getState().notices;
    const text = 'A trial takes up to 12 columns. 1 column left out.';
    expect([notice?.text, another?.text]).toEqual([text, text]);
    trial.dismiss(notice?.id ?? '');
    expect(trial.state.getState().notices).toEqual([another]);
  });

  it('changes the setup, the wording and the system prompt of a column where it stands', async () => {
    const trial = await aDraft();
    const setup = aSetup({ model: 'north/three', system: 'Be brief.' });
    trial.setSetup('b', setup);
    trial.setColumnPrompt('a', [{ role: 'user', content: 'Reworded' }]);
    expect(trialOf(trial).columns).toEqual([
      { ...columns[0], messages: [{ role: 'user', content: 'Reworded' }] },
      { id: 'b', setup },
    ]);
    const before = trialOf(trial);
    trial.setSetup('b', { ...setup });
    trial.setSetup('gone', setup);
    expect(trialOf(trial), 'nothing is other than it was').toBe(before);
    const copy = trial.duplicateColumn('a') ?? '';
    expect(trialOf(trial).columns[2]?.messages).toEqual([{ role: 'user', content: 'Reworded' }]);
    trial.removeColumn(copy);
    trial.setColumnPrompt('a', undefined);
    expect(trialOf(trial).columns[0]).toEqual(columns[0]);
    trial.setSystem('The same for all');
    expect(trialOf(trial).columns.map((column) => column.setup.system)).toEqual([
      'The same for all',
      'The same for all',
    ]);
    expect(trialOf(trial)).toMatchObject({ baseline: 'a', retired: { columns: [] } });
  });

  it('has its fields, groups, repeats, title and order changed within their limits', async () => {
    const trial = await aDraft();
    trial.addField('team');
    trial.addField('language');
    expect(trialOf(trial).fields).toEqual(['ticket', 'team', 'language']);
    for (let count = 0; count < 70; count += 1) trial.addField(`field ${count}`);
    expect(trialOf(trial).fields).toHaveLength(64);
    trial.setGroup('team');
    expect(trialOf(trial).groupField).toBe('team');
    trial.setGroup(undefined);
    expect(trialOf(trial)).not.toHaveProperty('groupField');
    const repeats = [0, 2.4, 21].map((count) => {
      trial.setRepeats(count);
      return trialOf(trial).repeats;
    });
    expect(repeats).toEqual([1, 2, 20]);
    expect(trialOf(trial)).not.toHaveProperty('titled');
    trial.edit({ margin: 3, seed: 7 });
    expect(trialOf(trial)).toMatchObject({ title: 'Ticket routing', margin: 3, seed: 7 });
    expect(trialOf(trial)).not.toHaveProperty('titled');
    trial.edit({ title: 'Mine' });
    expect(trialOf(trial)).toMatchObject({ title: 'Mine', titled: true, seed: 7 });
  });

  it('draws its order again with another seed', async () => {
    const bench = await aBench({ origin: 'http://127.0.0.1:9', records: createMemoryRecordStore() });
    const trial = await anOpenTrial(bench, someCases(12), { columns });
    const { order } = trial.state.getState();
    trial.edit({ seed: 7 });
    expect(trial.state.getState().order).not.toEqual(order);
    trial.edit({ seed: 2026 });
    expect(trial.state.getState().order).toEqual(order);
  });

  it('has up to forty checks, of which the first one decides until it is removed', async () => {
    const trial = await aDraft();
    trial.removeCheck('check');
    expect(trialOf(trial)).toMatchObject({ checks: [] });
    expect(trialOf(trial)).not.toHaveProperty('decides');
    const isJson = { name: 'is JSON', kind: 'is JSON', settings: {} } as const;
    const ids = Array.from({ length: 40 }, () => trial.addCheck(isJson));
    expect(trialOf(trial).decides).toBe(ids[0]);
    expect(trial.state.getState().notices).toEqual([]);
    expect(trial.addCheck(isJson)).toBe('');
    expect(trial.state.getState().notices.map(({ text }) => text)).toEqual([
      'A trial takes up to 40 checks.',
    ]);
    trial.removeCheck(ids[1] ?? '');
    expect(trialOf(trial).decides).toBe(ids[0]);
    trial.editCheck({ ...isJson, id: ids[2] ?? '', name: 'renamed' });
    expect(trialOf(trial).checks.filter(({ name }) => name === 'renamed')).toHaveLength(1);
    expect(trialOf(trial).checks).toHaveLength(39);
    trial.setDecidingCheck(undefined);
    trial.removeCheck(ids[3] ?? '');
    expect(trialOf(trial)).not.toHaveProperty('decides');
  });

  it('takes cases and their new fields up to the limits, and none of them beyond', async () => {
    const trial = await aDraft();
    const [small, large] = [{ values: {} }, { values: { ticket: 'x'.repeat(100_001) } }];
    const many = (count: number) => [large, ...Array.from({ length: count - 1 }, () => small)];
    const named = (count: number) => Array.from({ length: count }, (_, index) => `field ${index}`);
    const reason = async (...asked: Parameters<OpenTrial['addCases']>) =>
      (await trial.addCases(...asked)).reason;
    expect(await reason(many(9_998))).toBe('Case 3 is larger than 100 KB.');
    expect(await reason(many(9_999))).toMatch(/^10.001 cases: the limit is 10.000 cases\.$/u);
    expect(await reason([large], named(62))).toBe('Case 3 is larger than 100 KB.');
    expect(await reason([large], named(63))).toBe('65 values: the limit is 64 values.');
    expect(await reason([{ values: { one: '' } }], named(62))).toBe('65 values: the limit is 64 values.');
    expect(trial.state.getState().order).toHaveLength(2);
    const added = await trial.addCases(
      [{ values: { ticket: 'new', language: 'fr' } }, { values: { ticket: 'new', language: 'de' } }],
      ['notes', 'team'],
    );
    expect(added).toEqual({ added: 2, duplicates: [] });
    const before = trialOf(trial);
    expect(await trial.addCases([])).toEqual({ added: 0, duplicates: [] });
    expect(trialOf(trial), 'nothing has changed').toBe(before);
    expect(trialOf(trial).fields).toEqual(['ticket', 'team', 'notes', 'language']);
    // They are sent alike: each is a case of its own.
    const ids = trialOf(trial).batches.flatMap(({ caseIds }) => caseIds);
    expect(ids).toHaveLength(4);
    expect(ids[3]).toBe(`${ids[2]}-2`);
  });

  it('loses what is taken out, and has it neither on screen nor at the next visit', async () => {
    const bench = await aBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const trial = await anOpenTrial(bench, someCases(3), { columns });
    // What is not sent changes nothing of what the case is.
    const values = { ticket: 'ticket 3', team: 'billing', note: 'kept' };
    await trial.editCase('3', { values });
    expect(trialOf(trial)).not.toHaveProperty('valuesChanged');
    trial.removeCases(['1', '2']);
    expect(trial.state.getState()).toMatchObject({
      order: ['3'],
      trial: { retired: { caseIds: [] }, batches: [{ caseIds: ['3'] }] },
    });
    await trial.whenSaved();
    const again = await openTrialIn(await bench.reopened({ records: bench.records }));
    expect([...again.state.getState().cases.values()]).toEqual([{ id: '3', values }]);
    // What is sent makes another case of it, and nothing is left of the one before.
    await again.editCase('3', { values: { ...values, team: 'delivery' } });
    const [id = ''] = again.state.getState().order;
    expect(id).toHaveLength(16);
    expect([...again.state.getState().cases.keys()]).toEqual([id]);
  });

  it('takes no case that is too large, and names it by its line or its place', async () => {
    const trial = await aDraft();
    const large = { ticket: 'x'.repeat(100_001) };
    const added = await trial.addCases([{ values: { ticket: 'small' } }, { values: large }]);
    expect(added).toMatchObject({ added: 0, reason: 'Case 4 is larger than 100 KB.' });
    expect((await trial.addCases([{ values: large, line: 17 }])).reason).toBe(
      'Case 17 is larger than 100 KB.',
    );
    expect(trial.state.getState().order).toHaveLength(2);
  });
});

describe('a person', () => {
  it('marks cells, which decides where the check is that of marks, and takes a mark off', async () => {
    const { trial, bench } = await aFinishedTrial();
    const marks = trial.addCheck({ name: 'my marks', kind: 'marks', settings: {} });
    trial.setDecidingCheck(marks);
    const key = (caseId: string, columnId: string) => ({ caseId, columnId, repeat: 1 });
    trial.setMark(key('3', 'a'), 'right');
    trial.setMark(key('3', 'b'), 'wrong');
    trial.setMark(key('1', 'a'), 'right');
    trial.setMark(key('1', 'a'), undefined);
    await until(() => trial.state.getState().verdict?.counted === 1);
    expect(rates(trial)).toEqual([1, 0]);
    await trial.whenSaved();
    const again = await openTrialIn(await bench.reopened({ records: bench.records }));
    expect(again.state.getState().marks.size).toBe(2);
    expect(rates(again)).toEqual([1, 0]);
  });
});

describe('between trials and sessions', () => {
  it('a case opens as lanes with its answers and recordings, and lanes become columns', async () => {
    const { trial, bench } = await aFinishedTrial();
    const { sessionId, omittedColumns } = await trial.openAsLanes('3');
    expect(omittedColumns).toEqual([]);
    const loaded = await bench.library.load(sessionId);
    const runs = Object.values(loaded?.data.runs ?? {});
    expect(runs.map(({ setup, cell }) => [setup.model, cell])).toEqual([
      ['north/one', undefined],
      ['north/two', undefined],
    ]);
    expect(Object.values(loaded?.data.prompts ?? {}).map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'ticket 3' }],
    ]);
    for (const { id } of runs) expect(await bench.library.readTape(id)).not.toEqual([]);
    expect((await bench.library.list()).map(({ id }) => id)).toContain(sessionId);
    await expect(trial.openAsLanes('gone')).rejects.toThrow('This case is no longer in the trial.');

    await bench.actions.createSession();
    await bench.actions.sendPrompt(spoken('Which team takes {{ticket}}?'));
    const trials = await bench.lazyTrials.load();
    const made = await trials.open(await trials.createFromLanes(bench.current().session.id));
    expect(made?.state.getState().trial).toMatchObject({
      messages: [{ role: 'user', content: 'Which team takes {{ticket}}?' }],
      columns: [
        { setup: { model: bench.current().lanes[bench.current().session.laneIds[0] ?? '']?.setup.model } },
      ],
      state: { name: 'draft' },
    });
  });
});

describe('a case of a trial with many columns', () => {
  it('opens with the baseline first, then as many as there is room for, or those that are named', async () => {
    const bench = await aBench({
      origin: 'http://127.0.0.1:9',
      fetch: inMemory([]),
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const models = Array.from({ length: 8 }, (_, index) => `north/${index + 1}`);
    const trial = await anOpenTrial(bench, someCases(1), {
      columns: someColumns(...models),
      baseline: 'c',
      repeats: 2,
    });
    await trial.run();
    await finished(trial);
    const lanesOf = async (...asked: Parameters<OpenTrial['openAsLanes']>) => {
      const { sessionId, omittedColumns } = await trial.openAsLanes(...asked);
      const data = (await bench.library.load(sessionId))?.data;
      const runs = Object.values(data?.runs ?? {}).map(({ id }) => id);
      return {
        left: omittedColumns,
        models: data?.session.laneIds.map((id) => data.lanes[id]?.setup.model),
        tapes: await Promise.all(runs.map((id) => bench.library.readTape(id))),
      };
    };
    const all = await lanesOf('1');
    expect(all.left).toEqual(['g', 'h']);
    expect(all.models).toEqual(['north/3', 'north/1', 'north/2', 'north/4', 'north/5', 'north/6']);
    expect(all.tapes).toHaveLength(6);
    const tapeOf = async (repeat: number) =>
      (await trial.readCell({ caseId: '1', columnId: 'g', repeat }))?.tape;
    trial.removeColumn('g');
    const named = await lanesOf('1', ['c', 'g'], 2);
    expect([named.left, named.models]).toEqual([[], ['north/3', 'north/7']]);
    expect(named.tapes).toContainEqual(await tapeOf(2));
    // A repeat that was not asked has lanes without answers.
    expect((await lanesOf('1', ['g'], 3)).tapes).toEqual([]);
  });
});

describe('a trial that cannot run', () => {
  it('says what it lacks, or that there is no room for its answers, and stays a draft', async () => {
    const asked: string[] = [];
    const records = createMemoryRecordStore();
    const bench = await aBench({
      origin: 'http://127.0.0.1:9',
      fetch: inMemory(asked),
      environment: realEnvironment,
      records,
    });
    let granted = 1_000;
    Object.assign(bench.page, { grantedBytes: async () => granted });
    const trial = await anOpenTrial(bench, [], { columns });
    await expect(trial.run()).rejects.toThrow('There is no case: add or import some first.');
    await trial.addCases([{ values: { ticket: 'new', team: 'billing' } }]);
    await expect(trial.run()).rejects.toThrow(/of the 1 KB that this browser grants: too much to run\.$/);
    granted = 1_000_000_000;
    await trial.whenSaved();
    const later = await bench.reopened({ fetch: inMemory(asked), records });
    Object.assign(later.page, { grantedBytes: async () => granted });
    const again = await openTrialIn(later);
    for (const id of ['a', 'b']) again.removeColumn(id);
    await expect(again.run()).rejects.toThrow('There is no column: add one first.');
    const id = again.addColumn(aSetup({ model: '' }));
    await expect(again.run()).rejects.toThrow('A column has no model: choose one first.');
    expect(again.state.getState().trial.state.name).toBe('draft');
    expect(asked).toEqual([]);
    again.setSetup(id, aSetup({ model: 'north/one' }));
    await again.run();
    await finished(again);
    expect(asked).toHaveLength(1);
    // One that has begun goes on: the browser may grant more than it says.
    granted = 1_000;
    await again.whenSaved();
    const last = await later.reopened({ fetch: inMemory(asked), records });
    Object.assign(last.page, { grantedBytes: async () => granted });
    const begun = await openTrialIn(last);
    await begun.addCases([{ values: { ticket: 'late', team: 'billing' } }]);
    expect(begun.state.getState().plan.space?.isBlocking).toBe(true);
    await begun.run();
    await finished(begun);
    expect(asked).toHaveLength(2);
  });
});

describe('a trial as files', () => {
  it('comes back from its own lines: exported again they are the same bytes', async () => {
    const { trial, bench } = await aFinishedTrial();
    trial.setMark({ caseId: '3', columnId: 'b', repeat: 1 }, 'wrong');
    await trial.whenSaved();
    const file = await trial.exportJsonLines(true);
    const trials = await bench.lazyTrials.load();
    const outcome = await trials.importFile(file.pieces.join(''));
    expect(outcome).toMatchObject({ ok: true });
    const copy = await trials.open(outcome.ok ? outcome.id : '');
    expect(copy?.state.getState().cells.size).toBe(8);
    expect(rates(trial)).toEqual(copy ? rates(copy) : []);
    const again = await copy?.exportJsonLines(true);
    expect(again?.pieces.join('')).toBe(file.pieces.join(''));
    expect(await trials.importFile(`${file.pieces[0] ?? ''}{"cell":1}\n`)).toMatchObject({
      ok: false,
      line: 2,
    });

    const plain = (await trial.exportJsonLines()).pieces.join('');
    expect([file.pieces.join('').includes('"tape"'), plain.includes('"tape"')]).toEqual([true, false]);
    await trial.editCase('1', { values: { ticket: 'ticket 1', team: '=billing' } });
    expect((await trial.exportCsv()).pieces.join('')).toContain("'=billing");
    expect((await trial.exportCsv(false)).pieces.join('')).not.toContain("'=billing");
    const csv = (await trial.exportCsv()).pieces.join('');
    expect(csv.split('\r\n')).toHaveLength(10);
    expect(csv).toContain('"{""team"":""delivery"",""why"":""so""}"');
    expect((await trials.list()).map(({ title }) => title)).toEqual(['Ticket routing', 'Ticket routing']);
  });

  it('has the images of its messages in its file, and takes none that another hash names', async () => {
    const bytes = new Uint8Array([137, 80, 78, 71, 1, 2, 3, 4]);
    const hash = await computeSha256(bytes);
    const bench = await aBench({
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
    const [first, ...others] = someCases(2);
    if (!first) throw new Error('There is no case');
    const trial = await anOpenTrial(bench, [{ ...first, history: [image] }, ...others]);
    const text = (await trial.exportJsonLines()).pieces.join('');
    const there = await aBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const trials = await there.lazyTrials.load();
    const outcome = await trials.importFile(text);
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(await there.records.listKeys('images')).toEqual([hash]);
    const copy = await openTrialIn(there, outcome.id);
    expect((await copy.exportJsonLines()).pieces.join('')).toBe(text);
    const line = text.trimEnd().split('\n').length;
    for (const [wrong, reason] of [
      [text.replaceAll(hash, 'c'.repeat(64)), 'Its image does not match its hash.'],
      [text.replace('data:image/png', 'data:text/html'), 'Its image cannot be read.'],
    ] as const)
      expect(await trials.importFile(wrong)).toEqual({ ok: false, line, reason });
    expect(await there.records.listKeys('images')).toEqual([hash]);
  });

  it('is in the file of everything, and comes back with it', async () => {
    const { bench, trial } = await aFinishedTrial();
    await trial.whenSaved();
    const text = (await bench.sessionFiles.exporter.buildJson())?.pieces.join('') ?? '';
    const there = await aBench({
      origin: 'http://127.0.0.1:9',
      environment: realEnvironment,
      records: createMemoryRecordStore(),
    });
    const outcome = await there.sessionFiles.importFile(new File([text], 'all.json'));
    expect(outcome).toMatchObject({ ok: true, sessionIds: [], damaged: 0 });
    expect(there.session.getState().undo?.text).toBe('Imported 1 trial.');
    const [trialId = ''] = outcome.ok ? outcome.trialIds : [];
    const copy = await openTrialIn(there, trialId);
    expect(copy.state.getState().cells.size).toBe(8);
    expect(await there.sessionFiles.exporter.buildJson().then((file) => file?.pieces.join(''))).toBe(text);
    const trials = await there.lazyTrials.load();
    await there.sessionFiles.importFile(new File([text], 'all.json'));
    expect(await trials.list()).toHaveLength(2);
    there.session.getState().undo?.restore();
    await until(async () => (await trials.list()).length === 1);
    expect(await there.records.listKeys('trials')).toEqual([trialId]);
  });

  it('is found by its title, prompt and cases, and goes where it is deleted', async () => {
    const { bench } = await aFinishedTrial();
    const trials = await bench.lazyTrials.load();
    expect([...(await trials.search('routing')).keys()]).toEqual(['trial']);
    expect((await trials.search('ticket 3')).get('trial')?.pieces.some(({ isHit }) => isHit)).toBe(true);
    expect((await trials.search('nothing like it')).size).toBe(0);
    await trials.remove('trial');
    expect(await trials.list()).toEqual([]);
    bench.session.getState().undo?.expire();
    await until(async () => (await bench.records.listRunIds('trial')).length === 0);
    expect(await bench.records.listKeys('trials')).toEqual([]);
  });

  it('goes on as a version of its own, or with the winner on cases that are new', async () => {
    const { bench, trial } = await aFinishedTrial();
    const trials = await bench.lazyTrials.load();
    const next = await trials.open(
      await trial.createNextVersion([{ role: 'user', content: 'Say: {{ticket}}' }]),
    );
    expect(next?.state.getState()).toMatchObject({
      hasAnswers: false,
      trial: { follows: { why: 'new version' } },
    });
    expect(next?.state.getState().order).toHaveLength(4);
    expect(next?.state.getState().trial.messages).toEqual([{ role: 'user', content: 'Say: {{ticket}}' }]);
    trial.removeCases(['1']);
    const copy = await trials.open(await trial.createNextVersion());
    expect([...(copy?.state.getState().cases.keys() ?? [])]).toEqual(['2', '3', '4']);
    expect(copy?.state.getState().trial.messages).toEqual(trial.state.getState().trial.messages);
    const confirmed = await trials.open(await trial.createConfirmation('b'));
    const added = await confirmed?.addCases([
      { values: { ticket: 'ticket 3', team: 'billing' } },
      { values: { ticket: 'a new one', team: 'billing' } },
    ]);
    expect(added).toMatchObject({ added: 1, duplicates: [{ values: { ticket: 'ticket 3' } }] });
  });
});

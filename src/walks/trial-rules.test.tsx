/** Tests trials with slow, full or cleared browser storage, and failures while the user is on another screen. */
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { trialCommands } from '../app/commands/trial-commands.ts';
import { createPageState } from '../app/page-state.ts';
import {
  createTrialFromLanes,
  createTrialFromStarter,
  createTrialWithCases,
} from '../features/trials/list/create-trials.ts';
import { TrialsList } from '../features/trials/list/trials-list.tsx';
import {
  confirmWinner,
  createTrialVersion,
  inspectCell,
  openAsLanes,
} from '../features/trials/trial-handlers.ts';
import { describeVerdict, summarizeVerdict } from '../features/trials/verdict/format-verdict.ts';
import { openStorage } from '../state/storage.ts';
import type { OpenTrial } from '../state/trials/store/open-trial.ts';
import type { Trials } from '../state/trials/trials-store.ts';
import { openRecordStore } from '../storage/db.ts';
import { createMemoryRecordStore } from '../storage/memory-record-store.ts';
import type { RecordStore, Write } from '../storage/record-store.ts';
import { waitForStoreState, type Bench } from '../testing/bench.ts';
import { createTestBrowser } from '../testing/browser.ts';
import { createGate, createUserPrompt } from '../testing/builders.ts';
import {
  createGatedTrialTab,
  createOpenTrial,
  createTrialTab,
  createRunningTrial,
  openTrialInTab,
  createCases,
  waitForTrialState,
  advanceUntil,
} from '../testing/open-trials.ts';
import { renderText } from '../testing/render-with-playground.tsx';
import { createColumns } from '../testing/trials.ts';
import { waitUntil } from '../testing/wait-until.ts';
import { starters } from '../trials/starters/trial-starters.ts';
import { getHeartbeatId } from '../trials/trial-schemas.ts';

const columns = createColumns('north/one');

/** Wraps records so that every write awaits `beforeWrite` first. */
const interceptWrites = (
  records: RecordStore,
  beforeWrite: (writes: readonly Write[]) => unknown,
): RecordStore => ({
  ...records,
  write: async (...args) => {
    await beforeWrite(args[0]);
    return records.write(...args);
  },
});

const listCheckResults = (trial: OpenTrial) =>
  [...trial.state.getState().cells.values()].map(({ scores }) => scores['check']?.result);

/** Returns the text of the trial list when it is empty. */
async function renderEmptyList(bench: Bench): Promise<string> {
  const loadPromise = bench.lazyTrials.load();
  // Marks the promise as React does after suspending on it.
  void Object.assign(loadPromise, { status: 'fulfilled', value: await loadPromise });
  const queryClient = new QueryClient({ defaultOptions: { queries: { initialData: [] } } });
  return renderText(bench, <TrialsList />, queryClient);
}

describe('list of trials', () => {
  it('shows no empty list while storage is opening, and all trials afterwards', async () => {
    const earlierTab = await createTrialTab();
    const storedId = await (await earlierTab.bench.lazyTrials.load()).create();
    earlierTab.bench.tab.kill();
    const gate = createGate();
    const storage = openStorage(async (events) => {
      await gate.opened;
      return openRecordStore(events, earlierTab.bench.browser.databaseName);
    });
    const bench = await earlierTab.bench.openAnotherTab({ records: storage.records, storage: storage.state });
    const trials = await bench.lazyTrials.load();
    expect(await renderEmptyList(bench)).toContain('Loading older trials. Only new ones are listed so far.');
    expect(await renderEmptyList(bench)).not.toContain('No trials yet');
    const newId = await trials.create();
    const { count } = trials.changes.getState();
    gate.open();
    await waitForStoreState(storage.state, ({ mode }) => mode !== 'opening');
    expect(trials.changes.getState().count).toBeGreaterThan(count);
    expect((await trials.list()).map(({ id }) => id).toSorted()).toEqual([storedId, newId].toSorted());
    expect(await renderEmptyList(bench)).toContain('No trials yet');
  });

  it('lists a trial again if its removal fails', async () => {
    const { bench } = await createTrialTab();
    const records = await bench.browser.openRecords();
    let isBroken = false;
    const reopenedBench = await bench.reopen({
      records: interceptWrites(records, () => isBroken && Promise.reject(new Error('Full'))),
    });
    const trials = await reopenedBench.lazyTrials.load();
    const id = await trials.create();
    await trials.remove(id);
    expect(await trials.list()).toEqual([]);
    isBroken = true;
    const { count } = trials.changes.getState();
    reopenedBench.session.getState().undo?.expire();
    await waitForStoreState(trials.changes, (state) => state.count > count);
    expect((await trials.list()).map((trial) => trial.id)).toEqual([id]);
  });

  it("renames a trial while another tab writes to it, without reverting the other tab's changes", async () => {
    const { bench } = await createTrialTab();
    const trial = await createOpenTrial(bench, createCases(2), { columns });
    const otherTrials = await (await bench.openAnotherTab()).lazyTrials.load();
    await trial.run();
    await otherTrials.rename('trial', 'Mine');
    await waitForTrialState(trial, 'finished');
    await bench.waitUntilSaved();
    expect(await bench.records.readRecord('trials', 'trial')).toMatchObject({
      title: 'Mine',
      titled: true,
      state: { name: 'finished' },
    });
  });
});

describe('trials of a page', () => {
  const listIds = async (trials: Trials) => (await trials.list()).map(({ id }) => id);

  it('refreshes the list only if another tab changes a trial', async () => {
    const { bench } = await createTrialTab();
    const otherTab = await bench.openAnotherTab();
    const trials = await otherTab.lazyTrials.load();
    const getCount = () => trials.changes.getState().count;
    const previousCount = getCount();
    await bench.actions.createSession();
    await bench.actions.sendPrompt(createUserPrompt('Hello'));
    await bench.waitUntilSaved();
    await waitUntil(async () => (await otherTab.library.list()).length === 1);
    expect(getCount()).toBe(previousCount);
    const id = await (await bench.lazyTrials.load()).create();
    await waitUntil(() => getCount() > previousCount);
    expect(await listIds(trials)).toEqual([id]);
  });

  it('stops trials in all tabs before everything is erased', async () => {
    const { bench, trial, gate } = await createRunningTrial(9, columns);
    const otherTab = await bench.openAnotherTab();
    await otherTab.lazyTrials.stopAll();
    gate.open();
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'stopped', why: 'person' } },
      runnerStatus: { name: 'nobody' },
      cells: new Map(),
    });
    expect(await bench.records.readRecord('trials', 'trial')).toMatchObject({ state: { name: 'stopped' } });
    // The trial has been closed; opening it again reads it from storage.
    expect(await openTrialInTab(bench)).not.toBe(trial);
  });

  it('keeps trials running if another tab only checks which tabs are alive', async () => {
    const { bench, trial, gate } = await createRunningTrial(9, columns, {
      browser: createTestBrowser({ hasLocks: false }),
    });
    const trials = await bench.lazyTrials.load();
    const { count } = trials.changes.getState();
    // Without locks, a new tab first checks which tabs are alive; its change is announced afterwards.
    await (await (await bench.openAnotherTab()).lazyTrials.load()).create();
    await waitUntil(() => trials.changes.getState().count > count);
    expect(await openTrialInTab(bench)).toBe(trial);
    expect(trial.state.getState().trial.state.name).toBe('running');
    gate.open();
    await waitForTrialState(trial, 'finished');
  });

  it('opens a trial only once, and closes it when it is released while not running', async () => {
    const { bench, gate } = await createGatedTrialTab();
    const trial = await createOpenTrial(bench, createCases(2), { columns });
    const trials = await bench.lazyTrials.load();
    expect(await trials.open('trial')).toBe(trial);
    expect([await trials.open('gone'), await trials.getVerdict('gone')]).toEqual([undefined, undefined]);
    const { count } = trials.changes.getState();
    await trial.run();
    expect(trials.changes.getState().count, 'the list shows the trial as running').toBeGreaterThan(count);
    trial.release();
    expect(await trials.open('trial'), 'the trial continues to run').toBe(trial);
    gate.open();
    await waitForTrialState(trial, 'finished');
    trial.release();
    const reopenedTrial = await openTrialInTab(bench);
    expect(reopenedTrial).not.toBe(trial);
    expect(listCheckResults(reopenedTrial)).toEqual(['passed', 'passed']);
  });

  it('returns the current verdict even before it is stored, and none for a draft', async () => {
    const { bench } = await createTrialTab();
    const gate = createGate();
    let isPaused = false;
    const records = await bench.browser.openRecords();
    const reopenedBench = await bench.reopen({
      records: interceptWrites(records, () => isPaused && gate.opened),
    });
    const trial = await createOpenTrial(reopenedBench, createCases(3), { columns });
    const trials = await reopenedBench.lazyTrials.load();
    expect(await trials.getVerdict('trial')).toBeUndefined();
    trial.release();
    expect(await trials.getVerdict('trial'), 'no verdict for a closed trial').toBeUndefined();
    const reopenedTrial = await openTrialInTab(reopenedBench);
    await reopenedTrial.run();
    await waitForTrialState(reopenedTrial, 'finished');
    const getSentence = () => describeVerdict(reopenedTrial.state.getState()).first;
    const readSentence = async () => {
      const counted = await trials.getVerdict('trial');
      return counted && describeVerdict(counted).first;
    };
    const previousSentence = getSentence();
    await reopenedTrial.whenSaved();
    isPaused = true;
    reopenedTrial.setDecidingCheck(undefined);
    expect(getSentence()).not.toEqual(previousSentence);
    expect(await readSentence()).toEqual(getSentence());
    gate.open();
    await reopenedTrial.whenSaved();
    reopenedTrial.release();
    expect(await readSentence()).toEqual(getSentence());
  });

  it('removes a deleted trial from list and search, and restores it on Undo', async () => {
    const { bench } = await createTrialTab();
    const trial = await createOpenTrial(bench, createCases(2), { columns });
    const trials = await bench.lazyTrials.load();
    await trials.rename('trial', 'In use');
    expect(trial.state.getState().trial).toMatchObject({ title: 'In use', titled: true });
    const getUndo = () => bench.session.getState().undo;
    await trials.remove('trial');
    expect(getUndo()?.text).toBe('Deleted “In use”.');
    expect([await listIds(trials), (await trials.search('use')).size]).toEqual([[], 0]);
    const firstUndo = getUndo();
    firstUndo?.restore();
    expect([await listIds(trials), (await trials.search('use')).size]).toEqual([['trial'], 1]);
    // The deletion was undone, so its expiry has no effect.
    firstUndo?.expire();
    await bench.waitUntilSaved();
    expect(await bench.records.listKeys('trials')).toContain('trial');
    // Renaming also works while the trial is not open.
    await trials.rename('trial', 'On the shelf');
    expect((await trials.list())[0]).toMatchObject({
      title: 'On the shelf',
      cases: 2,
      columns: 1,
      repeats: 1,
    });
    await trials.remove('trial');
    expect(getUndo()?.text).toBe('Deleted “On the shelf”.');
    await trials.remove('never there');
    expect(getUndo()?.text).toBe('Deleted “the trial”.');
  });

  it('lists the most recently changed trial first and gives every trial a different seed', async () => {
    const { bench } = await createTrialTab();
    const trials = await bench.lazyTrials.load();
    const trialIds = [await trials.create(), await trials.create(), await trials.create()];
    expect(new Set(await listIds(trials))).toEqual(new Set(trialIds));
    const firstTrial = await trials.open(trialIds[0] ?? '');
    firstTrial?.addField('ticket');
    await firstTrial?.whenSaved();
    expect((await listIds(trials))[0]).toBe(trialIds[0]);
    const seeds = await Promise.all(
      trialIds.map(async (id) => (await trials.open(id))?.state.getState().trial.seed ?? -1),
    );
    expect(new Set(seeds).size).toBe(3);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 10_000).toBe(true);
  });

  it('starts a trial with the last setup or the first listed model, and a starter with listed models', async () => {
    const { bench } = await createTrialTab();
    const trials = await bench.lazyTrials.load();
    const [starter] = starters;
    if (!starter) throw new Error('The starter is missing');
    const setListedModelIds = (...models: string[]) =>
      bench.gateways.setListedModels(models.map((id) => ({ id, kind: 'chat', abilities: {}, raw: {} })));
    const getModels = async (creation: Promise<string>) => {
      const id = await creation;
      return (await trials.list()).find((item) => item.id === id)?.models;
    };
    const { lastSetup } = bench.prefs.getState();
    expect(await getModels(trials.createFromStarter(starter))).toEqual(['demo/quiz']);
    setListedModelIds('north/one', 'demo/quiz');
    expect(await getModels(trials.createFromStarter(starter))).toEqual(['demo/quiz']);
    setListedModelIds('north/one', 'north/two');
    expect(await getModels(trials.createFromStarter(starter))).toEqual(['north/one', 'north/two']);
    expect(await getModels(trials.create())).toEqual([lastSetup?.model]);
    bench.prefs.setState({ lastSetup: undefined });
    expect(await getModels(trials.create())).toEqual(['north/one']);
  });

  it('refreshes the list after an import, but not after a rejected file', async () => {
    const { bench } = await createTrialTab();
    const trial = await createOpenTrial(bench, createCases(1), { columns });
    const trials = await bench.lazyTrials.load();
    const getCount = () => trials.changes.getState().count;
    const text = (await trial.exportJsonLines(summarizeVerdict)).pieces.join('');
    const previousCount = getCount();
    expect(await trials.importFile('not a trial')).toMatchObject({ ok: false, line: 1 });
    expect(getCount()).toBe(previousCount);
    expect(await trials.importFile(text)).toMatchObject({ ok: true });
    expect(getCount()).toBeGreaterThan(previousCount);
    expect(await listIds(trials)).toHaveLength(2);
  });

  it('stores an edited trial immediately when its tab is hidden', async () => {
    const records = createMemoryRecordStore();
    const { bench } = await createTrialTab(undefined, { records });
    const trial = await createOpenTrial(bench, createCases(1), { columns });
    await trial.whenSaved();
    trial.edit({ title: 'Mine' });
    bench.tab.hide();
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
    const laterTrial = await openTrialInTab(await bench.reopen({ records }));
    expect(laterTrial.state.getState().trial.title).toBe('Mine');
  });

  it('reports a damaged trial when it is opened, and reads it again the next time', async () => {
    const { bench } = await createTrialTab();
    const records = await bench.browser.openRecords();
    let isDamaged = true;
    const reopenedBench = await bench.reopen({
      records: {
        ...records,
        readRecord: async (store, key) =>
          isDamaged && key === 'trial' ? { id: 'trial' } : records.readRecord(store, key),
      },
    });
    await expect(createOpenTrial(reopenedBench, createCases(1), { columns })).rejects.toThrow(
      'The stored trial is damaged.',
    );
    isDamaged = false;
    expect((await openTrialInTab(reopenedBench)).state.getState().order).toEqual(['1']);
  });

  it('creates trials from the lanes of any stored session, and rejects a missing session', async () => {
    const { bench } = await createTrialTab();
    await bench.actions.createSession();
    await bench.actions.sendPrompt(createUserPrompt('Which team takes {{ticket}}?'));
    const sessionId = bench.getOpenSession().session.id;
    await bench.waitUntilSaved();
    const reopenedBench = await bench.reopen();
    const trials = await reopenedBench.lazyTrials.load();
    const newTrial = await trials.open(await trials.createFromLanes(sessionId));
    const expectedMessages = [{ role: 'user', content: 'Which team takes {{ticket}}?' }];
    expect(newTrial?.state.getState().trial).toMatchObject({ messages: expectedMessages, columns: [{}] });
    await expect(trials.createFromLanes('gone')).rejects.toThrow(
      'This session is not stored in this browser.',
    );

    // Lanes provide the messages if the trial has none, and never replace existing ones.
    const blankTrial = await trials.open(await trials.create());
    if (!blankTrial) throw new Error('The trial is not stored');
    const { columns: firstColumns, messages } = blankTrial.state.getState().trial;
    expect([messages, firstColumns.map(({ setup }) => setup.system)]).toEqual([
      [{ role: 'user', content: '' }],
      [''],
    ]);
    await expect(blankTrial.addLaneColumns()).rejects.toThrow('This session is not stored in this browser.');
    expect(await blankTrial.addLaneColumns(sessionId)).toHaveLength(1);
    expect(blankTrial.state.getState().trial).toMatchObject({
      messages: expectedMessages,
      columns: [{}, {}],
    });
    blankTrial.setMessages([{ role: 'user', content: 'My own' }]);
    await blankTrial.addLaneColumns(sessionId);
    expect(blankTrial.state.getState().trial.messages).toEqual([{ role: 'user', content: 'My own' }]);
  });

  it('finds trials that contain every search word in title, models, prompts or cases', async () => {
    const { bench } = await createTrialTab();
    const [column] = columns;
    if (!column) throw new Error('The column is missing');
    await createOpenTrial(bench, createCases(2, ['a lamp that flickers', 'late parcel']), {
      columns: [
        {
          ...column,
          setup: { ...column.setup, system: 'Be brief' },
          messages: [{ role: 'user', content: 'Sort {{ticket}}' }],
        },
      ],
    });
    const trials = await bench.lazyTrials.load();
    const hasMatch = async (query: string) => (await trials.search(query)).has('trial');
    const queries = ['routing', 'north/one', 'brief', 'sort', 'flickers', 'parcel routing north brief'];
    expect(await Promise.all(queries.map(hasMatch))).toEqual(queries.map(() => true));
    expect([await hasMatch('routing nowhere'), await hasMatch('third/plover')]).toEqual([false, false]);
    const snippet = (await trials.search('routing late parcel')).get('trial');
    expect(snippet?.pieces.map(({ text }) => text).join('')).toContain('late parcel');
    // A match in the title alone has no snippet.
    expect((await trials.search('routing')).get('trial')).toBeUndefined();
    const controller = new AbortController();
    controller.abort(new Error('Other words'));
    await expect(trials.search('routing', controller.signal)).rejects.toThrow('Other words');
  });
});

describe('running trial whose tab crashed', () => {
  it('shows all recovered answers even if storage is full, and stores them when there is space', async () => {
    const { bench, gateway, gate } = await createGatedTrialTab(3);
    const trial = await createOpenTrial(bench, createCases(6), { columns });
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size === 3 && gateway.posts.length > 3);
    await bench.waitUntilSaved();
    const runs = [...trial.state.getState().cells.values()].map(({ caseId, columnId, repeat, runId }) => ({
      caseId,
      columnId,
      repeat,
      runId,
    }));
    const requestCount = gateway.posts.length;
    bench.tab.kill();
    const records = await bench.browser.openRecords();
    // Simulates a crash before answers were packed into blocks: only their recordings are stored.
    await records.write([
      { store: 'cells', remove: 'trial' },
      { store: 'trials', put: { id: getHeartbeatId('trial'), at: Date.now(), runs } },
    ]);
    let isFull = true;
    const fullRecords = interceptWrites(
      records,
      () => isFull && Promise.reject(new DOMException('', 'QuotaExceededError')),
    );
    const nextTab = await bench.openAnotherTab({ records: fullRecords });
    // Writes are retried after 2 s, and the trial resumes after 3 s.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const openedTrial = await openTrialInTab(nextTab);
    expect(openedTrial.state.getState().cells.size).toBe(3);
    await openedTrial.pause();
    isFull = false;
    await advanceUntil(() => nextTab.unsaved.state.getState().count === 0);
    vi.useRealTimers();
    nextTab.tab.kill();
    gate.open();
    const lastTrial = await openTrialInTab(await bench.openAnotherTab({ records }));
    expect(lastTrial.state.getState().cells.size).toBe(3);
    expect(gateway.posts).toHaveLength(requestCount);
  });
});

describe('full storage', () => {
  it('pauses a running trial if storage is full, and keeps all answers when there is space again', async () => {
    const { bench, gateway, gate } = await createGatedTrialTab(3);
    const records = await bench.browser.openRecords();
    let isFull = false;
    const rejectIfFull = () => isFull && Promise.reject(new DOMException('No room', 'QuotaExceededError'));
    const reopenedBench = await bench.reopen({ records: interceptWrites(records, rejectIfFull) });
    const trial = await createOpenTrial(reopenedBench, createCases(12), { columns });
    await trial.run();
    await waitUntil(() => trial.state.getState().cells.size === 3 && gateway.posts.length === 6);
    isFull = true;
    gate.open();
    await waitUntil(() => trial.state.getState().trial.state.name === 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'storage' });
    await waitUntil(() => trial.state.getState().liveCells.size === 0);
    const endedCount = trial.state.getState().cells.size;
    expect(endedCount).toBeGreaterThanOrEqual(6);
    expect(gateway.posts).toHaveLength(endedCount);
    isFull = false;
    await trial.whenSaved();
    await trial.run();
    await waitForTrialState(trial, 'finished');
    await trial.whenSaved();
    const laterTrial = await openTrialInTab(await bench.openAnotherTab({ records }));
    expect(laterTrial.state.getState().cells.size).toBe(12);
    expect(gateway.posts).toHaveLength(12);
  });

  it('pauses a new trial if storage is full, and starts it when there is space', async () => {
    const { bench, gateway } = await createTrialTab();
    const records = await bench.browser.openRecords();
    let isFull = false;
    const rejectIfFull = () => isFull && Promise.reject(new DOMException('No room', 'QuotaExceededError'));
    const reopenedBench = await bench.reopen({ records: interceptWrites(records, rejectIfFull) });
    const trial = await createOpenTrial(reopenedBench, createCases(2), { columns });
    isFull = true;
    await expect(trial.run()).rejects.toThrow(/^Could not save the trial\. The browser reported: .*No room/);
    await waitForTrialState(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'storage' });
    expect(gateway.posts).toEqual([]);
    isFull = false;
    await trial.whenSaved();
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(gateway.posts).toHaveLength(2);
  });
});

describe('score worker', () => {
  it('stores answers if the score worker fails to load, and scores them on the next visit', async () => {
    const { bench } = await createTrialTab();
    const check = {
      id: 'check',
      name: 'has billing',
      kind: 'matches' as const,
      settings: { pattern: 'bill' },
    };
    const pageOverrides = { startScoreWorker: () => Promise.reject(new Error('Failed to fetch')) };
    Object.assign(bench.page, pageOverrides);
    const trial = await createOpenTrial(bench, createCases(3), { columns, checks: [check] });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    expect(listCheckResults(trial)).toEqual([undefined, undefined, undefined]);
    expect(
      trial.state
        .getState()
        .notices.map(({ text }) => text)
        .join(),
    ).toContain('Answers are saved');
    const laterTrial = await openTrialInTab(await bench.reopen());
    await waitUntil(() => listCheckResults(laterTrial).every((result) => result === 'passed'));
  });
});

describe('database deleted while a trial is open', () => {
  it('stores an open trial again with its cases and outcomes after the database was deleted', async () => {
    const browser = createTestBrowser();
    const storage = openStorage((events) => openRecordStore(events, browser.databaseName));
    await storage.whenUsable;
    const { bench } = await createTrialTab(undefined, {
      browser,
      records: storage.records,
      storage: storage.state,
    });
    const trial = await createOpenTrial(bench, createCases(3), { columns });
    await trial.run();
    await waitForTrialState(trial, 'finished');
    await bench.waitUntilSaved();
    await new Promise<void>((resolve) => {
      indexedDB.deleteDatabase(browser.databaseName).addEventListener('success', () => resolve());
    });
    await waitForStoreState(bench.storage, ({ deletionCount }) => deletionCount === 1);
    await bench.waitUntilSaved();
    const laterTrial = await openTrialInTab(await bench.reopen({ records: await browser.openRecords() }));
    expect(laterTrial.state.getState().cases.size).toBe(3);
    expect(listCheckResults(laterTrial)).toEqual(['passed', 'passed', 'passed']);
  });
});

/** Creates a tab with a finished trial whose writes are blocked until `resumeWrites` is called. */
async function createPausedTrial() {
  const { bench } = await createTrialTab();
  const records = await bench.browser.openRecords();
  const gate = createGate();
  let isPaused = false;
  const nextTab = await bench.reopen({
    records: interceptWrites(records, () => isPaused && gate.opened),
    path: '/trials/trial',
  });
  const trial = await createOpenTrial(nextTab, createCases(2), { columns });
  await trial.run();
  await waitForTrialState(trial, 'finished');
  await nextTab.waitUntilSaved();
  await nextTab.actions.createSession();
  await nextTab.waitUntilSaved();
  nextTab.router.navigate({ screen: 'page', path: '/trials/trial' });
  isPaused = true;
  return { nextTab, trial, trials: await nextTab.lazyTrials.load(), resumeWrites: gate.open };
}

describe('slow action on trials', () => {
  it.each<[string, (bench: Bench, trials: Trials, trial: OpenTrial) => unknown]>([
    ['creating a trial with cases', (bench, trials) => createTrialWithCases(bench.router, trials)],
    [
      'creating a trial from a starter',
      (bench, trials) => starters[0] && createTrialFromStarter(bench, trials, starters[0]),
    ],
    ['creating a trial from lanes', (bench, trials) => createTrialFromLanes(bench, trials)],
    ['creating a version of a trial', (bench, _, trial) => createTrialVersion(bench.router, trial)],
    ['creating a confirmation trial', (bench, _, trial) => confirmWinner(bench.router, trial, 'a')],
    ['opening a case as lanes', (bench, _, trial) => openAsLanes(bench, trial, '1', ['a'], 1)],
    [
      'inspecting an answer',
      (bench, _, trial) => inspectCell(bench, trial, { caseId: '1', columnId: 'a', repeat: 1 }),
    ],
    [
      'running a command',
      (bench) =>
        trialCommands
          .find(({ id }) => id === 'trial-new')
          ?.run({ ...bench, pageState: createPageState(), announce: () => undefined }),
    ],
  ])(
    'does not navigate back after a slow action on trials if the user has left: %s',
    async (_, startAction) => {
      const { nextTab, trial, trials, resumeWrites } = await createPausedTrial();
      const pendingAction = startAction(nextTab, trials, trial);
      nextTab.router.navigate({ screen: 'page', path: '/history' });
      resumeWrites();
      await pendingAction;
      expect(nextTab.router.state.getState().route).toEqual({ screen: 'page', path: '/history' });
      expect(nextTab.tab.visitedPaths.at(-1)).toBe('/history');
    },
  );
});

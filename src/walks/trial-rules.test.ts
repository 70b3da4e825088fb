/** Trials where the browser's storage is late, full or emptied, and where something fails while a person is elsewhere. */
import { QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

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
import { openStorage } from '../state/storage.ts';
import type { OpenTrial } from '../state/trials/open-trial.ts';
import type { Trials } from '../state/trials/trials-store.ts';
import { openRecordStore } from '../storage/db.ts';
import { createMemoryRecordStore } from '../storage/memory-store.ts';
import type { RecordStore, Write } from '../storage/record-store.ts';
import { whenTrue, type Bench } from '../testing/bench.ts';
import { aBrowser } from '../testing/browser.ts';
import { aGate, spoken } from '../testing/builders.ts';
import {
  anOpenTrial,
  aTrialBench,
  aTrialUnderWay,
  openTrialIn,
  someCases,
  stateIs,
} from '../testing/open-trials.ts';
import { markupOf, wordsIn } from '../testing/render-views.tsx';
import { someColumns } from '../testing/trials.ts';
import { until } from '../testing/wait-until.ts';
import { starters } from '../trials/starters/trial-starters.ts';
import { getHeartbeatId } from '../trials/trial-schemas.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { onLine: true });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const columns = someColumns('north/one');

/** The same records, of which writes do as `before` says first. */
const writing = (records: RecordStore, before: (writes: readonly Write[]) => unknown): RecordStore => ({
  ...records,
  write: async (...asked) => {
    await before(asked[0]);
    return records.write(...asked);
  },
});

const results = (trial: OpenTrial) =>
  [...trial.state.getState().cells.values()].map(({ scores }) => scores['check']?.result);

/** What the list of trials says where none is listed. */
async function emptyListOf(bench: Bench): Promise<string> {
  const opening = bench.lazyTrials.load();
  // As React marks a promise that it has waited for.
  void Object.assign(opening, { status: 'fulfilled', value: await opening });
  const queries = new QueryClient({ defaultOptions: { queries: { initialData: [] } } });
  return wordsIn(markupOf(bench, createElement(TrialsList), queries));
}

describe('the list of trials', () => {
  it('is not called empty while the stored ones are still being opened, and has them all then', async () => {
    const before = await aTrialBench();
    const stored = await (await before.bench.lazyTrials.load()).create();
    before.bench.tab.kill();
    const gate = aGate();
    const storage = openStorage(async (events) => {
      await gate.opened;
      return openRecordStore(events, before.bench.browser.databaseName);
    });
    const bench = await before.bench.another({ records: storage.records, storage: storage.state });
    const trials = await bench.lazyTrials.load();
    expect(await emptyListOf(bench)).toContain('Only new trials are listed until the others have loaded.');
    expect(await emptyListOf(bench)).not.toContain('Nothing has been asked yet');
    const made = await trials.create();
    const { count } = trials.changes.getState();
    gate.open();
    await whenTrue(storage.state, ({ mode }) => mode !== 'opening');
    expect(trials.changes.getState().count).toBeGreaterThan(count);
    expect((await trials.list()).map(({ id }) => id).toSorted()).toEqual([stored, made].toSorted());
    expect(await emptyListOf(bench)).toContain('Nothing has been asked yet');
  });

  it('has a trial again that could not be removed', async () => {
    const { bench } = await aTrialBench();
    const records = await bench.browser.openRecords();
    let isBroken = false;
    const next = await bench.reopened({
      records: writing(records, () => isBroken && Promise.reject(new Error('Full'))),
    });
    const trials = await next.lazyTrials.load();
    const id = await trials.create();
    await trials.remove(id);
    expect(await trials.list()).toEqual([]);
    isBroken = true;
    const { count } = trials.changes.getState();
    next.session.getState().undo?.expire();
    await whenTrue(trials.changes, (now) => now.count > count);
    expect((await trials.list()).map((trial) => trial.id)).toEqual([id]);
  });

  it('gives a new name to a trial that another tab is writing to, and takes back nothing of it', async () => {
    const { bench } = await aTrialBench();
    const trial = await anOpenTrial(bench, someCases(2), { columns });
    const other = await (await bench.another()).lazyTrials.load();
    await trial.run();
    await other.rename('trial', 'Mine');
    await stateIs(trial, 'finished');
    await bench.saved();
    expect(await bench.records.readRecord('trials', 'trial')).toMatchObject({
      title: 'Mine',
      titled: true,
      state: { name: 'finished' },
    });
  });
});

describe('the trials of a page', () => {
  const ids = async (trials: Trials) => (await trials.list()).map(({ id }) => id);

  it('are listed again where another tab has changed one, and not for what else it stores', async () => {
    const { bench } = await aTrialBench();
    const there = await bench.another();
    const trials = await there.lazyTrials.load();
    const count = () => trials.changes.getState().count;
    const before = count();
    await bench.actions.createSession();
    await bench.actions.sendPrompt(spoken('Hello'));
    await bench.saved();
    await until(async () => (await there.library.list()).length === 1);
    expect(count()).toBe(before);
    const id = await (await bench.lazyTrials.load()).create();
    await until(() => count() > before);
    expect(await ids(trials)).toEqual([id]);
  });

  it('stop in whatever tab they run when everything is about to be erased', async () => {
    const { bench, trial, gate } = await aTrialUnderWay(9, columns);
    const there = await bench.another();
    await there.lazyTrials.stopAll();
    gate.open();
    expect(trial.state.getState()).toMatchObject({
      trial: { state: { name: 'stopped', why: 'person' } },
      runnerStatus: { name: 'nobody' },
      cells: new Map(),
    });
    expect(await bench.records.readRecord('trials', 'trial')).toMatchObject({ state: { name: 'stopped' } });
    // It is no longer open: whoever opens it reads it again.
    expect(await openTrialIn(bench)).not.toBe(trial);
  });

  it('go on where another tab only asks who is alive', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTrialBench(
      async (answer) => {
        await gate.opened;
        answer.whole('{"team":"billing"}');
      },
      { browser: aBrowser({ hasLocks: false }) },
    );
    const trial = await anOpenTrial(bench, someCases(9), { columns });
    await trial.run();
    await until(() => gateway.posts.length === 3);
    const trials = await bench.lazyTrials.load();
    const { count } = trials.changes.getState();
    // Without locks a new tab asks that first of all; the change is told after it.
    await (await (await bench.another()).lazyTrials.load()).create();
    await until(() => trials.changes.getState().count > count);
    expect(await openTrialIn(bench)).toBe(trial);
    expect(trial.state.getState().trial.state.name).toBe('running');
    gate.open();
    await stateIs(trial, 'finished');
  });

  it('are open once, until they are left while nothing is running', async () => {
    const gate = aGate();
    const { bench } = await aTrialBench(async (answer) => {
      await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(2), { columns });
    const trials = await bench.lazyTrials.load();
    expect(await trials.open('trial')).toBe(trial);
    expect([await trials.open('gone'), await trials.getVerdictSentence('gone')]).toEqual([
      undefined,
      undefined,
    ]);
    const { count } = trials.changes.getState();
    await trial.run();
    expect(trials.changes.getState().count, 'the list says that it runs').toBeGreaterThan(count);
    trial.release();
    expect(await trials.open('trial'), 'it goes on').toBe(trial);
    gate.open();
    await stateIs(trial, 'finished');
    trial.release();
    const again = await openTrialIn(bench);
    expect(again).not.toBe(trial);
    expect(results(again)).toEqual(['passed', 'passed']);
  });

  it('say their verdict as it is, also where it is not stored yet; a draft says none', async () => {
    const { bench } = await aTrialBench();
    const gate = aGate();
    let isHeld = false;
    const records = await bench.browser.openRecords();
    const next = await bench.reopened({ records: writing(records, () => isHeld && gate.opened) });
    const trial = await anOpenTrial(next, someCases(3), { columns });
    const trials = await next.lazyTrials.load();
    expect(await trials.getVerdictSentence('trial')).toBeUndefined();
    trial.release();
    expect(await trials.getVerdictSentence('trial'), 'nor one that is not open').toBeUndefined();
    const opened = await openTrialIn(next);
    await opened.run();
    await stateIs(opened, 'finished');
    const said = () => opened.state.getState().verdictText.first;
    const before = said();
    await opened.whenSaved();
    isHeld = true;
    opened.setDecidingCheck(undefined);
    expect(said()).not.toEqual(before);
    expect(await trials.getVerdictSentence('trial')).toEqual(said());
    gate.open();
    await opened.whenSaved();
    opened.release();
    expect(await trials.getVerdictSentence('trial')).toEqual(said());
  });

  it('go with their name when they are deleted, and come back with it when that is taken back', async () => {
    const { bench } = await aTrialBench();
    const trial = await anOpenTrial(bench, someCases(2), { columns });
    const trials = await bench.lazyTrials.load();
    await trials.rename('trial', 'In use');
    expect(trial.state.getState().trial).toMatchObject({ title: 'In use', titled: true });
    const undo = () => bench.session.getState().undo;
    await trials.remove('trial');
    expect(undo()?.text).toBe('Deleted “In use”.');
    expect([await ids(trials), (await trials.search('use')).size]).toEqual([[], 0]);
    const first = undo();
    first?.restore();
    expect([await ids(trials), (await trials.search('use')).size]).toEqual([['trial'], 1]);
    // It was taken back: its time runs out for nothing.
    first?.expire();
    await bench.saved();
    expect(await bench.records.listKeys('trials')).toContain('trial');
    // It is not open any more.
    await trials.rename('trial', 'On the shelf');
    expect((await trials.list())[0]).toMatchObject({
      title: 'On the shelf',
      cases: 2,
      columns: 1,
      repeats: 1,
    });
    await trials.remove('trial');
    expect(undo()?.text).toBe('Deleted “On the shelf”.');
    await trials.remove('never there');
    expect(undo()?.text).toBe('Deleted “the trial”.');
  });

  it('are listed with the one that was changed last first, each with an order of its own', async () => {
    const { bench } = await aTrialBench();
    const trials = await bench.lazyTrials.load();
    const made = [await trials.create(), await trials.create(), await trials.create()];
    expect(new Set(await ids(trials))).toEqual(new Set(made));
    const opened = await trials.open(made[0] ?? '');
    opened?.addField('ticket');
    await opened?.whenSaved();
    expect((await ids(trials))[0]).toBe(made[0]);
    const seeds = await Promise.all(
      made.map(async (id) => (await trials.open(id))?.state.getState().trial.seed ?? -1),
    );
    expect(new Set(seeds).size).toBe(3);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 10_000).toBe(true);
  });

  it('begin with the last setup, or the first model that is listed, and starters with those that are', async () => {
    const { bench } = await aTrialBench();
    const trials = await bench.lazyTrials.load();
    const [starter] = starters;
    if (!starter) throw new Error('There is no starter');
    const lists = (...models: string[]) =>
      bench.setListedModels(models.map((id) => ({ id, kind: 'chat', abilities: {}, raw: {} })));
    const models = async (making: Promise<string>) => {
      const id = await making;
      return (await trials.list()).find((one) => one.id === id)?.models;
    };
    const { lastSetup } = bench.prefs.getState();
    expect(await models(trials.createFromStarter(starter))).toEqual(['demo/quiz']);
    lists('north/one', 'demo/quiz');
    expect(await models(trials.createFromStarter(starter))).toEqual(['demo/quiz']);
    lists('north/one', 'north/two');
    expect(await models(trials.createFromStarter(starter))).toEqual(['north/one', 'north/two']);
    expect(await models(trials.create())).toEqual([lastSetup?.model]);
    bench.prefs.setState({ lastSetup: undefined });
    expect(await models(trials.create())).toEqual(['north/one']);
  });

  it('are listed again where a file brings one, and not where it is refused', async () => {
    const { bench } = await aTrialBench();
    const trial = await anOpenTrial(bench, someCases(1), { columns });
    const trials = await bench.lazyTrials.load();
    const count = () => trials.changes.getState().count;
    const text = (await trial.exportJsonLines()).pieces.join('');
    const before = count();
    expect(await trials.importFile('not a trial')).toMatchObject({ ok: false, line: 1 });
    expect(count()).toBe(before);
    expect(await trials.importFile(text)).toMatchObject({ ok: true });
    expect(count()).toBeGreaterThan(before);
    expect(await ids(trials)).toHaveLength(2);
  });

  it('are stored at once when their tab is hidden: the next moment may be its last', async () => {
    const records = createMemoryRecordStore();
    const { bench } = await aTrialBench(undefined, { records });
    const trial = await anOpenTrial(bench, someCases(1), { columns });
    await trial.whenSaved();
    trial.edit({ title: 'Mine' });
    bench.tab.hide();
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
    const later = await openTrialIn(await bench.reopened({ records }));
    expect(later.state.getState().trial.title).toBe('Mine');
  });

  it('may be damaged: it is said when one is opened, and tried again the next time', async () => {
    const { bench } = await aTrialBench();
    const records = await bench.browser.openRecords();
    let isDamaged = true;
    const next = await bench.reopened({
      records: {
        ...records,
        readRecord: async (store, key) =>
          isDamaged && key === 'trial' ? { id: 'trial' } : records.readRecord(store, key),
      },
    });
    await expect(anOpenTrial(next, someCases(1), { columns })).rejects.toThrow('Its record is damaged.');
    isDamaged = false;
    expect((await openTrialIn(next)).state.getState().order).toEqual(['1']);
  });

  it('are made of lanes also where the session is not on screen, and of no session that is not there', async () => {
    const { bench } = await aTrialBench();
    await bench.actions.createSession();
    await bench.actions.sendPrompt(spoken('Which team takes {{ticket}}?'));
    const sessionId = bench.current().session.id;
    await bench.saved();
    const later = await bench.reopened();
    const trials = await later.lazyTrials.load();
    const made = await trials.open(await trials.createFromLanes(sessionId));
    const words = [{ role: 'user', content: 'Which team takes {{ticket}}?' }];
    expect(made?.state.getState().trial).toMatchObject({ messages: words, columns: [{}] });
    await expect(trials.createFromLanes('gone')).rejects.toThrow('This session is not stored here.');

    // The lanes bring their words where there are none, and take away none.
    const empty = await trials.open(await trials.create());
    if (!empty) throw new Error('It is not stored');
    const { columns: first, messages } = empty.state.getState().trial;
    expect([messages, first.map(({ setup }) => setup.system)]).toEqual([
      [{ role: 'user', content: '' }],
      [''],
    ]);
    await expect(empty.addLaneColumns()).rejects.toThrow('This session is not stored here.');
    expect(await empty.addLaneColumns(sessionId)).toHaveLength(1);
    expect(empty.state.getState().trial).toMatchObject({ messages: words, columns: [{}, {}] });
    empty.setMessages([{ role: 'user', content: 'My own' }]);
    await empty.addLaneColumns(sessionId);
    expect(empty.state.getState().trial.messages).toEqual([{ role: 'user', content: 'My own' }]);
  });

  it('are found where each word is somewhere in title, models, prompts or cases', async () => {
    const { bench } = await aTrialBench();
    const [column] = columns;
    if (!column) throw new Error('There is one');
    await anOpenTrial(bench, someCases(2, ['a lamp that flickers', 'late parcel']), {
      columns: [
        {
          ...column,
          setup: { ...column.setup, system: 'Be brief' },
          messages: [{ role: 'user', content: 'Sort {{ticket}}' }],
        },
      ],
    });
    const trials = await bench.lazyTrials.load();
    const found = async (query: string) => (await trials.search(query)).has('trial');
    const queries = ['routing', 'north/one', 'brief', 'sort', 'flickers', 'parcel routing north brief'];
    expect(await Promise.all(queries.map(found))).toEqual(queries.map(() => true));
    expect([await found('routing nowhere'), await found('third/plover')]).toEqual([false, false]);
    const snippet = (await trials.search('routing late parcel')).get('trial');
    expect(snippet?.pieces.map(({ text }) => text).join('')).toContain('late parcel');
    // Of a name alone there is nothing to show.
    expect((await trials.search('routing')).get('trial')).toBeUndefined();
    const stop = new AbortController();
    stop.abort(new Error('Other words'));
    await expect(trials.search('routing', stop.signal)).rejects.toThrow('Other words');
  });
});

describe('a trial that was running when its tab died', () => {
  it('is shown with all that came, also where the disk takes nothing, and stored once it does', async () => {
    const gate = aGate();
    let count = 0;
    const { bench, gateway } = await aTrialBench(async (answer) => {
      count += 1;
      if (count > 3) await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const trial = await anOpenTrial(bench, someCases(6), { columns });
    await trial.run();
    await until(() => trial.state.getState().cells.size === 3 && gateway.posts.length > 3);
    await bench.saved();
    const runs = [...trial.state.getState().cells.values()].map(({ caseId, columnId, repeat, runId }) => ({
      caseId,
      columnId,
      repeat,
      runId,
    }));
    const asked = gateway.posts.length;
    bench.tab.kill();
    const records = await bench.browser.openRecords();
    // As if it had died before the answers were put into blocks: only their recordings are stored.
    await records.write([
      { store: 'cells', remove: 'trial' },
      { store: 'trials', put: { id: getHeartbeatId('trial'), at: Date.now(), runs } },
    ]);
    let isFull = true;
    const full = writing(records, () => isFull && Promise.reject(new DOMException('', 'QuotaExceededError')));
    const next = await bench.another({ records: full });
    const shown = await openTrialIn(next);
    expect(shown.state.getState().cells.size).toBe(3);
    await shown.pause();
    isFull = false;
    await next.saved();
    next.tab.kill();
    gate.open();
    const last = await openTrialIn(await bench.another({ records }));
    expect(last.state.getState().cells.size).toBe(3);
    expect(gateway.posts).toHaveLength(asked);
  });
});

describe('a disk that takes nothing', () => {
  it('pauses a trial while it runs, and has all of its answers once it takes them again', async () => {
    const gate = aGate();
    const { bench, gateway } = await aTrialBench(async (answer) => {
      if (gateway.posts.length > 3) await gate.opened;
      answer.whole('{"team":"billing"}');
    });
    const records = await bench.browser.openRecords();
    let isFull = false;
    const full = () => isFull && Promise.reject(new DOMException('No room', 'QuotaExceededError'));
    const next = await bench.reopened({ records: writing(records, full) });
    const trial = await anOpenTrial(next, someCases(12), { columns });
    await trial.run();
    await until(() => trial.state.getState().cells.size === 3 && gateway.posts.length === 6);
    isFull = true;
    gate.open();
    await until(() => trial.state.getState().trial.state.name === 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'storage' });
    await until(() => trial.state.getState().liveCells.size === 0);
    const ended = trial.state.getState().cells.size;
    expect(ended).toBeGreaterThanOrEqual(6);
    expect(gateway.posts).toHaveLength(ended);
    isFull = false;
    await trial.whenSaved();
    await trial.run();
    await stateIs(trial, 'finished');
    await trial.whenSaved();
    const later = await openTrialIn(await bench.another({ records }));
    expect(later.state.getState().cells.size).toBe(12);
    expect(gateway.posts).toHaveLength(12);
  });

  it('lets no trial begin: it is paused, says why, and begins once there is room', async () => {
    const { bench, gateway } = await aTrialBench();
    const records = await bench.browser.openRecords();
    let isFull = false;
    const full = () => isFull && Promise.reject(new DOMException('No room', 'QuotaExceededError'));
    const next = await bench.reopened({ records: writing(records, full) });
    const trial = await anOpenTrial(next, someCases(2), { columns });
    isFull = true;
    await expect(trial.run()).rejects.toThrow(/^The trial could not be stored\. The browser says: .*No room/);
    await stateIs(trial, 'paused');
    expect(trial.state.getState().trial.state).toMatchObject({ why: 'storage' });
    expect(gateway.posts).toEqual([]);
    isFull = false;
    await trial.whenSaved();
    await trial.run();
    await stateIs(trial, 'finished');
    expect(gateway.posts).toHaveLength(2);
  });
});

describe('what checks patterns', () => {
  it('may fail to load: the answers are stored, and are checked at the next visit', async () => {
    const { bench } = await aTrialBench();
    const check = {
      id: 'check',
      name: 'has billing',
      kind: 'matches' as const,
      settings: { pattern: 'bill' },
    };
    const page = { startScoreWorker: () => Promise.reject(new Error('Failed to fetch')) };
    Object.assign(bench.page, page);
    const trial = await anOpenTrial(bench, someCases(3), { columns, checks: [check] });
    await trial.run();
    await stateIs(trial, 'finished');
    expect(results(trial)).toEqual([undefined, undefined, undefined]);
    expect(
      trial.state
        .getState()
        .notices.map(({ text }) => text)
        .join(),
    ).toContain('The answers are stored');
    const later = await openTrialIn(await bench.reopened());
    await until(() => results(later).every((result) => result === 'passed'));
  });
});

describe('a database that is deleted while a trial is open', () => {
  it('gets the trial again, with its cases and what its answers came to', async () => {
    const browser = aBrowser();
    const storage = openStorage((events) => openRecordStore(events, browser.databaseName));
    await storage.whenUsable;
    const { bench } = await aTrialBench(undefined, {
      browser,
      records: storage.records,
      storage: storage.state,
    });
    const trial = await anOpenTrial(bench, someCases(3), { columns });
    await trial.run();
    await stateIs(trial, 'finished');
    await bench.saved();
    await new Promise<void>((resolve) => {
      indexedDB.deleteDatabase(browser.databaseName).addEventListener('success', () => resolve());
    });
    await whenTrue(bench.storage, ({ deletionCount }) => deletionCount === 1);
    await bench.saved();
    const later = await openTrialIn(await bench.reopened({ records: await browser.openRecords() }));
    expect(later.state.getState().cases.size).toBe(3);
    expect(results(later)).toEqual(['passed', 'passed', 'passed']);
  });
});

/** A tab with a trial that has ended, which stores nothing from now on until it is let. */
async function aHeldTrial() {
  const { bench } = await aTrialBench();
  const records = await bench.browser.openRecords();
  const gate = aGate();
  let isHeld = false;
  const next = await bench.reopened({
    records: writing(records, () => isHeld && gate.opened),
    path: '/trials/trial',
  });
  const trial = await anOpenTrial(next, someCases(2), { columns });
  await trial.run();
  await stateIs(trial, 'finished');
  await next.saved();
  await next.actions.createSession();
  await next.saved();
  next.router.navigate({ screen: 'page', path: '/trials/trial' });
  isHeld = true;
  return { next, trial, trials: await next.lazyTrials.load(), letGo: gate.open };
}

describe('what takes a while', () => {
  it.each<[string, (bench: Bench, trials: Trials, trial: OpenTrial) => unknown]>([
    ['a trial with cases', (bench, trials) => createTrialWithCases(bench, trials)],
    [
      'a trial of a starter',
      (bench, trials) => starters[0] && createTrialFromStarter(bench, trials, starters[0]),
    ],
    ['a trial of lanes', (bench, trials) => createTrialFromLanes(bench, trials)],
    ['a version', (bench, _, trial) => createTrialVersion(bench, trial)],
    ['a trial that confirms', (bench, _, trial) => confirmWinner(bench, trial, 'a')],
    ['a case as lanes', (bench, _, trial) => openAsLanes(bench, trial, '1', ['a'], 1)],
    ['an answer', (bench, _, trial) => inspectCell(bench, trial, { caseId: '1', columnId: 'a', repeat: 1 })],
    [
      'a command',
      (playground) =>
        trialCommands
          .find(({ id }) => id === 'trial-new')
          ?.run({ playground, pageState: createPageState(), announce: () => undefined }),
    ],
  ])('takes nobody back who has gone elsewhere: %s', async (_, begin) => {
    const { next, trial, trials, letGo } = await aHeldTrial();
    const beginning = begin(next, trials, trial);
    next.router.navigate({ screen: 'page', path: '/history' });
    letGo();
    await beginning;
    expect(next.router.route.getState().route).toEqual({ screen: 'page', path: '/history' });
    expect(next.tab.visited.at(-1)).toBe('/history');
  });
});

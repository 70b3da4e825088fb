import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { getAnswerText } from '../../conversation/reply/run.ts';
import { changeLane, removeTurns } from '../../conversation/session/edit-session.ts';
import { getLanePath } from '../../conversation/session/turn-tree.ts';
import type { Run, RunId, SessionData } from '../../conversation/session/types.ts';
import { createMemoryRecordStore } from '../../storage/memory-record-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { createTestBrowser } from '../../testing/browser.ts';
import {
  createDeltaEntry,
  createTestEnvironment,
  statusEntry,
  createTextChoices,
  createTestSession,
  createTestTurn,
  getFirstLane,
  addTestTurn,
} from '../../testing/builders.ts';
import { waitForAssertion } from '../../testing/wait-until.ts';
import { createRecorder } from '../runs/recorder.ts';
import type { RunDriver } from '../runs/run-driver.ts';
import { createTraces } from '../runs/traces.ts';
import { startAutosave, buildSessionWrites } from '../sessions/autosave.ts';
import { createLibrary } from '../sessions/library.ts';
import { updateSession, createSessionStore } from '../sessions/session-store.ts';
import { createTabChannel, broadcastWrites } from './tab-channel.ts';
import type { RunOwners } from './tab-locks.ts';
import { startTabSync } from './tab-sync.ts';

const cleanups: (() => void)[] = [];
let browser = createTestBrowser();
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Creates run owners that behave like Web Locks: a run stays claimed until it is released. */
function createTestLocks() {
  const claims = new Map<RunId, Promise<void>>();
  const releaseFunctions = new Map<RunId, () => void>();
  const owners: RunOwners = {
    findClaimedRuns: async (runIds) => new Set(runIds.filter((runId) => claims.has(runId))),
    whenReleased: async (runId) => claims.get(runId),
  };
  return {
    owners,
    claimRun: (runId: RunId) =>
      claims.set(runId, new Promise((resolve) => releaseFunctions.set(runId, resolve))),
    releaseRun: (runId: RunId) => {
      claims.delete(runId);
      releaseFunctions.get(runId)?.();
    },
  };
}

type TestLocks = ReturnType<typeof createTestLocks>;

/** Creates one tab with its stores and listeners; its driver only reports which runs it drives. */
function createSyncedTab(stored: RecordStore, { owners }: TestLocks) {
  const tabChannel = createTabChannel(browser.openTab({ origin: 'http://bench.test' }).page.openChannel);
  cleanups.push(tabChannel.close);
  const records = broadcastWrites(stored, tabChannel);
  const store = createSessionStore();
  const recorder = createRecorder(records, () => performance.now());
  const library = createLibrary(records, createTestEnvironment(), owners.findClaimedRuns);
  const drivenRunIds = new Set<RunId>();
  const stoppedRunIds: RunId[] = [];
  const driver: RunDriver = {
    drive: () => Promise.resolve(),
    stop: async (runId) => void stoppedRunIds.push(runId),
    isDriving: (runId) => drivenRunIds.has(runId),
  };
  const presetChanges: string[] = [];
  const tabSync = startTabSync({
    tabChannel,
    owners,
    records,
    store,
    recorder,
    library,
    driver,
    traces: createTraces(),
    environment: { ...createTestEnvironment(), newId: () => crypto.randomUUID() },
    onOtherStoresChanged: (changes) =>
      presetChanges.push(...changes.flatMap((change) => (change.store === 'presets' ? [change.key] : []))),
  });
  startAutosave(store, recorder, tabSync.isApplyingRemoteChange);
  return {
    records,
    store,
    recorder,
    library,
    drivenRunIds,
    stoppedRunIds,
    tabSync,
    presetChanges,
    open: async (id: string) => {
      const loaded = await library.load(id);
      if (!loaded) throw new Error(`The session ${id} is missing`);
      store.setState({ currentId: id, open: { [id]: loaded.data } });
      return loaded.data;
    },
    getData: (id: string): SessionData => {
      const data = store.getState().open[id];
      if (!data) throw new Error(`The session ${id} is not open`);
      return data;
    },
    change: async (id: string, edit: (data: SessionData) => SessionData) => {
      updateSession(store, id, edit);
      await recorder.flush();
    },
  };
}

type SyncedTab = ReturnType<typeof createSyncedTab>;

/** Opens two tabs that show the same stored session. */
async function openTwoTabs(
  run: Partial<Run> = createTextChoices('1'),
  stored: RecordStore = createMemoryRecordStore(),
) {
  const environment = createTestEnvironment();
  const { data, turnId, runId } = createTestTurn(environment, 'One', run);
  const listed = { ...data, session: { ...data.session, summary: { models: ['m'], prompts: 1 } } };
  await stored.write(buildSessionWrites(listed));
  const testLocks = createTestLocks();
  browser = createTestBrowser();
  const [firstTab, secondTab] = [createSyncedTab(stored, testLocks), createSyncedTab(stored, testLocks)];
  return {
    stored,
    environment,
    data: listed,
    id: data.session.id,
    turnId,
    runId,
    firstTab,
    secondTab,
    ...testLocks,
  };
}

const expectSameSession = (firstTab: SyncedTab, secondTab: SyncedTab, id: string) =>
  expect(secondTab.getData(id)).toEqual(firstTab.getData(id));

describe('two tabs with the same session', () => {
  it('merges records later if they could not be read at first', async () => {
    const memory = createMemoryRecordStore();
    let isBroken = false;
    let failures = 0;
    const flakyStore: RecordStore = {
      ...memory,
      readRecord: async (...args) => {
        if (!isBroken) return memory.readRecord(...args);
        failures += 1;
        throw new Error('The disk does not answer.');
      },
    };
    const { firstTab, secondTab, id, environment } = await openTwoTabs(createTextChoices('1'), flakyStore);
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    isBroken = true;
    await firstTab.change(id, (data) => addTestTurn(data, environment, 'Two', createTextChoices('2')).data);
    await waitForAssertion(() => expect(failures).toBeGreaterThan(0));
    expect(Object.keys(secondTab.getData(id).prompts)).toHaveLength(1);
    isBroken = false;
    await firstTab.change(id, (data) => addTestTurn(data, environment, 'Three', createTextChoices('3')).data);
    await waitForAssertion(() => expectSameSession(firstTab, secondTab, id));
    expect(Object.keys(secondTab.getData(id).prompts)).toHaveLength(3);
  });

  it('shows changes from either tab in both tabs', async () => {
    const { firstTab, secondTab, id, environment } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    await firstTab.change(
      id,
      (data) => addTestTurn(data, environment, 'From one', createTextChoices('2')).data,
    );
    await waitForAssertion(() => expectSameSession(firstTab, secondTab, id));
    await secondTab.change(id, (data) => ({
      ...data,
      session: { ...data.session, title: 'From the other' },
    }));
    await waitForAssertion(() => expectSameSession(secondTab, firstTab, id));
    expect(Object.values(firstTab.getData(id).prompts)).toHaveLength(2);
  });

  it('applies deletions made in the other tab', async () => {
    const { firstTab, secondTab, id, turnId } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    await firstTab.change(id, (data) => removeTurns(data, [turnId]).data);
    await waitForAssertion(() => expectSameSession(firstTab, secondTab, id));
    expect(secondTab.getData(id).turns).toEqual({});
    expect(getFirstLane(secondTab.getData(id)).tip).toBeUndefined();
  });

  it('loses nothing when both tabs write at the same moment', async () => {
    const { firstTab, secondTab, id, environment, stored } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    const secondEnvironment = { ...environment, newId: () => `other-${environment.newId()}` };
    await Promise.all([
      firstTab.change(id, (data) => addTestTurn(data, environment, 'From one', createTextChoices('2')).data),
      secondTab.change(
        id,
        (data) => addTestTurn(data, secondEnvironment, 'From the other', createTextChoices('3')).data,
      ),
    ]);
    const getTexts = (tab: SyncedTab) =>
      Object.values(tab.getData(id).runs)
        .map((run) => getAnswerText(run.choices[0]))
        .toSorted();
    await waitForAssertion(() =>
      expect([getTexts(firstTab), getTexts(secondTab)]).toEqual([
        ['1', '2', '3'],
        ['1', '2', '3'],
      ]),
    );
    await waitForAssertion(() => expectSameSession(firstTab, secondTab, id));
    expect(await stored.listKeys('runs')).toHaveLength(3);
  });

  it('keeps a setup typed in one tab and a turn added in the other, in either write order', async () => {
    const { firstTab, secondTab, id, environment } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    const withSystem = (system: string) => (data: SessionData) =>
      changeLane(data, getFirstLane(data).id, (lane) => ({ ...lane, setup: { ...lane.setup, system } }));
    // Changed in the first tab and not yet on disk; the write will overwrite the lane whose setup the second tab has
    // just stored.
    updateSession(
      firstTab.store,
      id,
      (data) => addTestTurn(data, environment, 'Said meanwhile', createTextChoices('2')).data,
    );
    updateSession(secondTab.store, id, withSystem('Ty'));
    await secondTab.change(id, withSystem('Typed'));
    await firstTab.recorder.flush();
    await waitForAssertion(() => {
      for (const tab of [firstTab, secondTab]) {
        const lane = getFirstLane(tab.getData(id));
        expect([lane.setup.system, getLanePath(tab.getData(id), lane).length]).toEqual(['Typed', 2]);
      }
    });
    await waitForAssertion(async () => {
      const reloadedSession = await firstTab.library.load(id);
      const lane = reloadedSession && getFirstLane(reloadedSession.data);
      expect([
        lane?.setup.system,
        reloadedSession && lane && getLanePath(reloadedSession.data, lane).length,
      ]).toEqual(['Typed', 2]);
    });
  });

  it('keeps a newer local edit of the same record', async () => {
    const { firstTab, secondTab, id } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    const withModel = (name: string) => (data: SessionData) =>
      changeLane(data, getFirstLane(data).id, (lane) => ({ ...lane, setup: { ...lane.setup, model: name } }));
    await firstTab.change(id, withModel('first'));
    // Simulates typing while the other tab's change is being merged.
    updateSession(secondTab.store, id, withModel('second'));
    await secondTab.recorder.flush();
    await waitForAssertion(() => expectSameSession(secondTab, firstTab, id));
    expect(getFirstLane(firstTab.getData(id)).setup.model).toBe('second');
  });

  it('keeps a new turn visible while the other tab edits the setup of its lane', async () => {
    const { firstTab, secondTab, id, environment } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    // Typed in the second tab and not yet on disk; the write will overwrite the lane that the first tab has just
    // extended.
    updateSession(secondTab.store, id, (data) =>
      changeLane(data, getFirstLane(data).id, (lane) => ({
        ...lane,
        setup: { ...lane.setup, system: 'Typed' },
      })),
    );
    await firstTab.change(
      id,
      (data) => addTestTurn(data, environment, 'Said meanwhile', createTextChoices('2')).data,
    );
    await secondTab.recorder.flush();
    await waitForAssertion(() => expectSameSession(secondTab, firstTab, id));
    const countVisibleTurns = (tab: SyncedTab) =>
      getLanePath(tab.getData(id), getFirstLane(tab.getData(id))).length;
    expect([countVisibleTurns(firstTab), countVisibleTurns(secondTab)]).toEqual([2, 2]);
    expect(getFirstLane(firstTab.getData(id)).setup.system).toBe('Typed');
    const reloadedSession = await firstTab.library.load(id);
    expect(
      reloadedSession && getLanePath(reloadedSession.data, getFirstLane(reloadedSession.data)),
    ).toHaveLength(2);
  });

  it('does not write merged records again', async () => {
    const { firstTab, secondTab, id } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    await firstTab.change(id, (data) => ({ ...data, session: { ...data.session, title: 'Once' } }));
    await waitForAssertion(() => expectSameSession(firstTab, secondTab, id));
    const write = vi.spyOn(secondTab.records, 'write');
    await secondTab.recorder.flush();
    expect(write).not.toHaveBeenCalled();
  });

  it('keeps the identity of unchanged records, so that they are not rendered again', async () => {
    const { firstTab, secondTab, id, runId, environment } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    const dataBefore = secondTab.getData(id);
    await firstTab.change(id, (data) => addTestTurn(data, environment, 'More', createTextChoices('2')).data);
    await waitForAssertion(() => expectSameSession(firstTab, secondTab, id));
    expect(secondTab.getData(id).runs[runId]).toBe(dataBefore.runs[runId]);
  });
});

describe('the lists of another tab', () => {
  it('reports changed sessions and saved presets', async () => {
    const { firstTab, secondTab, id } = await openTwoTabs();
    await firstTab.open(id);
    const countBefore = secondTab.library.changes.getState().count;
    await firstTab.change(id, (data) => ({ ...data, session: { ...data.session, title: 'Renamed' } }));
    await firstTab.records.write([
      { store: 'presets', put: { id: 'p', name: 'P', createdAt: 1, setup: {} } },
    ]);
    await waitForAssertion(() =>
      expect(secondTab.library.changes.getState().count).toBeGreaterThan(countBefore),
    );
    await waitForAssertion(() => expect(secondTab.presetChanges).toEqual(['p']));
  });
});

describe('a session deleted in another tab', () => {
  it('shows the session as missing', async () => {
    const { firstTab, secondTab, id } = await openTwoTabs();
    await secondTab.open(id);
    await firstTab.library.remove(id);
    await waitForAssertion(() =>
      expect(secondTab.store.getState()).toMatchObject({ currentId: undefined, missingId: id, open: {} }),
    );
  });

  it('keeps a different current session open', async () => {
    const { firstTab, secondTab, id } = await openTwoTabs();
    const data = await secondTab.open(id);
    const visibleSession = createTestSession({
      ...createTestEnvironment(),
      newId: () => crypto.randomUUID(),
    });
    secondTab.store.setState({
      currentId: visibleSession.session.id,
      open: { [id]: data, [visibleSession.session.id]: visibleSession },
    });
    await firstTab.library.remove(id);
    await waitForAssertion(() =>
      expect(Object.keys(secondTab.store.getState().open)).toEqual([visibleSession.session.id]),
    );
    expect(secondTab.store.getState().currentId).toBe(visibleSession.session.id);
    expect(secondTab.store.getState().missingId).toBeUndefined();
  });

  it('stores the session again while an answer is streaming', async () => {
    const { firstTab, secondTab, id, runId, stored } = await openTwoTabs();
    const data = await secondTab.open(id);
    secondTab.drivenRunIds.add(runId);
    await firstTab.library.remove(id);
    await waitForAssertion(async () => {
      await secondTab.recorder.flush();
      expect(await stored.listKeys('sessions')).toEqual([id]);
    });
    expect(secondTab.getData(id)).toEqual(data);
    expect(await stored.listKeys('turns')).toHaveLength(1);
  });

  it('keeps a session that was changed after its deletion', async () => {
    const { firstTab, id, stored, data } = await openTwoTabs();
    firstTab.library.hide(id);
    await stored.write([
      { store: 'sessions', put: { ...data.session, updatedAt: data.session.updatedAt + 1e6 } },
    ]);
    await firstTab.library.remove(id);
    expect(await stored.listKeys('sessions')).toEqual([id]);
    expect(await firstTab.library.list()).toHaveLength(1);
  });
});

const waitForAnswer = (tab: SyncedTab, id: string, runId: string, text: string) =>
  waitForAssertion(() => expect(getAnswerText(tab.getData(id).runs[runId]?.choices[0])).toBe(text));

describe('a run streamed by another tab', () => {
  const waitingRun: Partial<Run> = { phase: { name: 'waiting' }, sentAt: 5, requestId: 'r' };

  it('shows the run live as it grows, and its final state', async () => {
    const { firstTab, secondTab, id, runId, claimRun, releaseRun } = await openTwoTabs(waitingRun);
    claimRun(runId);
    firstTab.drivenRunIds.add(runId);
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    firstTab.recorder.append(runId, [statusEntry, createDeltaEntry(20, 'Hello ')]);
    await firstTab.recorder.flush();
    await waitForAnswer(secondTab, id, runId, 'Hello ');
    expect(secondTab.getData(id).runs[runId]?.phase.name).toBe('streaming');
    firstTab.recorder.append(runId, [createDeltaEntry(40, 'there')]);
    await firstTab.recorder.flush();
    await waitForAnswer(secondTab, id, runId, 'Hello there');
    await firstTab.change(id, (data) => {
      const run = data.runs[runId];
      return run
        ? {
            ...data,
            runs: {
              [runId]: { ...run, ...createTextChoices('Hello there.'), phase: { name: 'complete' as const } },
            },
          }
        : data;
    });
    releaseRun(runId);
    await waitForAssertion(() => expect(secondTab.getData(id).runs[runId]?.phase.name).toBe('complete'));
    expect(getAnswerText(secondTab.getData(id).runs[runId]?.choices[0])).toBe('Hello there.');
  });

  it('interrupts and stores the run with the received text when the streaming tab is closed', async () => {
    const { firstTab, secondTab, id, runId, claimRun, releaseRun, stored } = await openTwoTabs(waitingRun);
    claimRun(runId);
    await secondTab.open(id);
    firstTab.recorder.append(runId, [statusEntry, createDeltaEntry(20, 'Half an ans')]);
    await firstTab.recorder.flush();
    await waitForAssertion(() => expect(secondTab.getData(id).runs[runId]?.phase.name).toBe('streaming'));
    releaseRun(runId);
    await waitForAssertion(() => expect(secondTab.getData(id).runs[runId]?.phase.name).toBe('interrupted'));
    expect(getAnswerText(secondTab.getData(id).runs[runId]?.choices[0])).toBe('Half an ans');
    await secondTab.recorder.flush();
    expect(await stored.readRecord('runs', runId)).toMatchObject({
      phase: { name: 'interrupted' },
      choices: [{ parts: [{ text: 'Half an ans' }] }],
    });
  });

  it('shows a new run in a tab that already has the session open', async () => {
    const { firstTab, secondTab, id, environment, claimRun } = await openTwoTabs();
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    let newRunId = '';
    await firstTab.change(id, (data) => {
      const added = addTestTurn(data, environment, 'Two', waitingRun);
      newRunId = added.runId;
      firstTab.drivenRunIds.add(newRunId);
      claimRun(newRunId);
      return added.data;
    });
    firstTab.recorder.append(newRunId, [statusEntry, createDeltaEntry(9, 'Streaming')]);
    await firstTab.recorder.flush();
    await waitForAnswer(secondTab, id, newRunId, 'Streaming');
    expect(await secondTab.records.readRecord('runs', newRunId)).toMatchObject({
      phase: { name: 'waiting' },
      choices: [],
    });
  });

  it("shows no text twice when the run's record is written again", async () => {
    const { firstTab, secondTab, id, runId, claimRun } = await openTwoTabs(waitingRun);
    claimRun(runId);
    firstTab.drivenRunIds.add(runId);
    await Promise.all([firstTab.open(id), secondTab.open(id)]);
    firstTab.recorder.append(runId, [statusEntry, createDeltaEntry(20, 'Hello ')]);
    await firstTab.recorder.flush();
    await waitForAnswer(secondTab, id, runId, 'Hello ');
    await firstTab.change(id, (data) => {
      const run = data.runs[runId];
      return run ? { ...data, runs: { ...data.runs, [runId]: { ...run, requestId: 'again' } } } : data;
    });
    await waitForAssertion(() => expect(secondTab.getData(id).runs[runId]?.requestId).toBe('again'));
    firstTab.recorder.append(runId, [createDeltaEntry(40, 'there')]);
    await firstTab.recorder.flush();
    await waitForAnswer(secondTab, id, runId, 'Hello there');
    expect(secondTab.getData(id).runs[runId]?.deltas).toBe(2);
  });

  it('stops a run through the tab that streams it', async () => {
    const { firstTab, secondTab, id, runId, claimRun, releaseRun } = await openTwoTabs(waitingRun);
    claimRun(runId);
    firstTab.drivenRunIds.add(runId);
    await secondTab.open(id);
    const stopping = secondTab.tabSync.stop(runId);
    await waitForAssertion(() => expect(firstTab.stoppedRunIds).toEqual([runId]));
    releaseRun(runId);
    await stopping;
    expect(secondTab.getData(id).runs[runId]?.phase.name).toBe('interrupted');
  });
});

it('stops waiting after five seconds if the streaming tab does not respond', async () => {
  const { secondTab, id, runId, claimRun } = await openTwoTabs({ phase: { name: 'waiting' }, sentAt: 5 });
  claimRun(runId);
  await secondTab.open(id);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const onStopped = vi.fn<() => void>();
  void secondTab.tabSync.stop(runId).then(onStopped);
  await vi.advanceTimersByTimeAsync(4999);
  expect(onStopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(onStopped).toHaveBeenCalledTimes(1);
});

describe('messages from other tabs', () => {
  it('ignores messages from other versions of Bench', async () => {
    const { firstTab, secondTab, id } = await openTwoTabs();
    await secondTab.open(id);
    const rawChannel = browser.openTab({ origin: 'http://bench.test' }).page.openChannel('bench-changes');
    cleanups.push(() => rawChannel?.close());
    for (const message of [
      null,
      'x',
      { changes: 'all' },
      { changes: [{ store: 'keys', key: 'x' }] },
      { erase: true },
    ])
      rawChannel?.post(message);
    await firstTab.open(id);
    await firstTab.change(id, (data) => ({ ...data, session: { ...data.session, title: 'After' } }));
    await waitForAssertion(() => expect(secondTab.getData(id).session.title).toBe('After'));
  });
});

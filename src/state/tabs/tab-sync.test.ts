import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { getAnswerText } from '../../conversation/reply/run.ts';
import { changeLane, removeTurns } from '../../conversation/session/edit-session.ts';
import { getLanePath } from '../../conversation/session/turn-tree.ts';
import type { Run, RunId, SessionData } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { memoryRecordStore } from '../../storage/memory-store.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import { aBrowser } from '../../testing/browser.ts';
import { anEnvironment, answered, aSession, laneOf, say } from '../../testing/builders.ts';
import { eventually } from '../../testing/wait-until.ts';
import { createRecorder } from '../runs/recorder.ts';
import type { RunDriver } from '../runs/run-driver.ts';
import { createTraces } from '../runs/traces.ts';
import { startAutosave, writesOfSession } from '../sessions/autosave.ts';
import { createLibrary } from '../sessions/library.ts';
import { changeSession, createSessionStore } from '../sessions/session-store.ts';
import type { RunOwners } from './locks.ts';
import { createTabLink, toldRecords } from './tab-channel.ts';
import { startTabs } from './tab-sync.ts';

const close: (() => void)[] = [];
let browser = aBrowser();
afterEach(() => {
  for (const each of close.splice(0)) each();
});

/** Who streams what, as the browser's locks would tell: a run is held until it is let go of. */
function locks() {
  const held = new Map<RunId, Promise<void>>();
  const release = new Map<RunId, () => void>();
  const owners: RunOwners = {
    held: async (runIds) => new Set(runIds.filter((runId) => held.has(runId))),
    released: async (runId) => held.get(runId),
  };
  return {
    owners,
    hold: (runId: RunId) => held.set(runId, new Promise((resolve) => release.set(runId, resolve))),
    letGo: (runId: RunId) => {
      held.delete(runId);
      release.get(runId)?.();
    },
  };
}

type Locks = ReturnType<typeof locks>;

/** One tab: everything that listens and writes, with a driver that only says what it drives. */
function aTab(stored: RecordStore, { owners }: Locks) {
  const link = createTabLink(browser.openTab({ origin: 'http://bench.test' }).page.openChannel);
  close.push(link.close);
  const records = toldRecords(stored, link);
  const store = createSessionStore();
  const recorder = createRecorder(records, () => performance.now());
  const library = createLibrary(records, anEnvironment(), owners.held);
  const driven = new Set<RunId>();
  const stopped: RunId[] = [];
  const driver: RunDriver = {
    drive: () => Promise.resolve(),
    stop: async (runId) => void stopped.push(runId),
    isDriving: (runId) => driven.has(runId),
  };
  const presetChanges: string[] = [];
  const tabs = startTabs({
    link,
    owners,
    records,
    store,
    recorder,
    library,
    driver,
    traces: createTraces(),
    environment: { ...anEnvironment(), newId: () => crypto.randomUUID() },
    onOtherChange: (changes) =>
      presetChanges.push(...changes.flatMap((change) => (change.store === 'presets' ? [change.key] : []))),
  });
  startAutosave(store, recorder, tabs.isTakingIn);
  return {
    records,
    store,
    recorder,
    library,
    driven,
    stopped,
    tabs,
    presetChanges,
    open: async (id: string) => {
      const found = await library.load(id);
      if (!found) throw new Error(`There is no session ${id}`);
      store.setState({ currentId: id, open: { [id]: found.data } });
      return found.data;
    },
    data: (id: string): SessionData => {
      const data = store.getState().open[id];
      if (!data) throw new Error(`The session ${id} is not open`);
      return data;
    },
    change: async (id: string, edit: (data: SessionData) => SessionData) => {
      changeSession(store, id, edit);
      await recorder.flush();
    },
  };
}

type Tab = ReturnType<typeof aTab>;

/** Two tabs that show the same stored conversation. */
async function twoTabs(run: Partial<Run> = answered('1'), stored: RecordStore = memoryRecordStore()) {
  const environment = anEnvironment();
  const { data, turnId, runId } = say(aSession(environment), environment, 'One', run);
  const listed = { ...data, session: { ...data.session, summary: { models: ['m'], prompts: 1 } } };
  await stored.write(writesOfSession(listed));
  const known = locks();
  browser = aBrowser();
  const [one, other] = [aTab(stored, known), aTab(stored, known)];
  return { stored, environment, data: listed, id: data.session.id, turnId, runId, one, other, ...known };
}

const same = (one: Tab, other: Tab, id: string) => expect(other.data(id)).toEqual(one.data(id));
const status: TapeEntry = { at: 1, status: 200, headers: { 'content-type': 'text/event-stream' } };
const delta = (at: number, content: string): TapeEntry => ({
  at,
  data: JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
});

describe('two tabs that show one session', () => {
  it('take in later what could not be read when it was told', async () => {
    const memory = memoryRecordStore();
    let isBroken = false;
    let failures = 0;
    const flaky: RecordStore = {
      ...memory,
      record: async (...asked) => {
        if (!isBroken) return memory.record(...asked);
        failures += 1;
        throw new Error('The disk does not answer.');
      },
    };
    const { one, other, id, environment } = await twoTabs(answered('1'), flaky);
    await Promise.all([one.open(id), other.open(id)]);
    isBroken = true;
    await one.change(id, (data) => say(data, environment, 'Two', answered('2')).data);
    await eventually(() => expect(failures).toBeGreaterThan(0));
    expect(Object.keys(other.data(id).prompts)).toHaveLength(1);
    isBroken = false;
    await one.change(id, (data) => say(data, environment, 'Three', answered('3')).data);
    await eventually(() => same(one, other, id));
    expect(Object.keys(other.data(id).prompts)).toHaveLength(3);
  });

  it('show the same after each of them changed something', async () => {
    const { one, other, id, environment } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    await one.change(id, (now) => say(now, environment, 'From one', answered('2')).data);
    await eventually(() => same(one, other, id));
    await other.change(id, (now) => ({ ...now, session: { ...now.session, title: 'From the other' } }));
    await eventually(() => same(other, one, id));
    expect(Object.values(one.data(id).prompts)).toHaveLength(2);
  });

  it('take in what was deleted', async () => {
    const { one, other, id, turnId } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    await one.change(id, (now) => removeTurns(now, [turnId]).data);
    await eventually(() => same(one, other, id));
    expect(other.data(id).turns).toEqual({});
    expect(laneOf(other.data(id)).tip).toBeUndefined();
  });

  it('lose nothing when both write at the same moment', async () => {
    const { one, other, id, environment, stored } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    const second = { ...environment, newId: () => `other-${environment.newId()}` };
    await Promise.all([
      one.change(id, (now) => say(now, environment, 'From one', answered('2')).data),
      other.change(id, (now) => say(now, second, 'From the other', answered('3')).data),
    ]);
    const texts = (tab: Tab) =>
      Object.values(tab.data(id).runs)
        .map((run) => getAnswerText(run.choices[0]))
        .toSorted();
    await eventually(() =>
      expect([texts(one), texts(other)]).toEqual([
        ['1', '2', '3'],
        ['1', '2', '3'],
      ]),
    );
    await eventually(() => same(one, other, id));
    expect(await stored.keys('runs')).toHaveLength(3);
  });

  it('keep the setup that one typed while the other said something in the same lane, whoever wrote last', async () => {
    const { one, other, id, environment } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    const type = (system: string) => (now: SessionData) =>
      changeLane(now, laneOf(now).id, (lane) => ({ ...lane, setup: { ...lane.setup, system } }));
    // Said here and not yet on the disk: it will be written over the lane whose setup the other tab has just stored.
    changeSession(one.store, id, (now) => say(now, environment, 'Said meanwhile', answered('2')).data);
    changeSession(other.store, id, type('Ty'));
    await other.change(id, type('Typed'));
    await one.recorder.flush();
    await eventually(() => {
      for (const tab of [one, other]) {
        const lane = laneOf(tab.data(id));
        expect([lane.setup.system, getLanePath(tab.data(id), lane).length]).toEqual(['Typed', 2]);
      }
    });
    await eventually(async () => {
      const again = await one.library.load(id);
      const lane = again && laneOf(again.data);
      expect([lane?.setup.system, again && lane && getLanePath(again.data, lane).length]).toEqual([
        'Typed',
        2,
      ]);
    });
  });

  it('keep a newer edit of their own to the same record', async () => {
    const { one, other, id } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    const model = (name: string) => (now: SessionData) =>
      changeLane(now, laneOf(now).id, (lane) => ({ ...lane, setup: { ...lane.setup, model: name } }));
    await one.change(id, model('first'));
    // Typed while the other tab's change is on its way.
    changeSession(other.store, id, model('second'));
    await other.recorder.flush();
    await eventually(() => same(other, one, id));
    expect(laneOf(one.data(id)).setup.model).toBe('second');
  });

  it('go on showing what was said while the other edited the setup of the same lane', async () => {
    const { one, other, id, environment } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    // Typed there and not yet on the disk: it will be written over the lane that the other tab has just extended.
    changeSession(other.store, id, (now) =>
      changeLane(now, laneOf(now).id, (lane) => ({ ...lane, setup: { ...lane.setup, system: 'Typed' } })),
    );
    await one.change(id, (now) => say(now, environment, 'Said meanwhile', answered('2')).data);
    await other.recorder.flush();
    await eventually(() => same(other, one, id));
    const shown = (tab: Tab) => getLanePath(tab.data(id), laneOf(tab.data(id))).length;
    expect([shown(one), shown(other)]).toEqual([2, 2]);
    expect(laneOf(one.data(id)).setup.system).toBe('Typed');
    const again = await one.library.load(id);
    expect(again && getLanePath(again.data, laneOf(again.data))).toHaveLength(2);
  });

  it('do not write again what they took in', async () => {
    const { one, other, id } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    await one.change(id, (now) => ({ ...now, session: { ...now.session, title: 'Once' } }));
    await eventually(() => same(one, other, id));
    const write = vi.spyOn(other.records, 'write');
    await other.recorder.flush();
    expect(write).not.toHaveBeenCalled();
  });

  it('leave untouched records as they are, so that nothing is drawn again', async () => {
    const { one, other, id, runId, environment } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    const before = other.data(id);
    await one.change(id, (now) => say(now, environment, 'More', answered('2')).data);
    await eventually(() => same(one, other, id));
    expect(other.data(id).runs[runId]).toBe(before.runs[runId]);
  });
});

describe('the history of another tab', () => {
  it('hears of sessions that changed and presets that were saved', async () => {
    const { one, other, id } = await twoTabs();
    await one.open(id);
    const before = other.library.changes.getState().count;
    await one.change(id, (now) => ({ ...now, session: { ...now.session, title: 'Renamed' } }));
    await one.records.write([{ store: 'presets', put: { id: 'p', name: 'P', createdAt: 1, setup: {} } }]);
    await eventually(() => expect(other.library.changes.getState().count).toBeGreaterThan(before));
    await eventually(() => expect(other.presetChanges).toEqual(['p']));
  });
});

describe('a session that is deleted in another tab', () => {
  it('is shown as gone', async () => {
    const { one, other, id } = await twoTabs();
    await other.open(id);
    await one.library.remove(id);
    await eventually(() =>
      expect(other.store.getState()).toMatchObject({ currentId: undefined, missingId: id, open: {} }),
    );
  });

  it('leaves the session on screen where it is another', async () => {
    const { one, other, id } = await twoTabs();
    const data = await other.open(id);
    const shown = aSession({ ...anEnvironment(), newId: () => crypto.randomUUID() });
    other.store.setState({
      currentId: shown.session.id,
      open: { [id]: data, [shown.session.id]: shown },
    });
    await one.library.remove(id);
    await eventually(() => expect(Object.keys(other.store.getState().open)).toEqual([shown.session.id]));
    expect(other.store.getState().currentId).toBe(shown.session.id);
    expect(other.store.getState().missingId).toBeUndefined();
  });

  it('is put back where an answer is still arriving', async () => {
    const { one, other, id, runId, stored } = await twoTabs();
    const data = await other.open(id);
    other.driven.add(runId);
    await one.library.remove(id);
    await eventually(async () => {
      await other.recorder.flush();
      expect(await stored.keys('sessions')).toEqual([id]);
    });
    expect(other.data(id)).toEqual(data);
    expect(await stored.keys('turns')).toHaveLength(1);
  });

  it('stays where it was gone on with after the deletion was asked for', async () => {
    const { one, id, stored, data } = await twoTabs();
    one.library.hide(id);
    await stored.write([
      { store: 'sessions', put: { ...data.session, updatedAt: data.session.updatedAt + 1e6 } },
    ]);
    await one.library.remove(id);
    expect(await stored.keys('sessions')).toEqual([id]);
    expect(await one.library.list()).toHaveLength(1);
  });
});

describe('a run that another tab streams', () => {
  const waiting: Partial<Run> = { phase: { name: 'waiting' }, sentAt: 5, requestId: 'r' };

  it('is shown live as it grows, and settles with its end', async () => {
    const { one, other, id, runId, hold, letGo } = await twoTabs(waiting);
    hold(runId);
    one.driven.add(runId);
    await Promise.all([one.open(id), other.open(id)]);
    one.recorder.append(runId, [status, delta(20, 'Hello ')]);
    await one.recorder.flush();
    await eventually(() => expect(getAnswerText(other.data(id).runs[runId]?.choices[0])).toBe('Hello '));
    expect(other.data(id).runs[runId]?.phase.name).toBe('streaming');
    one.recorder.append(runId, [delta(40, 'there')]);
    await one.recorder.flush();
    await eventually(() => expect(getAnswerText(other.data(id).runs[runId]?.choices[0])).toBe('Hello there'));
    await one.change(id, (now) => {
      const run = now.runs[runId];
      return run
        ? {
            ...now,
            runs: { [runId]: { ...run, ...answered('Hello there.'), phase: { name: 'complete' as const } } },
          }
        : now;
    });
    letGo(runId);
    await eventually(() => expect(other.data(id).runs[runId]?.phase.name).toBe('complete'));
    expect(getAnswerText(other.data(id).runs[runId]?.choices[0])).toBe('Hello there.');
  });

  it('is interrupted with what had come when that tab dies, and stored so', async () => {
    const { one, other, id, runId, hold, letGo, stored } = await twoTabs(waiting);
    hold(runId);
    await other.open(id);
    one.recorder.append(runId, [status, delta(20, 'Half an ans')]);
    await one.recorder.flush();
    await eventually(() => expect(other.data(id).runs[runId]?.phase.name).toBe('streaming'));
    letGo(runId);
    await eventually(() => expect(other.data(id).runs[runId]?.phase.name).toBe('interrupted'));
    expect(getAnswerText(other.data(id).runs[runId]?.choices[0])).toBe('Half an ans');
    await other.recorder.flush();
    expect(await stored.record('runs', runId)).toMatchObject({
      phase: { name: 'interrupted' },
      choices: [{ parts: [{ text: 'Half an ans' }] }],
    });
  });

  it('shows up in a tab that already had the session open', async () => {
    const { one, other, id, environment, hold } = await twoTabs();
    await Promise.all([one.open(id), other.open(id)]);
    let begun = '';
    await one.change(id, (now) => {
      const said = say(now, environment, 'Two', waiting);
      begun = said.runId;
      one.driven.add(begun);
      hold(begun);
      return said.data;
    });
    one.recorder.append(begun, [status, delta(9, 'Streaming')]);
    await one.recorder.flush();
    await eventually(() => expect(getAnswerText(other.data(id).runs[begun]?.choices[0])).toBe('Streaming'));
    expect(await other.records.record('runs', begun)).toMatchObject({
      phase: { name: 'waiting' },
      choices: [],
    });
  });

  it('says nothing twice when its record is written again in the middle of it', async () => {
    const { one, other, id, runId, hold } = await twoTabs(waiting);
    hold(runId);
    one.driven.add(runId);
    await Promise.all([one.open(id), other.open(id)]);
    one.recorder.append(runId, [status, delta(20, 'Hello ')]);
    await one.recorder.flush();
    await eventually(() => expect(getAnswerText(other.data(id).runs[runId]?.choices[0])).toBe('Hello '));
    await one.change(id, (now) => {
      const run = now.runs[runId];
      return run ? { ...now, runs: { ...now.runs, [runId]: { ...run, requestId: 'again' } } } : now;
    });
    await eventually(() => expect(other.data(id).runs[runId]?.requestId).toBe('again'));
    one.recorder.append(runId, [delta(40, 'there')]);
    await one.recorder.flush();
    await eventually(() => expect(getAnswerText(other.data(id).runs[runId]?.choices[0])).toBe('Hello there'));
    expect(other.data(id).runs[runId]?.deltas).toBe(2);
  });

  it('is stopped by the tab that streams it when this one is asked to', async () => {
    const { one, other, id, runId, hold, letGo } = await twoTabs(waiting);
    hold(runId);
    one.driven.add(runId);
    await other.open(id);
    const stopping = other.tabs.stop(runId);
    await eventually(() => expect(one.stopped).toEqual([runId]));
    letGo(runId);
    await stopping;
    expect(other.data(id).runs[runId]?.phase.name).toBe('interrupted');
  });
});

it('a tab that does not answer keeps nobody waiting for more than five seconds who stops its run', async () => {
  const { other, id, runId, hold } = await twoTabs({ phase: { name: 'waiting' }, sentAt: 5 });
  hold(runId);
  await other.open(id);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = vi.fn<() => void>();
  void other.tabs.stop(runId).then(stopped);
  await vi.advanceTimersByTimeAsync(4999);
  expect(stopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(stopped).toHaveBeenCalledTimes(1);
});

describe('what is heard from other tabs', () => {
  it('is nothing where it is not a message of this Bench', async () => {
    const { one, other, id } = await twoTabs();
    await other.open(id);
    const foreign = browser.openTab({ origin: 'http://bench.test' }).page.openChannel('bench-changes');
    close.push(() => foreign?.close());
    for (const message of [
      null,
      'x',
      { changes: 'all' },
      { changes: [{ store: 'keys', key: 'x' }] },
      { erase: true },
    ])
      foreign?.post(message);
    await one.open(id);
    await one.change(id, (now) => ({ ...now, session: { ...now.session, title: 'After' } }));
    await eventually(() => expect(other.data(id).session.title).toBe('After'));
  });
});

/** Several tabs on one store: what another one writes is taken in here, and what it streams is shown live. */
import type { Environment } from '../../conversation/session/edit-session.ts';
import type { RunId, SessionData, SessionId } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunDriver } from '../runs/run-driver.ts';
import type { Traces } from '../runs/traces.ts';
import { keyOf, writesOfSession } from '../sessions/autosave.ts';
import type { Library } from '../sessions/library.ts';
import { changeSession, type SessionStore } from '../sessions/session-store.ts';
import { passing, type RunOwners } from './locks.ts';
import { takeIn, withDisplacedAnswers, type StoredRecord } from './merge-stored.ts';
import { createRunFollower } from './run-follower.ts';
import type { RecordChange, TabLink } from './tab-channel.ts';

interface Parts {
  link: TabLink;
  owners: RunOwners;
  records: RecordStore;
  store: SessionStore;
  recorder: Recorder;
  library: Library;
  driver: RunDriver;
  traces: Traces;
  environment: Environment;
  /** Other records than those of sessions changed: presets, say. */
  onOtherChange: (changes: readonly RecordChange[]) => void;
}

export interface Tabs {
  /** True while the store is changed by what another tab wrote. */
  isTakingIn: () => boolean;
  /** Stops a run, also one that another tab streams; resolves when it has ended. */
  stop: (runId: RunId) => Promise<void>;
}

const sessionStores = ['sessions', 'lanes', 'prompts', 'turns', 'runs'] as const;
/** A tab that does not answer is gone, or too busy to stop. */
const stopPatienceMs = 5000;

export function startTabs(parts: Parts): Tabs {
  const { link, owners, records, store, recorder, library, driver, traces, environment } = parts;
  let takingIn = false;
  const asForeign = (change: () => void) => {
    takingIn = true;
    try {
      change();
    } finally {
      takingIn = false;
    }
  };
  const follower = createRunFollower({
    store,
    library,
    owners,
    traces,
    isOwnRun: driver.isDriving,
    asForeign,
  });

  async function hear(changes: readonly RecordChange[]): Promise<void> {
    for (const { store: name, key } of changes) if (name === 'tapes') follower.tapeGrew(key);
    if (changes.some((change) => change.store === 'sessions')) library.refresh();
    parts.onOtherChange(changes);
    for (const [sessionId, data] of Object.entries(store.getState().open)) {
      const ofSession = changes.filter((change) => isOf(change, data));
      if (ofSession.length > 0) await takeInto(sessionId, ofSession);
    }
  }

  async function takeInto(sessionId: SessionId, changes: readonly RecordChange[]): Promise<void> {
    // What was written here before goes to the disk first: then the disk has the last word on each record.
    await recorder.flush();
    const before = store.getState().open[sessionId];
    if (!before) return;
    const stored = await Promise.all(
      changes.flatMap((change) => {
        const name = sessionStores.find((each) => each === change.store);
        return name === undefined ? [] : readStored(name, change.key);
      }),
    );
    if (stored.some((each) => each.store === 'sessions' && each.record === undefined))
      return sessionIsGone(sessionId);
    const now = store.getState().open[sessionId];
    if (!now) return;
    const next = takeIn(now, before, stored, driver.isDriving);
    asForeign(() => changeSession(store, sessionId, () => next));
    changeSession(store, sessionId, () => withDisplacedAnswers(now, next, environment));
    for (const { store: name, key } of stored) if (name === 'runs') follower.restart(key);
    follower.followAll(sessionId);
  }

  async function readStored(name: StoredRecord['store'], key: string): Promise<StoredRecord> {
    return { store: name, key, record: await records.record(name, key) };
  }

  /** Deleted in another tab. Where answers are still arriving here, it is put back: nothing of them is lost. */
  function sessionIsGone(sessionId: SessionId): void {
    const { open, currentId } = store.getState();
    const { [sessionId]: gone, ...others } = open;
    if (!gone) return;
    if (Object.keys(gone.runs).some(driver.isDriving)) {
      for (const write of writesOfSession(gone)) recorder.put(keyOf(write), write);
      return;
    }
    const isShown = currentId === sessionId;
    store.setState({ open: others, ...(isShown ? { currentId: undefined, missingId: sessionId } : {}) });
  }

  // One after the other: what was written first is taken in first.
  let hearing: Promise<void> = Promise.resolve();
  /** What could not be read: it is taken in with the next. */
  let unheard: readonly RecordChange[] = [];
  async function hearAll(changes: readonly RecordChange[]): Promise<void> {
    const all = [...unheard, ...changes];
    unheard = all;
    await hear(all);
    unheard = [];
  }
  link.onHeard((message) => {
    if ('changes' in message) hearing = hearing.then(() => hearAll(message.changes)).catch(() => undefined);
    if ('stop' in message && driver.isDriving(message.stop)) void driver.stop(message.stop);
  });

  store.subscribe((state, before) => {
    if (state.open === before.open) return;
    for (const sessionId of Object.keys(state.open))
      if (!before.open[sessionId]) follower.followAll(sessionId);
  });

  return {
    isTakingIn: () => takingIn,
    stop: async (runId) => {
      if (driver.isDriving(runId)) return driver.stop(runId);
      link.send({ stop: runId });
      await Promise.race([follower.ended(runId), passing(stopPatienceMs)]);
    },
  };
}

/** Removals name no session: then it is the session that holds the record. */
function isOf({ store, key, sessionId }: RecordChange, data: SessionData): boolean {
  if (sessionId !== undefined) return sessionId === data.session.id;
  switch (store) {
    case 'sessions':
      return key === data.session.id;
    case 'lanes':
    case 'prompts':
    case 'turns':
    case 'runs':
      return Object.hasOwn(data[store], key);
    default:
      return false;
  }
}

/** Synchronises tabs on one store: merges records written by other tabs and shows their live runs. */
import { delay } from 'es-toolkit';

import type { Environment } from '../../conversation/session/edit-session.ts';
import type { RunId, SessionData, SessionId } from '../../conversation/session/types.ts';
import type { RecordStore } from '../../storage/record-store.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunDriver } from '../runs/run-driver.ts';
import type { Traces } from '../runs/traces.ts';
import { getWriteKey, buildSessionWrites } from '../sessions/autosave.ts';
import type { Library } from '../sessions/library.ts';
import { updateSession, type SessionStore } from '../sessions/session-store.ts';
import { mergeStored, keepDisplacedReplies, type StoredRecord } from './merge-stored.ts';
import { createRunFollower } from './run-follower.ts';
import type { RecordChange, TabChannel } from './tab-channel.ts';
import type { RunOwners } from './tab-locks.ts';

interface TabSyncDeps {
  tabChannel: TabChannel;
  owners: RunOwners;
  records: RecordStore;
  store: SessionStore;
  recorder: Recorder;
  library: Library;
  driver: RunDriver;
  traces: Traces;
  environment: Environment;
  /** Called when records that do not belong to sessions have changed, for example presets. */
  onOtherStoresChanged: (changes: readonly RecordChange[]) => void;
}

export interface TabSync {
  /** Returns true while changes from another tab are being applied to the store. */
  isApplyingRemoteChange: () => boolean;
  /** Stops a run, even in another tab; resolves when it has ended. */
  stop: (runId: RunId) => Promise<void>;
}

const sessionStores = ['sessions', 'lanes', 'prompts', 'turns', 'runs'] as const;
/** Maximum wait in ms for another tab, which may be closed or too busy to stop the run. */
const stopTimeoutMs = 5000;

export function startTabSync(deps: TabSyncDeps): TabSync {
  const { tabChannel, owners, records, store, recorder, library, driver, traces, environment } = deps;
  let isApplying = false;
  const runAsRemoteChange = (change: () => void) => {
    isApplying = true;
    try {
      change();
    } finally {
      isApplying = false;
    }
  };
  const follower = createRunFollower({
    store,
    library,
    owners,
    traces,
    isOwnRun: driver.isDriving,
    runAsRemoteChange,
  });

  async function applyChanges(changes: readonly RecordChange[]): Promise<void> {
    for (const { store: name, key } of changes) if (name === 'tapes') follower.onTapeGrew(key);
    if (changes.some((change) => change.store === 'sessions')) library.notifyChanged();
    deps.onOtherStoresChanged(changes);
    for (const [sessionId, data] of Object.entries(store.getState().open)) {
      const sessionChanges = changes.filter((change) => isChangeOfSession(change, data));
      if (sessionChanges.length > 0) await mergeChanges(sessionId, sessionChanges);
    }
  }

  async function mergeChanges(sessionId: SessionId, changes: readonly RecordChange[]): Promise<void> {
    // Pending local writes are stored first, so that the order of writes in the database determines which one is the
    // last.
    await recorder.flush();
    const base = store.getState().open[sessionId];
    if (!base) return;
    const storedRecords = await Promise.all(
      changes.flatMap((change) => {
        const name = sessionStores.find((storeName) => storeName === change.store);
        return name === undefined ? [] : readStoredRecord(name, change.key);
      }),
    );
    if (
      storedRecords.some(
        (storedRecord) => storedRecord.store === 'sessions' && storedRecord.record === undefined,
      )
    )
      return handleDeletedSession(sessionId);
    const current = store.getState().open[sessionId];
    if (!current) return;
    const next = mergeStored(current, base, storedRecords, driver.isDriving);
    runAsRemoteChange(() => updateSession(store, sessionId, () => next));
    updateSession(store, sessionId, () => keepDisplacedReplies(current, next, environment));
    for (const { store: name, key } of storedRecords) if (name === 'runs') follower.restart(key);
    follower.followAll(sessionId);
  }

  async function readStoredRecord(name: StoredRecord['store'], key: string): Promise<StoredRecord> {
    return { store: name, key, record: await records.readRecord(name, key) };
  }

  /**
   * Handles a session deleted in another tab. If this tab is still streaming answers for it, the session is stored
   * again.
   */
  function handleDeletedSession(sessionId: SessionId): void {
    const { open, currentId } = store.getState();
    const { [sessionId]: deletedData, ...others } = open;
    if (!deletedData) return;
    if (Object.keys(deletedData.runs).some(driver.isDriving)) {
      for (const write of buildSessionWrites(deletedData)) recorder.put(getWriteKey(write), write);
      return;
    }
    const isCurrent = currentId === sessionId;
    store.setState({ open: others, ...(isCurrent ? { currentId: undefined, missingId: sessionId } : {}) });
  }

  // Changes are merged one after the other, in the order of their writes.
  let lastMerge: Promise<void> = Promise.resolve();
  /** Changes whose records could not be read; retried with the next ones. */
  let unappliedChanges: readonly RecordChange[] = [];
  async function applyWithUnapplied(changes: readonly RecordChange[]): Promise<void> {
    const all = [...unappliedChanges, ...changes];
    unappliedChanges = all;
    await applyChanges(all);
    unappliedChanges = [];
  }
  tabChannel.onMessage((message) => {
    if ('changes' in message)
      lastMerge = lastMerge.then(() => applyWithUnapplied(message.changes)).catch(() => undefined);
    if ('stop' in message && driver.isDriving(message.stop)) void driver.stop(message.stop);
  });

  store.subscribe((state, previous) => {
    if (state.open === previous.open) return;
    for (const sessionId of Object.keys(state.open))
      if (!previous.open[sessionId]) follower.followAll(sessionId);
  });

  return {
    isApplyingRemoteChange: () => isApplying,
    stop: async (runId) => {
      if (driver.isDriving(runId)) return driver.stop(runId);
      tabChannel.send({ stop: runId });
      await Promise.race([follower.whenEnded(runId), delay(stopTimeoutMs)]);
    },
  };
}

/** Returns true if the change belongs to the session. Removals without a session ID are matched by their record. */
function isChangeOfSession({ store, key, sessionId }: RecordChange, data: SessionData): boolean {
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

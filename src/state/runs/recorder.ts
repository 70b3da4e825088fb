/**
 * Everything that is to be on disk goes through here: records that changed and the tapes of live runs,
 * together in at most one transaction every 250 ms, so that four lanes cost no more than one.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { RunId } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { formatError } from '../../lib/format-error.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { createUnsavedCounter, type UnsavedCounter } from '../drafts/unsaved-counter.ts';

/** Bounds the loss of a crash to half a second of text, and the writes to four a second. */
const flushIntervalMs = 250;
/** A user's change is rare and valuable: it waits only for writes of the same action. */
const putDelayMs = 20;
/** A full disk is not freed in a moment; data that arrives meanwhile tries again by itself. */
const retryIntervalMs = 2000;
/** A browser that takes longer for one write may never be done with it: nobody waits on. */
const slowWriteMs = 3000;

export interface Recorder {
  put: (key: string, write: Write) => void;
  append: (runId: RunId, entries: readonly TapeEntry[]) => void;
  /** Takes back a run's tape, stored or not: the request was never sent on. */
  dropTape: (runId: RunId) => void;
  /**
   * Resolves when all that was given so far is stored, `strict`: on the disk. Never rejects: what failed
   * stays pending, is shown and is tried again. Never waits long: a write that takes longer than three seconds goes on,
   * and is shown.
   */
  flush: (options?: { strict?: boolean }) => Promise<void>;
  problem: StoreApi<StorageProblem>;
}

export interface StorageProblem {
  /** What the browser said when it refused the last write. */
  message: string | undefined;
  /** The write that is under way takes longer than it should. */
  isSlow: boolean;
}

export function createRecorder(
  records: RecordStore,
  now: () => number,
  unsaved: UnsavedCounter = createUnsavedCounter(),
): Recorder {
  let writes = new Map<string, Write>();
  let tapes = new Map<RunId, TapeEntry[]>();
  const storedLengths = new Map<RunId, number>();
  /** Taken back while a part of them was being written: that part is nothing any more. */
  let droppedTapes = new Set<RunId>();
  const problem = createStore<StorageProblem>(() => ({ message: undefined, isSlow: false }));
  /** Those who wait for what is being written. */
  const pendingResolvers = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let putTimer: ReturnType<typeof setTimeout> | undefined;
  let lastFlushAt = Number.NEGATIVE_INFINITY;
  let lastFlush: Promise<void> = Promise.resolve();
  let isStrictRequested = false;
  let onSaved: (() => void) | undefined;

  /** Something waits: until nothing does, the page is not saved. */
  function markUnsaved(): void {
    onSaved ??= unsaved.trackWrite();
  }

  function scheduleFlush(): void {
    // Timers of hidden tabs are throttled to minutes; arriving data is not, so it flushes by itself.
    if (now() - lastFlushAt >= flushIntervalMs) void flush();
    else timer ??= setTimeout(() => void flush(), flushIntervalMs);
  }

  function flush(options: { strict?: boolean } = {}): Promise<void> {
    clearTimeout(timer);
    clearTimeout(putTimer);
    timer = undefined;
    putTimer = undefined;
    lastFlushAt = now();
    // Not a parameter of the write: a relaxed flush may already be queued, and would take what is pending with it.
    isStrictRequested ||= options.strict ?? false;
    lastFlush = lastFlush.then(writePending);
    return problem.getState().isSlow ? Promise.resolve() : waitUntilWrittenOrSlow(lastFlush);
  }

  /** Resolves when this has, or when it is known to take too long. */
  function waitUntilWrittenOrSlow(pendingWrite: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        pendingResolvers.delete(finish);
        resolve();
      };
      pendingResolvers.add(finish);
      void pendingWrite.then(finish);
    });
  }

  /** The same write, with a word where it takes long. */
  async function writeWithSlowNotice(batch: readonly Write[], strict: boolean): Promise<void> {
    const slowTimer = setTimeout(() => {
      problem.setState({ isSlow: true });
      for (const finish of pendingResolvers) finish();
    }, slowWriteMs);
    try {
      await records.write(batch, { strict });
    } finally {
      clearTimeout(slowTimer);
      if (problem.getState().isSlow) problem.setState({ isSlow: false });
    }
  }

  async function writePending(): Promise<void> {
    const strict = isStrictRequested;
    isStrictRequested = false;
    if (writes.size === 0 && tapes.size === 0) return;
    const [pendingWrites, pendingTapes] = [writes, tapes];
    writes = new Map();
    tapes = new Map();
    droppedTapes = new Set();
    const segments = [...pendingTapes].map(([runId, entries]): Write => {
      return { store: 'tapes', put: { runId, firstSeq: storedLengths.get(runId) ?? 0, entries } };
    });
    try {
      await writeWithSlowNotice([...pendingWrites.values(), ...segments], strict);
      for (const [runId, entries] of pendingTapes)
        if (!droppedTapes.has(runId))
          storedLengths.set(runId, (storedLengths.get(runId) ?? 0) + entries.length);
      if (problem.getState().message !== undefined) problem.setState({ message: undefined });
    } catch (error) {
      for (const [key, write] of pendingWrites) {
        const newer = writes.get(key);
        writes.set(key, newer ? withLaneChange(write, newer) : write);
      }
      for (const [runId, entries] of pendingTapes)
        if (!droppedTapes.has(runId)) tapes.set(runId, [...entries, ...(tapes.get(runId) ?? [])]);
      isStrictRequested ||= strict;
      timer ??= setTimeout(() => void flush(), retryIntervalMs);
      problem.setState({ message: formatError(error) });
    }
    if (writes.size > 0 || tapes.size > 0) return;
    onSaved?.();
    onSaved = undefined;
  }

  return {
    put: (key, write) => {
      markUnsaved();
      writes.set(key, withLaneChange(writes.get(key), write));
      putTimer ??= setTimeout(() => void flush(), putDelayMs);
    },
    dropTape: (runId) => {
      markUnsaved();
      tapes.delete(runId);
      storedLengths.delete(runId);
      droppedTapes.add(runId);
      writes.set(`tapes ${runId}`, { store: 'tapes', remove: runId });
      putTimer ??= setTimeout(() => void flush(), putDelayMs);
    },
    append: (runId, entries) => {
      markUnsaved();
      const pendingEntries = tapes.get(runId);
      if (pendingEntries) for (const entry of entries) pendingEntries.push(entry);
      else tapes.set(runId, [...entries]);
      scheduleFlush();
    },
    flush,
    problem,
  };
}

/** Applies a change of a lane to what already waits to be written of it; every other write replaces the one before. */
function withLaneChange(earlier: Write | undefined, later: Write): Write {
  if (later.store !== 'lanes' || !('change' in later) || earlier?.store !== 'lanes') return later;
  if ('put' in earlier) return { store: 'lanes', put: { ...earlier.put, ...later.change } };
  return 'change' in earlier ? { store: 'lanes', change: { ...earlier.change, ...later.change } } : later;
}

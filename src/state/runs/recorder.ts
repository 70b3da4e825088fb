/**
 * Writes all records and the tapes of live runs to disk. Changes are combined into at most one transaction per 250 ms,
 * so four lanes cost no more than one.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { RunId } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { formatError } from '../../lib/format-error.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import { createUnsavedCounter, type UnsavedCounter } from '../drafts/unsaved-counter.ts';

/** Flush interval of tapes: limits the loss in a crash to half a second of text, and writes to four per second. */
const flushIntervalMs = 250;
/** Delay for user changes, which are rare and valuable; only groups the writes of one action. */
const putDelayMs = 20;
/** Retry interval after a failed write, for example on a full disk. Newly arriving data also triggers a retry. */
const retryIntervalMs = 2000;
/** Time in ms after which a write counts as slow and callers stop waiting, since it may never finish. */
const slowWriteMs = 3000;

export interface Recorder {
  put: (key: string, write: Write) => void;
  append: (runId: RunId, entries: readonly TapeEntry[]) => void;
  /** Drops the tape of a run, stored or not, because its request never reached the gateway. */
  dropTape: (runId: RunId) => void;
  /**
   * Resolves when all data passed so far is stored (with `strict`, on disk), or after three seconds if the write is
   * slow; the write then continues. Never rejects: failed writes stay pending, are reported in `problem` and are
   * retried.
   */
  flush: (options?: { strict?: boolean }) => Promise<void>;
  problem: StoreApi<StorageProblem>;
}

export interface StorageProblem {
  /** Browser's message about the last failed write. */
  message: string | undefined;
  /** True while the current write takes too long. */
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
  /** Tapes dropped while a part of them was being written; that part must be ignored. */
  let droppedTapes = new Set<RunId>();
  const problem = createStore<StorageProblem>(() => ({ message: undefined, isSlow: false }));
  /** Callers waiting for the current write. */
  const pendingResolvers = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let putTimer: ReturnType<typeof setTimeout> | undefined;
  let lastFlushAt = Number.NEGATIVE_INFINITY;
  let lastFlush: Promise<void> = Promise.resolve();
  let isStrictRequested = false;
  let onSaved: (() => void) | undefined;

  /** Marks the page as unsaved until nothing is pending. */
  function markUnsaved(): void {
    onSaved ??= unsaved.trackWrite();
  }

  function scheduleFlush(): void {
    // Timers in hidden tabs are throttled to minutes, but arriving data is not, so it triggers the flush.
    if (now() - lastFlushAt >= flushIntervalMs) void flush();
    else timer ??= setTimeout(() => void flush(), flushIntervalMs);
  }

  function flush(options: { strict?: boolean } = {}): Promise<void> {
    clearTimeout(timer);
    clearTimeout(putTimer);
    timer = undefined;
    putTimer = undefined;
    lastFlushAt = now();
    // Shared by all writes, because a relaxed flush that is already queued would also write the pending data.
    isStrictRequested ||= options.strict ?? false;
    lastFlush = lastFlush.then(writePending);
    return problem.getState().isSlow ? Promise.resolve() : waitUntilWrittenOrSlow(lastFlush);
  }

  /** Resolves when the write has finished or counts as slow. */
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

  /** Writes a batch and reports it if it is slow. */
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

/** Merges a lane change into a pending write of the lane; all other writes replace the earlier one. */
function withLaneChange(earlier: Write | undefined, later: Write): Write {
  if (later.store !== 'lanes' || !('change' in later) || earlier?.store !== 'lanes') return later;
  if ('put' in earlier) return { store: 'lanes', put: { ...earlier.put, ...later.change } };
  return 'change' in earlier ? { store: 'lanes', change: { ...earlier.change, ...later.change } } : later;
}

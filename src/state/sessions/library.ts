/** Stored sessions: list, open (with recovery of interrupted runs), copy, rename, and delete with undo. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { foldInterruptedTape } from '../../conversation/reply/fold-tape.ts';
import { resetRun, interruptRun, isLive } from '../../conversation/reply/run.ts';
import { getPasteKey } from '../../conversation/session/draft.ts';
import type { Environment } from '../../conversation/session/edit-session.ts';
import {
  copySession,
  readRun,
  readSessionRecord,
  readStoredSession,
  type ReadSessionResult,
} from '../../conversation/session/read-session.ts';
import type { Run, RunId, Session, SessionData, SessionId } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import type { RunOwners } from '../tabs/tab-locks.ts';
import { buildSessionWrites } from './autosave.ts';
import type { SearchResults } from './library-search.ts';

export interface TapeSlice {
  entries: TapeEntry[];
  /** Sequence number of the next entry. */
  nextSeq: number;
  /** True if no more entries were stored. */
  isEnd: boolean;
}

/** A loaded session, possibly with unreadable parts. */
export interface LoadedSession extends ReadSessionResult {
  /** Number of interrupted answers whose tapes could not be read; their content is not shown. */
  unreadTapeCount: number;
}

const loadTrialSchemas = createPreloadableImport(() => import('../../trials/trial-schemas.ts'));
const loadSearch = createPreloadableImport(() => import('./library-search.ts'));

export interface Library {
  /** Lists sessions that contain messages, newest first. */
  list: () => Promise<Session[]>;
  /**
   * Loads a session; undefined if it is not stored. Rejects if its record is damaged. Runs left live by a closed page
   * are returned as interrupted.
   */
  load: (id: SessionId) => Promise<LoadedSession | undefined>;
  readTape: (runId: RunId) => Promise<TapeEntry[]>;
  /** Returns the stored entries of a tape from `fromSeq` on, and the next sequence number. */
  readTapeFrom: (runId: RunId, fromSeq: number, maxSegments?: number) => Promise<TapeSlice>;
  /** Returns the run as currently stored. */
  readRun: (runId: RunId) => Promise<Run | undefined>;
  rename: (id: SessionId, title: string) => Promise<void>;
  /** Copies a session with its tapes; returns the ID of the copy. */
  duplicate: (id: SessionId) => Promise<SessionId | undefined>;
  remove: (id: SessionId) => Promise<void>;
  /** Stores a new session with copies of tapes, as pairs of source and target run. */
  addSession: (data: SessionData, runIds: readonly [string, string][]) => Promise<void>;
  /** Searches titles, models and texts (library-search.ts). */
  search: (
    sessions: readonly Session[],
    query: string,
    signal: AbortSignal,
    onResults: (results: SearchResults) => void,
  ) => Promise<void>;
  /** Reports that other code may have changed the list. */
  notifyChanged: () => void;
  /** Hides a session from the list while its deletion can be undone. */
  hide: (id: SessionId) => void;
  unhide: (id: SessionId) => void;
  /** Increases whenever the list may have changed. */
  changes: StoreApi<{ count: number }>;
  /** Number of damaged sessions that the last list omitted. */
  damagedCount: StoreApi<{ count: number }>;
}

/** Creates a library. `findClaimedRuns` returns which of these runs are streamed by a tab. */
export function createLibrary(
  records: RecordStore,
  environment: Environment,
  findClaimedRuns: RunOwners['findClaimedRuns'] = async () => new Set(),
): Library {
  /** Hidden sessions with the time at which they were hidden, in epoch milliseconds. */
  const hiddenSince = new Map<SessionId, number>();
  const changes = createStore<{ count: number }>(() => ({ count: 0 }));
  const damagedCount = createStore<{ count: number }>(() => ({ count: 0 }));
  const notifyChanged = () => changes.setState(({ count }) => ({ count: count + 1 }));

  async function readTapeFrom(runId: RunId, fromSeq: number, maxSegments?: number): Promise<TapeSlice> {
    const storedSegments = await records.readTape(runId, fromSeq, maxSegments);
    const segments = await unpackSegments(storedSegments.filter(isSegment));
    const last = segments.at(-1);
    return {
      isEnd: maxSegments === undefined || storedSegments.length < maxSegments,
      entries: segments.flatMap((segment) => segment.entries.filter(isTapeEntry)),
      nextSeq: last ? last.firstSeq + last.entries.length : fromSeq,
    };
  }

  async function readTape(runId: RunId): Promise<TapeEntry[]> {
    return (await readTapeFrom(runId, 0)).entries;
  }

  async function addSession(data: SessionData, runIds: readonly [string, string][]): Promise<void> {
    const tapes = await Promise.all(
      runIds.map(async ([from, to]): Promise<Write[]> => {
        const entries = await readTape(from);
        return entries.length === 0 ? [] : [{ store: 'tapes', put: { runId: to, firstSeq: 0, entries } }];
      }),
    );
    await records.write([...buildSessionWrites(data), ...tapes.flat()], { strict: true });
    notifyChanged();
  }

  /**
   * Recovers an interrupted run from its tape. If the tape is unreadable, `isTapeRead` is false and the result is not
   * stored, since a later attempt may succeed.
   */
  async function recoverRun(run: Run): Promise<{ run: Run; isTapeRead: boolean }> {
    try {
      const tape = await readTape(run.id);
      if (tape.length === 0) return { run: interruptRun(run), isTapeRead: true };
      return { run: foldInterruptedTape(resetRun(run), tape), isTapeRead: true };
    } catch {
      return { run: interruptRun(run), isTapeRead: false };
    }
  }

  async function load(id: SessionId): Promise<LoadedSession | undefined> {
    const storedSession = await records.readSession(id);
    if (!storedSession) return undefined;
    const parsedSession = readStoredSession(storedSession);
    if (!parsedSession) throw new Error('Its record is damaged.');
    const { data } = parsedSession;
    const liveRuns = Object.values(data.runs).filter(isLive);
    const streamingIds = await findClaimedRuns(liveRuns.map((run) => run.id));
    const recoveredRuns = await Promise.all(
      liveRuns.filter((run) => !streamingIds.has(run.id)).map(recoverRun),
    );
    if (recoveredRuns.length === 0) return { ...parsedSession, unreadTapeCount: 0 };
    const puts = recoveredRuns
      .filter(({ isTapeRead }) => isTapeRead)
      .map(({ run }): Write => ({ store: 'runs', put: run }));
    // The next load recovers these runs again, so a full or slow disk does not delay reading.
    records.write(puts).catch(() => undefined);
    const runs = { ...data.runs, ...Object.fromEntries(recoveredRuns.map(({ run }) => [run.id, run])) };
    const unreadTapeCount = recoveredRuns.filter(({ isTapeRead }) => !isTapeRead).length;
    return { ...parsedSession, data: { ...data, runs }, unreadTapeCount };
  }

  return {
    list: async () => {
      const stored = await records.listSessions();
      const sessions = stored.flatMap((raw) => readSessionRecord(raw) ?? []);
      damagedCount.setState({ count: stored.length - sessions.length });
      return sessions
        .filter((session) => session.summary !== undefined && !hiddenSince.has(session.id))
        .toSorted((a, b) => b.updatedAt - a.updatedAt);
    },
    load,
    readTape,
    readTapeFrom,
    search: async (...args) => {
      const { searchLibrary } = await loadSearch();
      return searchLibrary(records, ...args);
    },
    notifyChanged,
    readRun: async (runId) => {
      return readRun(await records.readRecord('runs', runId));
    },
    rename: async (id, title) => {
      await records.write([{ store: 'sessions', change: { id, title, titled: true } }]);
      notifyChanged();
    },
    duplicate: async (id) => {
      const loaded = await load(id);
      if (!loaded) return undefined;
      const { data, runIds } = copySession(loaded.data, environment, `${loaded.data.session.title} (copy)`);
      await addSession(data, runIds);
      return data.session.id;
    },
    remove: async (id) => {
      const loaded = await load(id);
      // The session was continued in another tab after its deletion here, so it is kept.
      const wasUpdatedSince =
        loaded !== undefined &&
        loaded.data.session.updatedAt > (hiddenSince.get(id) ?? Number.POSITIVE_INFINITY);
      if (loaded && !wasUpdatedSince) await records.write(buildRemovals(loaded.data), { strict: true });
      hiddenSince.delete(id);
      notifyChanged();
    },
    hide: (id) => {
      hiddenSince.set(id, environment.now());
      notifyChanged();
    },
    unhide: (id) => {
      hiddenSince.delete(id);
      notifyChanged();
    },
    addSession,
    changes,
    damagedCount,
  };
}

type Segment = { firstSeq: number; entries: unknown[] };

/** Unpacks the tapes of finished cells, which are packed as a whole. */
async function unpackSegments(segments: Segment[]): Promise<Segment[]> {
  if (!segments.some((segment) => 'packed' in segment)) return segments;
  const { unpackTape } = await loadTrialSchemas();
  return Promise.all(
    segments.map(async (segment) => {
      const packed = getOwnProperty(segment, 'packed');
      return packed instanceof Uint8Array
        ? { ...segment, entries: await unpackTape(new Uint8Array(packed)) }
        : segment;
    }),
  );
}

function isSegment(raw: unknown): raw is Segment {
  return getNumberProperty(raw, 'firstSeq') !== undefined && Array.isArray(getOwnProperty(raw, 'entries'));
}

/** Unknown or damaged entries are skipped; the others still contain the answer. */
function isTapeEntry(entry: unknown): entry is TapeEntry {
  if (getNumberProperty(entry, 'at') === undefined) return false;
  if (isRecord(getOwnProperty(entry, 'request'))) return true;
  if (getNumberProperty(entry, 'status') !== undefined) return isRecord(getOwnProperty(entry, 'headers'));
  return ['data', 'comment', 'outside', 'body', 'end'].some(
    (key) => getStringProperty(entry, key) !== undefined,
  );
}

function buildRemovals(data: SessionData): Write[] {
  const getIds = (records: Record<string, unknown>) => Object.keys(records);
  return [
    { store: 'sessions', remove: data.session.id },
    { store: 'drafts', remove: data.session.id },
    { store: 'drafts', remove: getPasteKey(data.session.id) },
    ...getIds(data.lanes).map((remove): Write => ({ store: 'lanes', remove })),
    ...getIds(data.prompts).map((remove): Write => ({ store: 'prompts', remove })),
    ...getIds(data.turns).map((remove): Write => ({ store: 'turns', remove })),
    ...getIds(data.runs).map((remove): Write => ({ store: 'runs', remove })),
    ...getIds(data.runs).map((remove): Write => ({ store: 'tapes', remove })),
  ];
}

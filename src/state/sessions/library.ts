/** The stored sessions: list, open with what a dead tab left behind, copy, rename, delete with undo. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { foldInterruptedTape } from '../../conversation/reply/fold-tape.ts';
import { resetRun, interruptRun, isLive } from '../../conversation/reply/run.ts';
import { getPasteKey } from '../../conversation/session/draft.ts';
import type { Environment } from '../../conversation/session/edit-session.ts';
import {
  copySession,
  readRun,
  readSession,
  readStoredSession,
  type ReadSessionResult,
} from '../../conversation/session/read-session.ts';
import type { Run, RunId, Session, SessionData, SessionId } from '../../conversation/session/types.ts';
import type { TapeEntry } from '../../gateway/stream/tape.ts';
import { isRecord, getNumberProperty, getOwnProperty, getStringProperty } from '../../lib/json.ts';
import { preloadableImport } from '../../lib/lazy-import.ts';
import type { RecordStore, Write } from '../../storage/record-store.ts';
import type { RunOwners } from '../tabs/locks.ts';
import { writesOfSession } from './autosave.ts';
import type { Found } from './library-search.ts';

export interface TapePiece {
  entries: TapeEntry[];
  /** Where the tape goes on. */
  nextSeq: number;
  /** There was no more at this moment. */
  isAll: boolean;
}

/** A session as far as it could be read. */
export interface Loaded extends ReadSessionResult {
  /** Answers that were interrupted, and whose recordings could not be read: what they hold is not shown. */
  unreadTapes: number;
}

const loadPacking = preloadableImport(() => import('../../trials/trial-schemas.ts'));
const loadSearch = preloadableImport(() => import('./library-search.ts'));

export interface Library {
  /** Sessions with something said in them, newest first. */
  list: () => Promise<Session[]>;
  /** Undefined where no such session is stored; rejects where its record is damaged. Runs that a dead page left live come back interrupted. */
  load: (id: SessionId) => Promise<Loaded | undefined>;
  readTape: (runId: RunId) => Promise<TapeEntry[]>;
  /** The stored entries of a tape from this one on, and where the next will be. */
  tapeFrom: (runId: RunId, fromSeq: number, most?: number) => Promise<TapePiece>;
  /** The run as the store has it now. */
  storedRun: (runId: RunId) => Promise<Run | undefined>;
  rename: (id: SessionId, title: string) => Promise<void>;
  /** The id of the copy, with its tapes. */
  duplicate: (id: SessionId) => Promise<SessionId | undefined>;
  remove: (id: SessionId) => Promise<void>;
  /** Stores a session that is new here, with copies of tapes: [run copied from, run copied to]. */
  store: (data: SessionData, runIds: readonly [string, string][]) => Promise<void>;
  /** Searches titles, models and texts; see library-search.ts. */
  search: (
    sessions: readonly Session[],
    query: string,
    signal: AbortSignal,
    onFound: (found: Found) => void,
  ) => Promise<void>;
  /** Says that the list may have changed by other hands than these. */
  refresh: () => void;
  /** Leaves a session out of the list while its deletion can still be undone. */
  hide: (id: SessionId) => void;
  unhide: (id: SessionId) => void;
  /** Counts up whenever the list may have changed. */
  changes: StoreApi<{ count: number }>;
  /** How many stored sessions the last list left out because their records are damaged. */
  damaged: StoreApi<{ count: number }>;
}

/** `held` tells which runs some tab is streaming. */
export function createLibrary(
  records: RecordStore,
  environment: Environment,
  held: RunOwners['held'] = async () => new Set(),
): Library {
  /** With the time since when. */
  const hidden = new Map<SessionId, number>();
  const changes = createStore<{ count: number }>(() => ({ count: 0 }));
  const damaged = createStore<{ count: number }>(() => ({ count: 0 }));
  const changed = () => changes.setState(({ count }) => ({ count: count + 1 }));

  async function tapeFrom(runId: RunId, fromSeq: number, most?: number): Promise<TapePiece> {
    const found = await records.tape(runId, fromSeq, most);
    const segments = await unpacked(found.filter(isSegment));
    const last = segments.at(-1);
    return {
      isAll: most === undefined || found.length < most,
      entries: segments.flatMap((segment) => segment.entries.filter(isTapeEntry)),
      nextSeq: last ? last.firstSeq + last.entries.length : fromSeq,
    };
  }

  async function readTape(runId: RunId): Promise<TapeEntry[]> {
    return (await tapeFrom(runId, 0)).entries;
  }

  async function store(data: SessionData, runIds: readonly [string, string][]): Promise<void> {
    const tapes = await Promise.all(
      runIds.map(async ([from, to]): Promise<Write[]> => {
        const entries = await readTape(from);
        return entries.length === 0 ? [] : [{ store: 'tapes', put: { runId: to, firstSeq: 0, entries } }];
      }),
    );
    await records.write([...writesOfSession(data), ...tapes.flat()], { strict: true });
    changed();
  }

  /** As far as its tape tells. Without the tape it is not `whole`, and only shown so: another time it may be read. */
  async function settle(run: Run): Promise<{ run: Run; isWhole: boolean }> {
    try {
      const tape = await readTape(run.id);
      if (tape.length === 0) return { run: interruptRun(run), isWhole: true };
      return { run: foldInterruptedTape(resetRun(run), tape), isWhole: true };
    } catch {
      return { run: interruptRun(run), isWhole: false };
    }
  }

  async function load(id: SessionId): Promise<Loaded | undefined> {
    const found = await records.session(id);
    if (!found) return undefined;
    const revived = readStoredSession(found);
    if (!revived) throw new Error('Its record is damaged.');
    const { data } = revived;
    const live = Object.values(data.runs).filter(isLive);
    const streaming = await held(live.map((run) => run.id));
    const settled = await Promise.all(live.filter((run) => !streaming.has(run.id)).map(settle));
    if (settled.length === 0) return { ...revived, unreadTapes: 0 };
    const puts = settled
      .filter(({ isWhole }) => isWhole)
      .map(({ run }): Write => ({ store: 'runs', put: run }));
    // What was interrupted is told again at the next opening; a disk that is full or slow keeps nobody from reading.
    records.write(puts).catch(() => undefined);
    const runs = { ...data.runs, ...Object.fromEntries(settled.map(({ run }) => [run.id, run])) };
    const unreadTapes = settled.filter(({ isWhole }) => !isWhole).length;
    return { ...revived, data: { ...data, runs }, unreadTapes };
  }

  return {
    list: async () => {
      const stored = await records.sessions();
      const sessions = stored.flatMap((raw) => readSession(raw) ?? []);
      damaged.setState({ count: stored.length - sessions.length });
      return sessions
        .filter((session) => session.summary !== undefined && !hidden.has(session.id))
        .toSorted((one, other) => other.updatedAt - one.updatedAt);
    },
    load,
    readTape,
    tapeFrom,
    search: async (...asked) => {
      const { searchLibrary } = await loadSearch();
      return searchLibrary(records, ...asked);
    },
    refresh: changed,
    storedRun: async (runId) => {
      return readRun(await records.record('runs', runId));
    },
    rename: async (id, title) => {
      await records.write([{ store: 'sessions', change: { id, title, titled: true } }]);
      changed();
    },
    duplicate: async (id) => {
      const found = await load(id);
      if (!found) return undefined;
      const { data, runIds } = copySession(found.data, environment, `${found.data.session.title} (copy)`);
      await store(data, runIds);
      return data.session.id;
    },
    remove: async (id) => {
      const found = await load(id);
      // Someone went on with it in another tab since it was deleted here: then it stays.
      const isUsed =
        found !== undefined && found.data.session.updatedAt > (hidden.get(id) ?? Number.POSITIVE_INFINITY);
      if (found && !isUsed) await records.write(removalsOf(found.data), { strict: true });
      hidden.delete(id);
      changed();
    },
    hide: (id) => {
      hidden.set(id, environment.now());
      changed();
    },
    unhide: (id) => {
      hidden.delete(id);
      changed();
    },
    store,
    changes,
    damaged,
  };
}

type Segment = { firstSeq: number; entries: unknown[] };

/** Tapes of cells that have ended are packed as a whole. */
async function unpacked(segments: Segment[]): Promise<Segment[]> {
  if (!segments.some((segment) => 'packed' in segment)) return segments;
  const { unpackTape } = await loadPacking();
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

/** Entries of a kind that is not known here, or damaged, are left out; the others still tell the answer. */
function isTapeEntry(entry: unknown): entry is TapeEntry {
  if (getNumberProperty(entry, 'at') === undefined) return false;
  if (isRecord(getOwnProperty(entry, 'request'))) return true;
  if (getNumberProperty(entry, 'status') !== undefined) return isRecord(getOwnProperty(entry, 'headers'));
  return ['data', 'comment', 'outside', 'body', 'end'].some(
    (key) => getStringProperty(entry, key) !== undefined,
  );
}

function removalsOf(data: SessionData): Write[] {
  const ids = (records: Record<string, unknown>) => Object.keys(records);
  return [
    { store: 'sessions', remove: data.session.id },
    { store: 'drafts', remove: data.session.id },
    { store: 'drafts', remove: getPasteKey(data.session.id) },
    ...ids(data.lanes).map((remove): Write => ({ store: 'lanes', remove })),
    ...ids(data.prompts).map((remove): Write => ({ store: 'prompts', remove })),
    ...ids(data.turns).map((remove): Write => ({ store: 'turns', remove })),
    ...ids(data.runs).map((remove): Write => ({ store: 'runs', remove })),
    ...ids(data.runs).map((remove): Write => ({ store: 'tapes', remove })),
  ];
}

import type { StoredDraft } from '../conversation/session/draft.ts';
import type { StoredTurn } from '../conversation/session/session-schemas.ts';
import type { Lane, Prompt, Run, RunId, Session, SessionId } from '../conversation/session/types.ts';
import type { LearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import type { Preset } from '../conversation/setup/presets.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import type { HeartbeatRecord, CaseBlock, CellBlock } from '../trials/trial-schemas.ts';
import type { CellKey, ColumnId, Mark, Trial, TrialId } from '../trials/trial.ts';

/** A part of a run's tape. All segments of a run, ordered by `firstSeq`, form its tape. */
export interface TapeSegment {
  runId: RunId;
  firstSeq: number;
  entries: TapeEntry[];
  /** Complete tape of a finished cell: its entries as JSON, compressed as deflate-raw. `entries` is then empty. */
  packed?: Uint8Array<ArrayBuffer>;
  /** Number of packed entries. */
  count?: number;
}

/** Run of a cell. Its setup is that of the column and is filled in when the run is read. */
export type CellRun = Omit<Run, 'setup'> & { setup: { of: ColumnId } };

/** Pairs of answers to vote on, with the votes. */
export interface BallotRecord {
  id: string;
  trialId: TrialId;
}

/** An image, stored under the SHA-256 of its bytes in hex. Messages refer to it as `bench-image:HASH`. */
export interface StoredImage {
  hash: string;
  blob: Blob;
  /** Epoch milliseconds; absent for images imported with sessions. */
  addedAt?: number;
}

/** Abilities of a model observed in its runs. `id` is the model's ID (conversation/setup/learned-abilities.ts). */
export type LearnedRecord = { id: string; firstTokenMs?: number } & LearnedAbilities;

/**
 * Record types by store. Session, lanes, prompts, turns and runs are separate records so that two tabs never overwrite
 * each other.
 */
export interface Records {
  sessions: Session;
  lanes: Lane;
  prompts: Prompt;
  turns: StoredTurn;
  runs: Run | CellRun;
  tapes: TapeSegment;
  drafts: StoredDraft;
  presets: Preset;
  images: StoredImage;
  learned: LearnedRecord;
  /** Trials, and the heartbeat of each under `ID/alive`. */
  trials: Trial | HeartbeatRecord;
  cases: CaseBlock;
  cells: CellBlock;
  marks: Mark;
  ballots: BallotRecord;
}

export type StoreName = keyof Records;

/** Stores with many records per trial; their keys begin with the trial's ID. */
export type TrialStoreName = 'cases' | 'cells' | 'marks';

/** Selects at most `limit` records that follow the record `after`. */
export interface TrialRecordRange {
  limit: number;
  after?: unknown;
}

/** Stores with a single string as key. */
export type KeyedStore = Exclude<StoreName, 'tapes' | TrialStoreName>;

/**
 * One change to a store. `remove` takes the record's key: its ID, the run of tapes, the session of drafts, the hash of
 * images, or the trial of cases, cells and marks (removes all of them). `unmark` removes one mark. `change` sets fields
 * of a stored record and keeps fields written by other tabs; without a record it does nothing.
 */
export type Write =
  | { [S in StoreName]: { store: S; put: Records[S] } }[StoreName]
  | { store: 'sessions'; change: Partial<Session> & Pick<Session, 'id'> }
  | { store: 'lanes'; change: Partial<Lane> & Pick<Lane, 'id'> }
  | { store: 'trials'; change: Partial<Trial> & Pick<Trial, 'id'> }
  | { store: 'marks'; unmark: CellKey & { trialId: TrialId } }
  | { store: StoreName; remove: string };

export type SessionStoreName = 'lanes' | 'prompts' | 'turns' | 'runs';

/** Stored records of one session, unvalidated until conversation/session/read-session.ts parses them. */
export interface SessionRecords {
  session: unknown;
  lanes: unknown[];
  prompts: unknown[];
  turns: unknown[];
  runs: unknown[];
}

/**
 * Storage for all records. The writes of one call are one transaction; with `strict` the promise resolves once they are
 * on disk, otherwise once the browser has accepted them.
 */
export interface RecordStore {
  /** `memory`: data is lost with the page. `read-only`: the database belongs to a newer Bench. The UI shows both. */
  mode: 'durable' | 'memory' | 'read-only';
  listSessions: () => Promise<unknown[]>;
  readSession: (id: SessionId) => Promise<SessionRecords | undefined>;
  listPresets: () => Promise<unknown[]>;
  /** Returns the records of one session in this store in key order, without trial records. */
  listBySession: (store: SessionStoreName, id: SessionId) => Promise<unknown[]>;
  /** Returns the IDs of all runs of one session or trial. */
  listRunIds: (id: SessionId) => Promise<RunId[]>;
  /** Returns the records of one trial in this store in key order, either all or only those in `range`. */
  listByTrial: (store: TrialStoreName, id: TrialId, range?: TrialRecordRange) => Promise<unknown[]>;
  /** Returns the segments of a run in order, starting at entry `fromSeq`; at most `maxSegments`. */
  readTape: (runId: RunId, fromSeq?: number, maxSegments?: number) => Promise<unknown[]>;
  readRecord: (store: KeyedStore, key: string) => Promise<unknown>;
  /** Returns the keys of all records in a store. */
  listKeys: (store: KeyedStore) => Promise<string[]>;
  /** Returns the next `count` records in key order, for reading a store without loading all of it. */
  scan: (store: KeyedStore, count: number, afterKey?: string) => Promise<unknown[]>;
  write: (writes: readonly Write[], options?: { strict?: boolean }) => Promise<void>;
  /** Removes every record of every store. */
  clear: () => Promise<void>;
  close: () => void;
}

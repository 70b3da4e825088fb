import type { StoredDraft } from '../conversation/session/draft.ts';
import type { StoredTurn } from '../conversation/session/session-schemas.ts';
import type { Lane, Prompt, Run, RunId, Session, SessionId } from '../conversation/session/types.ts';
import type { LearnedAbilities } from '../conversation/setup/learned-abilities.ts';
import type { Preset } from '../conversation/setup/presets.ts';
import type { TapeEntry } from '../gateway/stream/tape.ts';
import type { HeartbeatRecord, CaseBlock, CellBlock } from '../trials/trial-schemas.ts';
import type { CellKey, ColumnId, Mark, Trial, TrialId } from '../trials/trial.ts';

/** A stretch of one run's tape; segments of a run in order of firstSeq are its tape. */
export interface TapeSegment {
  runId: RunId;
  firstSeq: number;
  entries: TapeEntry[];
  /** The whole tape of a cell that has ended, as deflate-raw of its entries' JSON; then `entries` is empty. */
  packed?: Uint8Array<ArrayBuffer>;
  /** Of the entries that are packed. */
  count?: number;
}

/** The run of a cell: its setup is that of the column, and filled in when it is read. */
export type CellRun = Omit<Run, 'setup'> & { setup: { of: ColumnId } };

/** Pairs of answers to vote on, and the votes. */
export interface BallotRecord {
  id: string;
  trialId: TrialId;
}

/** An image under the SHA-256 of its bytes, in hexadecimal; messages refer to it as `bench-image:HASH`. */
export interface StoredImage {
  hash: string;
  blob: Blob;
  /** Epoch milliseconds; absent on images that came with a file of sessions. */
  addedAt?: number;
}

/** What runs have shown of a model, whose id it has (conversation/setup/learned-abilities.ts). */
export type LearnedRecord = { id: string; firstTokenMs?: number } & LearnedAbilities;

/** One record per session, lane, prompt, turn and run, so that two tabs never overwrite each other. */
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
  /** Trials, and what is alive of each under `ID/alive`. */
  trials: Trial | HeartbeatRecord;
  cases: CaseBlock;
  cells: CellBlock;
  marks: Mark;
  ballots: BallotRecord;
}

export type StoreName = keyof Records;

/** Stores of which a trial has many records, whose keys begin with its id. */
export type TrialStoreName = 'cases' | 'cells' | 'marks';

/** So many records, those that follow this one. */
export interface TrialRecordRange {
  limit: number;
  after?: unknown;
}

/** Stores whose records have one string as their key. */
export type KeyedStore = Exclude<StoreName, 'tapes' | TrialStoreName>;

/**
 * `remove` is a record's key: its id; of tapes a run's, of drafts a session's; the hash of an image; of cases, cells and
 * marks a trial's, for all that it has. `unmark` takes off one mark. `change` sets fields of a stored record, whatever
 * another tab has just written of the others; nothing where it is gone.
 */
export type Write =
  | { [S in StoreName]: { store: S; put: Records[S] } }[StoreName]
  | { store: 'sessions'; change: Partial<Session> & Pick<Session, 'id'> }
  | { store: 'lanes'; change: Partial<Lane> & Pick<Lane, 'id'> }
  | { store: 'trials'; change: Partial<Trial> & Pick<Trial, 'id'> }
  | { store: 'marks'; unmark: CellKey & { trialId: TrialId } }
  | { store: StoreName; remove: string };

export type SessionStoreName = 'lanes' | 'prompts' | 'turns' | 'runs';

/** The records of one session as they were found: `unknown` until conversation/session/read-session.ts has read them. */
export interface SessionRecords {
  session: unknown;
  lanes: unknown[];
  prompts: unknown[];
  turns: unknown[];
  runs: unknown[];
}

/**
 * Where records are kept. All writes of one call are one transaction, all or nothing; `strict` ones are
 * on the disk when the promise resolves, the others when the browser gets to it.
 */
export interface RecordStore {
  /** memory: nothing outlives the page. read-only: a newer Bench wrote here. The app says so. */
  mode: 'durable' | 'memory' | 'read-only';
  listSessions: () => Promise<unknown[]>;
  readSession: (id: SessionId) => Promise<SessionRecords | undefined>;
  listPresets: () => Promise<unknown[]>;
  /** The records of one session in this store, in order of their keys: never those of trials beside them. */
  listBySession: (store: SessionStoreName, id: SessionId) => Promise<unknown[]>;
  /** The ids of the runs of one session or trial. */
  listRunIds: (id: SessionId) => Promise<RunId[]>;
  /** The records of one trial in this store, in order of their keys: all, or the next few. */
  listByTrial: (store: TrialStoreName, id: TrialId, range?: TrialRecordRange) => Promise<unknown[]>;
  /** The segments of one run in order, from the one that starts at this entry on; `maxSegments` of them, or all. */
  readTape: (runId: RunId, fromSeq?: number, maxSegments?: number) => Promise<unknown[]>;
  /** One record by its key. */
  readRecord: (store: KeyedStore, key: string) => Promise<unknown>;
  /** The keys of all records in a store. */
  listKeys: (store: KeyedStore) => Promise<string[]>;
  /** The next records of a store in order of their keys: for a look through all that never holds all. */
  scan: (store: KeyedStore, count: number, afterKey?: string) => Promise<unknown[]>;
  write: (writes: readonly Write[], options?: { strict?: boolean }) => Promise<void>;
  /** Removes every record of every store. */
  clear: () => Promise<void>;
  close: () => void;
}

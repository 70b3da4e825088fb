import type { Lane, Prompt, Run, RunId, Session, SessionId, Turn } from '../conversation/types.ts';
import type { TapeEntry } from '../gateway/tape.ts';

/** A stretch of one run's tape; segments of a run in order of firstSeq are its tape. */
export interface TapeSegment {
  runId: RunId;
  firstSeq: number;
  entries: TapeEntry[];
}

/** What is in the composer of a session, kept as it is typed. */
export interface Draft {
  sessionId: SessionId;
  text: string;
}

/** One record per session, lane, prompt, turn and run, so that two tabs never overwrite each other. */
export interface Records {
  sessions: Session;
  lanes: Lane;
  prompts: Prompt;
  turns: Turn;
  runs: Run;
  tapes: TapeSegment;
  drafts: Draft;
}

export type StoreName = keyof Records;

/** `remove` is a record's id; of tapes a run's, of drafts a session's. */
export type Write = { [S in StoreName]: { store: S; put: Records[S] } | { store: S; remove: string } }[StoreName];

/** The records of one session as they were found: `unknown` until conversation/revive.ts has read them. */
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
  /** memory: nothing outlives the page, and the app says so. */
  mode: 'durable' | 'memory';
  sessions: () => Promise<unknown[]>;
  session: (id: SessionId) => Promise<SessionRecords | undefined>;
  draft: (sessionId: SessionId) => Promise<unknown>;
  /** The segments of one run in order. */
  tape: (runId: RunId) => Promise<unknown[]>;
  write: (writes: readonly Write[], options?: { strict?: boolean }) => Promise<void>;
  close: () => void;
}

/** What a job of embedding is told, and what it tells. */
import type { StoreApi } from 'zustand/vanilla';

import type { EmbeddingInput, VectorRequest } from '../../embedding/items/vector-key.ts';
import type { Gateway } from '../../gateway/client.ts';
import type { EmbeddingsResponse } from '../../gateway/embeddings/embed.ts';
import type { FindingKind, WireFinding } from '../../gateway/embeddings/parse-embeddings.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import type { EmbeddingsRequest } from '../../gateway/wire.ts';
import type { VectorStore } from '../../storage/vector-store.ts';
import type { UnsavedCounter } from '../drafts/unsaved-counter.ts';
import type { Page } from '../page.ts';
import type { RunQueue } from '../runs/run-queue.ts';

export interface JobSetup extends VectorRequest {
  /** Undefined: not sent. */
  format?: 'float' | 'base64';
}

/** Request field that a job paused for. `unusable`: it was accepted, but no vector of the response can be used. */
export interface FieldProblem {
  name: string;
  kind: 'refused' | 'missing' | 'unusable';
}

export type JobPhase =
  /** Which of the inputs are stored already? */
  | { name: 'looking' }
  /** Another tab embeds; this one goes on when it is done. */
  | { name: 'elsewhere' }
  | { name: 'running' }
  /** The gateway asked for time; goes on by itself. */
  | { name: 'waiting'; untilMs: number; report: ErrorReport }
  /** Requests under way are paid for: they are awaited. */
  | { name: 'pausing' }
  /** With a report where it paused itself. */
  | { name: 'paused'; report?: ErrorReport; field?: FieldProblem }
  | { name: 'done' };

/** What became of one input. `known`: it was stored already. */
export type ItemState = 'waiting' | 'known' | 'embedded' | 'failed';

/** Why one input has no vector: the gateway refused it, or its vector could not be used. */
export type ItemFailure = { rejection: ErrorReport } | { fault: FindingKind };

/** One request and its answer, as far as they are worth looking at. */
export interface Exchange {
  request: EmbeddingsRequest;
  requestId: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Set where an answer came that could be read. */
  response?: Omit<EmbeddingsResponse, 'items'> & { rawLength: number };
  error?: ErrorReport;
}

/** A finding over all requests of a job. */
export interface JobFinding extends Omit<WireFinding, 'items'> {
  /** Which inputs of the job, ascending; empty where it concerns whole answers. */
  inputs: readonly number[];
  /** In how many answers. */
  responseCount: number;
}

export interface JobState {
  phase: JobPhase;
  /** Of the inputs; they add up to their number. */
  counts: Readonly<Record<ItemState, number>>;
  /** Requests that were answered, whatever with. */
  requests: number;
  /** As the answers reported; undefined where none did. */
  tokens?: number;
  /** Between the first request and the last answer, pauses left out. */
  durationMs: number;
  /** Texts in one request now. */
  batchSize: number;
  /** Requests that are likely still to be answered. */
  likelyRequests: number;
  /** While requests are sent: since when, and how many texts were done by then. */
  run?: { startedAt: number; doneBefore: number } | undefined;
  /** How long the vectors are. */
  length?: number;
  findings: readonly JobFinding[];
  /** The last ones, newest last. */
  exchanges: readonly Exchange[];
}

export interface JobRunOptions {
  retryFailed?: boolean;
  lookupOnly?: boolean;
  /** A query or a check of a few texts: it does not wait for a long job, here or in another tab. */
  skipsQueue?: boolean;
}

export interface EmbeddingJob {
  setup: JobSetup;
  inputs: readonly EmbeddingInput[];
  state: StoreApi<JobState>;
  /**
   * Starts, or goes on after a pause. Resolves when it has paused or is done; never rejects. What failed is asked for
   * again only with `retryFailed`. `lookupOnly`: finds out what is stored and sends nothing.
   */
  run: (options?: JobRunOptions) => Promise<void>;
  /** Sends nothing more; resolves when what is under way has been stored. Twice: what is under way is given up. */
  pause: () => Promise<void>;
  getItemState: (input: number) => ItemState;
  getFailure: (input: number) => ItemFailure | undefined;
  /** Under which name the vector of each input is stored. Empty until the job has looked. */
  getKeys: () => readonly string[];
}

export interface EmbeddingJobDeps {
  gateway: Pick<Gateway, 'embed'>;
  queue: RunQueue;
  vectors: VectorStore;
  now: () => number;
  newId: () => string;
  /** 0 to 1, for the spread of waits. */
  random: () => number;
  /** Told of every status, for the health badge. */
  onStatus?: (status: number) => void;
  /** Where what waits to be stored is counted. */
  unsaved?: UnsavedCounter;
  /** What tabs share, so that one of them embeds at a time. */
  locks?: Page['locks'];
}

/** Options, states and results of an embedding job. */
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
  /** Omitted from the request if undefined. */
  format?: 'float' | 'base64';
}

/** Request field that paused a job. `unusable`: the field was accepted, but no vector in the response can be used. */
export interface FieldProblem {
  name: string;
  kind: 'refused' | 'missing' | 'unusable';
}

export type JobPhase =
  /** Looks up which inputs are already stored. */
  | { name: 'looking' }
  /** Another tab is embedding; this one continues afterwards. */
  | { name: 'elsewhere' }
  | { name: 'running' }
  /** The gateway requested a delay; the job continues automatically. */
  | { name: 'waiting'; untilMs: number; report: ErrorReport }
  /** Requests in flight are billed, so the job awaits them. */
  | { name: 'pausing' }
  /** Has a report if the job paused because of an error. */
  | { name: 'paused'; report?: ErrorReport; field?: FieldProblem }
  | { name: 'done' };

/** State of one input. `known`: it was already stored. */
export type ItemState = 'waiting' | 'known' | 'embedded' | 'failed';

/** Reason why an input has no vector: the gateway rejected it, or its vector is unusable. */
export type ItemFailure = { rejection: ErrorReport } | { fault: FindingKind };

/** One request and its response, reduced to what the UI shows. */
export interface Exchange {
  request: EmbeddingsRequest;
  requestId: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Set if a readable response arrived. */
  response?: Omit<EmbeddingsResponse, 'items'> & { rawLength: number };
  error?: ErrorReport;
}

/** A finding aggregated over all requests of a job. */
export interface JobFinding extends Omit<WireFinding, 'items'> {
  /** Inputs affected, ascending; empty if the finding concerns whole responses. */
  inputs: readonly number[];
  /** Number of affected responses. */
  responseCount: number;
}

export interface JobState {
  phase: JobPhase;
  /** Number of inputs in each state; the numbers add up to all inputs. */
  counts: Readonly<Record<ItemState, number>>;
  /** Number of requests that received any response. */
  requests: number;
  /** Tokens reported by the responses; undefined if none reported them. */
  tokens?: number;
  /** Time between the first request and the last response in ms, without pauses. */
  durationMs: number;
  /** Number of texts per request at present. */
  batchSize: number;
  /** Expected number of remaining requests. */
  likelyRequests: number;
  /** Set while requests are sent: the start time and the number of texts finished before. */
  run?: { startedAt: number; doneBefore: number } | undefined;
  /** Length of the vectors. */
  length?: number;
  findings: readonly JobFinding[];
  /** Most recent exchanges, oldest first. */
  exchanges: readonly Exchange[];
}

export interface JobRunOptions {
  retryFailed?: boolean;
  lookupOnly?: boolean;
  /** True for a query or a check of a few texts, which does not wait for long jobs in any tab. */
  skipsQueue?: boolean;
}

export interface EmbeddingJob {
  setup: JobSetup;
  inputs: readonly EmbeddingInput[];
  state: StoreApi<JobState>;
  /**
   * Starts the job or resumes it after a pause. Resolves when it has paused or finished; never rejects. Failed inputs
   * are retried only with `retryFailed`. `lookupOnly` finds stored inputs and sends nothing.
   */
  run: (options?: JobRunOptions) => Promise<void>;
  /** Stops sending; resolves when the requests in flight have been stored. A second call aborts them. */
  pause: () => Promise<void>;
  getItemState: (input: number) => ItemState;
  getFailure: (input: number) => ItemFailure | undefined;
  /** Returns the key of each input's vector; empty until the first lookup. */
  getKeys: () => readonly string[];
}

export interface EmbeddingJobDeps {
  gateway: Pick<Gateway, 'embed'>;
  queue: RunQueue;
  vectors: VectorStore;
  now: () => number;
  newId: () => string;
  /** Returns a random number from 0 to 1 that varies retry delays. */
  random: () => number;
  /** Returns the reason why nothing can be sent; stored vectors are still found. */
  getBlocker?: () => ErrorReport | undefined;
  /** Called with every status code, for the health badge. */
  onStatus?: (status: number) => void;
  /** Counts vectors that are not stored yet. */
  unsaved?: UnsavedCounter;
  /** Web Locks shared by tabs, so that only one tab embeds at a time. */
  locks?: Page['locks'];
}

/**
 * One job of embedding: many texts, one model. It costs money, so it stands apart from every screen: nothing is asked
 * for that is stored already, what is paid for is stored before it counts as done, and a person can pause it, stop it
 * and take it up again after a reload. Every request goes through the one queue, so that a minute's limit is kept.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import { createBatches, type Batch, type Batches } from '../embedding/batches.ts';
import { vectorKey, type EmbeddingInput } from '../embedding/vector-key.ts';
import type { Gateway } from '../gateway/client.ts';
import type { FindingKind } from '../gateway/embeddings-reading.ts';
import type { EmbeddingsAnswer } from '../gateway/embeddings.ts';
import { GatewayError, type ErrorReport } from '../gateway/errors.ts';
import type { EmbeddingsRequest } from '../gateway/wire.ts';
import { numberProperty, ownProperty } from '../lib/json.ts';
import type { VectorStore } from '../storage/vector-store.ts';
import { mergedFindings, type JobFinding } from './embedding-findings.ts';
import { holdEmbedding } from './embedding-lock.ts';
import type { RunQueue } from './run-queue.ts';

export interface JobSetup {
  model: string;
  dimensions?: number;
  format: 'float' | 'base64';
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
  | { name: 'paused'; report?: ErrorReport }
  | { name: 'done' };

/** What became of one input. `known`: it was stored already. */
export type ItemState = 'waiting' | 'known' | 'embedded' | 'failed';

/** Why one input has no vector: the gateway refused it, or its vector could not be used. */
export type ItemFailure = { refusal: ErrorReport } | { fault: FindingKind };

/** One request and its answer, as far as they are worth looking at. */
export interface Exchange {
  request: EmbeddingsRequest;
  requestId: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Set where an answer came that could be read. */
  answer?: Omit<EmbeddingsAnswer, 'items'> & { rawLength: number };
  error?: ErrorReport;
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
  tookMs: number;
  /** Texts in one request now. */
  batchSize: number;
  /** How long the vectors are. */
  length?: number;
  findings: readonly JobFinding[];
  /** The last ones, newest last. */
  exchanges: readonly Exchange[];
}

interface RunOptions {
  retryFailed?: boolean;
  onlyLook?: boolean;
  /** A query or a check of a few texts: it does not wait for a long job, here or in another tab. */
  isShort?: boolean;
}

export interface EmbeddingJob {
  setup: JobSetup;
  inputs: readonly EmbeddingInput[];
  state: StoreApi<JobState>;
  /**
   * Starts, or goes on after a pause. Resolves when it has paused or is done; never rejects. What failed is asked for
   * again only with `retryFailed`. `onlyLook`: finds out what is stored and sends nothing.
   */
  run: (options?: RunOptions) => Promise<void>;
  /** Sends nothing more; resolves when what is under way has been stored. Twice: what is under way is given up. */
  pause: () => Promise<void>;
  itemState: (input: number) => ItemState;
  failure: (input: number) => ItemFailure | undefined;
  /** Under which name the vector of each input is stored. Empty until the job has looked. */
  keys: () => readonly string[];
}

export interface JobParts {
  gateway: Pick<Gateway, 'embed'>;
  queue: RunQueue;
  vectors: VectorStore;
  now: () => number;
  newId: () => string;
  /** 0 to 1, for the spread of waits. */
  random: () => number;
  /** Told of every status, for the health badge. */
  heardStatus?: (status: number) => void;
}

/** Two at a time hide the way to the gateway; two of the four places are left to chat. */
const mostAtOnce = 2;
const keptExchanges = 20;
const keptRawCharacters = 64 * 1024;
const longestWaitMs = 60_000;
const mostWaits = 6;
/** Items looked up at once. */
const sliceSize = 500;
const states: readonly ItemState[] = ['waiting', 'known', 'embedded', 'failed'];

export function createEmbeddingJob(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  parts: JobParts,
): EmbeddingJob {
  const { gateway, queue, vectors, now } = parts;
  const itemStates = new Uint8Array(inputs.length);
  const failures = new Map<number, ItemFailure>();
  let keys: readonly string[] = [];
  /** Inputs with the same key: they are sent once. */
  let sameAs = new Map<string, number[]>();
  let batches: Batches | undefined;
  let running: { ended: Promise<void>; stopSending: AbortController; giveUp: AbortController } | undefined;
  let answered = 0;
  let waits = 0;
  let loneRefusals = 0;
  let notedCeiling: number | undefined;
  let options: RunOptions = {};

  const state = createStore<JobState>(() => ({
    phase: { name: 'looking' },
    counts: { waiting: inputs.length, known: 0, embedded: 0, failed: 0 },
    requests: 0,
    tookMs: 0,
    batchSize: 0,
    findings: [],
    exchanges: [],
  }));

  function mark(key: string, to: ItemState, failure?: ItemFailure): void {
    for (const input of sameAs.get(key) ?? []) {
      itemStates[input] = states.indexOf(to);
      if (failure) failures.set(input, failure);
      else failures.delete(input);
    }
  }

  function publish(more: Partial<JobState> = {}): void {
    const counts = { waiting: 0, known: 0, embedded: 0, failed: 0 };
    for (const code of itemStates) counts[states[code] ?? 'waiting'] += 1;
    state.setState({ ...more, counts, batchSize: batches?.size() ?? 0 });
  }

  /** Marks what is stored; the rest is what there is to send. */
  async function look(): Promise<void> {
    state.setState({ phase: { name: 'looking' } });
    if (keys.length === 0) keys = await keysOf(setup, inputs);
    sameAs = new Map();
    for (const [input, key] of keys.entries()) {
      const same = sameAs.get(key);
      if (same) same.push(input);
      else sameAs.set(key, [input]);
    }
    const unique = [...sameAs.keys()];
    const missing: number[] = [];
    for (let at = 0; at < unique.length; at += sliceSize) {
      const slice = unique.slice(at, at + sliceSize);
      const stored = await vectors.has(slice);
      for (const [index, key] of slice.entries()) {
        const first = sameAs.get(key)?.[0] ?? 0;
        if (!stored[index]) {
          // What failed was asked for, and may have been paid for: it is asked for again on demand only.
          if (failures.has(first) && options.retryFailed !== true) continue;
          missing.push(first);
          mark(key, 'waiting');
        } else if (itemStates[first] !== states.indexOf('embedded')) mark(key, 'known');
        if (stored[index] && state.getState().length === undefined) {
          const [vector] = await vectors.get([key]);
          if (vector) state.setState({ length: vector.vector.length });
        }
      }
    }
    const knownCeiling = await readCeiling(vectors, setup.model);
    notedCeiling = knownCeiling;
    const length = state.getState().length ?? setup.dimensions ?? 4096;
    batches = createBatches(missing, {
      lengthOf: (input) => charactersOf(inputs[input]),
      ...(knownCeiling === undefined ? {} : { knownCeiling }),
      mostItems: Math.floor(mostAnswerBytes / (length * bytesANumber[setup.format])),
    });
    publish();
  }

  /** Sends batches one after the other until there are none, or the job pauses. */
  async function lane(signals: { stopSending: AbortSignal; giveUp: AbortSignal }): Promise<void> {
    for (;;) {
      const batch = signals.stopSending.aborted ? undefined : batches?.next();
      if (!batch) return;
      const requestId = parts.newId();
      let leave: () => void;
      try {
        leave = await queue.enter(requestId, signals.stopSending);
      } catch {
        batches?.giveBack(batch);
        return;
      }
      if (state.getState().phase.name === 'waiting') state.setState({ phase: { name: 'running' } });
      const sentAt = now();
      // Not waited for: it is this request's turn now, and a later one is counted from now on.
      void vectors.putNote(minuteNote, { sentAt: queue.state.getState().sentAt });
      const request = requestOf(
        setup,
        batch.items.map((input) => inputs[input]).filter((input) => input !== undefined),
      );
      try {
        const { length } = state.getState();
        const answer = await gateway.embed(request, {
          requestId,
          signal: signals.giveUp,
          ...(length === undefined ? {} : { length }),
        });
        await take(batch, answer, { request, requestId, sentAt });
      } catch (error) {
        if (signals.giveUp.aborted) {
          batches?.giveBack(batch);
          return;
        }
        await refuse(batch, reportOf(error), { request, requestId, sentAt });
      } finally {
        leave();
      }
    }
  }

  async function take(batch: Batch, answer: EmbeddingsAnswer, sent: Omit<Exchange, 'answer'>): Promise<void> {
    parts.heardStatus?.(answer.status);
    answered += 1;
    waits = 0;
    const found = batch.items.flatMap((input, at) => {
      const item = answer.items[at];
      return item?.ok ? [{ key: keys[input] ?? '', vector: item.vector }] : [];
    });
    const { usage } = answer;
    const tokens = usage?.promptTokens ?? usage?.totalTokens;
    const [only] = batch.items.length === 1 ? found : [];
    // Kept first: an input counts as done when it need not be paid for again.
    await vectors.put(only && tokens !== undefined ? [{ ...only, tokens }] : found);
    for (const [at, input] of batch.items.entries()) {
      const item = answer.items[at];
      if (item?.ok) mark(keys[input] ?? '', 'embedded');
      else mark(keys[input] ?? '', 'failed', { fault: item?.fault ?? 'missing' });
    }
    batches?.succeeded(batch);
    await rememberCeiling();
    const { items: _vectors, raw, ...rest } = answer;
    note({ ...sent, answer: { ...rest, raw: raw.slice(0, keptRawCharacters), rawLength: raw.length } });
    const before = state.getState();
    const length = before.length ?? answer.length;
    const findings = mergedFindings(before.findings, answer.findings, batch.items);
    publish({
      findings,
      ...(length === undefined ? {} : { length }),
      ...(tokens === undefined ? {} : { tokens: (before.tokens ?? 0) + tokens }),
    });
    // Whatever is wrong with all of them is wrong with the next as well, and each costs money.
    if (found.length === 0) pauseFor(uselessAnswer(answer));
  }

  async function refuse(batch: Batch, report: ErrorReport, sent: Omit<Exchange, 'error'>): Promise<void> {
    note({ ...sent, error: report });
    if (report.status !== undefined && report.source !== 'proxy') parts.heardStatus?.(report.status);
    const isOurs = report.source === 'proxy' && report.kind === 'rate-limited';
    if (isOurs || report.kind === 'rate-limited' || report.kind === 'overloaded') {
      batches?.giveBack(batch);
      // The limit of our own server: the gateway has not been asked, and it will be let through in time.
      if (!isOurs) waits += 1;
      if (waits > mostWaits) return pauseFor(report);
      const backOffMs = Math.min(longestWaitMs, 2000 * 2 ** (waits - 1)) * (0.75 + parts.random() / 2);
      const untilMs = now() + Math.max(1000, report.retryAfterMs ?? (isOurs ? 1000 : backOffMs));
      queue.holdUntil(untilMs);
      if (!isSettling()) state.setState({ phase: { name: 'waiting', untilMs, report } });
      return;
    }
    const isAboutInputs = report.kind === 'invalid-request' || report.kind === 'too-large';
    if (!isAboutInputs) {
      batches?.giveBack(batch);
      return pauseFor(report);
    }
    const toBlame = batches?.refused(batch);
    if (toBlame !== undefined) {
      loneRefusals += 1;
      // Where nothing was ever accepted and two different texts are refused alone, it is not about texts.
      if (answered === 0 && loneRefusals > 1) {
        for (const input of failures.keys()) mark(keys[input] ?? '', 'waiting');
        publish();
        return pauseFor(report);
      }
      mark(keys[toBlame] ?? '', 'failed', { refusal: report });
    } else if (answered === 0 && isAboutDimensions(report)) {
      return pauseFor(report);
    }
    publish();
  }

  function note(exchange: Exchange): void {
    state.setState(({ exchanges, requests }) => ({
      exchanges: [...exchanges, exchange].slice(-keptExchanges),
      requests: requests + 1,
    }));
  }

  const isSettling = () => ['pausing', 'paused'].includes(state.getState().phase.name);

  let pausedFor: ErrorReport | undefined;
  function pauseFor(report: ErrorReport): void {
    pausedFor ??= report;
    running?.stopSending.abort();
  }

  async function work(signals: { stopSending: AbortSignal; giveUp: AbortSignal }): Promise<void> {
    let letGo: (() => void) | undefined;
    try {
      if (options.onlyLook === true) return await look();
      if (options.isShort !== true)
        letGo = await holdEmbedding(signals.stopSending, () =>
          state.setState({ phase: { name: 'elsewhere' } }),
        );
      await recallMinute();
      await look();
      if (!signals.stopSending.aborted) state.setState({ phase: { name: 'running' } });
      const startedAt = now();
      // The first answer tells whether the request is right at all: until then there is one.
      await runLanes(signals);
      state.setState(({ tookMs }) => ({ tookMs: tookMs + now() - startedAt }));
    } catch (error) {
      if (!signals.stopSending.aborted) pausedFor ??= reportOf(error);
    } finally {
      letGo?.();
      const isDone = batches !== undefined && batches.left() === 0 && !pausedFor && !signals.giveUp.aborted;
      publish({
        phase: isDone ? { name: 'done' } : { name: 'paused', ...(pausedFor ? { report: pausedFor } : {}) },
      });
    }
  }

  async function runLanes(signals: { stopSending: AbortSignal; giveUp: AbortSignal }): Promise<void> {
    const lanes: Promise<void>[] = [lane(signals)];
    const openMore = state.subscribe(() => {
      if (answered > 0 && lanes.length < mostAtOnce && (batches?.left() ?? 0) > 0) lanes.push(lane(signals));
    });
    for (let at = 0; at < lanes.length; at += 1) await lanes[at];
    openMore();
    // A lane may have given a batch back after the other had found none.
    if ((batches?.left() ?? 0) > 0 && !signals.stopSending.aborted) await lane(signals);
  }

  /** A page that was reloaded does not know what it sent in this minute: the gateway does. */
  async function recallMinute(): Promise<void> {
    const known = new Set(queue.state.getState().sentAt);
    const noted: unknown = ownProperty(await vectors.note(minuteNote), 'sentAt');
    const times = Array.isArray(noted) ? noted.filter((at) => typeof at === 'number') : [];
    queue.noteSent(times.filter((at) => !known.has(at)));
  }

  /** A success proves what the refusals before it taught. */
  async function rememberCeiling(): Promise<void> {
    const ceiling = batches?.ceiling();
    if (ceiling === notedCeiling) return;
    notedCeiling = ceiling;
    await vectors.putNote(ceilingNote(setup.model), ceiling === undefined ? undefined : { ceiling });
  }

  return {
    setup,
    inputs,
    state,
    run: (asked = {}) => {
      if (running) return running.ended;
      options = asked;
      pausedFor = undefined;
      waits = 0;
      loneRefusals = 0;
      const stopSending = new AbortController();
      const giveUp = new AbortController();
      const ended = work({ stopSending: stopSending.signal, giveUp: giveUp.signal }).finally(() => {
        running = undefined;
      });
      running = { ended, stopSending, giveUp };
      return ended;
    },
    pause: async () => {
      if (!running) return;
      if (running.stopSending.signal.aborted) running.giveUp.abort();
      else {
        state.setState({ phase: { name: 'pausing' } });
        running.stopSending.abort();
      }
      await running.ended;
    },
    itemState: (input) => states[itemStates[input] ?? 0] ?? 'waiting',
    failure: (input) => failures.get(input),
    keys: () => keys,
  };
}

/** Of one answer: well within what http.ts reads. */
const mostAnswerBytes = 20_000_000;
const bytesANumber = { base64: 5.5, float: 22 };

/** §2.6. Texts always as a list, so that one and many are refused and answered alike; one token list as it is. */
function requestOf(setup: JobSetup, inputs: readonly EmbeddingInput[]): EmbeddingsRequest {
  const texts = inputs.filter((input) => typeof input === 'string');
  const lists = inputs.flatMap((input) => (typeof input === 'string' ? [] : [[...input]]));
  const [only] = lists;
  return {
    model: setup.model,
    input: texts.length > 0 ? texts : only && lists.length === 1 ? only : lists,
    encoding_format: setup.format,
    ...(setup.dimensions === undefined ? {} : { dimensions: setup.dimensions }),
  };
}

function charactersOf(input: EmbeddingInput | undefined): number {
  if (input === undefined) return 0;
  return typeof input === 'string' ? input.length : input.length * 6;
}

/** The keys of many inputs, a slice at a time so that the page stays alive. */
export async function keysOf(setup: JobSetup, inputs: readonly EmbeddingInput[]): Promise<string[]> {
  const keys: string[] = [];
  for (let at = 0; at < inputs.length; at += sliceSize) {
    const slice = inputs.slice(at, at + sliceSize);
    keys.push(...(await Promise.all(slice.map((input) => vectorKey(setup.model, setup.dimensions, input)))));
  }
  return keys;
}

const minuteNote = 'minute';

function ceilingNote(model: string): string {
  return `batch ${model}`;
}

/** How many inputs this model's server was found to take at once; undefined where it has refused none. */
export async function readCeiling(vectors: VectorStore, model: string): Promise<number | undefined> {
  const found = await vectors.note(ceilingNote(model));
  const ceiling = numberProperty(found, 'ceiling');
  return ceiling !== undefined && ceiling >= 1 ? Math.floor(ceiling) : undefined;
}

/** Whether a refusal is about the field `dimensions`: some servers take it for none of their models. */
export function isAboutDimensions(report: ErrorReport): boolean {
  const words = [
    report.message,
    report.code,
    ...(report.fields ?? []).map((field) => `${field.path} ${field.message}`),
  ];
  return report.kind === 'invalid-request' && /matryoshka|\bdimensions?\b/i.test(words.join(' '));
}

function uselessAnswer(answer: EmbeddingsAnswer): ErrorReport {
  const report: ErrorReport = {
    source: 'gateway',
    kind: 'not-an-answer',
    message:
      'No vector of the last answer can be used, so nothing more was asked for. Wire says what is wrong with it.',
    status: answer.status,
  };
  return answer.requestId === undefined ? report : { ...report, requestId: answer.requestId };
}

function reportOf(error: unknown): ErrorReport {
  if (error instanceof GatewayError) return error.report;
  return { source: 'app', kind: 'failed', message: error instanceof Error ? error.message : String(error) };
}

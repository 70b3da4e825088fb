/**
 * Embeds many texts with one model. Requests cost money, so stored vectors are never requested again, vectors are
 * stored before they count as done, and users can pause, stop and resume a job after a reload. All requests use the
 * shared queue and its rate limit.
 */
import { createStore } from 'zustand/vanilla';

import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { EmbeddingsResponse } from '../../gateway/embeddings/embed.ts';
import type { WireFinding } from '../../gateway/embeddings/parse-embeddings.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { acquireEmbeddingLock } from '../tabs/embedding-lock.ts';
import {
  countChars,
  findFieldProblem,
  findUnusableField,
  isServerRateLimitReport,
  assumedVectorLength,
  getMaxItems,
  toErrorReport,
  buildEmbeddingsRequest,
  buildUnusableResponseReport,
  getRetryWaitMs,
} from './build-embeddings-request.ts';
import { createBatches, type Batch, type Batches } from './embedding-batches.ts';
import { createJobItems } from './embedding-items.ts';
import type {
  EmbeddingJob,
  Exchange,
  FieldProblem,
  JobFinding,
  EmbeddingJobDeps,
  JobSetup,
  JobState,
  JobRunOptions,
} from './embedding-job-types.ts';
import { saveCeiling, saveSentTimes, readCeiling, restoreSentTimes } from './embedding-notes.ts';

/** Two concurrent requests hide the latency and leave two of the four slots to chat. */
const maxConcurrentRequests = 2;
const maxExchanges = 20;
const maxRawChars = 64 * 1024;
const maxRetries = 6;

interface JobSignals {
  stopSending: AbortSignal;
  abortRequests: AbortSignal;
}

export function createEmbeddingJob(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  deps: EmbeddingJobDeps,
): EmbeddingJob {
  const { gateway, queue, vectors, now } = deps;
  const items = createJobItems(setup, inputs, vectors);
  const total = inputs.length;
  /** Batches found by the last lookup. */
  let currentBatches: Batches | undefined;
  let activeRun:
    | { ended: Promise<void>; stopSending: AbortController; abortRequests: AbortController }
    | undefined;
  let answeredCount = 0;
  let retryCount = 0;
  let consecutiveRejections = 0;
  let savedCeiling: number | undefined;
  let options: JobRunOptions = {};
  let pauseReason: { report: ErrorReport; field?: FieldProblem } | undefined;

  const state = createStore<JobState>(() => ({
    phase: { name: 'looking' },
    counts: { waiting: inputs.length, known: 0, embedded: 0, failed: 0 },
    requests: 0,
    durationMs: 0,
    batchSize: 0,
    likelyRequests: 0,
    findings: [],
    exchanges: [],
  }));

  function publish(changes: Partial<JobState> = {}): void {
    state.setState({
      ...changes,
      counts: items.getCounts(),
      batchSize: currentBatches?.getNextSize() ?? 0,
      likelyRequests: currentBatches?.countLikelyRequests() ?? 0,
    });
  }

  /** Marks stored inputs and returns batches of the rest. */
  async function prepareBatches(): Promise<Batches> {
    state.setState({ phase: { name: 'looking' } });
    const inputsToSend = await items.findInputsToSend({ retryFailed: options.retryFailed === true });
    const storedKey = items.getStoredKey();
    if (storedKey !== undefined && state.getState().length === undefined) {
      const [stored] = await vectors.get([storedKey]);
      if (stored) state.setState({ length: stored.vector.length });
    }
    const knownCeiling = await readCeiling(vectors, setup);
    savedCeiling = knownCeiling;
    const batches = createBatches(inputsToSend, {
      getLength: (input) => countChars(inputs[input]),
      ...(knownCeiling === undefined ? {} : { knownCeiling }),
      maxItems: getMaxItems(setup.format, state.getState().length ?? setup.dimensions ?? assumedVectorLength),
    });
    currentBatches = batches;
    publish();
    return batches;
  }

  /** Sends one batch after another until none is left or the job pauses. */
  async function runWorker(batches: Batches, signals: JobSignals): Promise<void> {
    for (;;) {
      const batch = signals.stopSending.aborted ? undefined : batches.next();
      if (!batch) return;
      const requestId = deps.newId();
      let releaseSlot: () => void;
      try {
        releaseSlot = await queue.acquire(requestId, signals.stopSending);
      } catch {
        batches.requeue(batch);
        return;
      }
      if (state.getState().phase.name === 'waiting') state.setState({ phase: { name: 'running' } });
      const sentAt = now();
      void saveSentTimes(queue, vectors, setup.gateway);
      const batchInputs = batch.items.map((input) => inputs[input]);
      const request = buildEmbeddingsRequest(setup, batchInputs);
      try {
        const { length } = state.getState();
        const response = await gateway.embed(request, {
          requestId,
          signal: signals.abortRequests,
          length,
        });
        await handleResponse(batches, batch, response, { request, requestId, sentAt });
      } catch (error) {
        if (signals.abortRequests.aborted) {
          batches.requeue(batch);
          return;
        }
        handleRejection(batches, batch, toErrorReport(error), { request, requestId, sentAt });
      } finally {
        releaseSlot();
      }
    }
  }

  async function handleResponse(
    batches: Batches,
    batch: Batch,
    response: EmbeddingsResponse,
    sentRequest: Omit<Exchange, 'response'>,
  ): Promise<void> {
    deps.onStatus?.(response.status);
    answeredCount += 1;
    retryCount = 0;
    const keys = items.getKeys();
    const embeddedVectors = batch.items.flatMap((input, index) => {
      const item = response.items[index];
      return item?.ok ? [{ key: keys[input] ?? '', vector: item.vector }] : [];
    });
    const { usage } = response;
    const tokens = usage?.promptTokens ?? usage?.totalTokens;
    const { items: _vectors, raw, ...rest } = response;
    const exchange = {
      ...sentRequest,
      response: { ...rest, raw: raw.slice(0, maxRawChars), rawLength: raw.length },
    };
    const buildTokensUpdate = () =>
      tokens === undefined ? {} : { tokens: (state.getState().tokens ?? 0) + tokens };
    if (isSingleVectorForAll(response)) {
      recordExchange(exchange);
      batches.onRejected(batch);
      return publish(buildTokensUpdate());
    }
    const [onlyVector] = batch.items.length === 1 ? embeddedVectors : [];
    // Stored first: an input counts as done only if it never has to be paid for again.
    await vectors.put(onlyVector && tokens !== undefined ? [{ ...onlyVector, tokens }] : embeddedVectors);
    for (const [index, input] of batch.items.entries()) {
      const item = response.items[index];
      if (item?.ok) items.setItemState(input, 'embedded');
      else items.setItemState(input, 'failed', { fault: item?.fault ?? 'missing' });
    }
    batches.onSuccess(batch);
    await updateCeiling(batches.getCeiling());
    recordExchange(exchange);
    const previous = state.getState();
    const length = previous.length ?? response.length;
    const findings = mergeFindings(previous.findings, response.findings, batch.items);
    publish({
      findings,
      ...(length === undefined ? {} : { length }),
      ...buildTokensUpdate(),
    });
    // A problem with all vectors would also affect the next request, and each request costs money.
    if (embeddedVectors.length === 0)
      pauseWithReport(
        buildUnusableResponseReport(response),
        findUnusableField(response, sentRequest.request),
      );
  }

  function handleRejection(
    batches: Batches,
    batch: Batch,
    report: ErrorReport,
    sentRequest: Omit<Exchange, 'error'>,
  ): void {
    recordExchange({ ...sentRequest, error: report });
    if (report.status !== undefined && report.source !== 'proxy') deps.onStatus?.(report.status);
    if (report.kind === 'rate-limited' || report.kind === 'overloaded') {
      batches.requeue(batch);
      if (!isServerRateLimitReport(report)) retryCount += 1;
      if (retryCount > maxRetries) return pauseWithReport(report);
      const untilMs = now() + getRetryWaitMs(report, retryCount, deps.random());
      queue.pauseUntil(untilMs);
      const isPausing = ['pausing', 'paused'].includes(state.getState().phase.name);
      if (!isPausing) state.setState({ phase: { name: 'waiting', untilMs, report } });
      return;
    }
    // Checked before the batch is halved, because halving would look for a faulty text instead.
    const field = findFieldProblem(report, sentRequest.request, answeredCount === 0);
    if (field) {
      batches.requeue(batch);
      return pauseWithReport(report, field);
    }
    const isAboutInputs = report.kind === 'invalid-request' || report.kind === 'too-large';
    if (!isAboutInputs) {
      batches.requeue(batch);
      return pauseWithReport(report);
    }
    const blamedInput = batches.onRejected(batch);
    if (blamedInput !== undefined) {
      consecutiveRejections += 1;
      // Two different texts rejected alone before any success show that the texts are not the cause.
      if (answeredCount === 0 && consecutiveRejections > 1) {
        items.resetFailures();
        publish();
        return pauseWithReport(report);
      }
      items.setItemState(blamedInput, 'failed', { rejection: report });
    }
    publish();
  }

  function recordExchange(exchange: Exchange): void {
    state.setState(({ exchanges, requests }) => ({
      exchanges: [...exchanges, exchange].slice(-maxExchanges),
      requests: requests + 1,
    }));
  }

  function pauseWithReport(report: ErrorReport, field?: FieldProblem): void {
    pauseReason ??= field ? { report, field } : { report };
    activeRun?.stopSending.abort();
  }

  async function runJob(signals: JobSignals): Promise<void> {
    let releaseLock: (() => void) | undefined;
    try {
      if (options.lookupOnly === true) {
        await prepareBatches();
        return;
      }
      if (options.skipsQueue !== true)
        releaseLock = await acquireEmbeddingLock(deps.locks, signals.stopSending, () =>
          state.setState({ phase: { name: 'elsewhere' } }),
        );
      await restoreSentTimes(queue, vectors, setup.gateway);
      const batches = await prepareBatches();
      const blocker = batches.countRemaining() > 0 ? deps.getBlocker?.() : undefined;
      if (blocker) {
        pauseWithReport(blocker);
        return;
      }
      if (!signals.stopSending.aborted) state.setState({ phase: { name: 'running' } });
      const startedAt = now();
      const { counts } = state.getState();
      state.setState({ run: { startedAt, doneBefore: total - counts.waiting } });
      await runWorkers(batches, signals);
      state.setState(({ durationMs }) => ({ durationMs: durationMs + now() - startedAt, run: undefined }));
    } catch (error) {
      if (!signals.stopSending.aborted) pauseReason ??= { report: toErrorReport(error) };
    } finally {
      releaseLock?.();
      const isDone = currentBatches?.countRemaining() === 0 && !pauseReason && !signals.abortRequests.aborted;
      publish({
        phase: isDone ? { name: 'done' } : { name: 'paused', ...pauseReason },
      });
    }
  }

  /** Sends one request at a time until the first success proves that the setup is valid. */
  async function runWorkers(batches: Batches, signals: JobSignals): Promise<void> {
    const workers: Promise<void>[] = [runWorker(batches, signals)];
    const unsubscribe = state.subscribe(() => {
      if (answeredCount > 0 && workers.length < maxConcurrentRequests && batches.countRemaining() > 0)
        workers.push(runWorker(batches, signals));
    });
    for (let index = 0; index < workers.length; index += 1) await workers[index];
    unsubscribe();
  }

  /** Saves the batch limit learned from rejections, once a success confirms it. */
  async function updateCeiling(ceiling: number | undefined): Promise<void> {
    if (ceiling === savedCeiling) return;
    savedCeiling = ceiling;
    await saveCeiling(vectors, setup, ceiling);
  }

  return {
    setup,
    inputs,
    state,
    run: (runOptions = {}) => {
      if (activeRun) return activeRun.ended;
      options = runOptions;
      pauseReason = undefined;
      retryCount = 0;
      consecutiveRejections = 0;
      const stopSending = new AbortController();
      const abortRequests = new AbortController();
      const ended = runJob({ stopSending: stopSending.signal, abortRequests: abortRequests.signal }).finally(
        () => {
          activeRun = undefined;
        },
      );
      activeRun = { ended, stopSending, abortRequests };
      return ended;
    },
    pause: async () => {
      if (!activeRun) return;
      if (activeRun.stopSending.signal.aborted) activeRun.abortRequests.abort();
      else {
        state.setState({ phase: { name: 'pausing' } });
        activeRun.stopSending.abort();
      }
      await activeRun.ended;
    },
    getItemState: items.getItemState,
    getFailure: items.getFailure,
    getKeys: items.getKeys,
  };
}

/** Detects gateways that embed all texts of a request as one: the single vector belongs to none of them. */
function isSingleVectorForAll({ items: [first, ...others] }: EmbeddingsResponse): boolean {
  const areMissing = others.every((item) => !item.ok && item.fault === 'missing');
  return first?.ok === true && others.length > 0 && areMissing;
}

/** Adds the findings of one response to those of the job. `inputs` are the job's inputs in that request. */
export function mergeFindings(
  previous: readonly JobFinding[],
  newFindings: readonly WireFinding[],
  inputs: readonly number[],
): readonly JobFinding[] {
  if (newFindings.length === 0) return previous;
  const merged = [...previous];
  for (const { items, ...finding } of newFindings) {
    const affectedInputs = items.flatMap((item) => inputs[item] ?? []);
    const index = merged.findIndex(
      ({ kind, severity }) => kind === finding.kind && severity === finding.severity,
    );
    const existing = merged[index];
    if (!existing) merged.push({ ...finding, inputs: affectedInputs, responseCount: 1 });
    else {
      const all = [...existing.inputs, ...affectedInputs].toSorted((a, b) => a - b);
      merged[index] = { ...existing, inputs: all, responseCount: existing.responseCount + 1 };
    }
  }
  return merged;
}

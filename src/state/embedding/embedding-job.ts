/**
 * One job of embedding: many texts, one model. It costs money, so it stands apart from every screen: nothing is asked
 * for that is stored already, what is paid for is stored before it counts as done, and a person can pause it, stop it
 * and take it up again after a reload. Every request goes through the one queue, so that a minute's limit is kept.
 */
import { createStore } from 'zustand/vanilla';

import type { EmbeddingInput } from '../../embedding/items/vector-key.ts';
import type { EmbeddingsResponse } from '../../gateway/embeddings/embed.ts';
import type { WireFinding } from '../../gateway/embeddings/parse-embeddings.ts';
import type { ErrorReport } from '../../gateway/errors/errors.ts';
import { holdEmbedding } from '../tabs/embedding-lock.ts';
import {
  charactersOf,
  findFieldProblem,
  findUnusableField,
  isOwnLimit,
  longestLength,
  mostItemsOf,
  reportOf,
  requestOf,
  uselessAnswer,
  waitAfterMs,
} from './build-embeddings-request.ts';
import { createBatches, type Batch, type Batches } from './embedding-batches.ts';
import { createJobItems } from './embedding-items.ts';
import type {
  EmbeddingJob,
  Exchange,
  FieldProblem,
  JobFinding,
  JobParts,
  JobSetup,
  JobState,
  RunOptions,
} from './embedding-job-types.ts';
import { noteCeiling, noteMinute, readCeiling, recallMinute } from './embedding-notes.ts';

/** Two at a time hide the way to the gateway; two of the four places are left to chat. */
const mostAtOnce = 2;
const keptExchanges = 20;
const keptRawCharacters = 64 * 1024;
const mostWaits = 6;

interface Signals {
  stopSending: AbortSignal;
  giveUp: AbortSignal;
}

export function createEmbeddingJob(
  setup: JobSetup,
  inputs: readonly EmbeddingInput[],
  parts: JobParts,
): EmbeddingJob {
  const { gateway, queue, vectors, now } = parts;
  const items = createJobItems(setup, inputs, vectors);
  const total = inputs.length;
  /** What the last look found to send. */
  let found: Batches | undefined;
  let running: { ended: Promise<void>; stopSending: AbortController; giveUp: AbortController } | undefined;
  let answered = 0;
  let waits = 0;
  let loneRefusals = 0;
  let notedCeiling: number | undefined;
  let options: RunOptions = {};
  let pausedFor: { report: ErrorReport; field?: FieldProblem } | undefined;

  const state = createStore<JobState>(() => ({
    phase: { name: 'looking' },
    counts: { waiting: inputs.length, known: 0, embedded: 0, failed: 0 },
    requests: 0,
    tookMs: 0,
    batchSize: 0,
    likelyRequests: 0,
    findings: [],
    exchanges: [],
  }));

  function publish(more: Partial<JobState> = {}): void {
    state.setState({
      ...more,
      counts: items.counts(),
      batchSize: found?.size() ?? 0,
      likelyRequests: found?.likelyRequests() ?? 0,
    });
  }

  /** Marks what is stored; the rest is what there is to send. */
  async function look(): Promise<Batches> {
    state.setState({ phase: { name: 'looking' } });
    const missing = await items.look({ retryFailed: options.retryFailed === true });
    const storedKey = items.storedKey();
    if (storedKey !== undefined && state.getState().length === undefined) {
      const [stored] = await vectors.get([storedKey]);
      if (stored) state.setState({ length: stored.vector.length });
    }
    const knownCeiling = await readCeiling(vectors, setup.model);
    notedCeiling = knownCeiling;
    const batches = createBatches(missing, {
      lengthOf: (input) => charactersOf(inputs[input]),
      ...(knownCeiling === undefined ? {} : { knownCeiling }),
      mostItems: mostItemsOf(setup.format, state.getState().length ?? setup.dimensions ?? longestLength),
    });
    found = batches;
    publish();
    return batches;
  }

  /** Sends batches one after the other until there are none, or the job pauses. */
  async function lane(batches: Batches, signals: Signals): Promise<void> {
    for (;;) {
      const batch = signals.stopSending.aborted ? undefined : batches.next();
      if (!batch) return;
      const requestId = parts.newId();
      let leave: () => void;
      try {
        leave = await queue.enter(requestId, signals.stopSending);
      } catch {
        batches.giveBack(batch);
        return;
      }
      if (state.getState().phase.name === 'waiting') state.setState({ phase: { name: 'running' } });
      const sentAt = now();
      void noteMinute(queue, vectors);
      const inBatch = batch.items.map((input) => inputs[input]);
      const request = requestOf(setup, inBatch);
      try {
        const { length } = state.getState();
        const answer = await gateway.embed(request, {
          requestId,
          signal: signals.giveUp,
          length,
        });
        await take(batches, batch, answer, { request, requestId, sentAt });
      } catch (error) {
        if (signals.giveUp.aborted) {
          batches.giveBack(batch);
          return;
        }
        refuse(batches, batch, reportOf(error), { request, requestId, sentAt });
      } finally {
        leave();
      }
    }
  }

  async function take(
    batches: Batches,
    batch: Batch,
    answer: EmbeddingsResponse,
    sent: Omit<Exchange, 'answer'>,
  ): Promise<void> {
    parts.heardStatus?.(answer.status);
    answered += 1;
    waits = 0;
    const keys = items.keys();
    const embedded = batch.items.flatMap((input, at) => {
      const item = answer.items[at];
      return item?.ok ? [{ key: keys[input] ?? '', vector: item.vector }] : [];
    });
    const { usage } = answer;
    const tokens = usage?.promptTokens ?? usage?.totalTokens;
    const { items: _vectors, raw, ...rest } = answer;
    const kept = {
      ...sent,
      answer: { ...rest, raw: raw.slice(0, keptRawCharacters), rawLength: raw.length },
    };
    const tokensSoFar = () =>
      tokens === undefined ? {} : { tokens: (state.getState().tokens ?? 0) + tokens };
    if (isOneForAll(answer)) {
      note(kept);
      batches.refused(batch);
      return publish(tokensSoFar());
    }
    const [only] = batch.items.length === 1 ? embedded : [];
    // Kept first: an input counts as done when it need not be paid for again.
    await vectors.put(only && tokens !== undefined ? [{ ...only, tokens }] : embedded);
    for (const [at, input] of batch.items.entries()) {
      const item = answer.items[at];
      if (item?.ok) items.mark(input, 'embedded');
      else items.mark(input, 'failed', { fault: item?.fault ?? 'missing' });
    }
    batches.succeeded(batch);
    await rememberCeiling(batches.ceiling());
    note(kept);
    const before = state.getState();
    const length = before.length ?? answer.length;
    const findings = mergedFindings(before.findings, answer.findings, batch.items);
    publish({
      findings,
      ...(length === undefined ? {} : { length }),
      ...tokensSoFar(),
    });
    // Whatever is wrong with all of them is wrong with the next as well, and each costs money.
    if (embedded.length === 0) pauseFor(uselessAnswer(answer), findUnusableField(answer, sent.request));
  }

  function refuse(batches: Batches, batch: Batch, report: ErrorReport, sent: Omit<Exchange, 'error'>): void {
    note({ ...sent, error: report });
    if (report.status !== undefined && report.source !== 'proxy') parts.heardStatus?.(report.status);
    if (report.kind === 'rate-limited' || report.kind === 'overloaded') {
      batches.giveBack(batch);
      if (!isOwnLimit(report)) waits += 1;
      if (waits > mostWaits) return pauseFor(report);
      const untilMs = now() + waitAfterMs(report, waits, parts.random());
      queue.holdUntil(untilMs);
      const isSettling = ['pausing', 'paused'].includes(state.getState().phase.name);
      if (!isSettling) state.setState({ phase: { name: 'waiting', untilMs, report } });
      return;
    }
    // Halving would search for a faulty text.
    const field = findFieldProblem(report, sent.request, answered === 0);
    if (field) {
      batches.giveBack(batch);
      return pauseFor(report, field);
    }
    const isAboutInputs = report.kind === 'invalid-request' || report.kind === 'too-large';
    if (!isAboutInputs) {
      batches.giveBack(batch);
      return pauseFor(report);
    }
    const toBlame = batches.refused(batch);
    if (toBlame !== undefined) {
      loneRefusals += 1;
      // Where nothing was ever accepted and two different texts are refused alone, it is not about texts.
      if (answered === 0 && loneRefusals > 1) {
        items.forgetFailures();
        publish();
        return pauseFor(report);
      }
      items.mark(toBlame, 'failed', { refusal: report });
    }
    publish();
  }

  function note(exchange: Exchange): void {
    state.setState(({ exchanges, requests }) => ({
      exchanges: [...exchanges, exchange].slice(-keptExchanges),
      requests: requests + 1,
    }));
  }

  function pauseFor(report: ErrorReport, field?: FieldProblem): void {
    pausedFor ??= field ? { report, field } : { report };
    running?.stopSending.abort();
  }

  async function work(signals: Signals): Promise<void> {
    let letGo: (() => void) | undefined;
    try {
      if (options.onlyLook === true) {
        await look();
        return;
      }
      if (options.isShort !== true)
        letGo = await holdEmbedding(parts.locks, signals.stopSending, () =>
          state.setState({ phase: { name: 'elsewhere' } }),
        );
      await recallMinute(queue, vectors);
      const batches = await look();
      if (!signals.stopSending.aborted) state.setState({ phase: { name: 'running' } });
      const startedAt = now();
      const { counts } = state.getState();
      state.setState({ run: { sinceMs: startedAt, doneBefore: total - counts.waiting } });
      await runLanes(batches, signals);
      state.setState(({ tookMs }) => ({ tookMs: tookMs + now() - startedAt, run: undefined }));
    } catch (error) {
      if (!signals.stopSending.aborted) pausedFor ??= { report: reportOf(error) };
    } finally {
      letGo?.();
      const isDone = found?.left() === 0 && !pausedFor && !signals.giveUp.aborted;
      publish({
        phase: isDone ? { name: 'done' } : { name: 'paused', ...pausedFor },
      });
    }
  }

  /** The first answer tells whether the request is right at all: until then there is one. */
  async function runLanes(batches: Batches, signals: Signals): Promise<void> {
    const lanes: Promise<void>[] = [lane(batches, signals)];
    const openMore = state.subscribe(() => {
      if (answered > 0 && lanes.length < mostAtOnce && batches.left() > 0) lanes.push(lane(batches, signals));
    });
    for (let at = 0; at < lanes.length; at += 1) await lanes[at];
    openMore();
  }

  /** A success proves what the refusals before it taught. */
  async function rememberCeiling(ceiling: number | undefined): Promise<void> {
    if (ceiling === notedCeiling) return;
    notedCeiling = ceiling;
    await noteCeiling(vectors, setup.model, ceiling);
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
    itemState: items.state,
    failure: items.failure,
    keys: items.keys,
  };
}

/** Some gateways embed all texts of a request as one text: the single vector belongs to none of them. */
function isOneForAll({ items: [first, ...others] }: EmbeddingsResponse): boolean {
  const areMissing = others.every((item) => !item.ok && item.fault === 'missing');
  return first?.ok === true && others.length > 0 && areMissing;
}

/** Adds the findings of one answer, whose items were these inputs of the job. */
export function mergedFindings(
  known: readonly JobFinding[],
  found: readonly WireFinding[],
  inputs: readonly number[],
): readonly JobFinding[] {
  if (found.length === 0) return known;
  const merged = [...known];
  for (const { items, ...finding } of found) {
    const concerned = items.flatMap((item) => inputs[item] ?? []);
    const at = merged.findIndex(({ kind, weight }) => kind === finding.kind && weight === finding.weight);
    const before = merged[at];
    if (!before) merged.push({ ...finding, inputs: concerned, answers: 1 });
    else {
      const all = [...before.inputs, ...concerned].toSorted((one, other) => one - other);
      merged[at] = { ...before, inputs: all, answers: before.answers + 1 };
    }
  }
  return merged;
}

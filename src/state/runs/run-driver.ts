/** Drives one run from its request to its end: queue, stream, tape, fold. The abort controllers live here, never in state. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import {
  applyEvents,
  failRun,
  interruptRun,
  createRun,
  markRunSent,
  stopQueuedRun,
  type TimedEvent,
} from '../../conversation/reply/run.ts';
import { findImageUrls } from '../../conversation/request/message-images.ts';
import {
  buildRequest,
  countImportedFields,
  estimatePromptTokens,
  listOpaqueFieldNames,
  type RequestRules,
} from '../../conversation/request/request.ts';
import type { Environment } from '../../conversation/session/edit-session.ts';
import type { Run, RunId, TurnId } from '../../conversation/session/types.ts';
import type { Gateway } from '../../gateway/client.ts';
import { GatewayError } from '../../gateway/errors/errors.ts';
import { withImageReferences } from '../../gateway/media/answer-media.ts';
import { createCompletionDetector } from '../../gateway/stream/completion-detector.ts';
import { createTapeReader, type StreamEvent } from '../../gateway/stream/stream-events.ts';
import { createRequestEntry, getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { formatError } from '../../lib/format-error.ts';
import type { Page } from '../page.ts';
import { updateRuns, updateSession, findSessionByRun, type SessionStore } from '../sessions/session-store.ts';
import type { Recorder } from './recorder.ts';
import type { RunQueue } from './run-queue.ts';
import type { Traces } from './traces.ts';

export interface RunDriver {
  /** Sends the run of this turn and follows it to its end. Never rejects: whatever happens is in the run. */
  drive: (turnId: TurnId, runId: RunId) => Promise<void>;
  /** Stops the run, queued or under way; resolves when it has ended. */
  stop: (runId: RunId) => Promise<void>;
  isDriving: (runId: RunId) => boolean;
}

export interface HeldRuns {
  /** Runs whose prompt the browser does not get stored: their requests are held back until it has, or are sent by hand. */
  heldRunIds: StoreApi<readonly RunId[]>;
  /** Sends what is held back now without waiting any longer. */
  sendWithoutSaving: () => void;
}

export interface RunDriverDeps {
  store: SessionStore;
  gateway: Gateway;
  queue: RunQueue;
  recorder: Recorder;
  environment: Environment;
  traces: Traces;
  runInNextFrame: Page['runInNextFrame'];
  /** Marks a run as streamed by this tab until the function returned is called. */
  claimRun: (runId: RunId) => () => void;
  /** Rules of the models and the gateway for what a request may hold. */
  getRequestRules: () => RequestRules;
  /** The body as it leaves: stored images in place of references. Throws a sentence where that cannot be. */
  resolveImages: (body: ChatRequest) => Promise<ChatRequest>;
  /** Stores an image of an answer, given as a data URL, and returns its reference. */
  storeImage: (dataUrl: string) => Promise<string>;
  /**
   * Resolves while the page is there. A page that is left breaks its streams on the way out: what arrives then says
   * nothing about the network, and must not be stored as if it did.
   */
  waitUntilPageVisible?: () => Promise<void>;
  /** Silence after which this run is given up; the gateway's own where it says none. */
  idleTimeoutMs?: (runId: RunId) => number | undefined;
  /** Told after each run's end, with the run as it ended. */
  onEnd: (run: Run) => void;
}

type SentRunInfo = Pick<
  Parameters<typeof markRunSent>[1],
  'estimatedPromptTokens' | 'imagesLeftOut' | 'gatewayId' | 'messageFields'
>;

export function createRunDriver(deps: RunDriverDeps): RunDriver & HeldRuns {
  const { store, gateway, queue, recorder, environment } = deps;
  const activeRuns = new Map<RunId, { controller: AbortController; ended: Promise<void> }>();
  const frameBatch = createFrameBatch((batches) => {
    updateRuns(store, batches.keys(), (run) => applyEvents(run, batches.get(run.id) ?? []));
  }, deps.runInNextFrame);

  const heldRunIds = createStore<readonly RunId[]>(() => []);
  let releaseHeld: () => void = () => undefined;

  /** Resolves when what was said is on the disk. A browser that takes long for it keeps the request waiting, in view. */
  async function waitUntilStored(runId: RunId, signal: AbortSignal): Promise<void> {
    await recorder.flush({ strict: true });
    if (!recorder.problem.getState().isSlow || signal.aborted) return;
    heldRunIds.setState([...heldRunIds.getState(), runId], true);
    await new Promise<void>((resolve) => {
      const previousRelease = releaseHeld;
      const unsubscribe = recorder.problem.subscribe(({ isSlow }) => isSlow || proceed());
      const proceed = () => {
        unsubscribe();
        resolve();
      };
      releaseHeld = () => {
        previousRelease();
        proceed();
      };
      signal.addEventListener('abort', proceed, { once: true });
    });
    heldRunIds.setState(
      heldRunIds.getState().filter((id) => id !== runId),
      true,
    );
  }

  const changeRun = (runId: RunId, change: (run: Run) => Run) => updateRuns(store, [runId], change);

  /** Milliseconds to wait where our own server held the request back; undefined when the run has ended. */
  async function send(
    runId: RunId,
    body: ChatRequest,
    info: SentRunInfo,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const resolvedBody = await deps.resolveImages(body);
    const requestId = environment.newId();
    const sentAt = environment.now();
    changeRun(runId, (run) => markRunSent(run, { ...info, sentAt, requestId }));
    const readEntry = createTapeReader(sentAt);
    const { add, isComplete } = createCompletionDetector(typeof body.n === 'number' ? body.n : 1);
    const references = new Map<string, Promise<string>>();
    const storeImage = (dataUrl: string) => {
      const reference = references.get(dataUrl) ?? deps.storeImage(dataUrl);
      references.set(dataUrl, reference);
      return reference;
    };
    const idleTimeoutMs = deps.idleTimeoutMs?.(runId);
    const options = {
      signal,
      requestId,
      isComplete,
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    };
    for await (const newEntries of gateway.streamChat(resolvedBody, options)) {
      await deps.waitUntilPageVisible?.();
      // The tape keeps references: an image is stored once, however often it is sent.
      const entries =
        resolvedBody === body
          ? newEntries
          : newEntries.map((entry) => ('request' in entry ? createRequestEntry(body, requestId) : entry));
      const rejection = entries.find(isServerRateLimitEntry);
      if (rejection) {
        recorder.dropTape(runId);
        return getRateLimitWaitMs(rejection);
      }
      const events: TimedEvent[] = [];
      const storedEntries: TapeEntry[] = [];
      for (const entry of entries) {
        const newEvents = readEntry(entry);
        const result = newEvents.some(isUnstoredImage)
          ? await withStoredImages(entry, newEvents, storeImage)
          : { entry, events: newEvents };
        storedEntries.push(result.entry);
        for (const event of result.events) {
          add(event);
          events.push({ atMs: getEntryTime(entry), event });
        }
      }
      recorder.append(runId, storedEntries);
      deps.traces.push(runId, events);
      frameBatch.push(runId, events);
    }
    frameBatch.flush();
    // In the same tick as the end's change, so that it is this flush that stores it.
    void recorder.flush({ strict: true });
    return undefined;
  }

  async function executeRun(turnId: TurnId, runId: RunId, signal: AbortSignal): Promise<void> {
    const data = findSessionByRun(store.getState(), runId);
    const run = data?.runs[runId];
    if (!data || !run) return;
    const releaseClaim = deps.claimRun(runId);
    let releaseSlot: (() => void) | undefined;
    try {
      const rules = deps.getRequestRules();
      const body = buildRequest(data, run.setup, turnId, rules);
      const omittedImageCount = rules.isTextOnly?.(run.setup.model)
        ? findImageUrls(buildRequest(data, run.setup, turnId).messages).length
        : 0;
      if (data.session.importedFields === 'new' && countImportedFields(data, run.setup, turnId, rules) > 0)
        updateSession(store, data.session.id, (current) => ({
          ...current,
          session: { ...current.session, importedFields: 'sent' },
        }));
      const messageFields = listOpaqueFieldNames(body.messages);
      const info: SentRunInfo = {
        estimatedPromptTokens: estimatePromptTokens(body),
        ...(omittedImageCount > 0 ? { imagesLeftOut: omittedImageCount } : {}),
        ...(rules.gatewayId === undefined ? {} : { gatewayId: rules.gatewayId }),
        ...(messageFields.length > 0 ? { messageFields } : {}),
      };
      // Before it leaves, what was said is on the disk: from its turn on it is on its way.
      await waitUntilStored(runId, signal);
      releaseSlot = await queue.acquire(runId, signal);
      const sendOnce = () => send(runId, body, info, signal);
      for (let waitMs = await sendOnce(); waitMs !== undefined; waitMs = await sendOnce()) {
        releaseSlot();
        changeRun(runId, ({ id, sessionId, setup, cell }) => ({
          ...createRun(id, sessionId, setup),
          ...(cell ? { cell } : {}),
        }));
        queue.pauseUntil(environment.now() + waitMs);
        releaseSlot = await queue.acquire(runId, signal);
      }
    } catch (error) {
      const message = formatError(error);
      const report = error instanceof GatewayError ? error.report : undefined;
      frameBatch.flush();
      changeRun(runId, (current) =>
        signal.aborted ? stopQueuedRun(current) : failRun(current, message, report),
      );
    } finally {
      releaseSlot?.();
      // A message may be sent before the page has read which gateway it talks to.
      const { gatewayId } = deps.getRequestRules();
      if (gatewayId !== undefined)
        changeRun(runId, (current) =>
          current.gatewayId === undefined ? { ...current, gatewayId } : current,
        );
      // Whatever went wrong on the way, a run that nobody drives is never left looking alive.
      changeRun(runId, interruptRun);
      await recorder.flush({ strict: true });
      releaseClaim();
    }
    const endedRun = findSessionByRun(store.getState(), runId)?.runs[runId];
    if (endedRun) deps.onEnd(endedRun);
  }

  return {
    drive: (turnId, runId) => {
      const controller = new AbortController();
      const ended = executeRun(turnId, runId, controller.signal).finally(() => activeRuns.delete(runId));
      activeRuns.set(runId, { controller, ended });
      return ended;
    },
    stop: async (runId) => {
      const activeRun = activeRuns.get(runId);
      activeRun?.controller.abort();
      await activeRun?.ended;
    },
    isDriving: (runId) => activeRuns.has(runId),
    heldRunIds,
    sendWithoutSaving: () => {
      const release = releaseHeld;
      releaseHeld = () => undefined;
      release();
    },
  };
}

/** The limit of our own server: it answered itself, so the gateway has not been asked. */
export function isServerRateLimitEntry(entry: TapeEntry): boolean {
  return 'status' in entry && entry.status === 429 && entry.proxied !== true;
}

function isUnstoredImage(event: StreamEvent): event is Extract<StreamEvent, { type: 'image' }> {
  return event.type === 'image' && event.url.startsWith('data:');
}

/**
 * Replaces images in the entry and its events by references, so that the tape, the run and every file hold an image
 * once, however often it came. An image that cannot be stored stays as it is.
 */
async function withStoredImages(
  entry: TapeEntry,
  events: readonly StreamEvent[],
  storeImage: RunDriverDeps['storeImage'],
): Promise<{ entry: TapeEntry; events: readonly StreamEvent[] }> {
  const references = new Map<string, string>();
  for (const event of events) {
    if (!isUnstoredImage(event)) continue;
    const reference = await storeImage(event.url).catch(() => undefined);
    if (reference !== undefined) references.set(event.url, reference);
  }
  return {
    entry: withImageReferences(entry, references),
    events: events.map((event) =>
      event.type === 'image' ? { ...event, url: references.get(event.url) ?? event.url } : event,
    ),
  };
}

const minWaitMs = 1_000;

/** Milliseconds until our own server lets a request through that it has refused. */
export function getRateLimitWaitMs(entry: TapeEntry): number {
  const seconds = 'status' in entry ? Number(entry.headers['retry-after']) : Number.NaN;
  return Number.isFinite(seconds) ? Math.max(minWaitMs, seconds * 1000) : minWaitMs;
}

/** Collects events of all runs and hands them on once a frame: one store write however much arrives. */
interface FrameBatch {
  push: (runId: RunId, events: readonly TimedEvent[]) => void;
  /** Hands on at once, for the end of a run. */
  flush: () => void;
}

export function createFrameBatch(
  apply: (batches: ReadonlyMap<RunId, TimedEvent[]>) => void,
  runInNextFrame: (run: () => void) => void,
): FrameBatch {
  let pending = new Map<RunId, TimedEvent[]>();
  let isScheduled = false;

  function flush(): void {
    isScheduled = false;
    if (pending.size === 0) return;
    const batches = pending;
    pending = new Map();
    apply(batches);
  }

  return {
    push: (runId, events) => {
      if (events.length === 0) return;
      const pendingEvents = pending.get(runId);
      if (pendingEvents) for (const event of events) pendingEvents.push(event);
      else pending.set(runId, [...events]);
      if (isScheduled) return;
      isScheduled = true;
      runInNextFrame(flush);
    },
    flush,
  };
}

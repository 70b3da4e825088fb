/**
 * Drives one run from request to end: queue, stream, tape, fold. Holds the abort controllers, which must not be part of
 * the state.
 */
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
import { listMedia } from '../../conversation/request/message-images.ts';
import {
  buildRequest,
  countImportedFields,
  estimatePromptTokens,
  listOpaqueFieldNames,
  type RequestRules,
} from '../../conversation/request/request.ts';
import type { Environment } from '../../conversation/session/edit-session.ts';
import type { Run, RunId, TurnId } from '../../conversation/session/types.ts';
import { GatewayError } from '../../gateway/errors/errors.ts';
import { buildUnknownGatewayReport } from '../../gateway/http/http.ts';
import { withImageReferences } from '../../gateway/media/answer-media.ts';
import { createCompletionDetector } from '../../gateway/stream/completion-detector.ts';
import { createTapeReader, type StreamEvent } from '../../gateway/stream/stream-events.ts';
import { createRequestEntry, getEntryTime, type TapeEntry } from '../../gateway/stream/tape.ts';
import type { ChatRequest } from '../../gateway/wire.ts';
import { formatError } from '../../lib/format-error.ts';
import type { Gateways } from '../gateways.ts';
import type { Page } from '../page.ts';
import { updateRuns, updateSession, findSessionByRun, type SessionStore } from '../sessions/session-store.ts';
import type { Recorder } from './recorder.ts';
import type { Traces } from './traces.ts';

export interface RunDriver {
  /** Sends the run of this turn and follows it to its end. Never rejects; errors are stored in the run. */
  drive: (turnId: TurnId, runId: RunId) => Promise<void>;
  /** Stops the run, queued or streaming; resolves when it has ended. */
  stop: (runId: RunId) => Promise<void>;
  isDriving: (runId: RunId) => boolean;
}

export interface HeldRuns {
  /**
   * Runs whose prompt is not stored yet. Their requests are held until the browser has stored it or the user sends them
   * anyway.
   */
  heldRunIds: StoreApi<readonly RunId[]>;
  /** Sends all held requests now. */
  sendWithoutSaving: () => void;
}

export interface RunDriverDeps {
  store: SessionStore;
  gateways: Pick<Gateways, 'getClient' | 'getQueue' | 'isUnknown'>;
  recorder: Recorder;
  environment: Environment;
  traces: Traces;
  runInNextFrame: Page['runInNextFrame'];
  /** Claims a run for this tab until the returned function is called. */
  claimRun: (runId: RunId) => () => void;
  requestRules: RequestRules;
  /** Returns the body with stored images in place of references. Throws a readable error if that fails. */
  resolveImages: (body: ChatRequest) => Promise<ChatRequest>;
  /** Stores an image of an answer, given as a data URL, and returns its reference. */
  storeImage: (dataUrl: string) => Promise<string>;
  /**
   * Resolves while the page is visible. Closing a page breaks its streams, so errors at that moment are not network
   * errors and must not be recorded.
   */
  waitUntilPageVisible?: () => Promise<void>;
  /** Timeout in ms without data for this run; if undefined, the gateway's timeout applies. */
  idleTimeoutMs?: (runId: RunId) => number | undefined;
  /** Called with the run after it has ended. */
  onEnd: (run: Run) => void;
}

type SentRunInfo = Pick<
  Parameters<typeof markRunSent>[1],
  'estimatedPromptTokens' | 'imagesLeftOut' | 'filesLeftOut' | 'gatewayId' | 'gateway' | 'messageFields'
>;

export function createRunDriver(deps: RunDriverDeps): RunDriver & HeldRuns {
  const { store, gateways, recorder, environment } = deps;
  const activeRuns = new Map<RunId, { controller: AbortController; ended: Promise<void> }>();
  const frameBatch = createFrameBatch((batches) => {
    updateRuns(store, batches.keys(), (run) => applyEvents(run, batches.get(run.id) ?? []));
  }, deps.runInNextFrame);

  const heldRunIds = createStore<readonly RunId[]>(() => []);
  let releaseHeld: () => void = () => undefined;

  /** Resolves once the prompt is on disk. While the browser is slow, the request is held and listed in `heldRunIds`. */
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

  /**
   * Returns the ms to wait if our own server rejected the request because of its rate limit; undefined when the run has
   * ended.
   */
  async function send(
    { id: runId, setup }: Run,
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
    for await (const newEntries of gateways.getClient(setup.gateway).streamChat(resolvedBody, options)) {
      await deps.waitUntilPageVisible?.();
      // The tape keeps references, so an image is stored once, however often it is sent.
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
    // Flushed in the same tick as the final change, so that the change is included.
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
      const { gateway } = run.setup;
      if (gateway !== undefined && gateways.isUnknown(gateway))
        throw new GatewayError(buildUnknownGatewayReport(gateway));
      const queue = gateways.getQueue(gateway);
      const { requestRules: rules } = deps;
      const body = buildRequest(data, run.setup, turnId, rules);
      const rejectedTypes = rules.listRejectedTypes?.(run.setup) ?? [];
      const omittedParts =
        rejectedTypes.length === 0
          ? []
          : listMedia(buildRequest(data, run.setup, turnId).messages).filter(({ type }) =>
              rejectedTypes.includes(type),
            );
      const omittedImageCount = omittedParts.filter(({ type }) => type === 'image_url').length;
      const omittedFileCount = omittedParts.length - omittedImageCount;
      if (data.session.importedFields === 'new' && countImportedFields(data, run.setup, turnId, rules) > 0)
        updateSession(store, data.session.id, (current) => ({
          ...current,
          session: { ...current.session, importedFields: 'sent' },
        }));
      const messageFields = listOpaqueFieldNames(body.messages);
      const info: SentRunInfo = {
        estimatedPromptTokens: estimatePromptTokens(body),
        ...(omittedImageCount > 0 ? { imagesLeftOut: omittedImageCount } : {}),
        ...(omittedFileCount > 0 ? { filesLeftOut: omittedFileCount } : {}),
        ...describeSender(rules, run),
        ...(messageFields.length > 0 ? { messageFields } : {}),
      };
      // The prompt must be on disk before the request is sent.
      await waitUntilStored(runId, signal);
      releaseSlot = await queue.acquire(runId, signal);
      const sendOnce = () => send(run, body, info, signal);
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
      // The message may have been sent before the page knew its gateway.
      const sender = describeSender(deps.requestRules, run);
      changeRun(runId, (current) =>
        current.gatewayId === undefined && current.sentAt !== undefined ? { ...current, ...sender } : current,
      );
      // Ensures that a run without a driver is never left in a live state after an error.
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

/** Returns the stored fields that say which gateway a run is sent to; none until the server has reported it. */
function describeSender({ findGateway }: RequestRules, { setup }: Run): Pick<Run, 'gatewayId' | 'gateway'> {
  const gateway = findGateway?.(setup);
  return gateway ? { gatewayId: gateway.id, gateway: gateway.name } : {};
}

/** Returns true for a rejection by our own server's rate limit; the request has then not reached the gateway. */
export function isServerRateLimitEntry(entry: TapeEntry): boolean {
  return 'status' in entry && entry.status === 429 && entry.proxied !== true;
}

function isUnstoredImage(event: StreamEvent): event is Extract<StreamEvent, { type: 'image' }> {
  return event.type === 'image' && event.url.startsWith('data:');
}

/**
 * Replaces images in the entry and its events by references, so that tape, run and exports contain an image once.
 * Images that cannot be stored stay unchanged.
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

/** Returns the ms until our own server accepts a request again. */
export function getRateLimitWaitMs(entry: TapeEntry): number {
  const seconds = 'status' in entry ? Number(entry.headers['retry-after']) : Number.NaN;
  return Number.isFinite(seconds) ? Math.max(minWaitMs, seconds * 1000) : minWaitMs;
}

/** Collects the events of all runs and applies them once per frame, with one store update. */
interface FrameBatch {
  push: (runId: RunId, events: readonly TimedEvent[]) => void;
  /** Applies events immediately, for the end of a run. */
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

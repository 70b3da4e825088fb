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
  listMessageFields,
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
import { changeRuns, changeSession, sessionOfRun, type SessionStore } from '../sessions/session-store.ts';
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
  held: StoreApi<readonly RunId[]>;
  /** Sends what is held back now without waiting any longer. */
  sendUnstored: () => void;
}

export interface DriverParts {
  store: SessionStore;
  gateway: Gateway;
  queue: RunQueue;
  recorder: Recorder;
  environment: Environment;
  traces: Traces;
  nextFrame: Page['nextFrame'];
  /** Marks a run as streamed by this tab until the function returned is called. */
  hold: (runId: RunId) => () => void;
  /** Rules of the models and the gateway for what a request may hold. */
  requestRules: () => RequestRules;
  /** The body as it leaves: stored images in place of references. Throws a sentence where that cannot be. */
  resolveImages: (body: ChatRequest) => Promise<ChatRequest>;
  /** Stores an image of an answer, given as a data URL, and returns its reference. */
  storeImage: (dataUrl: string) => Promise<string>;
  /**
   * Resolves while the page is there. A page that is left breaks its streams on the way out: what arrives then says
   * nothing about the network, and must not be stored as if it did.
   */
  pageIsThere?: () => Promise<void>;
  /** Silence after which this run is given up; the gateway's own where it says none. */
  idleTimeoutMs?: (runId: RunId) => number | undefined;
  /** Told after each run's end, with the run as it ended. */
  onEnd: (run: Run) => void;
}

type RequestFacts = Pick<
  Parameters<typeof markRunSent>[1],
  'estimatedPromptTokens' | 'imagesLeftOut' | 'gatewayId' | 'messageFields'
>;

export function createRunDriver(parts: DriverParts): RunDriver & HeldRuns {
  const { store, gateway, queue, recorder, environment } = parts;
  const driving = new Map<RunId, { controller: AbortController; ended: Promise<void> }>();
  const frames = createFrameBatch((batches) => {
    changeRuns(store, batches.keys(), (run) => applyEvents(run, batches.get(run.id) ?? []));
  }, parts.nextFrame);

  const held = createStore<readonly RunId[]>(() => []);
  let letHeldGo: () => void = () => undefined;

  /** Resolves when what was said is on the disk. A browser that takes long for it keeps the request waiting, in view. */
  async function whenStored(runId: RunId, signal: AbortSignal): Promise<void> {
    await recorder.flush({ strict: true });
    if (!recorder.problem.getState().isSlow || signal.aborted) return;
    held.setState([...held.getState(), runId], true);
    await new Promise<void>((resolve) => {
      const before = letHeldGo;
      const unsubscribe = recorder.problem.subscribe(({ isSlow }) => isSlow || goOn());
      const goOn = () => {
        unsubscribe();
        resolve();
      };
      letHeldGo = () => {
        before();
        goOn();
      };
      signal.addEventListener('abort', goOn, { once: true });
    });
    held.setState(
      held.getState().filter((id) => id !== runId),
      true,
    );
  }

  const changeRun = (runId: RunId, change: (run: Run) => Run) => changeRuns(store, [runId], change);

  /** Milliseconds to wait where our own server held the request back; undefined when the run has ended. */
  async function send(
    runId: RunId,
    body: ChatRequest,
    facts: RequestFacts,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const sent = await parts.resolveImages(body);
    const requestId = environment.newId();
    const sentAt = environment.now();
    changeRun(runId, (run) => markRunSent(run, { ...facts, sentAt, requestId }));
    const read = createTapeReader(sentAt);
    const { add, isComplete } = createCompletionDetector(typeof body.n === 'number' ? body.n : 1);
    const references = new Map<string, Promise<string>>();
    const storeImage = (dataUrl: string) => {
      const reference = references.get(dataUrl) ?? parts.storeImage(dataUrl);
      references.set(dataUrl, reference);
      return reference;
    };
    const idleTimeoutMs = parts.idleTimeoutMs?.(runId);
    const options = {
      signal,
      requestId,
      isComplete,
      ...(idleTimeoutMs === undefined ? {} : { idleTimeoutMs }),
    };
    for await (const came of gateway.streamChat(sent, options)) {
      await parts.pageIsThere?.();
      // The tape keeps references: an image is stored once, however often it is sent.
      const entries =
        sent === body
          ? came
          : came.map((entry) => ('request' in entry ? createRequestEntry(body, requestId) : entry));
      const refusal = entries.find(isRefusalOfOurs);
      if (refusal) {
        recorder.dropTape(runId);
        return waitOf(refusal);
      }
      const events: TimedEvent[] = [];
      const stored: TapeEntry[] = [];
      for (const entry of entries) {
        const newEvents = read(entry);
        const reading = newEvents.some(isUnstoredImage)
          ? await withStoredImages(entry, newEvents, storeImage)
          : { entry, events: newEvents };
        stored.push(reading.entry);
        for (const event of reading.events) {
          add(event);
          events.push({ atMs: getEntryTime(entry), event });
        }
      }
      recorder.append(runId, stored);
      parts.traces.push(runId, events);
      frames.push(runId, events);
    }
    frames.flush();
    // In the same tick as the end's change, so that it is this flush that stores it.
    void recorder.flush({ strict: true });
    return undefined;
  }

  async function follow(turnId: TurnId, runId: RunId, signal: AbortSignal): Promise<void> {
    const data = sessionOfRun(store.getState(), runId);
    const run = data?.runs[runId];
    if (!data || !run) return;
    const letGo = parts.hold(runId);
    let leave: (() => void) | undefined;
    try {
      const rules = parts.requestRules();
      const body = buildRequest(data, run.setup, turnId, rules);
      const leftOut = rules.isTextOnly?.(run.setup.model)
        ? findImageUrls(buildRequest(data, run.setup, turnId).messages).length
        : 0;
      if (data.session.importedFields === 'new' && countImportedFields(data, run.setup, turnId, rules) > 0)
        changeSession(store, data.session.id, (now) => ({
          ...now,
          session: { ...now.session, importedFields: 'sent' },
        }));
      const messageFields = listMessageFields(body.messages);
      const facts: RequestFacts = {
        estimatedPromptTokens: estimatePromptTokens(body),
        ...(leftOut > 0 ? { imagesLeftOut: leftOut } : {}),
        ...(rules.gatewayId === undefined ? {} : { gatewayId: rules.gatewayId }),
        ...(messageFields.length > 0 ? { messageFields } : {}),
      };
      // Before it leaves, what was said is on the disk: from its turn on it is on its way.
      await whenStored(runId, signal);
      leave = await queue.enter(runId, signal);
      const sendOnce = () => send(runId, body, facts, signal);
      for (let waitMs = await sendOnce(); waitMs !== undefined; waitMs = await sendOnce()) {
        leave();
        changeRun(runId, ({ id, sessionId, setup, cell }) => ({
          ...createRun(id, sessionId, setup),
          ...(cell ? { cell } : {}),
        }));
        queue.holdUntil(environment.now() + waitMs);
        leave = await queue.enter(runId, signal);
      }
    } catch (error) {
      const message = formatError(error);
      const report = error instanceof GatewayError ? error.report : undefined;
      frames.flush();
      changeRun(runId, (now) => (signal.aborted ? stopQueuedRun(now) : failRun(now, message, report)));
    } finally {
      leave?.();
      // A message may be sent before the page has read which gateway it talks to.
      const { gatewayId } = parts.requestRules();
      if (gatewayId !== undefined)
        changeRun(runId, (now) => (now.gatewayId === undefined ? { ...now, gatewayId } : now));
      // Whatever went wrong on the way, a run that nobody drives is never left looking alive.
      changeRun(runId, interruptRun);
      await recorder.flush({ strict: true });
      letGo();
    }
    const ended = sessionOfRun(store.getState(), runId)?.runs[runId];
    if (ended) parts.onEnd(ended);
  }

  return {
    drive: (turnId, runId) => {
      const controller = new AbortController();
      const ended = follow(turnId, runId, controller.signal).finally(() => driving.delete(runId));
      driving.set(runId, { controller, ended });
      return ended;
    },
    stop: async (runId) => {
      const found = driving.get(runId);
      found?.controller.abort();
      await found?.ended;
    },
    isDriving: (runId) => driving.has(runId),
    held,
    sendUnstored: () => {
      const goOn = letHeldGo;
      letHeldGo = () => undefined;
      goOn();
    },
  };
}

/** The limit of our own server: it answered itself, so the gateway has not been asked. */
export function isRefusalOfOurs(entry: TapeEntry): boolean {
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
  storeImage: DriverParts['storeImage'],
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

const shortestWaitMs = 1_000;

/** Milliseconds until our own server lets a request through that it has refused. */
export function waitOf(refusal: TapeEntry): number {
  const seconds = 'status' in refusal ? Number(refusal.headers['retry-after']) : Number.NaN;
  return Number.isFinite(seconds) ? Math.max(shortestWaitMs, seconds * 1000) : shortestWaitMs;
}

/** Collects events of all runs and hands them on once a frame: one store write however much arrives. */
interface FrameBatch {
  push: (runId: RunId, events: readonly TimedEvent[]) => void;
  /** Hands on at once, for the end of a run. */
  flush: () => void;
}

export function createFrameBatch(
  apply: (batches: ReadonlyMap<RunId, TimedEvent[]>) => void,
  nextFrame: (run: () => void) => void,
): FrameBatch {
  let waiting = new Map<RunId, TimedEvent[]>();
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    if (waiting.size === 0) return;
    const batches = waiting;
    waiting = new Map();
    apply(batches);
  }

  return {
    push: (runId, events) => {
      if (events.length === 0) return;
      const known = waiting.get(runId);
      if (known) for (const event of events) known.push(event);
      else waiting.set(runId, [...events]);
      if (scheduled) return;
      scheduled = true;
      nextFrame(flush);
    },
    flush,
  };
}

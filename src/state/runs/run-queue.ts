/**
 * Admits runs: first a slot for concurrent requests, then the rate limit. Both kinds of waiting are visible to the UI.
 * Trial cells have a lower priority: they start one by one, evenly spaced, and hold no slot while they wait.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { RunId } from '../../conversation/session/types.ts';
import { getIntervalMs, rateWindowMs } from '../../gateway/http/request-rate.ts';
import { parseJson } from '../../lib/json.ts';
import type { Page } from '../page.ts';
import { createLocalSlots, type RequestSlots, type RequestSource } from '../tabs/tab-locks.ts';

export interface QueueState {
  /** Start times of the requests from all tabs in the last minute, in epoch milliseconds. */
  sentAt: readonly number[];
  waiting: readonly RunId[];
  /** Number of requests of this tab. */
  inFlight: number;
  /** Time at which the rate limit admits the next request, if it is the reason for waiting. */
  nextStartAt?: number | undefined;
}

export interface RunQueue {
  state: StoreApi<QueueState>;
  /** Resolves with a function that releases the slot; rejects with the signal's reason. */
  acquire: (runId: RunId, signal: AbortSignal, source?: RequestSource) => Promise<() => void>;
  /** Returns the requests per minute; 0 means no limit. */
  getLimit: () => number;
  /** Returns the maximum number of concurrent requests of a source. */
  getCapacity: (source?: RequestSource) => number;
  /** Checks the waiting runs again after a change of the limit. */
  recheck: () => void;
  /** Counts requests sent elsewhere towards the same minute. */
  recordSent: (times: readonly number[]) => void;
  /**
   * Pauses all requests until this time, because the server counted more requests than this page and requested a delay.
   */
  pauseUntil: (untilMs: number) => void;
}

export interface RunQueueDeps {
  now: () => number;
  getLimit: () => number;
  slots?: RequestSlots;
  /** Storage in which all tabs keep their send times; without it, this tab counts alone. */
  storage?: Page['storage'];
  /** Name of the gateway whose requests are counted; absent for the first gateway of the server. */
  gatewayName?: string;
}

/** Key of the send times for the first gateway; those of other gateways end with the name. */
const firstStorageKey = 'bench-sent-at';

/** Reads the send times of all tabs in the last minute, including those of this tab before a reload. */
function readSentTimes(storage: Page['storage'] | undefined, storageKey: string): number[] {
  try {
    const reading = parseJson(storage?.getItem(storageKey) ?? '');
    const times: unknown = reading.ok ? reading.value : undefined;
    return Array.isArray(times) ? times.filter((sentAt) => typeof sentAt === 'number') : [];
  } catch {
    return [];
  }
}

function mergeSentTimes(first: readonly number[], second: readonly number[]): number[] {
  return [...new Set([...first, ...second])].toSorted((a, b) => a - b);
}

/** Returns the times within the window of the rate limit. */
function filterRecent(times: readonly number[], nowMs: number): number[] {
  return times.filter((time) => time > nowMs - rateWindowMs && time <= nowMs);
}

/** Returns the message that the rate limit is used up. */
export function describeUsedUpLimit(limit: number): string {
  return `Rate limit reached: ${limit} of ${limit} this minute.`;
}

export function createRunQueue({
  now,
  getLimit,
  slots = createLocalSlots(),
  storage,
  gatewayName,
}: RunQueueDeps): RunQueue {
  const storageKey = gatewayName === undefined ? firstStorageKey : `${firstStorageKey} ${gatewayName}`;
  const state = createStore<QueueState>(() => ({ sentAt: [], waiting: [], inFlight: 0 }));
  let waitingStarts: (() => void)[] = [];
  let pausedUntil = 0;
  let pausedSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Callbacks of the first cell in the queue, which waits for its start time. */
  let waitingCellChecks: (() => void)[] = [];
  let lastCellAcquisition: Promise<unknown> = Promise.resolve();

  function startNext(): void {
    clearTimeout(timer);
    // Ignores times in the future (clock set back), since they would block the queue.
    const sentAt = filterRecent(
      mergeSentTimes(state.getState().sentAt, readSentTimes(storage, storageKey)),
      now(),
    );
    if (now() < pausedSince) pausedUntil = 0;
    const starting: (() => void)[] = [];
    while (
      waitingStarts.length > 0 &&
      pausedUntil <= now() &&
      (getLimit() === 0 || sentAt.length < getLimit())
    ) {
      const next = waitingStarts.shift();
      if (!next) break;
      starting.push(next);
      // Makes the time unique, so that a request reported again by another tab or an earlier page counts once.
      let startAt = now();
      while (sentAt.includes(startAt)) startAt -= 1;
      sentAt.push(startAt);
    }
    if (starting.length > 0) persistSentTimes(sentAt);
    // After the limit was lowered, several requests must leave the time window before the next can start.
    const blockingSentAt = getLimit() === 0 ? undefined : sentAt[sentAt.length - getLimit()];
    const opensAt = Math.max(pausedUntil, blockingSentAt === undefined ? 0 : blockingSentAt + rateWindowMs);
    const nextStartAt = waitingStarts.length > 0 && opensAt > now() ? opensAt : undefined;
    const oldest = sentAt[0];
    const cellStartAt =
      waitingCellChecks.length > 0 ? Math.max(opensAt, getNextCellStart()) : Number.POSITIVE_INFINITY;
    const wakesAt = Math.min(
      nextStartAt ?? Number.POSITIVE_INFINITY,
      cellStartAt,
      oldest === undefined ? Number.POSITIVE_INFINITY : oldest + rateWindowMs,
    );
    if (Number.isFinite(wakesAt)) timer = setTimeout(startNext, Math.max(50, wakesAt - now()));
    state.setState({ sentAt, nextStartAt });
    for (const start of starting) start();
    if (!canStartCell()) return;
    const checks = waitingCellChecks;
    waitingCellChecks = [];
    for (const check of checks) check();
  }

  /**
   * Returns the earliest start for the next cell, as if all recent requests had been evenly spaced. Cells thus
   * compensate for bursts by the user and never use up the minute early.
   */
  function getNextCellStart(): number {
    const cellIntervalMs = getIntervalMs(getLimit());
    return state
      .getState()
      .sentAt.reduce((next, time) => (time > now() ? next : Math.max(next, time) + cellIntervalMs), 0);
  }

  /** Returns true if the limit allows one more request, the interval has passed and no run is waiting. */
  function canStartCell(): boolean {
    const { sentAt, waiting } = state.getState();
    const recent = filterRecent(sentAt, now());
    return (
      waitingStarts.length === 0 &&
      waiting.length === 0 &&
      pausedUntil <= now() &&
      getNextCellStart() <= now() &&
      (getLimit() === 0 || recent.length < getLimit())
    );
  }

  function waitForCellStart(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || canStartCell()) return resolve();
      // Removes the listener, since one signal may serve many consecutive requests.
      const check = () => {
        signal.removeEventListener('abort', check);
        resolve();
      };
      waitingCellChecks.push(check);
      signal.addEventListener('abort', check);
      startNext();
    });
  }

  /** Waits for the start time, then for a slot; releases the slot again if the cell may no longer start by then. */
  async function acquireCellSlot(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await waitForCellStart(signal);
      const releaseSlot = await slots.acquire(signal, 'cell');
      state.setState({ sentAt: mergeSentTimes(state.getState().sentAt, readSentTimes(storage, storageKey)) });
      if (signal.aborted || !canStartCell()) {
        releaseSlot();
        signal.throwIfAborted();
        continue;
      }
      let startAt = now();
      const { sentAt } = state.getState();
      while (sentAt.includes(startAt)) startAt -= 1;
      const newSentAt = [...sentAt, startAt].toSorted((a, b) => a - b);
      state.setState({ sentAt: newSentAt });
      persistSentTimes(newSentAt);
      return releaseSlot;
    }
  }

  /** Admits cells one after the other, in the order of arrival. */
  function acquireInCellOrder(signal: AbortSignal): Promise<() => void> {
    const acquisition = lastCellAcquisition.then(() => acquireCellSlot(signal));
    lastCellAcquisition = acquisition.catch(() => undefined);
    return acquisition;
  }

  /** Writes in the same task that read and counted the times, so that closing the page loses nothing. */
  function persistSentTimes(sentAt: readonly number[]): void {
    try {
      storage?.setItem(storageKey, JSON.stringify(sentAt));
    } catch {
      // Without storage, other tabs cannot count these requests; the server still does.
    }
  }

  startNext();
  storage?.onChange?.(startNext);

  function waitForRateLimit(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const start = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = () => {
        waitingStarts = waitingStarts.filter((callback) => callback !== start);
        startNext();
        reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      waitingStarts.push(start);
      startNext();
    });
  }

  const setWaiting = (change: (waiting: readonly RunId[]) => readonly RunId[]) =>
    state.setState(({ waiting }) => ({ waiting: change(waiting) }));

  return {
    state,
    getLimit,
    getCapacity: (source) => slots.getCapacity(source),
    recheck: startNext,
    recordSent: (times) => {
      state.setState(({ sentAt }) => ({ sentAt: mergeSentTimes(sentAt, times) }));
      startNext();
    },
    pauseUntil: (untilMs) => {
      pausedUntil = Math.max(pausedUntil, untilMs);
      pausedSince = now();
      startNext();
    },
    acquire: async (runId, signal, source) => {
      signal.throwIfAborted();
      let releaseSlot: (() => void) | undefined;
      if (source === 'cell') releaseSlot = await acquireInCellOrder(signal);
      else {
        setWaiting((waiting) => [...waiting, runId]);
        try {
          releaseSlot = await slots.acquire(signal, source);
          await waitForRateLimit(signal);
        } catch (error) {
          releaseSlot?.();
          throw error;
        } finally {
          setWaiting((waiting) => waiting.filter((id) => id !== runId));
          if (waitingCellChecks.length > 0) startNext();
        }
      }
      state.setState(({ inFlight }) => ({ inFlight: inFlight + 1 }));
      let isReleased = false;
      const release = releaseSlot;
      return () => {
        if (isReleased) return;
        isReleased = true;
        state.setState(({ inFlight }) => ({ inFlight: inFlight - 1 }));
        release();
      };
    },
  };
}

/**
 * Which run may leave, and when: a place among the long requests that may be open at a time, then its
 * turn in the minute. Whoever waits is told apart, so that it can be shown. Cells of trials have a line of their own
 * behind it: they leave one by one, with the same distance between them, and hold no place while they wait.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { RunId } from '../../conversation/session/types.ts';
import { parseJson } from '../../lib/json.ts';
import { getIntervalMs } from '../../trials/trial-pace.ts';
import type { Page } from '../page.ts';
import { createLocalSlots, type RequestSlots, type RequestSource } from '../tabs/tab-locks.ts';

/** Half a second more than a minute: a request that travels faster than the one a minute before it must not meet a 429. */
const windowMs = 60_500;

export interface QueueState {
  /** Epoch milliseconds of the requests in the last minute, over all tabs, counted here. */
  sentAt: readonly number[];
  waiting: readonly RunId[];
  /** Of this tab. */
  inFlight: number;
  /** When the window lets the next one go, where that is what it waits for. */
  nextStartAt?: number | undefined;
}

export interface RunQueue {
  state: StoreApi<QueueState>;
  /** Resolves with the function that gives the place back; rejects with the signal's reason. */
  acquire: (runId: RunId, signal: AbortSignal, source?: RequestSource) => Promise<() => void>;
  /** Requests per minute; 0: no limit. */
  getLimit: () => number;
  /** How many of a person's requests may be under way at once. */
  getCapacity: (source?: RequestSource) => number;
  /** Looks again who may leave: the limit has changed. */
  recheck: () => void;
  /** Requests that were sent elsewhere count against the same minute. */
  recordSent: (times: readonly number[]) => void;
  /** The server knows of more requests than we do and asks to wait: nothing leaves before then. */
  pauseUntil: (untilMs: number) => void;
}

export interface RunQueueDeps {
  now: () => number;
  getLimit: () => number;
  slots?: RequestSlots;
  /** Where all tabs keep the times of what they sent. Without it this tab counts alone. */
  storage?: Page['storage'];
}

const storageKey = 'bench-sent-at';

/** Times of requests in the last minute, of all tabs and of this one before a reload. */
function readSentTimes(storage: Page['storage'] | undefined): number[] {
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

/** The sentence about a minute that is used up. */
export function describeUsedUpLimit(limit: number): string {
  return `Rate limit reached: ${limit} of ${limit} this minute.`;
}

export function createRunQueue({
  now,
  getLimit,
  slots = createLocalSlots(),
  storage,
}: RunQueueDeps): RunQueue {
  const state = createStore<QueueState>(() => ({ sentAt: [], waiting: [], inFlight: 0 }));
  let waitingStarts: (() => void)[] = [];
  let pausedUntil = 0;
  let pausedSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Those whose cell is the first in the line, and waits for its moment. */
  let waitingCellChecks: (() => void)[] = [];
  let lastCellAcquisition: Promise<unknown> = Promise.resolve();

  function startNext(): void {
    clearTimeout(timer);
    // A time to come is left from before the clock was set back; it would hold the queue until then.
    const sentAt = mergeSentTimes(state.getState().sentAt, readSentTimes(storage)).filter(
      (time) => time > now() - windowMs && time <= now(),
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
      // A moment of its own: what is heard of it again, from another tab or an earlier page, counts once.
      let startAt = now();
      while (sentAt.includes(startAt)) startAt -= 1;
      sentAt.push(startAt);
    }
    if (starting.length > 0) persistSentTimes(sentAt);
    // The limit may have been lowered: then more than one has to leave the window first.
    const blockingSentAt = getLimit() === 0 ? undefined : sentAt[sentAt.length - getLimit()];
    const opensAt = Math.max(pausedUntil, blockingSentAt === undefined ? 0 : blockingSentAt + windowMs);
    const nextStartAt = waitingStarts.length > 0 && opensAt > now() ? opensAt : undefined;
    const oldest = sentAt[0];
    const cellStartAt =
      waitingCellChecks.length > 0 ? Math.max(opensAt, getNextCellStart()) : Number.POSITIVE_INFINITY;
    const wakesAt = Math.min(
      nextStartAt ?? Number.POSITIVE_INFINITY,
      cellStartAt,
      oldest === undefined ? Number.POSITIVE_INFINITY : oldest + windowMs,
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
   * When all that was sent would have left, had it kept its distance: so a cell makes up for what a person sent at once,
   * and the minute is never used up before it is over.
   */
  function getNextCellStart(): number {
    const cellIntervalMs = getIntervalMs(getLimit());
    return state
      .getState()
      .sentAt.reduce((next, time) => (time > now() ? next : Math.max(next, time) + cellIntervalMs), 0);
  }

  /** True if the limit allows one more request, the interval has passed and no run waits. */
  function canStartCell(): boolean {
    const { sentAt, waiting } = state.getState();
    const recent = sentAt.filter((time) => time > now() - windowMs && time <= now());
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
      // One signal may be behind many requests, one after the other.
      const check = () => {
        signal.removeEventListener('abort', check);
        resolve();
      };
      waitingCellChecks.push(check);
      signal.addEventListener('abort', check);
      startNext();
    });
  }

  /** Its moment first, then a place; where the moment has passed meanwhile, the place goes back to others. */
  async function acquireCellSlot(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await waitForCellStart(signal);
      const releaseSlot = await slots.acquire(signal, 'cell');
      state.setState({ sentAt: mergeSentTimes(state.getState().sentAt, readSentTimes(storage)) });
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

  /** One after the other, in the order in which they came. */
  function acquireInCellOrder(signal: AbortSignal): Promise<() => void> {
    const acquisition = lastCellAcquisition.then(() => acquireCellSlot(signal));
    lastCellAcquisition = acquisition.catch(() => undefined);
    return acquisition;
  }

  /** In the same task as they were read and counted, so that a page that is closed right after has stored them. */
  function persistSentTimes(sentAt: readonly number[]): void {
    try {
      storage?.setItem(storageKey, JSON.stringify(sentAt));
    } catch {
      // A full or forbidden storage costs other tabs the count; the server has its own.
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

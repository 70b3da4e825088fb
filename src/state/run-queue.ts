/**
 * Which run may leave, and when: at most four long requests are open (a browser opens six HTTP/1.1
 * connections a host, and models, health and reload need theirs), paced to the requests per minute.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RunId } from '../conversation/types.ts';

const mostOpen = 4;
/** Half a second more than a minute: a request that travels faster than the one a minute before it must not meet a 429. */
const windowMs = 60_500;

export interface QueueState {
  /** Epoch milliseconds of the requests in the last minute, counted here. */
  sentAt: readonly number[];
  waiting: readonly RunId[];
  open: number;
  /** When the window lets the next one go, where that is what it waits for. */
  nextStartAt?: number | undefined;
}

export interface RunQueue {
  state: StoreApi<QueueState>;
  /** Resolves with the function that gives the place back; rejects with the signal's reason. */
  enter: (runId: RunId, signal: AbortSignal) => Promise<() => void>;
  /** Requests a minute; 0 is no limit. */
  limit: () => number;
  /** Looks again who may leave: the limit has changed. */
  recheck: () => void;
}

interface Waiter {
  runId: RunId;
  start: () => void;
}

export function createRunQueue(now: () => number, limit: () => number): RunQueue {
  const state = createStore<QueueState>(() => ({ sentAt: [], waiting: [], open: 0 }));
  let waiters: Waiter[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function letGo(): void {
    clearTimeout(timer);
    // A time to come is left from before the clock was set back; it would hold the queue until then.
    const sentAt = state.getState().sentAt.filter((at) => at > now() - windowMs && at <= now());
    let { open } = state.getState();
    const starting: Waiter[] = [];
    while (waiters.length > 0 && open < mostOpen && (limit() === 0 || sentAt.length < limit())) {
      const next = waiters.shift();
      if (!next) break;
      starting.push(next);
      sentAt.push(now());
      open += 1;
    }
    const oldest = sentAt[0];
    // The limit may have been lowered: then more than one has to leave the window first.
    const blocking = sentAt[sentAt.length - limit()];
    const paced = waiters.length > 0 && open < mostOpen && blocking !== undefined;
    const nextStartAt = paced ? blocking + windowMs : undefined;
    if (oldest !== undefined) timer = setTimeout(letGo, Math.max(50, oldest + windowMs - now()));
    state.setState({ sentAt, open, waiting: waiters.map((waiter) => waiter.runId), nextStartAt });
    for (const waiter of starting) waiter.start();
  }

  function leave(): void {
    state.setState(({ open }) => ({ open: open - 1 }));
    letGo();
  }

  return {
    state,
    limit,
    recheck: letGo,
    enter: (runId, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const waiter: Waiter = {
          runId,
          start: () => {
            signal.removeEventListener('abort', giveUp);
            let left = false;
            resolve(() => {
              if (left) return;
              left = true;
              leave();
            });
          },
        };
        const giveUp = () => {
          waiters = waiters.filter((other) => other !== waiter);
          letGo();
          reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiters.push(waiter);
        letGo();
      }),
  };
}

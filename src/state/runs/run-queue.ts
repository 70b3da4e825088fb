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
import { createLocalSlots, type RequestSlots, type Sender } from '../tabs/locks.ts';

/** Half a second more than a minute: a request that travels faster than the one a minute before it must not meet a 429. */
const windowMs = 60_500;

export interface QueueState {
  /** Epoch milliseconds of the requests in the last minute, over all tabs, counted here. */
  sentAt: readonly number[];
  waiting: readonly RunId[];
  /** Of this tab. */
  open: number;
  /** When the window lets the next one go, where that is what it waits for. */
  nextStartAt?: number | undefined;
}

export interface RunQueue {
  state: StoreApi<QueueState>;
  /** Resolves with the function that gives the place back; rejects with the signal's reason. */
  enter: (runId: RunId, signal: AbortSignal, sender?: Sender) => Promise<() => void>;
  /** Requests per minute; 0: no limit. */
  limit: () => number;
  /** How many of a person's requests may be under way at once. */
  most: (sender?: Sender) => number;
  /** Looks again who may leave: the limit has changed. */
  recheck: () => void;
  /** Requests that were sent elsewhere count against the same minute. */
  noteSent: (at: readonly number[]) => void;
  /** The server knows of more requests than we do and asks to wait: nothing leaves before then. */
  holdUntil: (at: number) => void;
}

export interface QueueParts {
  now: () => number;
  limit: () => number;
  slots?: RequestSlots;
  /** Where all tabs keep the times of what they sent. Without it this tab counts alone. */
  storage?: Page['storage'];
}

const storageKey = 'bench-sent-at';

/** Times of requests in the last minute, of all tabs and of this one before a reload. */
function readSentAt(storage: Page['storage'] | undefined): number[] {
  try {
    const reading = parseJson(storage?.getItem(storageKey) ?? '');
    const times: unknown = reading.ok ? reading.value : undefined;
    return Array.isArray(times) ? times.filter((at) => typeof at === 'number') : [];
  } catch {
    return [];
  }
}

function union(one: readonly number[], other: readonly number[]): number[] {
  return [...new Set([...one, ...other])].toSorted((a, b) => a - b);
}

/** The sentence about a minute that is used up. */
export function usedUp(limit: number): string {
  return limit === 1
    ? 'The one request for this minute is used.'
    : `All ${limit} requests for this minute are used.`;
}

export function createRunQueue({ now, limit, slots = createLocalSlots(), storage }: QueueParts): RunQueue {
  const state = createStore<QueueState>(() => ({ sentAt: [], waiting: [], open: 0 }));
  let pacing: (() => void)[] = [];
  let heldUntil = 0;
  let heldSince = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Those whose cell is the first in the line, and waits for its moment. */
  let cellsWaiting: (() => void)[] = [];
  let cellLine: Promise<unknown> = Promise.resolve();

  function letGo(): void {
    clearTimeout(timer);
    // A time to come is left from before the clock was set back; it would hold the queue until then.
    const sentAt = union(state.getState().sentAt, readSentAt(storage)).filter(
      (at) => at > now() - windowMs && at <= now(),
    );
    if (now() < heldSince) heldUntil = 0;
    const starting: (() => void)[] = [];
    while (pacing.length > 0 && heldUntil <= now() && (limit() === 0 || sentAt.length < limit())) {
      const next = pacing.shift();
      if (!next) break;
      starting.push(next);
      // A moment of its own: what is heard of it again, from another tab or an earlier page, counts once.
      let at = now();
      while (sentAt.includes(at)) at -= 1;
      sentAt.push(at);
    }
    if (starting.length > 0) keepSentAt(sentAt);
    // The limit may have been lowered: then more than one has to leave the window first.
    const blocking = limit() === 0 ? undefined : sentAt[sentAt.length - limit()];
    const opensAt = Math.max(heldUntil, blocking === undefined ? 0 : blocking + windowMs);
    const nextStartAt = pacing.length > 0 && opensAt > now() ? opensAt : undefined;
    const oldest = sentAt[0];
    const cellsAt = cellsWaiting.length > 0 ? Math.max(opensAt, nextCellAt()) : Number.POSITIVE_INFINITY;
    const wakesAt = Math.min(
      nextStartAt ?? Number.POSITIVE_INFINITY,
      cellsAt,
      oldest === undefined ? Number.POSITIVE_INFINITY : oldest + windowMs,
    );
    if (Number.isFinite(wakesAt)) timer = setTimeout(letGo, Math.max(50, wakesAt - now()));
    state.setState({ sentAt, nextStartAt });
    for (const start of starting) start();
    if (!isOpenForCells()) return;
    const cells = cellsWaiting;
    cellsWaiting = [];
    for (const look of cells) look();
  }

  /**
   * When all that was sent would have left, had it kept its distance: so a cell makes up for what a person sent at once,
   * and the minute is never used up before it is over.
   */
  function nextCellAt(): number {
    const distance = getIntervalMs(limit());
    return state
      .getState()
      .sentAt.reduce((next, at) => (at > now() ? next : Math.max(next, at) + distance), 0);
  }

  /** The minute has room, the distance is kept, and nobody waits. */
  function isOpenForCells(): boolean {
    const { sentAt, waiting } = state.getState();
    const recent = sentAt.filter((at) => at > now() - windowMs && at <= now());
    return (
      pacing.length === 0 &&
      waiting.length === 0 &&
      heldUntil <= now() &&
      nextCellAt() <= now() &&
      (limit() === 0 || recent.length < limit())
    );
  }

  function openForCells(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted || isOpenForCells()) return resolve();
      // One signal may be behind many requests, one after the other.
      const look = () => {
        signal.removeEventListener('abort', look);
        resolve();
      };
      cellsWaiting.push(look);
      signal.addEventListener('abort', look);
      letGo();
    });
  }

  /** Its moment first, then a place; where the moment has passed meanwhile, the place goes back to others. */
  async function enterCell(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      await openForCells(signal);
      const giveBack = await slots.take(signal, 'cell');
      state.setState({ sentAt: union(state.getState().sentAt, readSentAt(storage)) });
      if (signal.aborted || !isOpenForCells()) {
        giveBack();
        signal.throwIfAborted();
        continue;
      }
      let at = now();
      const { sentAt } = state.getState();
      while (sentAt.includes(at)) at -= 1;
      const sent = [...sentAt, at].toSorted((one, other) => one - other);
      state.setState({ sentAt: sent });
      keepSentAt(sent);
      return giveBack;
    }
  }

  /** One after the other, in the order in which they came. */
  function cellsTurn(signal: AbortSignal): Promise<() => void> {
    const turn = cellLine.then(() => enterCell(signal));
    cellLine = turn.catch(() => undefined);
    return turn;
  }

  /** In the same task as they were read and counted, so that a page that is closed right after has stored them. */
  function keepSentAt(sentAt: readonly number[]): void {
    try {
      storage?.setItem(storageKey, JSON.stringify(sentAt));
    } catch {
      // A full or forbidden storage costs other tabs the count; the server has its own.
    }
  }

  letGo();
  storage?.onChange?.(letGo);

  function paced(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        pacing = pacing.filter((other) => other !== start);
        letGo();
        reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      pacing.push(start);
      letGo();
    });
  }

  const setWaiting = (change: (waiting: readonly RunId[]) => readonly RunId[]) =>
    state.setState(({ waiting }) => ({ waiting: change(waiting) }));

  return {
    state,
    limit,
    most: (sender) => slots.most(sender),
    recheck: letGo,
    noteSent: (at) => {
      state.setState(({ sentAt }) => ({ sentAt: union(sentAt, at) }));
      letGo();
    },
    holdUntil: (at) => {
      heldUntil = Math.max(heldUntil, at);
      heldSince = now();
      letGo();
    },
    enter: async (runId, signal, sender) => {
      signal.throwIfAborted();
      let giveBack: (() => void) | undefined;
      if (sender === 'cell') giveBack = await cellsTurn(signal);
      else {
        setWaiting((waiting) => [...waiting, runId]);
        try {
          giveBack = await slots.take(signal, sender);
          await paced(signal);
        } catch (error) {
          giveBack?.();
          throw error;
        } finally {
          setWaiting((waiting) => waiting.filter((id) => id !== runId));
          if (cellsWaiting.length > 0) letGo();
        }
      }
      state.setState(({ open }) => ({ open: open + 1 }));
      let left = false;
      const leave = giveBack;
      return () => {
        if (left) return;
        left = true;
        state.setState(({ open }) => ({ open: open - 1 }));
        leave();
      };
    },
  };
}

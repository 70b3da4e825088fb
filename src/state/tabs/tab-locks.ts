/**
 * Coordinates tabs with Web Locks: which tab streams a run, how many long requests are open. The browser releases the
 * locks of closed tabs. Insecure origins have no locks: each tab counts only its own requests, and heartbeats announce
 * streamed runs, since a run without an owner would be stored as interrupted.
 */
import { delay } from 'es-toolkit';

import type { RunId } from '../../conversation/session/types.ts';
import type { Page } from '../page.ts';
import type { TabChannel } from './tab-channel.ts';

export interface TabLocks {
  slots: RequestSlots;
  /** Claims a run for this tab until the returned function is called. */
  claimRun: (runId: RunId) => () => void;
  owners: RunOwners;
}

/** Source of a request: the user, or an automatic process such as a trial. */
export type RequestSource = 'user' | 'cell';

export interface RequestSlots {
  /** Resolves with a function that releases the slot, in order of arrival; rejects on abort. */
  acquire: (signal: AbortSignal, source?: RequestSource) => Promise<() => void>;
  /** Returns the current number of slots. */
  getCapacity: (source?: RequestSource) => number;
}

export interface RunOwners {
  /** Returns which of these runs are being streamed by a tab. */
  findClaimedRuns: (runIds: readonly RunId[]) => Promise<Set<RunId>>;
  /** Resolves when no tab streams the run any more. */
  whenReleased: (runId: RunId) => Promise<void>;
}

/** `onUnshared` is called once if another tab is open but Web Locks are unavailable. */
export function createTabLocks(
  { locks, now, maxDirectRequests }: Pick<Page, 'locks' | 'now' | 'maxDirectRequests'>,
  tabChannel: TabChannel,
  onUnshared: () => void,
): TabLocks {
  if (locks)
    return {
      slots: createLockSlots(locks),
      claimRun: (runId) => claimRun(locks, runId),
      owners: createLockOwners(locks),
    };
  const ownRunIds = new Set<RunId>();
  return {
    slots: createLocalSlots(maxDirectRequests),
    claimRun: (runId) => {
      ownRunIds.add(runId);
      return () => ownRunIds.delete(runId);
    },
    owners: createHeartbeatOwners(tabChannel, now, ownRunIds, onUnshared),
  };
}

const runLockPrefix = 'bench-run-';

function claimRun(locks: LockManager, runId: RunId): () => void {
  let release: () => void = () => undefined;
  const untilReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  locks.request(runLockPrefix + runId, () => untilReleased).catch(() => undefined);
  return () => release();
}

function createLockOwners(locks: LockManager): RunOwners {
  return {
    findClaimedRuns: async (runIds) => {
      if (runIds.length === 0) return new Set();
      const names = new Set((await locks.query()).held?.map((lock) => lock.name));
      return new Set(runIds.filter((runId) => names.has(runLockPrefix + runId)));
    },
    whenReleased: async (runId) => {
      await locks.request(runLockPrefix + runId, () => undefined);
    },
  };
}

const heartbeatMs = 1000;
/** Time in ms without heartbeat after which a tab counts as closed; tolerates two late heartbeats. */
const heartbeatTimeoutMs = 3500;
/** Time in ms within which an open tab replies. */
const replyTimeoutMs = 300;

function createHeartbeatOwners(
  tabChannel: TabChannel,
  now: () => number,
  ownRunIds: ReadonlySet<RunId>,
  onOtherTab: () => void,
): RunOwners {
  const lastSeenAt = new Map<RunId, number>();
  const isAlive = (runId: RunId) =>
    (lastSeenAt.get(runId) ?? Number.NEGATIVE_INFINITY) > now() - heartbeatTimeoutMs;
  const sendHeartbeat = () => tabChannel.send({ alive: [...ownRunIds] });
  let isOnlyTab = true;
  tabChannel.onMessage((message) => {
    if (isOnlyTab) onOtherTab();
    isOnlyTab = false;
    if ('asks' in message && message.asks === 'who is alive') sendHeartbeat();
    if ('alive' in message) for (const runId of message.alive) lastSeenAt.set(runId, now());
    // Writes to a tape count as heartbeats, because timers of hidden tabs are throttled but arriving data is not.
    if ('changes' in message) {
      for (const { store, key } of message.changes) if (store === 'tapes') lastSeenAt.set(key, now());
    }
  });
  setInterval(() => ownRunIds.size > 0 && sendHeartbeat(), heartbeatMs);
  tabChannel.send({ asks: 'who is alive' });
  return {
    findClaimedRuns: async (runIds) => {
      if (runIds.length === 0) return new Set();
      tabChannel.send({ asks: 'who is alive' });
      await delay(replyTimeoutMs);
      return new Set(runIds.filter(isAlive));
    },
    whenReleased: async (runId) => {
      // The run was written recently, so its tab gets the full heartbeat timeout.
      lastSeenAt.set(runId, now());
      while (isAlive(runId)) await delay(heartbeatMs);
    },
  };
}

/** Browsers open six HTTP/1.1 connections per host; two remain for models, health and page loads. */
const maxOpenRequests = 4;

/** One slot is always left for the user. */
const maxCellRequests = maxOpenRequests - 1;
/** Interval in ms at which cells check for a slot released by another tab. */
const pollIntervalMs = 250;

/** Creates slots for four long requests across all tabs. */
function createLockSlots(locks: LockManager): RequestSlots {
  /** Waiting cells of this tab; they retry as soon as this tab releases a slot. */
  let waitingCells: (() => void)[] = [];
  const wrapRelease = (release: () => void) => () => {
    release();
    const callbacks = waitingCells;
    waitingCells = [];
    for (const callback of callbacks) callback();
  };

  /** Acquires a free slot that no queued lock request is waiting for; returns undefined if there is none. */
  async function acquireFreeSlot(): Promise<(() => void) | undefined> {
    for (let slot = 0; slot < maxCellRequests; slot += 1) {
      const release = await new Promise<(() => void) | undefined>((resolve, reject) => {
        locks
          .request(`bench-request-${slot}`, { ifAvailable: true }, (lock) => {
            if (!lock) return resolve(undefined);
            return new Promise<void>((free) => resolve(free));
          })
          .catch(reject);
      });
      if (release) return wrapRelease(release);
    }
    return undefined;
  }

  async function acquireForCell(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const release = await acquireFreeSlot();
      if (release && !signal.aborted) return release;
      release?.();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pollIntervalMs);
        const retry = () => {
          clearTimeout(timer);
          resolve();
        };
        waitingCells.push(retry);
        signal.addEventListener('abort', retry, { once: true });
      });
    }
  }

  return {
    getCapacity: (source) => (source === 'cell' ? maxCellRequests : maxOpenRequests),
    acquire: async (signal, source) => {
      if (source === 'cell') return acquireForCell(signal);
      signal.throwIfAborted();
      const otherRequests = new AbortController();
      const onAbort = () => otherRequests.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await new Promise<() => void>((resolve, reject) => {
          let isGranted = false;
          for (let slot = 0; slot < maxOpenRequests; slot += 1) {
            locks
              .request(`bench-request-${slot}`, { signal: otherRequests.signal }, () => {
                // Two locks may be granted at the same time; the second is released immediately.
                if (isGranted) return undefined;
                isGranted = true;
                return new Promise<void>((release) => {
                  resolve(wrapRelease(release));
                  otherRequests.abort();
                });
              })
              .catch((error: unknown) => {
                if (!isGranted) reject(error instanceof Error ? error : new Error(String(error)));
              });
          }
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/** Creates slots for this tab only, four by default. Cells never use the last free slot. */
export function createLocalSlots(capacity = maxOpenRequests): RequestSlots {
  let usedCount = 0;
  let waitingUsers: (() => void)[] = [];
  let waitingCells: (() => void)[] = [];
  const grantNext = () => {
    while (waitingUsers.length > 0 && usedCount < capacity) {
      usedCount += 1;
      waitingUsers.shift()?.();
    }
    while (waitingCells.length > 0 && usedCount < capacity - 1) {
      usedCount += 1;
      waitingCells.shift()?.();
    }
  };
  return {
    getCapacity: (source) => (source === 'cell' ? capacity - 1 : capacity),
    acquire: (signal, source) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const grant = () => {
          signal.removeEventListener('abort', onAbort);
          resolve(() => {
            usedCount -= 1;
            grantNext();
          });
        };
        const onAbort = () => {
          waitingUsers = waitingUsers.filter((waiter) => waiter !== grant);
          waitingCells = waitingCells.filter((waiter) => waiter !== grant);
          reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
        };
        signal.addEventListener('abort', onAbort, { once: true });
        (source === 'cell' ? waitingCells : waitingUsers).push(grant);
        grantNext();
      }),
  };
}

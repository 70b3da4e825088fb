/**
 * What tabs share by Web Locks: which of them streams a run, and how many long requests are open. The browser frees
 * the locks of a tab that dies. Insecure origins have none: there each tab counts only its own requests, and tabs
 * tell each other which runs they stream, since a run that seems to be nobody's would be stored as interrupted.
 */
import type { RunId } from '../../conversation/session/types.ts';
import type { Page } from '../page.ts';
import type { TabChannel } from './tab-channel.ts';

export interface TabLocks {
  slots: RequestSlots;
  /** Marks the run as streamed by this tab until the function returned is called. */
  claimRun: (runId: RunId) => () => void;
  owners: RunOwners;
}

/** Who sends: a person, or what goes on by itself once it was begun, such as a trial that asks for its cells. */
export type RequestSource = 'user' | 'cell';

export interface RequestSlots {
  /** Resolves with the function that gives the place back, first come first served; rejects when the signal aborts. */
  acquire: (signal: AbortSignal, source?: RequestSource) => Promise<() => void>;
  /** How many places there are now. */
  getCapacity: (source?: RequestSource) => number;
}

export interface RunOwners {
  /** The runs among these that some tab is streaming now. */
  findClaimedRuns: (runIds: readonly RunId[]) => Promise<Set<RunId>>;
  /** Resolves when no tab streams the run any more. */
  whenReleased: (runId: RunId) => Promise<void>;
}

/** `onUnshared` runs once, when another tab is open and there are no locks to share with it. */
export function createTabLocks(
  { locks, now }: Pick<Page, 'locks' | 'now'>,
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
    slots: createLocalSlots(),
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
/** Two beats may come late; a third that is missing means that the tab is gone. */
const heartbeatTimeoutMs = 3500;
/** A tab that is there answers sooner. */
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
    // Timers of hidden tabs are throttled, arriving data is not: what is written to a tape is a beat, too.
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
      await sleep(replyTimeoutMs);
      return new Set(runIds.filter(isAlive));
    },
    whenReleased: async (runId) => {
      // Known by a write of its tab a moment ago: it gets the time to be heard of.
      lastSeenAt.set(runId, now());
      while (isAlive(runId)) await sleep(heartbeatMs);
    },
  };
}

/** Resolves after so many milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** A browser opens six HTTP/1.1 connections a host, and models, health and reload need theirs. */
const maxOpenRequests = 4;

/** One place is always left to people. */
const maxCellRequests = maxOpenRequests - 1;
/** A place that another tab has given back is found after that long. */
const pollIntervalMs = 250;

/** At most four long requests over all tabs. */
function createLockSlots(locks: LockManager): RequestSlots {
  /** Cells of this tab that look again as soon as a place of it is free. */
  let waitingCells: (() => void)[] = [];
  const wrapRelease = (release: () => void) => () => {
    release();
    const callbacks = waitingCells;
    waitingCells = [];
    for (const callback of callbacks) callback();
  };

  /** A place that nobody waits for: whoever has asked for one by its lock comes first. */
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
                // Two may be granted in one moment: the second is given back at once.
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

/** Of this tab: four long requests at most, unless told otherwise; a cell never takes the last place that is free. */
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

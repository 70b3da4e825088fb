/**
 * What tabs share by Web Locks: which of them streams a run, and how many long requests are open. The browser frees
 * the locks of a tab that dies. Insecure origins have none: there each tab counts only its own requests, and tabs
 * tell each other which runs they stream, since a run that seems to be nobody's would be stored as interrupted.
 */
import type { RunId } from '../../conversation/session/types.ts';
import type { Page } from '../page.ts';
import type { TabLink } from './tab-channel.ts';

export interface TabLocks {
  slots: RequestSlots;
  /** Marks the run as streamed by this tab until the function returned is called. */
  hold: (runId: RunId) => () => void;
  owners: RunOwners;
}

/** Who sends: a person, or what goes on by itself once it was begun, such as a trial that asks for its cells. */
export type Sender = 'person' | 'cell';

export interface RequestSlots {
  /** Resolves with the function that gives the place back, first come first served; rejects when the signal aborts. */
  take: (signal: AbortSignal, sender?: Sender) => Promise<() => void>;
  /** How many places there are now. */
  most: (sender?: Sender) => number;
}

export interface RunOwners {
  /** The runs among these that some tab is streaming now. */
  held: (runIds: readonly RunId[]) => Promise<Set<RunId>>;
  /** Resolves when no tab streams the run any more. */
  released: (runId: RunId) => Promise<void>;
}

/** `onUnshared` runs once, when another tab is open and there are no locks to share with it. */
export function createTabLocks(
  { locks, now }: Pick<Page, 'locks' | 'now'>,
  link: TabLink,
  onUnshared: () => void,
): TabLocks {
  if (locks)
    return {
      slots: createLockSlots(locks),
      hold: (runId) => holdRun(locks, runId),
      owners: lockOwners(locks),
    };
  const own = new Set<RunId>();
  return {
    slots: createLocalSlots(),
    hold: (runId) => {
      own.add(runId);
      return () => own.delete(runId);
    },
    owners: heartbeatOwners(link, now, own, onUnshared),
  };
}

const prefix = 'bench-run-';

function holdRun(locks: LockManager, runId: RunId): () => void {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  locks.request(prefix + runId, () => held).catch(() => undefined);
  return () => release();
}

function lockOwners(locks: LockManager): RunOwners {
  return {
    held: async (runIds) => {
      if (runIds.length === 0) return new Set();
      const names = new Set((await locks.query()).held?.map((lock) => lock.name));
      return new Set(runIds.filter((runId) => names.has(prefix + runId)));
    },
    released: async (runId) => {
      await locks.request(prefix + runId, () => undefined);
    },
  };
}

const heartbeatMs = 1000;
/** Two beats may come late; a third that is missing means that the tab is gone. */
const silentAfterMs = 3500;
/** A tab that is there answers sooner. */
const answerMs = 300;

function heartbeatOwners(
  link: TabLink,
  now: () => number,
  own: ReadonlySet<RunId>,
  onOtherTab: () => void,
): RunOwners {
  const heardAt = new Map<RunId, number>();
  const isAlive = (runId: RunId) => (heardAt.get(runId) ?? Number.NEGATIVE_INFINITY) > now() - silentAfterMs;
  const beat = () => link.send({ alive: [...own] });
  let isAlone = true;
  link.onHeard((message) => {
    if (isAlone) onOtherTab();
    isAlone = false;
    if ('asks' in message && message.asks === 'who is alive') beat();
    if ('alive' in message) for (const runId of message.alive) heardAt.set(runId, now());
    // Timers of hidden tabs are throttled, arriving data is not: what is written to a tape is a beat, too.
    if ('changes' in message) {
      for (const { store, key } of message.changes) if (store === 'tapes') heardAt.set(key, now());
    }
  });
  setInterval(() => own.size > 0 && beat(), heartbeatMs);
  link.send({ asks: 'who is alive' });
  return {
    held: async (runIds) => {
      if (runIds.length === 0) return new Set();
      link.send({ asks: 'who is alive' });
      await passing(answerMs);
      return new Set(runIds.filter(isAlive));
    },
    released: async (runId) => {
      // Known by a write of its tab a moment ago: it gets the time to be heard of.
      heardAt.set(runId, now());
      while (isAlive(runId)) await passing(heartbeatMs);
    },
  };
}

/** Resolves after so many milliseconds. */
export function passing(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** A browser opens six HTTP/1.1 connections a host, and models, health and reload need theirs. */
const mostOpen = 4;

/** One place is always left to people. */
const mostCells = mostOpen - 1;
/** A place that another tab has given back is found after that long. */
const lookEveryMs = 250;

/** At most four long requests over all tabs. */
function createLockSlots(locks: LockManager): RequestSlots {
  /** Cells of this tab that look again as soon as a place of it is free. */
  let looking: (() => void)[] = [];
  const given = (release: () => void) => () => {
    release();
    const looks = looking;
    looking = [];
    for (const look of looks) look();
  };

  /** A place that nobody waits for: whoever has asked for one by its lock comes first. */
  async function takeFree(): Promise<(() => void) | undefined> {
    for (let slot = 0; slot < mostCells; slot += 1) {
      const release = await new Promise<(() => void) | undefined>((resolve, reject) => {
        locks
          .request(`bench-request-${slot}`, { ifAvailable: true }, (lock) => {
            if (!lock) return resolve(undefined);
            return new Promise<void>((free) => resolve(free));
          })
          .catch(reject);
      });
      if (release) return given(release);
    }
    return undefined;
  }

  async function takeForCell(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted();
      const leave = await takeFree();
      if (leave && !signal.aborted) return leave;
      leave?.();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookEveryMs);
        const look = () => {
          clearTimeout(timer);
          resolve();
        };
        looking.push(look);
        signal.addEventListener('abort', look, { once: true });
      });
    }
  }

  return {
    most: (sender) => (sender === 'cell' ? mostCells : mostOpen),
    take: async (signal, sender) => {
      if (sender === 'cell') return takeForCell(signal);
      signal.throwIfAborted();
      const others = new AbortController();
      const giveUp = () => others.abort(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await new Promise<() => void>((resolve, reject) => {
          let taken = false;
          for (let slot = 0; slot < mostOpen; slot += 1) {
            locks
              .request(`bench-request-${slot}`, { signal: others.signal }, () => {
                // Two may be granted in one moment: the second is given back at once.
                if (taken) return undefined;
                taken = true;
                return new Promise<void>((release) => {
                  resolve(given(release));
                  others.abort();
                });
              })
              .catch((error: unknown) => {
                if (!taken) reject(error instanceof Error ? error : new Error(String(error)));
              });
          }
        });
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

/** Of this tab: four long requests at most, unless told otherwise; a cell never takes the last place that is free. */
export function createLocalSlots(most = mostOpen): RequestSlots {
  let held = 0;
  let waiting: (() => void)[] = [];
  let cells: (() => void)[] = [];
  const start = () => {
    while (waiting.length > 0 && held < most) {
      held += 1;
      waiting.shift()?.();
    }
    while (cells.length > 0 && held < most - 1) {
      held += 1;
      cells.shift()?.();
    }
  };
  return {
    most: (sender) => (sender === 'cell' ? most - 1 : most),
    take: (signal, sender) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const enter = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(() => {
            held -= 1;
            start();
          });
        };
        const giveUp = () => {
          waiting = waiting.filter((other) => other !== enter);
          cells = cells.filter((other) => other !== enter);
          reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
        };
        signal.addEventListener('abort', giveUp, { once: true });
        (sender === 'cell' ? cells : waiting).push(enter);
        start();
      }),
  };
}

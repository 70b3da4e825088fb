/** Which tab streams a run: told by Web Locks, or, where there are none (insecure origins), by a heartbeat. */
import type { RunId } from '../../conversation/session/types.ts';
import type { Page } from '../page.ts';
import { heldRuns, runReleased } from '../runs/run-locks.ts';
import type { TabLink } from './tabs-link.ts';

export interface RunOwners {
  /** The runs among these that some tab is streaming now. */
  held: (runIds: readonly RunId[]) => Promise<Set<RunId>>;
  /** Resolves when no tab streams the run any more. */
  released: (runId: RunId) => Promise<void>;
}

const heartbeatMs = 1000;
/** Two beats may come late; a third that is missing means that the tab is gone. */
const silentAfterMs = 3500;
/** A tab that is there answers sooner. */
const answerMs = 300;

export function createRunOwners(
  link: TabLink,
  { locks, now }: Pick<Page, 'locks' | 'now'>,
  ownRuns: () => readonly RunId[],
): RunOwners {
  if (locks)
    return {
      held: (runIds) => heldRuns(locks, runIds),
      released: (runId) => runReleased(locks, runId),
    };
  return heartbeatOwners(link, now, ownRuns);
}

export function heartbeatOwners(
  link: TabLink,
  now: () => number,
  ownRuns: () => readonly RunId[],
): RunOwners {
  const heardAt = new Map<RunId, number>();
  const isAlive = (runId: RunId) => (heardAt.get(runId) ?? Number.NEGATIVE_INFINITY) > now() - silentAfterMs;
  const beat = () => {
    const alive = [...ownRuns()];
    if (alive.length > 0) link.send({ alive });
  };
  link.onHeard((message) => {
    if ('asks' in message) beat();
    if ('alive' in message) for (const runId of message.alive) heardAt.set(runId, now());
    // Timers of hidden tabs are throttled, arriving data is not: what is written to a tape is a beat, too.
    if ('changes' in message) {
      for (const { store, key } of message.changes) if (store === 'tapes') heardAt.set(key, now());
    }
  });
  setInterval(beat, heartbeatMs);
  return {
    held: async (runIds) => {
      if (runIds.length === 0) return new Set();
      link.send({ asks: 'who is alive' });
      await later(answerMs);
      return new Set(runIds.filter(isAlive));
    },
    released: async (runId) => {
      // Known by a write of its tab a moment ago: it gets the time to be heard of.
      heardAt.set(runId, now());
      while (isAlive(runId)) await later(heartbeatMs);
    },
  };
}

function later(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

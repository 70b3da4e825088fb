/**
 * Web Lock of a trial, so that only one tab runs it; the browser releases it when the tab closes. Without Web Locks,
 * tabs do not coordinate.
 */
import type { TrialId } from '../../trials/trial.ts';
import type { Page } from '../page.ts';

export interface TrialLock {
  /** Resolves with false if another tab holds the lock. */
  acquire: () => Promise<boolean>;
  /** Waits for the lock and acquires it. */
  acquireWhenFree: () => Promise<void>;
  release: () => void;
  /** Calls the listener once when no tab holds the lock any more. */
  onFree: (listener: () => void) => Promise<void>;
  /** Cancels a pending `onFree`. */
  cancelOnFree: () => void;
}

const trialLockPrefix = 'bench-trial-';

export function createTrialLock(locks: Page['locks'], trialId: TrialId): TrialLock {
  const name = trialLockPrefix + trialId;
  let releaseLock: (() => void) | undefined;
  let watchController: AbortController | undefined;

  function request(options: LockOptions): Promise<boolean> {
    if (!locks || releaseLock) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      locks
        .request(name, options, (lock) => {
          if (!lock) return resolve(false);
          return new Promise<void>((release) => {
            releaseLock = release;
            resolve(true);
          });
        })
        .catch(reject);
    });
  }

  return {
    acquire: () => request({ ifAvailable: true }),
    acquireWhenFree: async () => {
      watchController?.abort();
      await request({});
    },
    release: () => {
      releaseLock?.();
      releaseLock = undefined;
    },
    onFree: async (listener) => {
      watchController?.abort();
      const { signal } = (watchController = new AbortController());
      await locks?.request(name, { signal }, () => undefined);
      if (!signal.aborted) listener();
    },
    cancelOnFree: () => watchController?.abort(),
  };
}

/** Returns true if any tab is running a trial. */
export async function isAnyTrialLocked(locks: Page['locks']): Promise<boolean> {
  const heldLocks = (await locks?.query())?.held ?? [];
  return heldLocks.some((lock) => lock.name?.startsWith(trialLockPrefix));
}

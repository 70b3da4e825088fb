/** One tab asks: the Web Lock of a trial, which the browser frees when its tab dies. Without locks each tab is alone. */
import type { TrialId } from '../../trials/trial.ts';
import type { Page } from '../page.ts';

export interface TrialLock {
  /** False where another tab has it. */
  acquire: () => Promise<boolean>;
  /** Waits until it is free, and takes it. */
  acquireWhenFree: () => Promise<void>;
  release: () => void;
  /** Told once when no tab has it any more. */
  onFree: (listener: () => void) => Promise<void>;
  /** No longer waits to be told. */
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

/** Whether any tab asks for any trial. */
export async function isAnyTrialLocked(locks: Page['locks']): Promise<boolean> {
  const heldLocks = (await locks?.query())?.held ?? [];
  return heldLocks.some((lock) => lock.name?.startsWith(trialLockPrefix));
}

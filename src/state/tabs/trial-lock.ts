/** One tab asks: the Web Lock of a trial, which the browser frees when its tab dies. Without locks each tab is alone. */
import type { TrialId } from '../../trials/trial.ts';
import type { Page } from '../page.ts';

export interface TrialLock {
  /** False where another tab has it. */
  take: () => Promise<boolean>;
  /** Waits until it is free, and takes it. */
  wait: () => Promise<void>;
  release: () => void;
  /** Told once when no tab has it any more. */
  whenFree: (listener: () => void) => Promise<void>;
  /** No longer waits to be told. */
  forget: () => void;
}

const prefix = 'bench-trial-';

export function createTrialLock(locks: Page['locks'], trialId: TrialId): TrialLock {
  const name = prefix + trialId;
  let free: (() => void) | undefined;
  let watching: AbortController | undefined;

  function request(options: LockOptions): Promise<boolean> {
    if (!locks || free) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      locks
        .request(name, options, (lock) => {
          if (!lock) return resolve(false);
          return new Promise<void>((release) => {
            free = release;
            resolve(true);
          });
        })
        .catch(reject);
    });
  }

  return {
    take: () => request({ ifAvailable: true }),
    wait: async () => {
      watching?.abort();
      await request({});
    },
    release: () => {
      free?.();
      free = undefined;
    },
    whenFree: async (listener) => {
      watching?.abort();
      const { signal } = (watching = new AbortController());
      await locks?.request(name, { signal }, () => undefined);
      if (!signal.aborted) listener();
    },
    forget: () => watching?.abort(),
  };
}

/** Whether any tab asks for any trial. */
export async function isAnyTrialHeld(locks: Page['locks']): Promise<boolean> {
  const held = (await locks?.query())?.held ?? [];
  return held.some((lock) => lock.name?.startsWith(prefix));
}

/** Separate from trials.ts, which is loaded when trials are first needed; this part is loaded at startup. */
import { delay } from 'es-toolkit';

import { loadLazyModule } from '../../lib/lazy-import.ts';
import type { Page } from '../page.ts';
import type { TabChannel } from '../tabs/tab-channel.ts';
import { isAnyTrialLocked } from '../tabs/trial-lock.ts';
import type { Trials } from './trials-store.ts';

/** Holder of the trials module of this page. */
export interface LazyTrials {
  /** Returns the trials, or undefined until they are loaded. */
  getTrials: () => Trials | undefined;
  /** Loads the trials once and returns the same promise each time; a failure is retried by the next call. */
  load: () => Promise<Trials>;
  /** Stops running trials in all tabs; waits at most five seconds. */
  stopAll: () => Promise<void>;
}

interface LazyTrialsDeps {
  load: () => Promise<Trials>;
  tabChannel: Pick<TabChannel, 'send'>;
  locks: Page['locks'];
}

const stopTimeoutMs = 5000;
const pollMs = 50;

/** Loads the trials module on first use. */
export function createLazyTrials({ load, tabChannel, locks }: LazyTrialsDeps): LazyTrials {
  let loadedTrials: Trials | undefined;
  let loadingTrials: Promise<Trials> | undefined;
  return {
    getTrials: () => loadedTrials,
    load: () => {
      loadingTrials ??= loadLazyModule(load).then(
        (trials) => (loadedTrials = trials),
        (error: unknown) => {
          loadingTrials = undefined;
          throw error;
        },
      );
      return loadingTrials;
    },
    stopAll: async () => {
      tabChannel.send({ asks: 'stop trials' });
      await loadedTrials?.stopAll();
      for (let waitedMs = 0; waitedMs < stopTimeoutMs; waitedMs += pollMs) {
        if (!(await isAnyTrialLocked(locks))) return;
        await delay(pollMs);
      }
    },
  };
}

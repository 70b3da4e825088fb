/** Apart from trials.ts, which is fetched when trials are first needed: this much of them is there from the beginning. */
import { loadLazyModule } from '../../lib/lazy-import.ts';
import type { Page } from '../page.ts';
import type { TabChannel } from '../tabs/tab-channel.ts';
import { sleep } from '../tabs/tab-locks.ts';
import { isAnyTrialLocked } from '../tabs/trial-lock.ts';
import type { Trials } from './trials-store.ts';

/** Where the trials of this page are found. */
export interface LazyTrials {
  /** Undefined until they are open. */
  getTrials: () => Trials | undefined;
  /** The same promise each time; what failed is tried again by the next who asks. */
  load: () => Promise<Trials>;
  /** Stops the trials that run, in whatever tab, for as long as that takes within five seconds. */
  stopAll: () => Promise<void>;
}

interface LazyTrialsDeps {
  load: () => Promise<Trials>;
  tabChannel: Pick<TabChannel, 'send'>;
  locks: Page['locks'];
}

const stopTimeoutMs = 5000;
const pollMs = 50;

/** Loads trials on first use. */
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
        await sleep(pollMs);
      }
    },
  };
}

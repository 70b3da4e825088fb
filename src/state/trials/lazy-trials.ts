/** Apart from trials.ts, which is fetched when trials are first needed: this much of them is there from the beginning. */
import { lazyImport } from '../../lib/lazy-import.ts';
import type { Page } from '../page.ts';
import { passing } from '../tabs/locks.ts';
import type { TabLink } from '../tabs/tab-channel.ts';
import { isAnyTrialHeld } from '../tabs/trial-lock.ts';
import type { Trials } from './trials-store.ts';

/** Where the trials of this page are found. */
export interface TrialsDoor {
  /** Undefined until they are open. */
  trials: () => Trials | undefined;
  /** The same promise each time; what failed is tried again by the next who asks. */
  open: () => Promise<Trials>;
  /** Stops the trials that run, in whatever tab, for as long as that takes within five seconds. */
  stopAll: () => Promise<void>;
}

interface TrialsDoorParts {
  load: () => Promise<Trials>;
  link: Pick<TabLink, 'send'>;
  locks: Page['locks'];
}

const stopPatienceMs = 5000;
const lookEveryMs = 50;

/** A door behind which nothing is open yet. */
export function createTrialsDoor({ load, link, locks }: TrialsDoorParts): TrialsDoor {
  let opened: Trials | undefined;
  let opening: Promise<Trials> | undefined;
  return {
    trials: () => opened,
    open: () => {
      opening ??= lazyImport(load).then(
        (trials) => (opened = trials),
        (error: unknown) => {
          opening = undefined;
          throw error;
        },
      );
      return opening;
    },
    stopAll: async () => {
      link.send({ asks: 'stop trials' });
      await opened?.stopAll();
      for (let waited = 0; waited < stopPatienceMs; waited += lookEveryMs) {
        if (!(await isAnyTrialHeld(locks))) return;
        await passing(lookEveryMs);
      }
    },
  };
}

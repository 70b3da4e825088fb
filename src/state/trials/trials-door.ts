/** Apart from trials.ts, which is fetched when trials are first needed: this much of them is there from the beginning. */
import { fetched } from '../../lib/fetched.ts';
import type { Trials } from './trials.ts';

/** Where the trials of this page are found. */
export interface TrialsDoor {
  /** Undefined until they are open. */
  trials: () => Trials | undefined;
  /** The same promise each time; what failed is tried again by the next who asks. */
  open: () => Promise<Trials>;
}

/** A door behind which nothing is open yet. */
export function createTrialsDoor(load: () => Promise<Trials>): TrialsDoor {
  let opened: Trials | undefined;
  let opening: Promise<Trials> | undefined;
  return {
    trials: () => opened,
    open: () => {
      opening ??= fetched(load).then(
        (trials) => (opened = trials),
        (error: unknown) => {
          opening = undefined;
          throw error;
        },
      );
      return opening;
    },
  };
}

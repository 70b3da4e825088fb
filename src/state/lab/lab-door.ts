/** Apart from lab.ts, which is fetched with the screen of the lab: this much of it is there from the beginning. */
import type { Lab } from './lab.ts';

/** Where the embeddings lab is found, which is opened when its screen is first shown. */
export interface LabDoor {
  /** Undefined until it is open. */
  lab: () => Lab | undefined;
  /** The same promise each time, so that going elsewhere loses nothing; what failed is tried again by the next who asks. */
  open: (openLab: () => Promise<Lab>) => Promise<Lab>;
}

/** A door behind which nothing is open yet. */
export function createLabDoor(): LabDoor {
  let opened: Lab | undefined;
  let opening: Promise<Lab> | undefined;
  return {
    lab: () => opened,
    open: (openLab) => {
      if (opening) return opening;
      opening = openLab();
      opening.then(
        (lab) => (opened = lab),
        () => (opening = undefined),
      );
      return opening;
    },
  };
}

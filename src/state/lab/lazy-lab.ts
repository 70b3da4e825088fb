import type { Lab } from './lab.ts';
/** Apart from lab.ts, which is fetched with the screen of the lab: this much of it is there from the beginning. */
import type { KeptSets } from './saved-sets.ts';

/** Where the embeddings lab is found, which is opened when its screen is first shown. */
export interface LabDoor {
  /** Undefined until it is open. */
  lab: () => Lab | undefined;
  /** The same promise each time, so that going elsewhere loses nothing; what failed is tried again by the next who asks. */
  open: (openLab: () => Promise<Lab>) => Promise<Lab>;
  /** The same of the sets of texts that are kept. */
  sets: (openSets: () => Promise<KeptSets>) => Promise<KeptSets>;
}

/** A door behind which nothing is open yet. */
export function createLabDoor(): LabDoor {
  let lab: Lab | undefined;
  const openOnce = once<Lab>();
  return {
    lab: () => lab,
    open: (openLab) => openOnce(async () => (lab = await openLab())),
    sets: once(),
  };
}

/** Answers with the same promise each time; what failed is tried again by the next who asks. */
function once<T>(): (open: () => Promise<T>) => Promise<T> {
  let opening: Promise<T> | undefined;
  return (open) => {
    if (opening) return opening;
    opening = open();
    opening.catch(() => (opening = undefined));
    return opening;
  };
}

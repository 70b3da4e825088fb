/** Apart from lab.ts, which is fetched with the screen of the lab: this much of it is there from the beginning. */
import type { KeptSets } from './kept-sets.ts';
import type { Lab } from './lab.ts';

/** Where the embeddings lab is found, which is opened when its screen is first shown. */
export interface LabDoor {
  /** Undefined until it is open. */
  lab: () => Lab | undefined;
  /** The same promise each time, so that going elsewhere loses nothing; what failed is tried again by the next who asks. */
  open: (openLab: () => Promise<Lab>) => Promise<Lab>;
  /** The same of the sets of texts that are kept. */
  sets: (openSets: () => Promise<KeptSets>) => Promise<KeptSets>;
  /** The set that the lab opens when it is shown next. */
  want: (setId: string) => void;
  takeWanted: () => string | undefined;
}

/** A door behind which nothing is open yet. */
export function createLabDoor(): LabDoor {
  let opened: Lab | undefined;
  let opening: Promise<Lab> | undefined;
  let openingSets: Promise<KeptSets> | undefined;
  let wanted: string | undefined;
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
    sets: (openSets) => {
      if (openingSets) return openingSets;
      openingSets = openSets();
      openingSets.catch(() => (openingSets = undefined));
      return openingSets;
    },
    want: (setId) => {
      wanted = setId;
    },
    takeWanted: () => {
      const taken = wanted;
      wanted = undefined;
      return taken;
    },
  };
}

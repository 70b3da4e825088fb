import type { Lab } from './lab.ts';
/** Apart from lab.ts, which is fetched with the screen of the lab: this much of it is there from the beginning. */
import type { SavedSets } from './saved-sets.ts';

/** Where the embeddings lab is found, which is opened when its screen is first shown. */
export interface LazyLab {
  /** Undefined until it is open. */
  getLab: () => Lab | undefined;
  /** The same promise each time, so that going elsewhere loses nothing; what failed is tried again by the next who asks. */
  load: (openLab: () => Promise<Lab>) => Promise<Lab>;
  /** The same of the sets of texts that are kept. */
  loadSets: (openSets: () => Promise<SavedSets>) => Promise<SavedSets>;
}

/** Creates a lazy lab; nothing is loaded yet. */
export function createLazyLab(): LazyLab {
  let lab: Lab | undefined;
  const loadOnce = createLoadOnce<Lab>();
  return {
    getLab: () => lab,
    load: (openLab) => loadOnce(async () => (lab = await openLab())),
    loadSets: createLoadOnce(),
  };
}

/** Answers with the same promise each time; what failed is tried again by the next who asks. */
function createLoadOnce<T>(): (load: () => Promise<T>) => Promise<T> {
  let pendingLoad: Promise<T> | undefined;
  return (load) => {
    if (pendingLoad) return pendingLoad;
    pendingLoad = load();
    pendingLoad.catch(() => (pendingLoad = undefined));
    return pendingLoad;
  };
}

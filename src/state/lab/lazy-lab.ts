/** Separate from lab.ts, which is loaded with the lab's screen; this part is loaded at startup. */
import type { Lab } from './lab.ts';
import type { SavedSets } from './saved-sets.ts';

/** Holder of the embeddings lab, which is opened when its screen is first shown. */
export interface LazyLab {
  /** Returns the lab, or undefined until it is open. */
  getLab: () => Lab | undefined;
  /**
   * Opens the lab once and returns the same promise each time, even after navigation. A failure is retried by the next
   * call.
   */
  load: (openLab: () => Promise<Lab>) => Promise<Lab>;
  /** Opens the saved sets in the same way. */
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

/** Returns a loader that always returns the same promise; a failure is retried by the next call. */
function createLoadOnce<T>(): (load: () => Promise<T>) => Promise<T> {
  let pendingLoad: Promise<T> | undefined;
  return (load) => {
    if (pendingLoad) return pendingLoad;
    pendingLoad = load();
    pendingLoad.catch(() => (pendingLoad = undefined));
    return pendingLoad;
  };
}

/**
 * Loads a module on first use. If loading fails, throws an error with a message for the user; the next call tries
 * again.
 */
export async function loadLazyModule<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new Error('Could not load part of the app. Check your connection and try again.', { cause });
  }
}

const firstPreloadQueue = new Set<() => Promise<unknown>>();
const preloadQueue = new Set<() => Promise<unknown>>();

/**
 * Creates a lazy import that `preloadAll` also loads, so that it works offline later. `isFirst` puts it into the first
 * queue, for modules that the next action probably needs.
 */
export function createPreloadableImport<T>(load: () => Promise<T>, isFirst = false): () => Promise<T> {
  (isFirst ? firstPreloadQueue : preloadQueue).add(load);
  return () => loadLazyModule(load);
}

/**
 * Loads all preloadable imports one after the other, including those registered meanwhile, each after `waitUntilIdle`
 * resolves. Failures are ignored here and reported on use.
 */
export async function preloadAll(waitUntilIdle: () => Promise<void>): Promise<void> {
  // Iterating over a Set includes items added meanwhile.
  for (const queue of [firstPreloadQueue, preloadQueue])
    for (const load of queue) {
      await waitUntilIdle();
      await load().catch(() => undefined);
    }
}

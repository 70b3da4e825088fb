/** Loads code with the first action that needs it. If that fails, the error message is for the user, and the next action tries again. */
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
 * The same for what must also be there when the network has gone: `preloadAll` fetches it, if no action does before.
 * `isFirst`: the very next action is likely to need it.
 */
export function createPreloadableImport<T>(load: () => Promise<T>, isFirst = false): () => Promise<T> {
  (isFirst ? firstPreloadQueue : preloadQueue).add(load);
  return () => loadLazyModule(load);
}

/**
 * Fetches all of that, one after the other, whenever `waitUntilIdle` resolves; also what those bring along themselves. What fails
 * is met where it is used.
 */
export async function preloadAll(waitUntilIdle: () => Promise<void>): Promise<void> {
  // A set is walked to its end, also to what is added on the way.
  for (const queue of [firstPreloadQueue, preloadQueue])
    for (const load of queue) {
      await waitUntilIdle();
      await load().catch(() => undefined);
    }
}

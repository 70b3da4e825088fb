/** Code that comes with the first act that needs it. If it cannot be loaded, the error is for people; the next act tries again. */
export async function lazyImport<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    throw new Error('What this needs could not be loaded. Check the connection, then try again.', { cause });
  }
}

const firstInQueue = new Set<() => Promise<unknown>>();
const preloadQueue = new Set<() => Promise<unknown>>();

/**
 * The same for what must also be there when the network has gone: `preloadAll` fetches it, if no act does before.
 * `isFirst`: the very next act is likely to want it.
 */
export function preloadableImport<T>(load: () => Promise<T>, isFirst = false): () => Promise<T> {
  (isFirst ? firstInQueue : preloadQueue).add(load);
  return () => lazyImport(load);
}

/**
 * Fetches all of that, one after the other, whenever `idle` resolves; also what those bring along themselves. What fails
 * is met where it is used.
 */
export async function preloadAll(waitUntilIdle: () => Promise<void>): Promise<void> {
  // A set is walked to its end, also to what is added on the way.
  for (const queue of [firstInQueue, preloadQueue])
    for (const load of queue) {
      await waitUntilIdle();
      await load().catch(() => undefined);
    }
}

import type { Page } from '../page.ts';

const lockName = 'bench-embedding';

/**
 * One tab embeds at a time, or two would pay for the same texts. Resolves with the function that lets go; `onWait` is
 * told where another tab is at it. Rejects when the signal aborts. Without Web Locks nothing is held.
 */
export async function acquireEmbeddingLock(
  locks: Page['locks'],
  signal: AbortSignal,
  onWait: () => void,
): Promise<() => void> {
  signal.throwIfAborted();
  if (!locks) return () => undefined;
  const immediateRelease = await requestLock(locks, { ifAvailable: true });
  if (immediateRelease) return immediateRelease;
  onWait();
  const release = await requestLock(locks, { signal });
  return release ?? (() => undefined);
}

function requestLock(locks: LockManager, options: LockOptions): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(lockName, options, (lock) => {
        if (!lock) {
          resolve(undefined);
          return undefined;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch((error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
  });
}

import type { Page } from '../page.ts';

const lockName = 'bench-embedding';

/**
 * Acquires the lock for embedding, so that two tabs never pay for the same texts. Resolves with a release function;
 * `onWait` is called while another tab holds the lock. Rejects on abort. Without Web Locks nothing is locked.
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

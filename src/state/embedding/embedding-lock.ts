const name = 'bench-embedding';

/** Undefined where there are none: insecure origins, and Node 20, which has no navigator. */
function webLocks(): LockManager | undefined {
  return 'navigator' in globalThis && 'locks' in navigator ? navigator.locks : undefined;
}

/**
 * One tab embeds at a time, or two would pay for the same texts. Resolves with the function that lets go; `onWait` is
 * told where another tab is at it. Rejects when the signal aborts. Without Web Locks nothing is held.
 */
export async function holdEmbedding(signal: AbortSignal, onWait: () => void): Promise<() => void> {
  signal.throwIfAborted();
  const locks = webLocks();
  if (!locks) return () => undefined;
  const now = await take(locks, { ifAvailable: true });
  if (now) return now;
  onWait();
  const later = await take(locks, { signal });
  return later ?? (() => undefined);
}

function take(locks: LockManager, options: LockOptions): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, options, (lock) => {
        if (!lock) {
          resolve(undefined);
          return undefined;
        }
        return new Promise<void>((release) => resolve(release));
      })
      .catch((error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
  });
}

/**
 * At most four long requests are open at once over all tabs: a browser opens six HTTP/1.1 connections a
 * host, and models, health and reload need theirs.
 */
const mostOpen = 4;

export interface RequestSlots {
  /** Resolves with the function that gives the place back, first come first served; rejects when the signal aborts. */
  take: (signal: AbortSignal) => Promise<() => void>;
}

/** Four locks that all tabs share; the browser frees those of a tab that dies. */
export function createLockSlots(locks: LockManager): RequestSlots {
  return {
    take: async (signal) => {
      signal.throwIfAborted();
      const others = new AbortController();
      const giveUp = () => others.abort(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
      try {
        return await new Promise<() => void>((resolve, reject) => {
          let taken = false;
          for (let slot = 0; slot < mostOpen; slot += 1) {
            locks
              .request(`bench-request-${slot}`, { signal: others.signal }, () => {
                // Two may be granted in one moment: the second is given back at once.
                if (taken) return undefined;
                taken = true;
                return new Promise<void>((release) => {
                  resolve(release);
                  others.abort();
                });
              })
              .catch((error: unknown) => {
                if (!taken) reject(error instanceof Error ? error : new Error(String(error)));
              });
          }
        });
      } finally {
        signal.removeEventListener('abort', giveUp);
      }
    },
  };
}

/** Four places of this tab, less those that other tabs say they hold. */
export function createLocalSlots(
  heldElsewhere: () => number = () => 0,
): RequestSlots & { recheck: () => void; held: () => number } {
  let held = 0;
  let waiting: (() => void)[] = [];

  function recheck(): void {
    while (waiting.length > 0 && held + heldElsewhere() < mostOpen) {
      held += 1;
      waiting.shift()?.();
    }
  }

  return {
    recheck,
    held: () => held,
    take: (signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const start = () => {
          signal.removeEventListener('abort', giveUp);
          resolve(() => {
            held -= 1;
            recheck();
          });
        };
        const giveUp = () => {
          waiting = waiting.filter((other) => other !== start);
          reject(signal.reason instanceof Error ? signal.reason : new Error('Stopped'));
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.push(start);
        recheck();
      }),
  };
}

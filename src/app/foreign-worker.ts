/** What this page needs of the browser to get rid of a service worker. */
export interface WorkerHost {
  /** Undefined on insecure origins. */
  workers:
    | {
        controller: object | null;
        getRegistrations: () => Promise<readonly { unregister: () => Promise<unknown> }[]>;
      }
    | undefined;
  reload: () => void;
  /** Over a reload of this tab; false where the browser keeps nothing. */
  setReloadFlag: () => boolean;
  /** True once after that. */
  consumeReloadFlag: () => boolean;
}

/**
 * none: there was none. removed: there was one, and it is gone. reloading: the page loads again, without it. remains: the
 * browser did not let go of it.
 */
export type ForeignWorker = 'none' | 'removed' | 'reloading' | 'remains';

/**
 * Bench has no service worker. One that a program left behind which served this address before could read and answer
 * what is asked here: all are unregistered before anything is.
 */
export async function removeForeignWorker(host: WorkerHost): Promise<ForeignWorker> {
  const { workers, reload, setReloadFlag, consumeReloadFlag } = host;
  if (!workers) return 'none';
  const wasReloaded = consumeReloadFlag();
  let removedCount = 0;
  try {
    const registrations = await workers.getRegistrations();
    removedCount = registrations.length;
    await Promise.all(registrations.map((registration) => registration.unregister()));
  } catch {
    // A browser that has them switched off has none; one that refuses is met at the next reload.
  }
  if (workers.controller === null) return removedCount > 0 || wasReloaded ? 'removed' : 'none';
  // Loaded once without it, the page still has it: another time would not help.
  if (wasReloaded || !setReloadFlag()) return 'remains';
  reload();
  return 'reloading';
}

/** Browser functions needed to remove a service worker from this page. */
export interface WorkerHost {
  /** Undefined on insecure origins. */
  workers:
    | {
        controller: object | null;
        getRegistrations: () => Promise<readonly { unregister: () => Promise<unknown> }[]>;
      }
    | undefined;
  reload: () => void;
  /** Sets a flag that survives a reload of this tab. Returns false if the browser cannot store it. */
  setReloadFlag: () => boolean;
  /** Returns true once after the flag was set. */
  consumeReloadFlag: () => boolean;
}

/**
 * `none`: there was none. `removed`: it has been unregistered. `reloading`: the page reloads without it. `remains`: the
 * browser keeps it active.
 */
export type ForeignWorker = 'none' | 'removed' | 'reloading' | 'remains';

/**
 * Unregisters all service workers before any request: Bench has none, and one left by another program on this origin
 * could read and answer requests.
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
    // If service workers are disabled, there are none; if unregistering fails, the next page load tries again.
  }
  if (workers.controller === null) return removedCount > 0 || wasReloaded ? 'removed' : 'none';
  // The page is still controlled after a reload, so another reload would not help.
  if (wasReloaded || !setReloadFlag()) return 'remains';
  reload();
  return 'reloading';
}

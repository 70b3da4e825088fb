/**
 * A live run is owned by the tab that streams it. The browser drops the lock when that tab dies, so
 * another tab can tell a live run from one that was interrupted.
 */
import type { RunId } from '../conversation/types.ts';

const prefix = 'bench-run-';

/** Undefined where there are none: insecure origins, and Node 20, which has no navigator. */
function webLocks(): LockManager | undefined {
  return 'navigator' in globalThis && 'locks' in navigator ? navigator.locks : undefined;
}

/** Holds the run's lock until the function returned is called. Without Web Locks nothing is held. */
export function holdRun(runId: RunId): () => void {
  let release: () => void = () => undefined;
  const locks = webLocks();
  if (!locks) return release;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  locks.request(prefix + runId, () => held).catch(() => undefined);
  return () => release();
}

/** The runs among these that some tab is streaming now. */
export async function heldRuns(runIds: readonly RunId[]): Promise<Set<RunId>> {
  const locks = webLocks();
  if (runIds.length === 0 || !locks) return new Set();
  const names = new Set((await locks.query()).held?.map((lock) => lock.name));
  return new Set(runIds.filter((runId) => names.has(prefix + runId)));
}

/** Resolves when no tab streams the run any more. */
export async function runReleased(runId: RunId): Promise<void> {
  await webLocks()?.request(prefix + runId, () => undefined);
}

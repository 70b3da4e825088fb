/**
 * A live run is owned by the tab that streams it. The browser drops the lock when that tab dies, so
 * another tab can tell a live run from one that was interrupted.
 */
import type { RunId } from '../../conversation/session/types.ts';

const prefix = 'bench-run-';

/** Holds the run's lock until the function returned is called. Without locks nothing is held. */
export function holdRun(locks: LockManager | undefined, runId: RunId): () => void {
  let release: () => void = () => undefined;
  if (!locks) return release;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  locks.request(prefix + runId, () => held).catch(() => undefined);
  return () => release();
}

/** The runs among these that some tab is streaming now. */
export async function heldRuns(locks: LockManager, runIds: readonly RunId[]): Promise<Set<RunId>> {
  if (runIds.length === 0) return new Set();
  const names = new Set((await locks.query()).held?.map((lock) => lock.name));
  return new Set(runIds.filter((runId) => names.has(prefix + runId)));
}

/** Resolves when no tab streams the run any more. */
export async function runReleased(locks: LockManager, runId: RunId): Promise<void> {
  await locks.request(prefix + runId, () => undefined);
}

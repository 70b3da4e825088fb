import type { TimedEvent } from '../../conversation/reply/run.ts';
import type { RunId } from '../../conversation/session/types.ts';

/** Collects events of all runs and hands them on once a frame: one store write however much arrives. */
export interface FrameBatch {
  push: (runId: RunId, events: readonly TimedEvent[]) => void;
  /** Hands on at once, for the end of a run. */
  flush: () => void;
}

export function createFrameBatch(
  apply: (batches: ReadonlyMap<RunId, TimedEvent[]>) => void,
  nextFrame: (run: () => void) => void,
): FrameBatch {
  let waiting = new Map<RunId, TimedEvent[]>();
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    if (waiting.size === 0) return;
    const batches = waiting;
    waiting = new Map();
    apply(batches);
  }

  return {
    push: (runId, events) => {
      if (events.length === 0) return;
      const known = waiting.get(runId);
      if (known) for (const event of events) known.push(event);
      else waiting.set(runId, [...events]);
      if (scheduled) return;
      scheduled = true;
      nextFrame(flush);
    },
    flush,
  };
}

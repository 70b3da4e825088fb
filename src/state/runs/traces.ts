/**
 * Ticks of live runs as they arrive. Kept outside the session, because traces are drawn but not stored; the tape has
 * all data.
 */
import type { TimedEvent } from '../../conversation/reply/run.ts';
import type { RunId } from '../../conversation/session/types.ts';
import { buildTraceTicks, type Tick } from '../../conversation/trace/trace.ts';

export interface Traces {
  push: (runId: RunId, events: readonly TimedEvent[]) => void;
  /** Returns the ticks of a run, or undefined if this page did not stream it. Grows in place. */
  get: (runId: RunId) => readonly Tick[] | undefined;
}

export function createTraces(): Traces {
  const traces = new Map<RunId, Tick[]>();
  return {
    push: (runId, events) => {
      const ticks = traces.get(runId) ?? [];
      for (const tick of buildTraceTicks(events)) ticks.push(tick);
      traces.set(runId, ticks);
    },
    get: (runId) => traces.get(runId),
  };
}

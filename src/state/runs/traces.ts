import type { TimedEvent } from '../../conversation/reply/run.ts';
import type { RunId } from '../../conversation/session/types.ts';
/** The ticks of live runs as they arrive. Kept out of the session: a trace is drawn, never stored; the tape has it all. */
import { buildTraceTicks, type Tick } from '../../conversation/trace/trace.ts';

export interface Traces {
  push: (runId: RunId, events: readonly TimedEvent[]) => void;
  /** The run's ticks so far, or undefined where this page did not see it stream. Grows in place. */
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

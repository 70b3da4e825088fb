import type { TimedEvent } from '../conversation/run.ts';
import type { RunId } from '../conversation/types.ts';

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

// Who types sees what was typed first: the frame after a key draws nothing else, and what came is drawn in the next.
const keyFirstMs = 50;
let keyAtMs: number | undefined;

function noteKey(): void {
  keyAtMs = performance.now();
}

/** True once for each key: a key that is held gives every other frame to what comes. */
function givesWayToKey(): boolean {
  const isFresh = keyAtMs !== undefined && performance.now() - keyAtMs < keyFirstMs;
  keyAtMs = undefined;
  return isFresh;
}

/** The next frame of a visible page that is not a key's; hidden pages get no frames, so there a timer catches up. */
export function nextFrameOrTimer(run: () => void): void {
  let done = false;
  const once = () => {
    if (done) return;
    done = true;
    run();
  };
  const onFrame = () => {
    if (givesWayToKey()) requestAnimationFrame(once);
    else once();
  };
  // The same function each time: it is registered once.
  addEventListener('keydown', noteKey, { capture: true, passive: true });
  if (document.visibilityState === 'visible') requestAnimationFrame(onFrame);
  setTimeout(once, 250);
}

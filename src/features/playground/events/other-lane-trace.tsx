import { useCallback, useRef } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId, Run } from '../../../conversation/session/types.ts';
import { describeTrace } from '../../../conversation/trace/describe-trace.ts';
import {
  getElapsedMs,
  getRecordedMs,
  getSharedRangeMs,
  getTraceEnd,
} from '../../../conversation/trace/trace.ts';
import { useRunServices } from '../../../state/contexts.tsx';
import type { SiblingRun } from '../../../state/runs/inspector-store.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import type { TracePicture } from '../lane/paint-trace.ts';
import { useTraceCanvas } from '../lane/use-trace-canvas.ts';
import { useTicks } from '../trace/use-ticks.ts';

interface OtherLaneTraceProps extends SiblingRun {
  laneIds: readonly LaneId[];
  /** All runs on the same clock, including the run of this trace. */
  runs: readonly Run[];
}

/** Trace of another lane's answer to the same prompt, with its duration and a link to it. */
export function OtherLaneTrace({ laneId, turnId, run, laneIds, runs }: OtherLaneTraceProps) {
  const { inspector, traces } = useRunServices();
  const canvas = useRef<HTMLCanvasElement>(null);
  const ticks = useTicks(run);
  const letter = getLaneLetter(laneIds.indexOf(laneId));
  const getPicture = useCallback((): TracePicture => {
    const nowMs = Date.now();
    const endMs = getElapsedMs(run, nowMs);
    return {
      ticks: traces.get(run.id) ?? ticks,
      rangeMs: getSharedRangeMs(runs, nowMs),
      firstMs: run.firstTokenMs,
      endMs,
      end: getTraceEnd(run),
      nowMs: isLive(run) ? endMs : undefined,
    };
  }, [traces, ticks, run, runs]);
  useTraceCanvas(canvas, getPicture, { variant: 'line', isAnimated: runs.some(isLive) });
  return (
    <button
      type="button"
      className={`relative block h-6 w-full py-1.25 hover:bg-hover lane-${letter.toLowerCase()}`}
      aria-label={`Inspect lane ${letter}. ${isLive(run) ? 'Live.' : describeTrace(run, ticks, getRecordedMs(run))}`}
      title={`Inspect lane ${letter}`}
      onClick={() => inspector.setState({ laneId, turnId, selectedEvent: undefined })}
    >
      <span className="absolute top-1 -left-4.5 max-phone:-left-4">
        <LaneTile letter={letter} />
      </span>
      <canvas className="block h-3.5 w-full" ref={canvas} aria-hidden />
    </button>
  );
}

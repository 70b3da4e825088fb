import { useCallback, useRef } from 'react';
import { useStore } from 'zustand';

import { isLive } from '../../conversation/reply/run.ts';
import type { Run } from '../../conversation/session/types.ts';
import type { TraceVariant, TracePicture } from '../../conversation/trace/trace-drawing.ts';
import { getTraceRangeMs, getTraceEnd } from '../../conversation/trace/trace.ts';
import type { Replay } from '../../state/runs/replay.ts';
import { useTraceCanvas } from '../lanes/trace/use-trace-canvas.ts';

interface ReplayedTraceProps {
  run: Run;
  replay: Replay;
  variant?: TraceVariant;
}

/** Trace of a recorded answer, up to the current position. */
export function ReplayedTrace({ run, replay, variant = 'footer' }: ReplayedTraceProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursor = replay.cursors.get(run.id);
  const isPlaying = useStore(replay.state, (state) => state.isPlaying);
  const atMs = useStore(replay.state, (state) => state.atMs);
  const pausedMs = isPlaying ? undefined : atMs;
  const getPicture = useCallback((): TracePicture => {
    const { atMs: nowMs, endMs } = replay.state.getState();
    const positionMs = pausedMs ?? nowMs;
    const ticks = cursor?.ticks ?? [];
    const currentRun = cursor?.getRunAt(positionMs) ?? run;
    return {
      ticks,
      visibleCount: ticks.findLastIndex((tick) => tick.atMs <= positionMs) + 1,
      rangeMs: getTraceRangeMs(endMs),
      endMs: currentRun.endedMs ?? positionMs,
      end: getTraceEnd(currentRun),
      nowMs: isLive(currentRun) ? positionMs : undefined,
    };
  }, [replay, cursor, run, pausedMs]);
  useTraceCanvas(canvas, getPicture, { variant, isAnimated: isPlaying });
  return (
    <div className={variant === 'stage' ? 'h-8.5' : 'h-7'}>
      <canvas ref={canvas} className="block size-full" role="img" aria-label="Trace of the recording" />
    </div>
  );
}

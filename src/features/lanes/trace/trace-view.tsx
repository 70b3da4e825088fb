import { clsx } from 'clsx';
import { useCallback, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { describeTrace } from '../../../conversation/trace/describe-trace.ts';
import type { TracePicture } from '../../../conversation/trace/trace-drawing.ts';
import {
  getElapsedMs,
  getLatestRuns,
  getRecordedMs,
  getSharedRangeMs,
  getTraceEnd,
} from '../../../conversation/trace/trace.ts';
import { formatDuration } from '../../../lib/format.ts';
import {
  useInspector,
  useSession,
  useRunServices,
  useSessionServices,
  useView,
} from '../../../state/contexts.tsx';
import { inspectTurn } from '../../../state/runs/inspector-actions.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { useRunGatewayLabel } from '../../health/gateway-label.tsx';
import { findTickIndexAfter, getNextTracePosition } from './next-trace-position.ts';
import { useTicks } from './use-ticks.ts';
import { useTraceCanvas } from './use-trace-canvas.ts';

interface TraceViewProps {
  turn: Turn;
  run: Run;
  letter: string;
  turnNumber: number;
  variant?: 'footer' | 'line';
  /** True if the trace fills its container; otherwise it leaves space for the metrics beside it. */
  isFullWidth?: boolean;
}

/**
 * Trace of an answer, one tick per event, on a time axis shared by all lanes: wait, first token, reasoning, answer,
 * end, failure, live needle. The pointer and arrow keys move one cursor through the traces of all lanes.
 */
export function TraceView({
  turn,
  run,
  letter,
  turnNumber,
  variant = 'footer',
  isFullWidth = false,
}: TraceViewProps) {
  const { inspector, traces } = useRunServices();
  const { session } = useSessionServices();
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursorMs = useInspector((state) => state.cursorMs);
  const ticks = useTicks(run);
  const live = isLive(run);
  const isAnyLive = useSession((data) => getLatestRuns(data).some(isLive)) ?? false;
  const gatewayLabel = useRunGatewayLabel(run);
  const namesHidden = useView((view) => view.namesHidden);
  const summary = useMemo(
    () =>
      live
        ? describeLiveRun(run)
        : `${describeTrace(run, ticks, getRecordedMs(run))}${namesHidden ? '' : ` Gateway: ${gatewayLabel}.`}`,
    [live, run, ticks, namesHidden, gatewayLabel],
  );

  const getRangeMs = useCallback(() => {
    const data = getCurrentSession(session.getState());
    return getSharedRangeMs(data ? getLatestRuns(data) : [], Date.now());
  }, [session]);

  const getPicture = useCallback((): TracePicture => {
    const clockMs = Date.now();
    // A live run changes with every event, so the run is read when painting; this callback changes only when the run
    // ends.
    const latestRun = getCurrentSession(session.getState())?.runs[run.id];
    const nowMs =
      latestRun && isLive(latestRun) && latestRun.sentAt !== undefined
        ? getElapsedMs(latestRun, clockMs)
        : undefined;
    return {
      ticks: traces.get(run.id) ?? ticks,
      rangeMs: getRangeMs(),
      firstMs: latestRun?.firstTokenMs,
      endMs: latestRun ? getElapsedMs(latestRun, clockMs) : 0,
      end: live || !latestRun ? undefined : getTraceEnd(latestRun),
      nowMs,
      cursorMs: inspector.getState().cursorMs,
    };
  }, [traces, session, inspector, getRangeMs, ticks, run.id, live]);
  useTraceCanvas(canvas, getPicture, { variant, isAnimated: isAnyLive });

  const setCursor = (ms: number | undefined) =>
    inspector.setState({ cursorMs: ms, cursorShowsText: ms !== undefined });
  const getPointedMs = (event: MouseEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / Math.max(1, width - 1))) * getRangeMs();
  };
  const inspectAt = (ms: number) => {
    const data = getCurrentSession(session.getState());
    if (data) inspectTurn(inspector, data, turn, ms);
  };
  const endMs = getRecordedMs(run);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && cursorMs !== undefined) {
      event.preventDefault();
      return setCursor(undefined);
    }
    if (event.key === 'Enter') return inspectAt(cursorMs ?? endMs);
    const nextMs = getNextTracePosition(event.key, event.shiftKey, {
      cursorMs,
      ticks,
      endMs: getElapsedMs(run, Date.now()),
    });
    if (nextMs === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setCursor(nextMs);
  };

  return (
    <div
      className={clsx(
        'flex-none cursor-crosshair touch-pan-y',
        isFullWidth
          ? 'h-7 w-full'
          : variant === 'line'
            ? 'grid h-full w-18 items-center @max-[360px]/lane-footer:w-12'
            : 'h-7 w-59 @max-[900px]/lane-footer:w-40 @max-[760px]/lane-footer:w-full',
      )}
      role="slider"
      tabIndex={0}
      aria-label={`Trace, lane ${letter}, turn ${turnNumber}`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.round(Math.max(endMs, cursorMs ?? 0))}
      aria-valuenow={Math.round(cursorMs ?? endMs)}
      aria-valuetext={
        cursorMs === undefined
          ? summary
          : `${formatTraceTime(cursorMs)}, ${findTickIndexAfter(ticks, cursorMs)} of ${ticks.length} deltas received`
      }
      onPointerMove={(event) => setCursor(getPointedMs(event))}
      onPointerDown={(event) => setCursor(getPointedMs(event))}
      onPointerLeave={() => setCursor(undefined)}
      onPointerCancel={() => setCursor(undefined)}
      onBlur={() => setCursor(undefined)}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        // On touch screens a tap moves the cursor; opening the inspector would cover the trace.
        if (matchMedia('(hover: hover)').matches) inspectAt(getPointedMs(event));
      }}
    >
      <canvas ref={canvas} className={variant === 'line' ? 'h-3.5 w-full' : 'size-full'} aria-hidden />
    </div>
  );
}

function formatTraceTime(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

function describeLiveRun(run: Run): string {
  if (run.firstTokenMs === undefined) return 'Live, no token yet';
  return `Live, first token after ${formatTraceTime(run.firstTokenMs)}`;
}

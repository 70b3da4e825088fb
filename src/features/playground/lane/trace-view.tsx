import { useCallback, useMemo, useRef, type KeyboardEvent, type MouseEvent } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run, Turn } from '../../../conversation/session/types.ts';
import { describeTrace } from '../../../conversation/trace/describe-trace.ts';
import {
  getElapsedMs,
  getLatestRuns,
  getRecordedMs,
  getSharedRangeMs,
  getTraceEnd,
} from '../../../conversation/trace/trace.ts';
import { formatDuration } from '../../../lib/format.ts';
import { inspectTurn } from '../../../state/runs/inspector-actions.ts';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { useInspector, usePlayground, useSession } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { firstAfter, momentAfterKey } from '../trace/next-trace-position.ts';
import { useTicks } from '../trace/use-ticks.ts';
import type { TracePicture } from './paint-trace.ts';
import { useTraceCanvas } from './use-trace-canvas.ts';

interface TraceViewProps {
  turn: Turn;
  run: Run;
  letter: string;
  number: number;
  look?: 'footer' | 'line';
  /** As wide as what it is in; else there is room for the figures beside it. */
  fills?: boolean;
}

const looks = {
  footer: classes('h-7 w-59 @max-[900px]/lane-foot:w-40 @max-[760px]/lane-foot:w-full'),
  filling: classes('h-7 w-full'),
  line: classes('grid h-full w-18 items-center @max-[360px]/lane-foot:w-12'),
};

/**
 * One tick an event on a clock that all lanes share: wait, first token, reasoning, answer, end, failure, live needle.
 * Pointing at it, or its arrow keys, move one cursor through the traces of all lanes.
 */
export function TraceView({ turn, run, letter, number, look = 'footer', fills = false }: TraceViewProps) {
  const playground = usePlayground();
  const { inspector, session } = playground;
  const canvas = useRef<HTMLCanvasElement>(null);
  const cursorMs = useInspector((state) => state.cursorMs);
  const ticks = useTicks(run);
  const live = isLive(run);
  const isAnyLive = useSession((data) => getLatestRuns(data).some(isLive)) ?? false;
  const summary = useMemo(
    () => (live ? liveWords(run) : describeTrace(run, ticks, getRecordedMs(run))),
    [live, run, ticks],
  );

  const rangeNow = useCallback(() => {
    const data = getCurrentSession(session.getState());
    return getSharedRangeMs(data ? getLatestRuns(data) : [], Date.now());
  }, [session]);

  const pictureNow = useCallback((): TracePicture => {
    const now = Date.now();
    // A live run changes with every event: it is looked up when it is painted, and only its end makes another picture.
    const latest = getCurrentSession(session.getState())?.runs[run.id];
    const nowMs =
      latest && isLive(latest) && latest.sentAt !== undefined ? getElapsedMs(latest, now) : undefined;
    return {
      ticks: playground.traces.get(run.id) ?? ticks,
      rangeMs: rangeNow(),
      firstMs: latest?.firstTokenMs,
      endMs: latest ? getElapsedMs(latest, now) : 0,
      end: live || !latest ? undefined : getTraceEnd(latest),
      nowMs,
      cursorMs: inspector.getState().cursorMs,
    };
  }, [playground, session, inspector, rangeNow, ticks, run.id, live]);
  useTraceCanvas(canvas, pictureNow, { look, alive: isAnyLive });

  const pointAt = (ms: number | undefined) =>
    inspector.setState({ cursorMs: ms, cursorShowsText: ms !== undefined });
  const momentOf = (event: MouseEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - left) / Math.max(1, width - 1))) * rangeNow();
  };
  const inspectAt = (ms: number) => {
    const data = getCurrentSession(session.getState());
    if (data) inspectTurn(inspector, data, turn, ms);
  };
  const endMs = getRecordedMs(run);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && cursorMs !== undefined) {
      event.preventDefault();
      return pointAt(undefined);
    }
    if (event.key === 'Enter') return inspectAt(cursorMs ?? endMs);
    const next = momentAfterKey(event.key, event.shiftKey, {
      cursorMs,
      ticks,
      endMs: getElapsedMs(run, Date.now()),
    });
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pointAt(next);
  };

  return (
    <div
      className={classes('flex-none cursor-crosshair touch-pan-y', fills ? looks.filling : looks[look])}
      role="slider"
      tabIndex={0}
      aria-label={`Trace, lane ${letter}, turn ${number}`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.round(Math.max(endMs, cursorMs ?? 0))}
      aria-valuenow={Math.round(cursorMs ?? endMs)}
      aria-valuetext={
        cursorMs === undefined
          ? summary
          : `${secondsOf(cursorMs)}, ${firstAfter(ticks, cursorMs)} of ${ticks.length} pieces received`
      }
      onPointerMove={(event) => pointAt(momentOf(event))}
      onPointerDown={(event) => pointAt(momentOf(event))}
      onPointerLeave={() => pointAt(undefined)}
      onPointerCancel={() => pointAt(undefined)}
      onBlur={() => pointAt(undefined)}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        // A finger uses the trace to look back; the inspector would cover what it looks at.
        if (matchMedia('(hover: hover)').matches) inspectAt(momentOf(event));
      }}
    >
      <canvas ref={canvas} className={look === 'line' ? 'h-3.5 w-full' : 'size-full'} aria-hidden />
    </div>
  );
}

function secondsOf(ms: number): string {
  const { number, unit } = formatDuration(ms);
  return `${number} ${unit}`;
}

function liveWords(run: Run): string {
  if (run.firstTokenMs === undefined) return 'Live, no token yet';
  return `Live, first token after ${secondsOf(run.firstTokenMs)}`;
}

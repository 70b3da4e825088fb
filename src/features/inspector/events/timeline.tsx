import { useCallback, useMemo, useRef, type MouseEvent } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import { getLaneLetter } from '../../../conversation/session/turn-tree.ts';
import type { LaneId, Run } from '../../../conversation/session/types.ts';
import {
  describeTimeToFirstToken,
  findStalls,
  describeTrace,
} from '../../../conversation/trace/describe-trace.ts';
import type { TracePicture } from '../../../conversation/trace/trace-drawing.ts';
import {
  getElapsedMs,
  getRecordedMs,
  getSharedRangeMs,
  splitTracePhases,
  getTraceEnd,
  type TracePhase,
  type Tick,
} from '../../../conversation/trace/trace.ts';
import { formatDuration } from '../../../lib/format.ts';
import { useRunServices } from '../../../state/contexts.tsx';
import type { SiblingRun } from '../../../state/runs/inspector-store.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { useTicks } from '../../lanes/trace/use-ticks.ts';
import { useTraceCanvas } from '../../lanes/trace/use-trace-canvas.ts';
import { useElapsed } from '../../workspace/use-elapsed.ts';

interface TimelineProps {
  run: Run;
  ticks: readonly Tick[];
  /** Number of ticks, which grow in place. */
  count: number;
  /** Time of the response headers, in ms. */
  headersMs: number | undefined;
  /** Answers of other lanes to the same prompt. */
  siblingRuns: readonly SiblingRun[];
  laneIds: readonly LaneId[];
  /** Time of the selected event, in ms. */
  selectedMs: number | undefined;
  onPick: (ms: number) => void;
}

const phaseLabels = { waiting: 'Waiting', thinking: 'Reasoning', answer: 'Answer' };

/**
 * Timeline of the whole answer: phases, stalls and the selected event. Answers of other lanes are shown below, on the
 * same clock.
 */
export function Timeline(props: TimelineProps) {
  const { run, ticks, count, headersMs, siblingRuns, laneIds, selectedMs, onPick } = props;
  const { inspector } = useRunServices();
  const canvas = useRef<HTMLCanvasElement>(null);
  const live = isLive(run);
  const allRuns = useMemo(() => [run, ...siblingRuns.map((sibling) => sibling.run)], [run, siblingRuns]);
  const isAnyLive = allRuns.some(isLive);
  const elapsedMs = useElapsed(isAnyLive ? run.sentAt : undefined);
  const endMs = live ? elapsedMs : getRecordedMs(run);
  const rangeMs = getSharedRangeMs(allRuns, (run.sentAt ?? 0) + elapsedMs);
  // The ticks grow in place, so their number is the dependency.
  const stalls = useMemo(() => (count > 0 ? findStalls(ticks) : []), [ticks, count]);
  const phases = useMemo(() => (count > 0 ? splitTracePhases(ticks, endMs) : []), [ticks, count, endMs]);
  const traceText = useMemo(
    () => (count > 0 ? describeTrace(run, ticks, endMs, stalls) : 'Nothing received yet'),
    [run, ticks, count, endMs, stalls],
  );
  const timingText = count > 0 ? describeTimeToFirstToken(run, headersMs, ticks, stalls) : undefined;
  const getPicture = useCallback((): TracePicture => {
    const nowMs = Date.now();
    const runElapsedMs = getElapsedMs(run, nowMs);
    return {
      ticks,
      rangeMs: getSharedRangeMs(allRuns, nowMs),
      endMs: runElapsedMs,
      end: getTraceEnd(run),
      nowMs: live ? runElapsedMs : undefined,
      cursorMs: inspector.getState().cursorMs ?? selectedMs,
      stalls,
    };
  }, [inspector, run, allRuns, ticks, live, selectedMs, stalls]);
  useTraceCanvas(canvas, getPicture, { variant: 'large', isAnimated: isAnyLive });

  const pick = (event: MouseEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onPick(((event.clientX - left) / Math.max(1, width - 1)) * rangeMs);
  };
  return (
    <section
      className="min-w-0 flex-none border-b border-line bg-paper px-5 pt-3 pb-2 max-phone:px-3.5 max-phone:py-2"
      aria-label="Timeline"
    >
      <div className="relative h-4.5">
        {pickNamedPhases(phases, rangeMs).map((phase, index, namedPhases) => (
          <PhaseName
            key={phase.fromMs}
            phase={phase}
            upToMs={namedPhases[index + 1]?.fromMs ?? rangeMs}
            rangeMs={rangeMs}
          />
        ))}
      </div>
      <div className="h-16.5 cursor-crosshair" role="presentation" onClick={pick}>
        <canvas className="block size-full" ref={canvas} role="img" aria-label={traceText} />
      </div>
      {siblingRuns.map((sibling) => (
        <OtherLaneTrace key={sibling.laneId} {...sibling} laneIds={laneIds} runs={allRuns} />
      ))}
      <p className="h-4.5 truncate text-12 text-ink-2">{timingText}</p>
    </section>
  );
}

/** `upToMs`: start of the next name. */
function PhaseName({ phase, upToMs, rangeMs }: { phase: TracePhase; upToMs: number; rangeMs: number }) {
  const { number, unit } = formatDuration(phase.toMs - phase.fromMs);
  const toPercent = (ms: number) => `${(ms / rangeMs) * 100}%`;
  return (
    <span
      className="absolute truncate text-12 text-ink-3 @max-[700px]:text-[11px]"
      style={{ left: toPercent(phase.fromMs), maxWidth: toPercent(upToMs - phase.fromMs) }}
    >
      {phaseLabels[phase.kind]}{' '}
      <b className="font-600 text-ink">
        {number} {unit}
      </b>
    </span>
  );
}

/** Minimum distance between two names, as a share of the time range. */
const minNameShare = 0.1;

/** Returns the phases whose names fit next to each other; each name begins where its phase begins. */
function pickNamedPhases(phases: readonly TracePhase[], rangeMs: number): TracePhase[] {
  const namedPhases: TracePhase[] = [];
  // The answer matters most, so names are placed from the end.
  for (const phase of phases.toReversed()) {
    const next = namedPhases[0];
    if (!next || (next.fromMs - phase.fromMs) / rangeMs >= minNameShare) namedPhases.unshift(phase);
  }
  return namedPhases;
}

interface OtherLaneTraceProps extends SiblingRun {
  laneIds: readonly LaneId[];
  /** All runs on the same clock, including the run of this trace. */
  runs: readonly Run[];
}

/** Trace of another lane's answer to the same prompt, with its duration and a link to it. */
function OtherLaneTrace({ laneId, turnId, run, laneIds, runs }: OtherLaneTraceProps) {
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

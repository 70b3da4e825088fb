import { useMemo } from 'react';

import { formatCount, pluralize } from '../../../lib/format.ts';
import { Check, CircleSlash, Clock } from '../../../ui/icons.tsx';
import { useFullTrialState } from '../use-trial.ts';
import { formatTimeLeft, describePace } from './format-progress.ts';
import { buildTickPath, buildProgressTicks, type ProgressTick } from './progress-ticks.ts';

const tickStyles: readonly { kind: ProgressTick; className: string; height: number; width: number }[] = [
  { kind: 'w', className: 'stroke-line-2', height: 5, width: 0.5 },
  { kind: 'a', className: 'stroke-ink', height: 11, width: 0.5 },
  { kind: 'x', className: 'stroke-warn', height: 13, width: 0.9 },
  { kind: 'r', className: 'stroke-needle', height: 13, width: 0.7 },
];

/** Progress of a trial: counts, one tick per answer in random order, and the remaining time. */
export function ProgressStrip() {
  const state = useFullTrialState();
  const { progress, trial, loading } = state;
  const isRunning = trial.state.name === 'running';
  const remaining = Math.max(0, progress.cells - progress.ended - progress.inFlight);
  return (
    // Empty while the trial is loading, but with its normal height.
    <div className={`border-b border-line bg-paper px-4 pt-2.5 pb-2 ${loading ? '[&>*]:invisible' : ''}`}>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-12 text-ink-2">
        <b
          className="text-13 font-[600] text-ink"
          role="progressbar"
          aria-label="Cases counted"
          aria-valuemin={0}
          aria-valuemax={progress.cases}
          aria-valuenow={progress.counted}
          aria-valuetext={`${formatCount(progress.counted)} of ${formatCount(progress.cases)}`}
        >
          {formatCount(progress.counted)} of {pluralize(progress.cases, 'case')} counted
        </b>
        <span className="flex items-center gap-1.5">
          <Check className="icon-14" aria-hidden />
          {pluralize(progress.ended - progress.missing, 'answer')}
        </span>
        {progress.missing > 0 && (
          <span className="flex items-center gap-1.5 text-warn-ink">
            <CircleSlash className="icon-14" aria-hidden />
            {formatCount(progress.missing)} missing
          </span>
        )}
        {progress.inFlight > 0 && (
          <span className="flex items-center gap-1.5 text-needle-ink">
            <i className="size-2 rounded-[2px] bg-needle" />
            {formatCount(progress.inFlight)} running
          </span>
        )}
        {remaining > 0 && (
          <span className="flex items-center gap-1.5">
            <Clock className="icon-14" aria-hidden />
            {formatCount(remaining)} waiting
          </span>
        )}
        <span className="grow" />
        {isRunning && (
          <span className="max-phone:hidden">
            {describePace(state)} <b className="font-[600] text-ink">{formatTimeLeft(state)}</b>
          </span>
        )}
      </div>
      <TickStrip />
    </div>
  );
}

function TickStrip() {
  const state = useFullTrialState();
  const { progress } = state;
  const { ticks, answersPerTick } = useMemo(() => buildProgressTicks(state), [state]);
  const label = `${formatCount(progress.ended)} of ${pluralize(progress.cells, 'request')} done, ${formatCount(progress.missing)} without an answer, ${formatCount(progress.inFlight)} in flight${answersPerTick > 1 ? `; each tick is ${formatCount(answersPerTick)} requests` : ''}`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${Math.max(1, ticks.length)} 15`}
      preserveAspectRatio="none"
      className="mt-1 block h-4 w-full fill-none"
      shapeRendering="crispEdges"
    >
      {tickStyles.map(({ kind, className, height, width }) => (
        <path key={kind} className={className} strokeWidth={width} d={buildTickPath(ticks, kind, height)} />
      ))}
    </svg>
  );
}

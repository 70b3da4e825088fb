import { useMemo } from 'react';

import { formatCount, pluralize } from '../../../lib/format.ts';
import { Check, CircleSlash, Clock } from '../../../ui/icons.tsx';
import { useWholeTrial } from '../use-trial.ts';
import { leftWords, paceWords } from './format-progress.ts';
import { tickPath, ticksOf, type Tick } from './progress-ticks.ts';

const looks: readonly { kind: Tick; className: string; height: number; width: number }[] = [
  { kind: 'w', className: 'stroke-line-2', height: 5, width: 0.5 },
  { kind: 'a', className: 'stroke-ink', height: 11, width: 0.5 },
  { kind: 'x', className: 'stroke-warn', height: 13, width: 0.9 },
  { kind: 'r', className: 'stroke-needle', height: 13, width: 0.7 },
];

/** How far it is: counts, one tick an answer in the drawn order, and how long it will take. */
export function ProgressStrip() {
  const state = useWholeTrial();
  const { progress, trial, opening } = state;
  const isRunning = trial.state.name === 'running';
  const left = Math.max(0, progress.cells - progress.ended - progress.underWay);
  return (
    // While it opens nothing is counted: the strip has its room and nothing to say.
    <div className={`border-b border-line bg-paper px-4 pt-2.5 pb-2 ${opening ? '[&>*]:invisible' : ''}`}>
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
            {formatCount(progress.missing)} no answer
          </span>
        )}
        {progress.underWay > 0 && (
          <span className="flex items-center gap-1.5 text-needle-ink">
            <i className="size-2 rounded-[2px] bg-needle" />
            {formatCount(progress.underWay)} running
          </span>
        )}
        {left > 0 && (
          <span className="flex items-center gap-1.5">
            <Clock className="icon-14" aria-hidden />
            {formatCount(left)} waiting
          </span>
        )}
        <span className="grow" />
        {isRunning && (
          <span className="max-phone:hidden">
            {paceWords(state)} <b className="font-[600] text-ink">{leftWords(state)}</b> to go
          </span>
        )}
      </div>
      <Strip />
    </div>
  );
}

function Strip() {
  const state = useWholeTrial();
  const { progress } = state;
  const { ticks, each } = useMemo(() => ticksOf(state), [state]);
  const words = `${formatCount(progress.ended)} of ${pluralize(progress.cells, 'answer')} are here, ${formatCount(progress.missing)} without an answer, ${formatCount(progress.underWay)} under way${each > 1 ? `; one tick stands for ${formatCount(each)}` : ''}`;
  return (
    <svg
      role="img"
      aria-label={words}
      viewBox={`0 0 ${Math.max(1, ticks.length)} 15`}
      preserveAspectRatio="none"
      className="mt-1 block h-4 w-full fill-none"
      shapeRendering="crispEdges"
    >
      {looks.map(({ kind, className, height, width }) => (
        <path key={kind} className={className} strokeWidth={width} d={tickPath(ticks, kind, height)} />
      ))}
    </svg>
  );
}

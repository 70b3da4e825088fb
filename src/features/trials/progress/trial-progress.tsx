import { useMemo, type ReactNode } from 'react';

import { describeCost, formatTotalCost } from '../../../conversation/reply/cost.ts';
import { formatCount, pluralize } from '../../../lib/format.ts';
import { formatCost } from '../../../lib/money.ts';
import type { OpenTrialState } from '../../../state/trials/store/trial-store.ts';
import { getCellId } from '../../../trials/case-order.ts';
import { isSent } from '../../../trials/cell.ts';
import { endingCodes } from '../../../trials/ended-cells.ts';
import { sendsRequests, type CellKey } from '../../../trials/trial.ts';
import { CheckIcon } from '../../../ui/icons.tsx';
import { CircleSlash, Clock } from '../../../ui/late-icons.tsx';
import { useFullTrialState } from '../use-trial.ts';
import { formatTimeLeft, describePace } from './format-progress.ts';

const tickStyles: readonly { kind: ProgressTick; className: string; height: number; width: number }[] = [
  { kind: 'w', className: 'stroke-line-2', height: 5, width: 0.5 },
  { kind: 'a', className: 'stroke-ink', height: 11, width: 0.5 },
  { kind: 'x', className: 'stroke-warn', height: 13, width: 0.9 },
  { kind: 'r', className: 'stroke-needle', height: 13, width: 0.7 },
];

/** Counted cases, then the progress of an active trial, otherwise `children`, on one line. */
export function TrialProgress({ isActive, children }: { isActive: boolean; children: ReactNode }) {
  const { progress } = useFullTrialState();
  return (
    <>
      <b
        className="flex-none font-[600] text-ink"
        role="progressbar"
        aria-label="Cases counted"
        aria-valuemin={0}
        aria-valuemax={progress.cases}
        aria-valuenow={progress.counted}
        aria-valuetext={`${formatCount(progress.counted)} of ${formatCount(progress.cases)}`}
      >
        {formatCount(progress.counted)} of {pluralize(progress.cases, 'case')} counted
      </b>
      {isActive ? (
        <ProgressCounts />
      ) : (
        <span className="line-clamp-1 min-w-0 wrap-anywhere max-phone:hidden">{children}</span>
      )}
    </>
  );
}

/** Answers and requests by their state, the cost, the pace and the remaining time. */
function ProgressCounts() {
  const state = useFullTrialState();
  const { progress, trial, costs } = state;
  const isRunning = trial.state.name === 'running';
  const remaining = Math.max(0, progress.cells - progress.ended - progress.inFlight);
  return (
    // Parts that do not fit wrap to a hidden line, so that no number is cut off.
    <span className="flex h-[1lh] min-w-0 flex-wrap gap-x-4 overflow-hidden whitespace-nowrap text-ink-2 max-phone:h-auto">
      <span className="flex items-center gap-1.5">
        <CheckIcon className="icon-14" aria-hidden />
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
      {/* Once the trial has ended, its status beside the title has the cost. */}
      {costs.total && (isRunning || trial.state.name === 'paused') && (
        <span title={describeCost(costs.total)}>
          Cost <b className="font-[550] text-ink">{formatTotalCost(costs.total)}</b>
          {trial.budget && ` of ${formatCost(trial.budget.amount, trial.budget.currency)}`}
        </span>
      )}
      {isRunning && (
        <span className="max-phone:hidden">
          <b className="font-[600] text-ink">{formatTimeLeft(state)}</b> {describePace(state)}
        </span>
      )}
    </span>
  );
}

/** Ticks for all answers of a trial in random order, at the bottom edge of its container. */
export function ProgressTicks() {
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
      className="absolute inset-x-0 bottom-0 block h-2 w-full fill-none"
      shapeRendering="crispEdges"
    >
      {tickStyles.map(({ kind, className, height, width }) => (
        <path key={kind} className={className} strokeWidth={width} d={buildTickPath(ticks, kind, height)} />
      ))}
    </svg>
  );
}

/** Kinds of ticks: answered, no answer, in flight, queued. */
type ProgressTick = 'a' | 'x' | 'r' | 'w';

/** Maximum number of ticks; with more cells, each tick represents several cells. */
export const maxTicks = 700;

/** Priority of kinds if a tick stands for several cells. */
const tickPriority: readonly ProgressTick[] = ['a', 'w', 'x', 'r'];

interface ProgressTicks {
  ticks: ProgressTick[];
  /** Number of answers per tick. */
  answersPerTick: number;
}

export function buildProgressTicks({
  trial,
  order,
  endedByColumn,
  liveCells,
}: Pick<OpenTrialState, 'trial' | 'order' | 'endedByColumn' | 'liveCells'>): ProgressTicks {
  const columns = trial.columns.flatMap((column, columnIndex) =>
    sendsRequests(column) ? [{ id: column.id, columnIndex }] : [],
  );
  const liveCases = new Set([...liveCells.values()].map(({ caseId }) => caseId));
  const isRunning = (key: CellKey): boolean => isSent(liveCells.get(getCellId(key)));
  const count = order.length * columns.length * trial.repeats;
  const answersPerTick = Math.max(1, Math.ceil(count / maxTicks));
  const ticks: ProgressTick[] = [];
  let cellIndex = 0;
  for (const [row, caseId] of order.entries())
    for (let repeat = 1; repeat <= trial.repeats; repeat += 1)
      for (const { id: columnId, columnIndex } of columns) {
        const ending = endedByColumn[columnIndex]?.endings[row * trial.repeats + repeat - 1];
        let tick: ProgressTick = 'w';
        if (ending === endingCodes.answered) tick = 'a';
        else if (ending === endingCodes['no answer']) tick = 'x';
        else if (liveCases.has(caseId) && isRunning({ caseId, columnId, repeat })) tick = 'r';
        const tickIndex = Math.floor(cellIndex / answersPerTick);
        const existingTick = ticks[tickIndex];
        if (existingTick === undefined || tickPriority.indexOf(tick) > tickPriority.indexOf(existingTick))
          ticks[tickIndex] = tick;
        cellIndex += 1;
      }
  return { ticks, answersPerTick };
}

/** Builds one path with all ticks of a kind, for a viewBox with a width of 1 per tick. */
function buildTickPath(ticks: readonly ProgressTick[], kind: ProgressTick, height: number): string {
  return ticks.map((tick, index) => (tick === kind ? `M${index + 0.5} ${14 - height}V14` : '')).join('');
}

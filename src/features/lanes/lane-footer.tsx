import { clsx } from 'clsx';
import { useState } from 'react';

import { getTurnInView } from '../../conversation/session/prompt-rows.ts';
import { getLaneLetter, getCopiedTurn, getLanePath, getRunId } from '../../conversation/session/turn-tree.ts';
import type { Run, Turn } from '../../conversation/session/types.ts';
import { useInspector, useLane, useRun, useSession, useView } from '../../state/contexts.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { useCloseOnEscape } from '../workspace/use-close-on-escape.ts';
import { ContextGauge } from './context-gauge.tsx';
import { EmptyLaneFooter, LaneFooterFrame } from './empty-lane-footer.tsx';
import { LaneContent } from './lane-content.tsx';
import { MetricsView } from './metrics-view.tsx';
import { CursorText } from './trace/cursor-text.tsx';
import { TraceView } from './trace/trace-view.tsx';

/** Shown instead of the metrics while names are hidden, because the speed would reveal the model. */
const hiddenText = 'Metrics are hidden while names are hidden';
/** Minimum number of lanes at which metrics are reduced to a single line. */
const minCompactLanes = 4;

/**
 * Trace and metrics of the lane's turn in view, pinned below the conversation; a single line where space is limited.
 */
export function LaneFooter({ laneId, index }: { laneId: string; index: number }) {
  const lane = useLane(laneId);
  const promptInView = useView((view) => view.promptInView);
  const turn = useSession((data) => lane && getTurnInView(data, lane, promptInView));
  const run = useRun(getRunId(turn));
  const turnNumber =
    useSession((data) => (lane && turn ? getLanePath(data, lane).indexOf(turn) + 1 : 0)) ?? 0;
  const laneCount = useSession((data) => data.session.laneIds.length) ?? 1;
  const isCursorTextVisible = useInspector((state) => state.cursorShowsText);
  const namesHidden = useView((view) => view.namesHidden);
  const isLowWindow = useMediaQuery('(height < 800px)');
  const isCopy = useSession((data) => getCopiedTurn(data, turn) !== undefined) ?? false;
  if (!lane || !turn || !run || isCopy) return <EmptyLaneFooter laneId={laneId} index={index} />;
  const isOnlyLane = laneCount === 1;
  const isHidden = namesHidden && !isOnlyLane;
  const isLine = isLowWindow || laneCount >= minCompactLanes;
  const letter = getLaneLetter(index);
  return (
    <LaneFooterFrame
      laneId={laneId}
      index={index}
      className={clsx(
        !isLine && (isOnlyLane ? 'pt-2.25 pb-2' : 'px-4 py-2.5'),
        !isLine && 'max-phone:px-4 max-phone:pt-2.5 max-phone:pb-2',
      )}
    >
      {isLine ? (
        isHidden ? (
          <p className="h-7 truncate px-4 text-11 leading-7 text-ink-3">{hiddenText}</p>
        ) : (
          <MetricsLine
            turn={turn}
            run={run}
            letter={letter}
            turnNumber={turnNumber}
            isOnlyLane={isOnlyLane}
          />
        )
      ) : (
        <LaneContent
          isOneLane={isOnlyLane}
          // The parts are stacked, or side by side if a single lane is wide.
          className={clsx(
            'flex',
            isOnlyLane
              ? 'items-center gap-6 phone:col-[2/-1] @max-[900px]/lane-footer:gap-4'
              : 'flex-col gap-1.5',
            isOnlyLane &&
              '@max-[760px]/lane-footer:flex-col @max-[760px]/lane-footer:items-stretch @max-[760px]/lane-footer:gap-1.5',
          )}
        >
          {isHidden ? (
            <p className="min-h-[62px] text-12 text-ink-3">{hiddenText}</p>
          ) : (
            <>
              <TraceView
                turn={turn}
                run={run}
                letter={letter}
                turnNumber={turnNumber}
                isFullWidth={!isOnlyLane}
              />
              <MetricsView run={run} letter={letter} turnNumber={turnNumber} hasOtherLanes={!isOnlyLane} />
              <ContextGauge laneId={laneId} letter={letter} isStacked={isOnlyLane} />
            </>
          )}
        </LaneContent>
      )}
      {isCursorTextVisible && (
        <CursorText
          run={run}
          letter={letter}
          shownChoice={turn.shownChoice ?? 0}
          isOnlyLane={laneCount === 1}
        />
      )}
    </LaneFooterFrame>
  );
}

interface MetricsLineProps {
  turn: Turn;
  run: Run;
  letter: string;
  turnNumber: number;
  isOnlyLane: boolean;
}

/** The most important metrics on one line, which opens a card above it with all metrics. */
function MetricsLine({ turn, run, letter, turnNumber, isOnlyLane }: MetricsLineProps) {
  const [isOpen, setIsOpen] = useState(false);
  useCloseOnEscape(isOpen, () => setIsOpen(false));
  const metricsProps = { turn, run, letter, turnNumber };
  return (
    <div
      className={clsx(
        'relative mx-auto flex h-7 w-full items-center gap-4 px-4 max-phone:h-11 flat:h-6.5',
        isOnlyLane && 'max-w-228 phone:pl-22',
      )}
    >
      <TraceView {...metricsProps} variant="line" />
      {!isOpen && <MetricsView {...metricsProps} variant="line" hasOtherLanes={!isOnlyLane} />}
      <ContextGauge laneId={turn.laneId} letter={letter} isBrief />
      <button
        type="button"
        aria-expanded={isOpen}
        aria-label={`All metrics of lane ${letter}`}
        title="All metrics"
        className={clsx(
          'absolute inset-y-0 right-0 left-24 hover:bg-hover/40 focus-visible:-outline-offset-2',
          isOnlyLane && 'phone:left-42',
        )}
        onClick={() => setIsOpen(!isOpen)}
      />
      {isOpen && (
        <div className="absolute inset-x-2 bottom-full z-2 mb-1 rounded-3 border border-line-2 bg-raised p-3 shadow-e-2">
          <MetricsView {...metricsProps} hasOtherLanes={!isOnlyLane} />
        </div>
      )}
    </div>
  );
}

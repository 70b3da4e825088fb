import { clsx } from 'clsx';
import { use, type ReactNode } from 'react';

import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { useSession, useView } from '../../state/contexts.tsx';
import { useContextUsage } from '../models/use-context-usage.ts';
import { OnlyLaneContext, useIsLaneHidden } from '../workspace/only-lane-context.ts';
import { ContextGauge } from './context-gauge.tsx';
import { LaneContent } from './lane-content.tsx';

interface LaneFooterFrameProps {
  laneId: string;
  index: number;
  className?: string;
  children: ReactNode;
}

/** Frame of a footer in the column of its lane, also if another lane has no footer. */
export function LaneFooterFrame({ laneId, index, className, children }: LaneFooterFrameProps) {
  const onlyLaneId = use(OnlyLaneContext);
  const isLaneHidden = useIsLaneHidden(laneId);
  const letter = getLaneLetter(index);
  return (
    <div
      className={clsx(
        `lane-footer @container/lane-footer relative min-w-0 border-line lane-${letter.toLowerCase()}`,
        className,
        index > 0 && onlyLaneId === undefined && 'phone:border-l',
        isLaneHidden && 'hidden',
      )}
      style={onlyLaneId === undefined ? { gridColumnStart: index + 1 } : undefined}
      data-lane={letter}
    >
      {children}
    </div>
  );
}

/** Footer of a lane without an answer of its own: how much of the context the next request uses, if that is known. */
export function EmptyLaneFooter({ laneId, index }: { laneId: string; index: number }) {
  const isOnlyLane = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const namesHidden = useView((view) => view.namesHidden);
  const hasGauge = useContextUsage([laneId]) !== undefined;
  // The context length would reveal the model.
  if (!hasGauge || (namesHidden && !isOnlyLane)) return null;
  return (
    <LaneFooterFrame laneId={laneId} index={index} className={clsx(!isOnlyLane && 'px-4')}>
      <LaneContent isOneLane={isOnlyLane} label="Context" className="flex h-7 items-center max-phone:px-4">
        <ContextGauge laneId={laneId} letter={getLaneLetter(index)} />
      </LaneContent>
    </LaneFooterFrame>
  );
}

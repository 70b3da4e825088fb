import { laneLetter } from '../../../conversation/session/tree.ts';
import type { LaneId, TurnId } from '../../../conversation/session/types.ts';
import type { Replay } from '../../../state/runs/replay.ts';
import { StageLane } from './stage-lane.tsx';

interface StageLanesProps {
  cells: readonly { laneId: LaneId; turnId: TurnId }[];
  laneIds: readonly LaneId[];
  numbersHidden: boolean;
  /** What plays the answers, where they are recorded ones. */
  replay?: Replay | undefined;
}

/** The answers of one turn beside each other. */
export function StageLanes({ cells, laneIds, numbersHidden, replay }: StageLanesProps) {
  return (
    <main className="stage" data-lanes={cells.length} style={{ '--lane-count': cells.length }}>
      {cells.map(({ laneId, turnId }) => (
        <StageLane
          key={laneId}
          turnId={turnId}
          letter={laneLetter(laneIds.indexOf(laneId))}
          numbersHidden={numbersHidden}
          replay={replay}
        />
      ))}
    </main>
  );
}

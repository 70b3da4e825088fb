import { Fragment } from 'react';
import type { Row } from '../../../conversation/rows.ts';
import type { LaneId } from '../../../conversation/types.ts';
import { PromptBand } from './prompt-band.tsx';
import { TurnView } from './turn-view.tsx';

export { LaneFooter } from './lane-footer.tsx';

/** The prompts as bands over the lanes that share them, the replies beneath. */
export function ConversationRows({ rows, laneIds }: { rows: readonly Row[]; laneIds: readonly LaneId[] }) {
  return rows.map((row, place) => (
    <Fragment key={row.promptId}>
      <h2 className="vh">Turn {row.number}</h2>
      <PromptBand
        promptId={row.promptId}
        turnIds={row.cells.map((cell) => cell.turnId)}
        isLatest={place === rows.length - 1}
      />
      <div className="turn">
        {laneIds.map((laneId, index) => {
          const cell = row.cells.find((each) => each.laneId === laneId);
          if (!cell) return <div key={laneId} className="reply" />;
          return <TurnView key={laneId} turnId={cell.turnId} laneIndex={index} number={row.number} />;
        })}
      </div>
    </Fragment>
  ));
}

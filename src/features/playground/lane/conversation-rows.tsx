import { Fragment } from 'react';
import type { Row } from '../../../conversation/rows.ts';
import { textOfContent } from '../../../conversation/request.ts';
import type { LaneId, PromptId } from '../../../conversation/types.ts';
import { usePlayground } from '../../../state/react.tsx';
import { currentSession } from '../../../state/session-store.ts';
import { MessageBoundary } from './message-boundary.tsx';
import { PromptBand } from './prompt-band.tsx';
import { TurnView } from './turn-view.tsx';

export { LaneFooter } from './lane-footer.tsx';

/** The prompts as bands over the lanes that share them, the replies beneath. */
export function ConversationRows({ rows, laneIds }: { rows: readonly Row[]; laneIds: readonly LaneId[] }) {
  const { session } = usePlayground();
  const wordsOf = (promptId: PromptId): string => {
    const messages = currentSession(session.getState())?.prompts[promptId]?.messages ?? [];
    return messages.map((message) => textOfContent(message.content)).join('\n\n');
  };
  return rows.map((row, place) => (
    <Fragment key={row.promptId}>
      <h2 className="vh">Turn {row.number}</h2>
      <MessageBoundary words={() => wordsOf(row.promptId)}>
        <PromptBand
          promptId={row.promptId}
          turnIds={row.cells.map((cell) => cell.turnId)}
          isLatest={place === rows.length - 1}
        />
      </MessageBoundary>
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

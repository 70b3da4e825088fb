import { textOfContent } from '../../../conversation/request/request.ts';
import type { Row } from '../../../conversation/session/rows.ts';
import type { LaneId, PromptId } from '../../../conversation/session/types.ts';
import { usePlayground } from '../../../state/react.tsx';
import { currentSession } from '../../../state/sessions/session-store.ts';
import { MessageBoundary } from '../message/message-boundary.tsx';
import { PromptBand } from '../message/prompt-band.tsx';
import { TurnView } from '../reply/turn-view.tsx';

interface RowViewProps {
  row: Row;
  laneIds: readonly LaneId[];
  isLatest: boolean;
}

/** One prompt as a band over the lanes that share it, the replies beneath. */
export function RowView({ row, laneIds, isLatest }: RowViewProps) {
  const { session } = usePlayground();
  const wordsOf = (promptId: PromptId): string => {
    const messages = currentSession(session.getState())?.prompts[promptId]?.messages ?? [];
    return messages.map((message) => textOfContent(message.content)).join('\n\n');
  };
  return (
    <>
      <h2 className="vh">Turn {row.number}</h2>
      <MessageBoundary words={() => wordsOf(row.promptId)}>
        <PromptBand
          promptId={row.promptId}
          turnIds={row.cells.map((cell) => cell.turnId)}
          isLatest={isLatest}
        />
      </MessageBoundary>
      <div className="turn">
        {laneIds.map((laneId, index) => {
          const cell = row.cells.find((each) => each.laneId === laneId);
          if (!cell) return <div key={laneId} className="reply" />;
          return <TurnView key={laneId} turnId={cell.turnId} laneIndex={index} number={row.number} />;
        })}
      </div>
    </>
  );
}

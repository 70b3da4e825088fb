import { clsx } from 'clsx';
import { memo, use } from 'react';
import { shallow } from 'zustand/shallow';

import { getContentText } from '../../conversation/request/request.ts';
import type { PromptRow } from '../../conversation/session/prompt-rows.ts';
import type { LaneId, PromptId } from '../../conversation/session/types.ts';
import { useSession, useSessionServices } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { VoteRowContext } from '../compare/use-turn-vote.ts';
import { VoteRow } from '../compare/vote-row.tsx';
import { OnlyLaneContext } from '../workspace/only-lane-context.ts';
import { RowVisibilityContext } from '../workspace/row-visibility-context.ts';
import { MessageBoundary } from './message/message-boundary.tsx';
import { PromptBand } from './message/prompt-band.tsx';
import { TurnView } from './reply/turn-view.tsx';
import { usePreservedSelection } from './use-preserved-selection.ts';
import { useRenderedGroups, type ConversationViewport, type RenderedGroup } from './use-rendered-groups.ts';

import './print.css';

// Exported here so that they load together with the messages.
export { LaneFooter } from '../lanes/lane-footer.tsx';
export { RunAnnouncer } from './run-announcer.tsx';

interface ConversationRowsProps extends ConversationViewport {
  rows: readonly PromptRow[];
  laneIds: readonly LaneId[];
}

/** Conversation in groups that the browser can skip while they are off screen. */
export function ConversationRows(props: ConversationRowsProps) {
  const sessionId = useSession(({ session }) => session.id);
  return <RowGroups key={sessionId} {...props} />;
}

function RowGroups({ rows, laneIds, ...viewport }: ConversationRowsProps) {
  const groups = useRenderedGroups(rows, viewport);
  usePreservedSelection('[data-message]');
  return groups.map((group) => <RowGroup key={group.index} laneIds={laneIds} {...group} />);
}

interface RowGroupProps extends RenderedGroup {
  laneIds: readonly LaneId[];
}

const RowGroup = memo(function RowGroup({
  rows,
  laneIds,
  index,
  isMounted,
  wasNear,
  isLast,
  isScrollTarget,
}: RowGroupProps) {
  return (
    <div
      className={clsx(
        // Height of about eight turns; browsers remember the real height once it is rendered. The real height is needed
        // for the last group, whose end is followed, and for a group with a scroll target.
        !isLast &&
          !isScrollTarget &&
          'row-group [contain-intrinsic-block-size:auto_2400px] [content-visibility:auto]',
      )}
      data-group={index}
    >
      <RowVisibilityContext value={wasNear}>
        {isMounted &&
          rows.map((row, rowIndex) => (
            <RowView
              key={row.promptId}
              row={row}
              laneIds={laneIds}
              isLatest={isLast && rowIndex === rows.length - 1}
            />
          ))}
      </RowVisibilityContext>
    </div>
  );
}, isSameGroup);

/** Compares groups by value, because rows are rebuilt for every path; all other props are compared shallowly. */
export function isSameGroup(before: RowGroupProps, after: RowGroupProps): boolean {
  const { rows, ...rest } = before;
  const { rows: rowsAfter, ...restAfter } = after;
  return (
    shallow(rest, restAfter) &&
    rows.length === rowsAfter.length &&
    rows.every((row, index) => isSameRow(row, rowsAfter[index]))
  );
}

function isSameRow(before: PromptRow, after: PromptRow | undefined): boolean {
  return (
    before.promptId === after?.promptId &&
    before.number === after.number &&
    before.cells.length === after.cells.length &&
    before.cells.every((cell, index) => {
      const afterCell = after.cells[index];
      return cell.turnId === afterCell?.turnId && cell.laneId === afterCell.laneId;
    })
  );
}

interface RowViewProps {
  row: PromptRow;
  laneIds: readonly LaneId[];
  isLatest: boolean;
}

/** Prompt as a band across the lanes that share it, with the replies below. */
function RowView({ row, laneIds, isLatest }: RowViewProps) {
  const { session } = useSessionServices();
  const onlyLaneId = use(OnlyLaneContext);
  const isElsewhere = onlyLaneId !== undefined && row.cells.every(({ laneId }) => laneId !== onlyLaneId);
  const readPromptText = (promptId: PromptId): string => {
    const messages = getCurrentSession(session.getState())?.prompts[promptId]?.messages ?? [];
    return messages.map((message) => getContentText(message.content)).join('\n\n');
  };
  return (
    <>
      <h2 className="sr-only m-0!" data-prompt={row.promptId}>
        Turn {row.number}
      </h2>
      {/* A prompt that was sent only to other lanes is hidden with them. */}
      <div className={clsx(isElsewhere && 'hidden')}>
        <MessageBoundary getText={() => readPromptText(row.promptId)}>
          <PromptBand
            promptId={row.promptId}
            turnIds={row.cells.map((cell) => cell.turnId)}
            isLatest={isLatest}
          />
        </MessageBoundary>
      </div>
      <VoteRowContext value={row}>
        <div
          className={clsx(
            'grid grid-cols-(--lane-columns) print:grid-cols-[repeat(auto-fit,minmax(min(100%,200px),1fr))]',
            laneIds.length > 1 && 'phone:items-start',
          )}
        >
          {laneIds.map((laneId, index) => {
            const cell = row.cells.find((candidate) => candidate.laneId === laneId);
            if (!cell) return <div key={laneId} className={clsx(onlyLaneId !== undefined && 'hidden')} />;
            return <TurnView key={laneId} turnId={cell.turnId} laneIndex={index} turnNumber={row.number} />;
          })}
        </div>
      </VoteRowContext>
      <VoteRow row={row} isLast={isLatest} />
    </>
  );
}

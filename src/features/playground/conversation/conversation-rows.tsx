import { clsx } from 'clsx';
import { chunk } from 'es-toolkit';
import { memo, use, useCallback, useMemo, useRef } from 'react';
import { shallow } from 'zustand/shallow';

import { getContentText } from '../../../conversation/request/request.ts';
import type { PromptRow } from '../../../conversation/session/prompt-rows.ts';
import type { LaneId, PromptId } from '../../../conversation/session/types.ts';
import { useSession, useSessionServices } from '../../../state/contexts.tsx';
import { getCurrentSession } from '../../../state/sessions/session-store.ts';
import { VoteRowContext } from '../comparison/use-turn-vote.ts';
import { VoteRow } from '../comparison/vote-row.tsx';
import { OnlyLaneContext } from '../lane/only-lane-context.ts';
import { MessageBoundary } from '../message/message-boundary.tsx';
import { PromptBand } from '../message/prompt-band.tsx';
import { TurnView } from '../reply/turn-view.tsx';
import { RowVisibilityContext } from './row-visibility-context.ts';
import { useGroupVisibility } from './use-group-visibility.ts';
import { initialGroupCount, useMountedGroups } from './use-mounted-groups.ts';
import { usePreservedSelection } from './use-preserved-selection.ts';
import { useScrollTargetGroup } from './use-scroll-target-group.ts';

import './print.css';

// Exported here so that they load together with the messages.
export { LaneFooter } from '../lane/lane-footer.tsx';
export { RunAnnouncer } from '../run-announcer.tsx';

/**
 * Number of rows per group: small enough to render a group within a frame or two, large enough to keep the number of
 * groups low.
 */
const rowsPerGroup = 8;

interface ConversationRowsProps {
  rows: readonly PromptRow[];
  laneIds: readonly LaneId[];
}

/**
 * Conversation in groups that the browser can skip while they are off screen. The last groups are mounted immediately
 * and earlier groups one per task, from last to first, so that a long session never blocks the page.
 */
export function ConversationRows(props: ConversationRowsProps) {
  const sessionId = useSession(({ session }) => session.id);
  return <RowGroups key={sessionId} {...props} />;
}

function RowGroups({ rows, laneIds }: ConversationRowsProps) {
  const groups = useMemo(() => chunk(rows, rowsPerGroup), [rows]);
  const { isMounted, mountNow } = useMountedGroups(groups.length);
  const targetGroup = useScrollTargetGroup(groups, mountNow);
  usePreservedSelection('[data-message]');
  return groups.map((group, index) => (
    <RowGroup
      key={index}
      rows={group}
      laneIds={laneIds}
      index={index}
      isMounted={isMounted(index)}
      isAlwaysRendered={index >= groups.length - initialGroupCount}
      isLast={index === groups.length - 1}
      isScrollTarget={index === targetGroup}
      mountNow={mountNow}
    />
  ));
}

interface RowGroupProps {
  rows: readonly PromptRow[];
  laneIds: readonly LaneId[];
  index: number;
  isMounted: boolean;
  isAlwaysRendered: boolean;
  isLast: boolean;
  /** True if the view scrolls to a turn in this group, whose real height is then needed. */
  isScrollTarget: boolean;
  mountNow: (index: number) => void;
}

const RowGroup = memo(function RowGroup({
  rows,
  laneIds,
  index,
  isMounted,
  isAlwaysRendered,
  isLast,
  isScrollTarget,
  mountNow,
}: RowGroupProps) {
  const groupRef = useRef<HTMLDivElement>(null);
  // In a long session, an empty group reserves the space of its rows and is filled when it comes into view.
  const isNear = useGroupVisibility(
    groupRef,
    isAlwaysRendered,
    useCallback(() => mountNow(index), [mountNow, index]),
  );
  return (
    <div
      className={clsx(
        // Height of about eight turns; browsers remember the real height once it is rendered. The real height is needed
        // for the last group, whose end is followed, and for a group with a scroll target.
        !isLast &&
          !isScrollTarget &&
          'row-group [contain-intrinsic-block-size:auto_2400px] [content-visibility:auto]',
      )}
      ref={groupRef}
    >
      <RowVisibilityContext value={isNear}>
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
      <VoteRow row={row} />
    </>
  );
}

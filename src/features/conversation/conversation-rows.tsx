import { clsx } from 'clsx';
import { chunk } from 'es-toolkit';
import {
  memo,
  use,
  useCallback,
  useMemo,
  useRef,
  useEffect,
  useState,
  startTransition,
  useLayoutEffect,
  type RefObject,
} from 'react';
import { shallow } from 'zustand/shallow';

import { getContentText } from '../../conversation/request/request.ts';
import type { PromptRow } from '../../conversation/session/prompt-rows.ts';
import type { LaneId, PromptId } from '../../conversation/session/types.ts';
import { finishSlices } from '../../markdown/draw/run-in-slices.ts';
import { useSession, useSessionServices, useFind } from '../../state/contexts.tsx';
import { getCurrentSession } from '../../state/sessions/session-store.ts';
import { VoteRowContext } from '../compare/use-turn-vote.ts';
import { VoteRow } from '../compare/vote-row.tsx';
import { OnlyLaneContext } from '../workspace/only-lane-context.ts';
import { RowVisibilityContext } from '../workspace/row-visibility-context.ts';
import { MessageBoundary } from './message/message-boundary.tsx';
import { PromptBand } from './message/prompt-band.tsx';
import { TurnView } from './reply/turn-view.tsx';
import { usePreservedSelection } from './use-preserved-selection.ts';
import { usePrinting } from './use-printing.ts';

import './print.css';

// Exported here so that they load together with the messages.
export { LaneFooter } from '../lanes/lane-footer.tsx';
export { RunAnnouncer } from './run-announcer.tsx';

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

/**
 * Returns true once the browser has rendered this group, which happens shortly before it scrolls into view. `onNear` is
 * called at that time, but never if `isAlwaysRendered` is true.
 */
function useGroupVisibility(
  group: RefObject<HTMLElement | null>,
  isAlwaysRendered: boolean,
  onNear: () => void,
): boolean {
  const [isNear, setIsNear] = useState(
    isAlwaysRendered || !('ContentVisibilityAutoStateChangeEvent' in globalThis),
  );
  useEffect(() => {
    const element = group.current;
    if (isNear || element === null) return undefined;
    const onChange = (event: Event) => {
      if (!(event instanceof ContentVisibilityAutoStateChangeEvent) || event.skipped) return;
      setIsNear(true);
      onNear();
    };
    element.addEventListener('contentvisibilityautostatechange', onChange);
    return () => element.removeEventListener('contentvisibilityautostatechange', onChange);
  }, [group, isNear, onNear]);
  return isNear;
}

/** Number of groups that fill the largest screen with some reserve for scrolling. */
const initialGroupCount = 2;
/** Pause between two groups, which leaves the main thread free for other work, in ms. */
const pauseMs = 8;

interface MountedGroups {
  /** Index of the first mounted group; all later groups, including new ones, are mounted as well. */
  firstIndex: number;
  /** Groups mounted early because they came into view. */
  forcedIndexes: ReadonlySet<number>;
}

/**
 * Controls which groups are mounted: the last ones immediately, earlier ones one by one from last to first when the
 * page is idle, and all for printing. `mountNow` mounts one group immediately. Mounted groups stay mounted.
 */
function useMountedGroups(count: number): {
  isMounted: (index: number) => boolean;
  mountNow: (index: number) => void;
} {
  const [{ firstIndex, forcedIndexes }, setMounted] = useState<MountedGroups>(() => ({
    firstIndex: Math.max(0, count - initialGroupCount),
    forcedIndexes: new Set(),
  }));

  const isPrinting = usePrinting();
  if (isPrinting && firstIndex > 0) setMounted((current) => ({ ...current, firstIndex: 0 }));
  useLayoutEffect(() => {
    if (isPrinting) finishSlices();
  }, [isPrinting]);

  useEffect(() => {
    if (firstIndex === 0) return undefined;
    // A transition yields to key presses and frames.
    const mountOneMore = () =>
      startTransition(() => setMounted((current) => ({ ...current, firstIndex: current.firstIndex - 1 })));
    const timer = setTimeout(mountOneMore, pauseMs);
    return () => clearTimeout(timer);
  }, [firstIndex]);

  const mountNow = useCallback(
    (index: number) =>
      setMounted((current) => ({ ...current, forcedIndexes: new Set(current.forcedIndexes).add(index) })),
    [],
  );
  return { isMounted: (index) => index >= firstIndex || forcedIndexes.has(index), mountNow };
}

/** Mounts the group that contains the scroll target immediately and returns its index; -1 without a target. */
function useScrollTargetGroup(
  groups: readonly (readonly PromptRow[])[],
  mountNow: (index: number) => void,
): number {
  const scrollTarget = useFind((find) => find.scrollTarget);
  const index = scrollTarget
    ? groups.findIndex((rows) => rows.some(({ promptId }) => promptId === scrollTarget.promptId))
    : -1;
  useEffect(() => {
    if (index >= 0) mountNow(index);
  }, [index, mountNow]);
  return index;
}

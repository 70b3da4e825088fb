import { useEffect, useState, type ReactNode, type RefObject } from 'react';

import { getLaneLetter, getRunId } from '../../conversation/session/turn-tree.ts';
import type { LaneId, Run } from '../../conversation/session/types.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import {
  useLane,
  useSession,
  useStableRun,
  useTurn,
  useView,
  useSessionServices,
} from '../../state/contexts.tsx';
import { Toolbar, ToolbarButton } from '../../ui/controls/toolbar.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { CheckIcon, CircleAlert, Square } from '../../ui/icons.tsx';
import { Clock, FoldHorizontal } from '../../ui/late-icons.tsx';
import { doLanesOverflow } from '../lanes/lane-columns.ts';
import { bringLaneIntoView, getLaneHeaderTarget } from '../workspace/playground-focus-targets.ts';

/** Tiles of the lanes with their status and visibility, shown if the lanes do not all fit into the viewport. */
export function LaneRail({ bar }: { bar: RefObject<HTMLElement | null> }) {
  const { view } = useSessionServices();
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  const laneWidths = useView((state) => state.laneWidths);
  const fitsLanes = useView((state) => state.fitsLanes);
  const hasSolo = useView((state) => laneIds.some((id) => id === state.soloLane));
  const isPhone = useMediaQuery('(width < 600px)');
  const barWidthPx = useElementWidth(bar);
  const isVisible =
    !isPhone &&
    laneIds.length > 1 &&
    (fitsLanes || hasSolo || doLanesOverflow(laneIds, laneWidths, barWidthPx));
  const visibleShares = useVisibleLaneShares(laneIds, isVisible);
  if (!isVisible) return null;
  return (
    <Toolbar
      aria-label="Lanes"
      data-lane-rail
      className="ml-2 flex flex-none items-center gap-1 self-stretch border-l border-transparent"
    >
      {laneIds.map((laneId, index) => (
        <RailTile
          key={laneId}
          laneId={laneId}
          letter={getLaneLetter(index)}
          visibleShare={visibleShares[index] ?? 1}
        />
      ))}
      <ToolbarButton
        aria-pressed={fitsLanes}
        title="Fit all lanes side by side and hide the sidebar"
        className="flex h-7 flex-none items-center gap-1.5 rounded-2 px-2 font-medium text-ink-2 hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink"
        onClick={() => view.setState({ fitsLanes: !fitsLanes, soloLane: undefined })}
      >
        <FoldHorizontal className="icon-14" aria-hidden />
        Fit
      </ToolbarButton>
    </Toolbar>
  );
}

function RailTile({
  laneId,
  letter,
  visibleShare,
}: {
  laneId: LaneId;
  letter: string;
  visibleShare: number;
}) {
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useStableRun(getRunId(turn));
  const announce = useAnnounce();
  const namesHidden = useView((view) => view.namesHidden);
  const name = namesHidden || lane?.name === undefined ? undefined : getDisplayTitle(lane.name);
  const statusLabel = formatLaneStatus(letter, run, turn?.reply !== undefined, visibleShare === 0);
  return (
    <ToolbarButton
      aria-label={statusLabel}
      title={name === undefined ? statusLabel : `${name}: ${statusLabel}`}
      className="relative flex h-11 items-center gap-1 px-1 hover:bg-hover flat:h-9"
      onClick={() => {
        bringLaneIntoView(letter);
        announce(`Lane ${letter} in view.`);
      }}
    >
      <LaneTile letter={letter} />
      {name !== undefined && (
        <span
          className="max-w-16 truncate text-12 font-550 @max-[1000px]/session-bar:hidden"
          aria-hidden
          dir="auto"
        >
          {name}
        </span>
      )}
      <span className="grid w-3.5 place-items-center" aria-hidden>
        {renderStatusIcon(run)}
      </span>
      {visibleShare > 0 && (
        <span
          aria-hidden
          className={`absolute bottom-0 left-1 h-0.5 bg-ink ${visibleShare < minFullyVisibleShare ? 'w-1/2' : 'right-1'}`}
        />
      )}
    </ToolbarButton>
  );
}

function renderStatusIcon(run: Run | undefined): ReactNode {
  switch (run?.phase.name) {
    case undefined:
      return null;
    case 'queued':
    case 'waiting':
      return <Clock className="icon-14 text-ink-2" />;
    case 'streaming':
      return <span className="size-2 rounded-[2px] bg-needle" />;
    case 'complete':
      return <CheckIcon className="icon-14 text-ink-2" />;
    case 'failed':
      return <CircleAlert className="icon-14 text-err-ink" />;
    default:
      return <Square className="icon-14 text-ink-2" />;
  }
}

const statusLabels: Readonly<Record<Run['phase']['name'], string>> = {
  queued: 'queued',
  waiting: 'waiting',
  streaming: 'streaming',
  complete: 'done',
  truncated: 'cut off',
  stopped: 'stopped',
  failed: 'failed',
  interrupted: 'interrupted',
};

/**
 * Formats the label of a lane's tile, such as "Lane A, done, out of view". `isAnswered` is also true for answers
 * written by hand, which have no run.
 */
export function formatLaneStatus(
  letter: string,
  run: Run | undefined,
  isAnswered: boolean,
  isOutOfView: boolean,
): string {
  const status = run ? statusLabels[run.phase.name] : isAnswered ? 'done' : 'no answer yet';
  return `Lane ${letter}, ${status}${isOutOfView ? ', out of view' : ''}`;
}

/** Minimum share of a lane's width at which the lane counts as fully visible. */
const minFullyVisibleShare = 0.9;
/** Minimum share at which a lane counts as visible; a smaller share is only the border between lanes. */
const minVisibleShare = 0.05;
const thresholds = [0, minVisibleShare, 0.5, minFullyVisibleShare, 1];

/** Returns the visible share of each lane's width, 0 to 1. */
function useVisibleLaneShares(laneIds: readonly LaneId[], isEnabled: boolean): readonly number[] {
  const [visibleShares, setVisibleShares] = useState<readonly number[]>([]);
  useEffect(() => {
    if (!isEnabled) return undefined;
    // A window that just became wide may still hide them.
    const headers = laneIds.map((_, index) =>
      document.querySelector(getLaneHeaderTarget(getLaneLetter(index)).selector),
    );
    const observer = new IntersectionObserver(
      (entries) =>
        setVisibleShares((current) => {
          const next = headers.map((_, index) => current[index] ?? 0);
          for (const { target, intersectionRect, boundingClientRect } of entries) {
            const index = headers.findIndex((header) => header === target);
            const share = intersectionRect.width / Math.max(1, boundingClientRect.width);
            if (index >= 0) next[index] = share < minVisibleShare ? 0 : share;
          }
          return next;
        }),
      { threshold: thresholds },
    );
    for (const header of headers) if (header) observer.observe(header);
    return () => observer.disconnect();
  }, [laneIds, isEnabled]);
  return visibleShares;
}

/** Returns the width of an element in px; infinite until it is measured. */
function useElementWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const target = element.current;
    if (!target) return undefined;
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

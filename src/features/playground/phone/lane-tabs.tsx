import { clsx } from 'clsx';
import { useRef, type KeyboardEvent } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import { getLaneLetter, getRunId } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { useLane, useStableRun, useTurn } from '../../../state/use-playground.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { getNextItemIndex } from '../../../ui/hooks/next-item-index.ts';
import { LaneStatus } from '../lane/lane-status.tsx';

interface LaneTabsProps {
  laneIds: readonly LaneId[];
  /** Active lane; undefined for all lanes. */
  activeLaneId: LaneId | undefined;
  onShow: (laneId: LaneId | undefined) => void;
}

const horizontalKeys: Record<string, string> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

/** Tabs All, A, B, C … on phones, with the status of each lane. phone.css reads `data-active-lane`. */
export function LaneTabs({ laneIds, activeLaneId, onShow }: LaneTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const tabs = [undefined, ...laneIds];
  const activeIndex = tabs.indexOf(activeLaneId);
  const onKeyDown = (event: KeyboardEvent) => {
    const labels = tabs.map((id) => (id === undefined ? 'All' : getLaneLetter(laneIds.indexOf(id))));
    const nextIndex = getNextItemIndex(labels, activeIndex, horizontalKeys[event.key] ?? event.key);
    if (nextIndex === undefined) return;
    event.preventDefault();
    onShow(tabs[nextIndex]);
    list.current?.querySelectorAll('button')[nextIndex]?.focus();
  };
  const activeName =
    activeLaneId === undefined ? 'all' : getLaneLetter(laneIds.indexOf(activeLaneId)).toLowerCase();
  return (
    <div
      ref={list}
      className="lane-tabs grid h-[45px] flex-none auto-cols-fr grid-flow-col grid-cols-[64px] border-b border-line-2 bg-bench"
      role="tablist"
      tabIndex={-1}
      aria-label="Lanes"
      data-active-lane={activeName}
      onKeyDown={onKeyDown}
    >
      {tabs.map((id, index) => (
        <button
          key={id ?? 'all'}
          type="button"
          className={clsx(
            'relative flex h-11 items-center justify-center gap-1.75 text-[14px]/5 font-550 text-ink-2 -outline-offset-4',
            'aria-selected:text-ink aria-selected:after:absolute aria-selected:after:inset-x-3',
            'aria-selected:after:-bottom-px aria-selected:after:h-0.5 aria-selected:after:bg-ink',
          )}
          role="tab"
          aria-selected={index === activeIndex}
          tabIndex={index === activeIndex ? 0 : -1}
          onClick={() => onShow(id)}
        >
          {id === undefined ? 'All' : <LaneTab laneId={id} letter={getLaneLetter(index - 1)} />}
        </button>
      ))}
    </div>
  );
}

function LaneTab({ laneId, letter }: { laneId: LaneId; letter: string }) {
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useStableRun(getRunId(turn));
  return (
    <>
      <LaneTile letter={letter} isSmall={false} />
      <span className="sr-only">Lane {letter}</span>
      <LaneStatus size="shape" laneId={laneId} run={run} live={run !== undefined && isLive(run)} />
    </>
  );
}

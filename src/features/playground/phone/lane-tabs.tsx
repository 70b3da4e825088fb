import { useRef, type KeyboardEvent } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import { getLaneLetter, getRunId } from '../../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { useLane, useStableRun, useTurn } from '../../../state/use-playground.tsx';
import { classes } from '../../../ui/cn.ts';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { itemAfterKey } from '../../../ui/hooks/next-item-index.ts';
import { LaneStatus } from '../lane/lane-status.tsx';

interface LaneTabsProps {
  laneIds: readonly LaneId[];
  /** Undefined is all of them. */
  shown: LaneId | undefined;
  onShow: (laneId: LaneId | undefined) => void;
}

const horizontalKeys: Record<string, string> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

const tabLook = classes(
  'relative flex h-11 items-center justify-center gap-1.75 text-[14px]/5 font-550 text-ink-2 -outline-offset-4',
  'aria-selected:text-ink aria-selected:after:absolute aria-selected:after:inset-x-3 aria-selected:after:-bottom-px',
  'aria-selected:after:h-0.5 aria-selected:after:bg-ink',
);

/** All, A, B, C: which lane a phone shows, with what each is doing. phone.css reads `data-shown`. */
export function LaneTabs({ laneIds, shown, onShow }: LaneTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const tabs = [undefined, ...laneIds];
  const at = tabs.indexOf(shown);
  const onKeyDown = (event: KeyboardEvent) => {
    const names = tabs.map((id) => (id === undefined ? 'All' : getLaneLetter(laneIds.indexOf(id))));
    const next = itemAfterKey(names, at, horizontalKeys[event.key] ?? event.key);
    if (next === undefined) return;
    event.preventDefault();
    onShow(tabs[next]);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  const shownName = shown === undefined ? 'all' : getLaneLetter(laneIds.indexOf(shown)).toLowerCase();
  return (
    <div
      ref={list}
      className="ptabs grid h-[45px] flex-none auto-cols-fr grid-flow-col grid-cols-[64px] border-b border-line-2 bg-bench"
      role="tablist"
      tabIndex={-1}
      aria-label="Lanes"
      data-shown={shownName}
      onKeyDown={onKeyDown}
    >
      {tabs.map((id, index) => (
        <button
          key={id ?? 'all'}
          type="button"
          className={tabLook}
          role="tab"
          aria-selected={index === at}
          tabIndex={index === at ? 0 : -1}
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
      <LaneTile letter={letter} small={false} />
      <span className="sr-only">Lane {letter}</span>
      <LaneStatus size="shape" laneId={laneId} run={run} live={run !== undefined && isLive(run)} />
    </>
  );
}

import { useRef, type KeyboardEvent } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import { laneLetter, runIdOf } from '../../../conversation/session/tree.ts';
import type { LaneId } from '../../../conversation/session/types.ts';
import { useLane, useSteadyRun, useTurn } from '../../../state/react.tsx';
import { LaneTile } from '../../../ui/display/lane-tile.tsx';
import { itemAfterKey } from '../../../ui/hooks/item-after-key.ts';
import { LaneStatus } from '../lane/lane-status.tsx';

interface LaneTabsProps {
  laneIds: readonly LaneId[];
  /** Undefined is all of them. */
  shown: LaneId | undefined;
  onShow: (laneId: LaneId | undefined) => void;
}

const horizontalKeys: Record<string, string> = { ArrowRight: 'ArrowDown', ArrowLeft: 'ArrowUp' };

/** All, A, B, C: which lane a phone shows, with what each is doing. phone.css reads `data-shown`. */
export function LaneTabs({ laneIds, shown, onShow }: LaneTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const tabs = [undefined, ...laneIds];
  const at = tabs.indexOf(shown);
  const onKeyDown = (event: KeyboardEvent) => {
    const names = tabs.map((id) => (id === undefined ? 'All' : laneLetter(laneIds.indexOf(id))));
    const next = itemAfterKey(names, at, horizontalKeys[event.key] ?? event.key);
    if (next === undefined) return;
    event.preventDefault();
    onShow(tabs[next]);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  const shownName = shown === undefined ? 'all' : laneLetter(laneIds.indexOf(shown)).toLowerCase();
  return (
    <div
      ref={list}
      className="ptabs"
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
          role="tab"
          aria-selected={index === at}
          tabIndex={index === at ? 0 : -1}
          onClick={() => onShow(id)}
        >
          {id === undefined ? 'All' : <LaneTab laneId={id} letter={laneLetter(index - 1)} />}
        </button>
      ))}
    </div>
  );
}

function LaneTab({ laneId, letter }: { laneId: LaneId; letter: string }) {
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useSteadyRun(runIdOf(turn));
  return (
    <>
      <LaneTile letter={letter} small={false} />
      <span className="vh">Lane {letter}</span>
      <LaneStatus laneId={laneId} run={run} live={run !== undefined && isLive(run)} />
    </>
  );
}

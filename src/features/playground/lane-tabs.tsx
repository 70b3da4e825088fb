import { clsx } from 'clsx';

import { isLive } from '../../conversation/reply/run.ts';
import { getLaneLetter, getRunId } from '../../conversation/session/turn-tree.ts';
import type { LaneId } from '../../conversation/session/types.ts';
import { useLane, useStableRun, useTurn } from '../../state/contexts.tsx';
import { Tab, TabList, Tabs } from '../../ui/controls/tabs.tsx';
import { LaneTile } from '../../ui/display/lane-tile.tsx';
import { LaneStatus } from '../lanes/lane-status.tsx';

interface LaneTabsProps {
  laneIds: readonly LaneId[];
  /** Active lane; undefined for all lanes. */
  activeLaneId: LaneId | undefined;
  onShow: (laneId: LaneId | undefined) => void;
}

const allLanes = 'all';

/** Tabs All, A, B, C … on phones, with the status of each lane. */
export function LaneTabs({ laneIds, activeLaneId, onShow }: LaneTabsProps) {
  return (
    <Tabs
      value={activeLaneId ?? allLanes}
      onValueChange={(value: string) => onShow(laneIds.find((laneId) => laneId === value))}
      render={
        <TabList
          aria-label="Lanes"
          className="grid h-[45px] flex-none auto-cols-fr grid-flow-col grid-cols-[64px] border-b border-line-2 bg-bench"
        />
      }
    >
      {[allLanes, ...laneIds].map((value, index) => (
        <Tab
          key={value}
          value={value}
          className={clsx(
            'relative flex h-11 items-center justify-center gap-1.75 text-[14px]/5 font-550 text-ink-2 -outline-offset-4',
            'data-active:text-ink data-active:after:absolute data-active:after:inset-x-3',
            'data-active:after:-bottom-px data-active:after:h-0.5 data-active:after:bg-ink',
          )}
        >
          {value === allLanes ? 'All' : <LaneTab laneId={value} letter={getLaneLetter(index - 1)} />}
        </Tab>
      ))}
    </Tabs>
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

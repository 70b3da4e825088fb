import type { DragEvent, HTMLAttributes } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import { laneLetter, runIdOf } from '../../../conversation/session/tree.ts';
import { runOrTell } from '../../../state/notices.ts';
import { useLane, usePlayground, useSession, useSteadyRun, useTurn, useView } from '../../../state/react.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { moveToNeighbour } from '../../../ui/focus/neighbours.ts';
import { focusNext } from '../../../ui/focus/places.ts';
import { Menu, type MenuItem } from '../../../ui/overlays/menu.tsx';
import { ModelMarks } from '../../models/model-marks.tsx';
import { ModelPicker } from '../../models/model-picker.tsx';
import { LaneWins } from '../comparison/lane-wins.tsx';
import { laneMenu, modelPicker } from '../places.ts';
import { LaneChips } from './lane-chips.tsx';
import { laneChoices } from './lane-choices.ts';
import { LaneStatus } from './lane-status.tsx';

/** Header of a lane: its model, what differs from the others, what its last run is doing, its menu. */
export function LaneHeader({ laneId, index }: { laneId: string; index: number }) {
  const { actions } = usePlayground();
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useSteadyRun(runIdOf(turn));
  const isAlone = useSession((data) => data.session.laneIds.length === 1) ?? true;
  const namesHidden = useView((view) => view.namesHidden);
  const drag = useLaneDrag(laneId, !isAlone);
  if (!lane) return null;
  const letter = laneLetter(index);
  const live = run !== undefined && isLive(run);
  const status = <LaneStatus key={run?.phase.name} laneId={laneId} run={run} live={live} />;
  const stop = live && !isAlone && (
    <Button
      look="stop"
      size="small"
      aria-label={`Stop lane ${letter}`}
      title={`Stop lane ${letter}`}
      onClick={() => void actions.stop(run.id)}
    >
      <span className="stop-mark" aria-hidden />
      Stop
    </Button>
  );
  return (
    <section
      className={`lh lane-${letter.toLowerCase()}`}
      aria-label={`Lane ${letter}`}
      data-lane={letter}
      onKeyDown={moveToNeighbour}
      {...focusNext(laneMenu)}
      {...drag}
    >
      <div className="col">
        {isAlone && <span aria-hidden />}
        <div className="lh1">
          {!isAlone && (
            <b className="lt" aria-hidden>
              {letter}
            </b>
          )}
          {namesHidden ? (
            <span className="text-14/7 text-ink">Model {letter}</span>
          ) : (
            <>
              <ModelPicker
                value={lane.setup.model}
                kind="chat"
                place={modelPicker(letter)}
                onPick={(model, inNewLane) =>
                  actions[inNewLane ? 'addLane' : 'changeSetup'](laneId, { model })
                }
              />
              <ModelMarks model={lane.setup.model} />
            </>
          )}
          <span className="grow" />
          {isAlone && status}
          <LaneMenu laneId={laneId} letter={letter} index={index} />
        </div>
        {!isAlone && (
          <div className="lh2">
            {namesHidden ? (
              <span className="truncate text-12 text-ink-3">model and settings hidden</span>
            ) : (
              <LaneChips laneId={laneId} />
            )}
            <span className="grow" />
            <LaneWins laneId={laneId} />
            {status}
            {stop}
          </div>
        )}
        {isAlone && <span />}
      </div>
    </section>
  );
}

/** What can be done with a lane. */
function LaneMenu({ laneId, letter, index }: { laneId: string; letter: string; index: number }) {
  const { actions, notices } = usePlayground();
  const count = useSession((data) => data.session.laneIds.length) ?? 1;
  const items = laneChoices.map(({ label, isRemoval, blockedBy, run }): MenuItem => {
    const reason = blockedBy({ index, count });
    return {
      label,
      onPick: () => void runOrTell(notices, () => run(actions, laneId)),
      ...(isRemoval ? { danger: true, startsGroup: true } : {}),
      ...(reason === undefined ? {} : { disabledBecause: reason }),
    };
  });
  return <Menu label={`Lane ${letter} menu`} items={items} place={laneMenu} />;
}

const format = 'application/x-bench-lane';

/** Lets a lane header be dragged onto another to take its place. The menu does the same by keyboard. */
function useLaneDrag(laneId: string, enabled: boolean): HTMLAttributes<HTMLElement> {
  const { actions } = usePlayground();
  const laneIds = useSession((data) => data.session.laneIds) ?? [];
  if (!enabled) return {};
  const accepts = (event: DragEvent) => event.dataTransfer.types.includes(format);
  return {
    draggable: true,
    onDragStart: (event) => {
      // Text in the header's fields is selected by dragging; only the header itself moves the lane.
      if (event.target !== event.currentTarget) return event.preventDefault();
      event.dataTransfer.setData(format, laneId);
      event.dataTransfer.effectAllowed = 'move';
    },
    onDragOver: (event) => {
      if (accepts(event)) event.preventDefault();
    },
    onDrop: (event) => {
      if (!accepts(event)) return;
      event.preventDefault();
      const dragged = event.dataTransfer.getData(format);
      const step = laneIds.indexOf(laneId) - laneIds.indexOf(dragged);
      if (step !== 0) actions.moveLane(dragged, step);
    },
  };
}

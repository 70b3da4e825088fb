import { isLive } from '../../../conversation/reply/run.ts';
import { laneLetter } from '../../../conversation/session/tree.ts';
import { useLane, usePlayground, useSession, useSteadyRun, useTurn, useView } from '../../../state/react.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { ModelMarks } from '../../models/model-marks.tsx';
import { ModelPicker } from '../../models/model-picker.tsx';
import { LaneChips } from './lane-chips.tsx';
import { LaneMenu } from './lane-menu.tsx';
import { LaneStatus } from './lane-status.tsx';
import { useLaneDrag } from './use-lane-drag.ts';

/** Header of a lane: its model, what differs from the others, what its last run is doing, its menu. */
export function LaneHeader({ laneId, index }: { laneId: string; index: number }) {
  const { actions } = usePlayground();
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useSteadyRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
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
      data-focus-next='button[aria-label$=" menu"]'
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
            <span className="hidden-name">Name hidden</span>
          ) : (
            <>
              <ModelPicker
                value={lane.setup.model}
                kind="chat"
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
            <LaneChips laneId={laneId} />
            <span className="grow" />
            {status}
            {stop}
          </div>
        )}
        {isAlone && <span />}
      </div>
    </section>
  );
}

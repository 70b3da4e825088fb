import { isLive } from '../../../conversation/run.ts';
import { laneLetter } from '../../../conversation/tree.ts';
import { usePlayground, useLane, useRun, useTurn } from '../../../state/react.tsx';
import { ModelPicker } from '../../models/model-picker.tsx';
import { ModelMarks } from '../../models/model-marks.tsx';
import { LaneStatus } from './lane-status.tsx';

/** Header of a lane: its model and what its last run is doing. */
export function LaneHeader({ laneId, index }: { laneId: string; index: number }) {
  const { actions } = usePlayground();
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
  if (!lane) return null;
  const letter = laneLetter(index);
  return (
    <section className={`lh lane-${letter.toLowerCase()}`} aria-label={`Lane ${letter}`}>
      <div className="col">
        <span aria-hidden />
        <div className="lh1">
          <ModelPicker
            value={lane.setup.model}
            kind="chat"
            onPick={(model) => actions.changeSetup(laneId, { model })}
          />
          <ModelMarks model={lane.setup.model} />
          <span className="grow" />
          <LaneStatus run={run} live={run !== undefined && isLive(run)} />
        </div>
        <span />
      </div>
    </section>
  );
}

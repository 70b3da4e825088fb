import { pathOf, laneLetter } from '../../../conversation/tree.ts';
import { isLive } from '../../../conversation/run.ts';
import { usageAdvice } from '../../../conversation/usage-advice.ts';
import { withSent } from '../../../conversation/params.ts';
import { useLane, usePlayground, useRun, useSession, useTurn } from '../../../state/react.tsx';
import { Button } from '../../../ui/button.tsx';
import { MetricsView } from './metrics-view.tsx';
import { TraceView } from './trace-view.tsx';

/** Trace and numbers of the lane's latest turn, pinned beneath the conversation. */
export function LaneFooter({ laneId, index }: { laneId: string; index: number }) {
  const { actions } = usePlayground();
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useRun(turn?.reply && 'runId' in turn.reply ? turn.reply.runId : undefined);
  const number = useSession((data) => (lane ? pathOf(data, lane).length : 0)) ?? 0;
  if (!lane || !run) return null;
  const letter = laneLetter(index);
  return (
    <div className={`lf lane-${letter.toLowerCase()}`}>
      <div className="col">
        <span />
        <div className="cf">
          <TraceView run={run} />
          <MetricsView run={run} letter={letter} number={number} />
        </div>
        <span />
      </div>
      {!isLive(run) && usageAdvice(run, lane.setup.params) && (
        <div className="col">
          <span />
          <p className="advice">
            No token counts came with this stream, so they are counted here.
            <Button
              size="small"
              look="quiet"
              onClick={() => actions.changeSetup(laneId, { params: withSent(lane.setup.params, 'stream_options', true) })}
            >
              Ask for them from now on
            </Button>
          </p>
          <span />
        </div>
      )}
    </div>
  );
}

import { laneLetter, pathOf, runIdOf } from '../../../conversation/session/tree.ts';
import { useInspector, useLane, useRun, useSession, useTurn, useView } from '../../../state/react.tsx';
import { CursorText } from '../trace/cursor-text.tsx';
import { MetricsView } from './metrics-view.tsx';
import { TraceView } from './trace-view.tsx';

/** Trace and numbers of the lane's latest turn, pinned beneath the conversation. */
export function LaneFooter({ laneId, index }: { laneId: string; index: number }) {
  const lane = useLane(laneId);
  const turn = useTurn(lane?.tip ?? '');
  const run = useRun(runIdOf(turn));
  const number = useSession((data) => (lane ? pathOf(data, lane).length : 0)) ?? 0;
  const isLookedBack = useInspector((state) => state.cursorShowsText);
  const namesHidden = useView((view) => view.namesHidden);
  const isAlone = useSession((data) => data.session.laneIds.length === 1) ?? true;
  if (!lane || !turn || !run) return null;
  const isHidden = namesHidden && !isAlone;
  const letter = laneLetter(index);
  return (
    <div className={`lf lane-${letter.toLowerCase()}`} data-lane={letter}>
      <div className="col">
        <span />
        <div className="cf">
          {isHidden ? (
            // Speed gives a model away.
            <p className="min-h-[62px] text-12 text-ink-3">Trace and numbers are hidden with the names.</p>
          ) : (
            <>
              <TraceView turn={turn} run={run} letter={letter} number={number} />
              <MetricsView run={run} letter={letter} number={number} />
            </>
          )}
        </div>
        <span />
      </div>
      {isLookedBack && <CursorText run={run} letter={letter} shownChoice={turn.shownChoice ?? 0} />}
    </div>
  );
}

import { lazy, Suspense } from 'react';
import { useSession, useSessionState } from '../../state/react.tsx';
import { Composer } from './composer/composer.tsx';
import { Conversation } from './lane/conversation.tsx';
import { LaneHeader } from './lane/lane-header.tsx';
import { loadRows } from './lane/load-rows.ts';
import { DifferencesStrip } from './differences-strip.tsx';
import { MissingSession } from './missing-session.tsx';
import { Parameters } from './parameters.tsx';
import { RunAnnouncer } from './run-announcer.tsx';
import { SessionBar } from './session-bar.tsx';
import { useIdleLoad } from './use-idle-load.ts';
import './playground.css';

const LaneFooter = lazy(async () => ({ default: (await loadRows()).LaneFooter }));

/** The workspace: one conversation over its lanes, the composer beneath, the parameters at the right. */
export function PlaygroundScreen() {
  const missingId = useSessionState((state) => state.missingId);
  const laneIds = useSession((data) => data.session.laneIds);
  const sessionId = useSession((data) => data.session.id);
  const hasTurns = useSession((data) => Object.keys(data.turns).length > 0);
  useIdleLoad(loadRows);
  if (missingId !== undefined) return <MissingSession sessionId={missingId} />;
  if (!laneIds || sessionId === undefined) return <main className="workspace" aria-busy />;
  return (
    <div className="workspace-area">
      <main className={`workspace ${laneIds.length === 1 ? 'one-lane' : 'many-lanes'}`} key={sessionId}>
        <SessionBar />
        <DifferencesStrip />
        <div className="lane-area">
          <div className="lanes" style={{ '--lane-count': laneIds.length }}>
            <div className="heads">
              {laneIds.map((laneId, index) => (
                <LaneHeader key={laneId} laneId={laneId} index={index} />
              ))}
            </div>
            <Conversation />
            <div className="feet">
              {hasTurns && (
                <Suspense fallback={null}>
                  {laneIds.map((laneId, index) => (
                    <LaneFooter key={laneId} laneId={laneId} index={index} />
                  ))}
                </Suspense>
              )}
            </div>
          </div>
        </div>
        <Composer sessionId={sessionId} />
        <RunAnnouncer />
      </main>
      <Parameters />
    </div>
  );
}

import { ParameterSidebar } from './setup/parameter-sidebar.tsx';
import { usePlayground, usePrefs, useSession, useSessionState } from '../../state/react.tsx';
import { Composer } from './composer/composer.tsx';
import { Conversation } from './lane/conversation.tsx';
import { LaneFooter } from './lane/lane-footer.tsx';
import { LaneHeader } from './lane/lane-header.tsx';
import { MissingSession } from './missing-session.tsx';
import { RunAnnouncer } from './run-announcer.tsx';
import { SessionBar } from './session-bar.tsx';
import './playground.css';

/** The workspace: one conversation over its lanes, the composer beneath, the parameters at the right. */
export function PlaygroundScreen() {
  const missingId = useSessionState((state) => state.missingId);
  const laneIds = useSession((data) => data.session.laneIds);
  const sessionId = useSession((data) => data.session.id);
  if (missingId !== undefined) return <MissingSession sessionId={missingId} />;
  if (!laneIds || sessionId === undefined) return <main className="workspace" aria-busy />;
  return (
    <div className="workspace-area">
      <main className={`workspace ${laneIds.length === 1 ? 'one-lane' : ''}`} key={sessionId}>
        <SessionBar />
        <div className="heads">
          {laneIds.map((laneId, index) => (
            <LaneHeader key={laneId} laneId={laneId} index={index} />
          ))}
        </div>
        <Conversation />
        <div className="feet">
          {laneIds.map((laneId, index) => (
            <LaneFooter key={laneId} laneId={laneId} index={index} />
          ))}
        </div>
        <Composer sessionId={sessionId} />
        <RunAnnouncer />
      </main>
      <Parameters />
    </div>
  );
}

function Parameters() {
  const { actions, prefs } = usePlayground();
  const open = usePrefs((state) => state.parametersOpen);
  const laneId = useSession((data) => data.session.laneIds[0]);
  const setup = useSession((data) => data.lanes[laneId ?? '']?.setup);
  if (!open || laneId === undefined || !setup) return null;
  return (
    <ParameterSidebar
      params={setup.params}
      model={setup.model}
      onChange={(params) => actions.changeSetup(laneId, { params })}
      onClose={() => prefs.setState({ parametersOpen: false })}
    />
  );
}

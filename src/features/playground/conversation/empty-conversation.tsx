import { usePlayground, useSession, useView } from '../../../state/react.tsx';
import { Starters } from './starters.tsx';

/** The first screen of a session: what Bench is for, and three real things to try. */
export function EmptyConversation() {
  return (
    <div className="window-wide">
      <div className="empty">
        <h2>Ask one model, or several at once</h2>
        <p>
          Pick a model above, adjust parameters<span className="place"> on the right</span>, and type a
          message. Or try:
        </p>
        <div className="starters">
          <Starters />
        </div>
        <KeptLanes />
      </div>
    </div>
  );
}

/** A new session begins with the lanes of the one before: that is said, and how to begin without them. */
function KeptLanes() {
  const { actions } = usePlayground();
  const isKept = useView((view) => view.lanesKept);
  const count = useSession((data) => data.session.laneIds.length) ?? 1;
  if (!isKept) return null;
  return (
    <p>
      {count > 1 ? 'Same lanes as before.' : 'Same setup as before.'}{' '}
      <button type="button" className="text-button" onClick={() => actions.startPlain()}>
        Start plain
      </button>
    </p>
  );
}

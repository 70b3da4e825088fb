import { Starters } from './starters.tsx';

/** The first screen of a session: what Bench is for, and three real things to try. */
export function EmptyConversation() {
  return (
    <div className="empty">
      <h2>Ask one model, or several at once</h2>
      <p>
        Pick a model above, adjust parameters<span className="place"> on the right</span>, and type a message.
        Or try:
      </p>
      <div className="starters">
        <Starters />
      </div>
    </div>
  );
}

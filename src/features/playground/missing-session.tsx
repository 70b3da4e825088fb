import { usePlayground } from '../../state/react.tsx';
import { Button } from '../../ui/button.tsx';

/** The address names a session that is not stored in this browser. */
export function MissingSession({ sessionId }: { sessionId: string }) {
  const { actions, router } = usePlayground();
  return (
    <main className="workspace blank">
      <h1>This session is not here</h1>
      <p>
        Sessions are kept in the browser that made them. <code>{sessionId}</code> was deleted, or it belongs
        to another browser or another address.
      </p>
      <div className="offers">
        <Button look="ink" onClick={() => void actions.createSession()}>
          New session
        </Button>
        <Button onClick={() => router.go({ screen: 'history' })}>Open the history</Button>
      </div>
    </main>
  );
}

import type { ReactNode } from 'react';

import { useSessionState, useSessionServices, useAppServices } from '../../state/contexts.tsx';
import { Button } from '../../ui/controls/button.tsx';

/** Screen for a session ID that is not stored in this browser or could not be read. */
export function MissingSession({ sessionId }: { sessionId: string }) {
  const { actions } = useSessionServices();
  const loadError = useSessionState((state) => state.loadError);
  if (loadError !== undefined) {
    return (
      <Problem
        title="Could not read this session"
        action={
          <Button
            variant="primary"
            onClick={() => void actions.openSession(sessionId).catch(() => undefined)}
          >
            Try again
          </Button>
        }
      >
        Could not read <code>{sessionId}</code>: {loadError} Nothing was changed. Try again or reload the
        page.
      </Problem>
    );
  }
  return (
    <Problem
      title="Session not found in this browser"
      action={
        <Button variant="primary" onClick={() => void actions.createSession()}>
          New session
        </Button>
      }
    >
      Sessions are stored in the browser that created them. <code>{sessionId}</code> was deleted or belongs to
      another browser or address.
    </Problem>
  );
}

/** Page with the problem, an action and a link to the other sessions. */
function Problem({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  const { router } = useAppServices();
  return (
    <main className="min-h-0 max-w-180 min-w-0 flex-1 bg-paper px-8 py-12 flat:min-h-auto">
      <h1 className="mb-2 text-22 tracking-[-0.012em]">{title}</h1>
      <p className="mb-4 max-w-140 text-14 text-ink-2 normal-nums">{children}</p>
      <div className="mt-3 flex flex-wrap items-center gap-1.5">
        {action}
        <Button onClick={() => router.navigate({ screen: 'page', path: '/history' })}>Open History</Button>
      </div>
    </main>
  );
}

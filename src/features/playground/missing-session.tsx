import { clsx } from 'clsx';

import { usePlayground, useSessionState } from '../../state/use-playground.tsx';
import { Button } from '../../ui/controls/button.tsx';

const missingLook = clsx('workspace block max-w-180 px-8 py-12');
const titleLook = clsx('mb-2 text-22 tracking-[-0.012em]');
const wordsLook = clsx('mb-4 max-w-140 text-14 text-ink-2 normal-nums');

/** Screen for a session ID that is not stored in this browser or could not be read. */
export function MissingSession({ sessionId }: { sessionId: string }) {
  const { actions, router } = usePlayground();
  const loadError = useSessionState((state) => state.loadError);
  if (loadError !== undefined) {
    return (
      <main className={missingLook}>
        <h1 className={titleLook}>Could not read this session</h1>
        <p className={wordsLook}>
          Could not read <code>{sessionId}</code>: {loadError} Nothing was changed. Try again or reload the
          page.
        </p>
        <div className="mt-3 flex flex-wrap items-center gap-1.5">
          <Button
            variant="primary"
            onClick={() => void actions.openSession(sessionId).catch(() => undefined)}
          >
            Try again
          </Button>
          <Button onClick={() => router.navigate({ screen: 'page', path: '/history' })}>Open History</Button>
        </div>
      </main>
    );
  }
  return (
    <main className={missingLook}>
      <h1 className={titleLook}>Session not found in this browser</h1>
      <p className={wordsLook}>
        Sessions are stored in the browser that created them. <code>{sessionId}</code> was deleted or belongs
        to another browser or address.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-1.5">
        <Button variant="primary" onClick={() => void actions.createSession()}>
          New session
        </Button>
        <Button onClick={() => router.navigate({ screen: 'page', path: '/history' })}>Open History</Button>
      </div>
    </main>
  );
}

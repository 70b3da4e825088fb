import type { Playground } from '../state/playground.ts';
import type { Route } from '../state/route.ts';

/** Opens the session that the address names, now and at every change of it. */
export function followRoute({ router, session, actions, openShared }: Playground): void {
  let opening = false;

  const isShown = (route: Route & { screen: 'playground' }) => {
    const { currentId, missingId } = session.getState();
    return route.sessionId !== undefined && route.sessionId === (currentId ?? missingId);
  };

  async function openOne(sessionId: string | undefined): Promise<void> {
    try {
      await actions.openSession(sessionId);
    } catch {
      // A database that can not be read holds the session back as if it were not there.
      if (sessionId === undefined) await actions.createSession({ replace: true });
      else session.setState({ currentId: undefined, missingId: sessionId });
    }
  }

  async function open(): Promise<void> {
    if (opening) return;
    opening = true;
    // The address may have changed again while a session was being opened.
    for (;;) {
      const { route } = router.route.getState();
      if (route.screen !== 'playground' || isShown(route)) break;
      if (route.setup === undefined) await openOne(route.sessionId);
      else await openShared(route.setup);
    }
    opening = false;
  }

  router.route.subscribe(() => void open());
  void open();
}

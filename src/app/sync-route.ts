import { formatError } from '../lib/format-error.ts';
import type { Playground } from '../state/create-playground.ts';
import type { Route } from '../state/route.ts';

/** Timeout in ms for opening a session; the same as for opening storage (state/storage.ts). */
const openTimeoutMs = 3000;

/** Opens the session of the current URL, now and on every change. */
export function syncRoute({ router, session, actions, openSharedSetup, notices }: Playground): void {
  /** Route that is being opened. Navigating elsewhere does not wait until it has been opened. */
  let openingRoute: Route | undefined;

  const isCurrentSession = (route: Route & { screen: 'playground' }) => {
    const { currentId, missingId } = session.getState();
    return route.sessionId !== undefined && route.sessionId === (currentId ?? missingId);
  };

  const showProblem = (text: string) => notices.setState({ notice: { severity: 'problem', text } });

  /**
   * Opens a session. Unless the user has navigated, failures are reported, and a session that loads after the timeout
   * is still shown.
   */
  async function openSessionById(sessionId?: string): Promise<void> {
    const hasNavigated = router.trackNavigation();
    try {
      await rejectAfterTimeout(actions.openSession(sessionId));
    } catch (error) {
      if (hasNavigated()) return;
      if (sessionId === undefined) {
        await actions.createSession({ replace: true });
        showProblem(
          `Could not open the last session: ${formatError(error)} It was not changed. Find it in History.`,
        );
      } else session.setState({ currentId: undefined, missingId: sessionId, loadError: formatError(error) });
    }
  }

  /** Opens the setup of a link or, if it cannot be read, the default session. */
  async function openSetupLink(setup: string): Promise<void> {
    const hasNavigated = router.trackNavigation();
    const problem = await openSharedSetup(setup).catch(
      (error: unknown) => `Could not open the setup in the link: ${formatError(error)}`,
    );
    if (problem === undefined) return;
    if (!hasNavigated()) await openSessionById();
    showProblem(problem);
  }

  async function openRoute(): Promise<void> {
    const { route } = router.state.getState();
    if (route === openingRoute || route.screen !== 'playground' || isCurrentSession(route)) return;
    openingRoute = route;
    try {
      if (route.setup === undefined) await openSessionById(route.sessionId);
      else await openSetupLink(route.setup);
    } finally {
      if (openingRoute === route) openingRoute = undefined;
    }
  }

  router.state.subscribe(() => void openRoute());
  void openRoute();
}

/** Settles like the promise, or rejects after the timeout. */
function rejectAfterTimeout(promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Browser storage timed out.')), openTimeoutMs);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

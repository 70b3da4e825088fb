import { formatError } from '../lib/format-error.ts';
import type { Playground } from '../state/create-playground.ts';
import type { Route } from '../state/route.ts';

/** As long as the page itself waits for the browser's storage (state/storage.ts). */
const openTimeoutMs = 3000;

/** Opens the session that the address names, now and at every change of it. */
export function syncRoute({ router, session, actions, openSharedSetup, notices }: Playground): void {
  /** What is being opened now. Where it takes long, whoever goes elsewhere does not wait for it. */
  let openingRoute: Route | undefined;

  const isCurrentSession = (route: Route & { screen: 'playground' }) => {
    const { currentId, missingId } = session.getState();
    return route.sessionId !== undefined && route.sessionId === (currentId ?? missingId);
  };

  const showProblem = (text: string) => notices.setState({ notice: { severity: 'problem', text } });

  /** What the browser gives late is shown all the same, where the person still waits for it. */
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

  /** What a link carries, or where that cannot be read what would be open without it. */
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

/** The same, or a refusal where it takes too long. */
function rejectAfterTimeout(promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Browser storage timed out.')), openTimeoutMs);
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

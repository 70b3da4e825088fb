import { formatError } from '../lib/format-error.ts';
import type { Playground } from '../state/create-playground.ts';
import type { Route } from '../state/route.ts';

/** As long as the page itself waits for the browser's storage (state/storage.ts). */
const patienceMs = 3000;

/** Opens the session that the address names, now and at every change of it. */
export function followRoute({ router, session, actions, openShared, notices }: Playground): void {
  /** What is being opened now. Where it takes long, whoever goes elsewhere does not wait for it. */
  let opening: Route | undefined;

  const isShown = (route: Route & { screen: 'playground' }) => {
    const { currentId, missingId } = session.getState();
    return route.sessionId !== undefined && route.sessionId === (currentId ?? missingId);
  };

  const tell = (text: string) => notices.setState({ notice: { severity: 'problem', text } });

  /** What the browser gives late is shown all the same, where the person still waits for it. */
  async function openOne(sessionId?: string): Promise<void> {
    const isLeft = router.trackNavigation();
    try {
      await inTime(actions.openSession(sessionId));
    } catch (error) {
      if (isLeft()) return;
      if (sessionId === undefined) {
        await actions.createSession({ replace: true });
        tell(
          `Could not open the last session: ${formatError(error)} It was not changed. Look in the history.`,
        );
      } else session.setState({ currentId: undefined, missingId: sessionId, loadError: formatError(error) });
    }
  }

  /** What a link carries, or where that cannot be read what would be open without it. */
  async function openLink(setup: string): Promise<void> {
    const isLeft = router.trackNavigation();
    const problem = await openShared(setup).catch(
      (error: unknown) => `Could not open the setup in the link: ${formatError(error)}`,
    );
    if (problem === undefined) return;
    if (!isLeft()) await openOne();
    tell(problem);
  }

  async function open(): Promise<void> {
    const { route } = router.route.getState();
    if (route === opening || route.screen !== 'playground' || isShown(route)) return;
    opening = route;
    try {
      if (route.setup === undefined) await openOne(route.sessionId);
      else await openLink(route.setup);
    } finally {
      if (opening === route) opening = undefined;
    }
  }

  router.route.subscribe(() => void open());
  void open();
}

/** The same, or a refusal where it takes too long. */
function inTime(opening: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('It has not answered yet.')), patienceMs);
    void opening.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

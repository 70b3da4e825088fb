import { wordsOf } from '../lib/error-words.ts';
import type { Playground } from '../state/playground.ts';
import type { Route } from '../state/route.ts';

/** Opens the session that the address names, now and at every change of it. */
export function followRoute({ router, session, actions, openShared, notices }: Playground): void {
  /** What is being opened now. Where it takes long, whoever goes elsewhere does not wait for it. */
  let opening: Route | undefined;

  const isShown = (route: Route & { screen: 'playground' }) => {
    const { currentId, missingId } = session.getState();
    return route.sessionId !== undefined && route.sessionId === (currentId ?? missingId);
  };

  const tell = (text: string) => notices.setState({ notice: { tone: 'problem', text } });

  async function openOne(sessionId?: string): Promise<void> {
    const isLeft = router.watch();
    try {
      await actions.openSession(sessionId);
    } catch (error) {
      if (isLeft()) return;
      if (sessionId === undefined) await actions.createSession({ replace: true });
      else session.setState({ currentId: undefined, missingId: sessionId, readProblem: wordsOf(error) });
    }
  }

  /** What a link carries, or where that could not be fetched what would be open without it. */
  async function openLink(setup: string): Promise<void> {
    const isLeft = router.watch();
    try {
      await openShared(setup);
    } catch (error) {
      if (!isLeft()) await openOne();
      tell(`Could not open the setup in the link: ${wordsOf(error)}`);
    }
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

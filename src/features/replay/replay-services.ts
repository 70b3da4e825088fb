import { changeTurn } from '../../conversation/session/edit-session.ts';
import type { RunServices, SessionServices } from '../../state/create-playground.ts';
import type { Replay } from '../../state/runs/replay.ts';
import { updateSession } from '../../state/sessions/session-store.ts';

/**
 * Creates the services of a copied session: all views work as usual, but actions on answers have no effect. Only
 * switching between candidates works.
 */
export function createReplayServices(
  sessionActions: SessionServices['actions'],
  replay: Replay,
): Partial<SessionServices & RunServices> {
  const inertActions = new Proxy(sessionActions, { get: () => () => undefined });
  const actions: SessionServices['actions'] = {
    ...inertActions,
    showCandidate: (turnId, choice) => {
      const { currentId } = replay.session.getState();
      if (currentId === undefined) return;
      updateSession(replay.session, currentId, (data) =>
        changeTurn(data, turnId, (turn) => ({ ...turn, shownChoice: choice })),
      );
    },
  };
  return {
    session: replay.session,
    renderedSession: replay.session,
    playhead: replay.state,
    actions,
  };
}

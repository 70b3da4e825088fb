import { changeTurn } from '../../../conversation/session/edit-session.ts';
import type { Playground } from '../../../state/create-playground.ts';
import type { Replay } from '../../../state/runs/replay.ts';
import { updateSession } from '../../../state/sessions/session-store.ts';

/**
 * Creates a playground over a copied session: all views work as usual, but actions on answers have no effect. Only
 * switching between candidates works.
 */
export function createReplayPlayground(playground: Playground, replay: Replay): Playground {
  const inertActions = new Proxy(playground.actions, { get: () => () => undefined });
  const actions: Playground['actions'] = {
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
    ...playground,
    session: replay.session,
    renderedSession: replay.session,
    playhead: replay.state,
    actions,
  };
}

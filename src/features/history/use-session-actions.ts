import type { SessionId } from '../../conversation/session/types.ts';
import { orTellProblem } from '../../state/notices.ts';
import { usePlayground } from '../../state/react.tsx';
import { changeSession } from '../../state/sessions/session-store.ts';

/** What the history can do with a stored session, open here or not. */
export function useSessionActions() {
  const { actions, library, notices, recorder, router, session } = usePlayground();
  const tell = (act: Promise<unknown>) => orTellProblem(notices, act);
  const duplicate = async (id: SessionId) => {
    await recorder.flush();
    await library.duplicate(id);
  };
  return {
    open: (id: SessionId) => router.go({ screen: 'playground', sessionId: id }),
    rename: (id: SessionId, title: string) => {
      // An open session is written from memory, which would take a title back that was put on the disk alone.
      if (!session.getState().open[id]) return tell(library.rename(id, title));
      return changeSession(session, id, (data) => ({
        ...data,
        session: { ...data.session, title, titled: true },
      }));
    },
    duplicate: (id: SessionId) => tell(duplicate(id)),
    remove: (id: SessionId) => tell(actions.deleteSession(id)),
    create: () => tell(actions.createSession()),
  };
}

export type SessionActions = ReturnType<typeof useSessionActions>;

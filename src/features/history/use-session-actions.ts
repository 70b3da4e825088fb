import type { SessionId } from '../../conversation/types.ts';
import { usePlayground } from '../../state/react.tsx';
import { changeSession } from '../../state/session-store.ts';

/** What the history can do with a stored session, open here or not. */
export function useSessionActions() {
  const { actions, library, recorder, router, session } = usePlayground();
  return {
    open: (id: SessionId) => router.go({ screen: 'playground', sessionId: id }),
    rename: async (id: SessionId, title: string) => {
      // An open session is written from memory, which would take a title back that was put on the disk alone.
      if (!session.getState().open[id]) return library.rename(id, title);
      changeSession(session, id, (data) => ({ ...data, session: { ...data.session, title, titled: true } }));
    },
    duplicate: async (id: SessionId) => {
      await recorder.flush();
      await library.duplicate(id);
    },
    remove: (id: SessionId) => actions.deleteSession(id),
    create: () => actions.createSession(),
  };
}

export type SessionActions = ReturnType<typeof useSessionActions>;

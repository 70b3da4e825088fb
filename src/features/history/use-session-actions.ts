import type { SessionId } from '../../conversation/session/types.ts';
import {
  useSessionServices,
  useLibraryServices,
  useAppServices,
  useRunServices,
} from '../../state/contexts.tsx';
import { openFindAt } from '../../state/find/find-store.ts';
import { reportFailure } from '../../state/notices.ts';
import { updateSession } from '../../state/sessions/session-store.ts';
import { exportSessions } from './export-sessions.ts';

/** Returns the actions of the history on a stored session, whether it is open or not. */
export function useSessionActions() {
  const { actions, find, session } = useSessionServices();
  const { historyView, library, sessionFiles } = useLibraryServices();
  const { notices, router } = useAppServices();
  const { recorder } = useRunServices();
  const reportOutcome = (action: Promise<unknown>) => reportFailure(notices, action);
  const duplicate = async (id: SessionId) => {
    await recorder.flush();
    await library.duplicate(id);
  };
  return {
    open: (id: SessionId) => router.navigate({ screen: 'playground', sessionId: id }),
    /** Opens the session at a search match. */
    openMatch: (id: SessionId, recordId: string) => {
      const { query } = historyView.getState();
      openFindAt(find, { sessionId: id, query, recordId, isFromHistory: true });
      router.navigate({ screen: 'playground', sessionId: id });
    },
    exportSessions: (ids: readonly SessionId[]) =>
      reportOutcome(exportSessions({ sessionFiles, recorder, notices }, ids)),
    rename: (id: SessionId, title: string) => {
      // An open session is saved from memory, which would overwrite a title changed only in storage.
      if (!session.getState().open[id]) return reportOutcome(library.rename(id, title));
      return updateSession(session, id, (data) => ({
        ...data,
        session: { ...data.session, title, titled: true },
      }));
    },
    duplicate: (id: SessionId) => reportOutcome(duplicate(id)),
    remove: (id: SessionId) => reportOutcome(actions.deleteSession(id)),
    create: () => reportOutcome(actions.createSession()),
  };
}

export type SessionActions = ReturnType<typeof useSessionActions>;

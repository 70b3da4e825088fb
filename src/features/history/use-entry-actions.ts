import type { SessionId } from '../../conversation/session/types.ts';
import { getDisplayTitle } from '../../lib/text/trim.ts';
import {
  useSessionServices,
  useLibraryServices,
  useAppServices,
  useLazyLab,
  useLazyTrials,
  useRunServices,
} from '../../state/contexts.tsx';
import { openFindAt } from '../../state/find/find-store.ts';
import { openSavedSets } from '../../state/lab/saved-sets.ts';
import { reportFailure } from '../../state/notices.ts';
import { getTrialPath, type Route } from '../../state/route.ts';
import { updateSession } from '../../state/sessions/session-store.ts';
import { exportEntries } from './export-entries.ts';
import { isSetEntry, isTrialEntry, type HistoryEntry } from './history-entries.ts';

/** Returns the screen that shows an entry. */
export function getEntryRoute(entry: HistoryEntry): Route {
  if (isTrialEntry(entry)) return { screen: 'page', path: getTrialPath(entry.id) };
  if (isSetEntry(entry)) return { screen: 'page', path: '/embeddings' };
  return { screen: 'playground', sessionId: entry.id };
}

/** Returns the actions of the history on a stored entry, whether it is open or not. */
export function useEntryActions() {
  const { actions, find, session } = useSessionServices();
  const { historyView, library, sessionFiles, storage } = useLibraryServices();
  const { notices, page, router } = useAppServices();
  const { recorder } = useRunServices();
  const lazyLab = useLazyLab();
  const lazyTrials = useLazyTrials();
  const reportOutcome = (action: Promise<unknown>) => reportFailure(notices, action);
  const openSets = () => openSavedSets({ lazyLab, storage, page, actions });

  /** Opens this set when the lab is shown next. */
  const requestSet = (id: string) => reportOutcome(openSets().then((sets) => sets.requestOpen(id)));

  async function rename(entry: HistoryEntry, title: string): Promise<void> {
    const { id } = entry;
    if (isTrialEntry(entry)) await (await lazyTrials.load()).rename(id, title);
    else if (isSetEntry(entry)) await (await openSets()).rename(id, title);
    // An open session is saved from memory, which would overwrite a title changed only in storage.
    else if (session.getState().open[id])
      updateSession(session, id, (data) => ({ ...data, session: { ...data.session, title, titled: true } }));
    else await library.rename(id, title);
  }

  async function duplicate(entry: HistoryEntry): Promise<void> {
    const { id } = entry;
    if (isTrialEntry(entry)) return (await lazyTrials.load()).duplicate(id);
    if (isSetEntry(entry)) {
      const sets = await openSets();
      for (const set of await sets.exportSets([id]))
        await sets.add({ ...set, title: `${getDisplayTitle(set.title)} (copy)` });
      return undefined;
    }
    await recorder.flush();
    await library.duplicate(id);
    return undefined;
  }

  async function remove(entry: HistoryEntry): Promise<void> {
    if (isTrialEntry(entry)) await (await lazyTrials.load()).remove(entry.id);
    else if (isSetEntry(entry)) (await openSets()).remove(entry.set);
    else await actions.deleteSession(entry.id);
  }

  return {
    requestSet,
    open: (entry: HistoryEntry) => {
      if (isSetEntry(entry)) requestSet(entry.id);
      router.navigate(getEntryRoute(entry));
    },
    /** Opens the session at a search match. */
    openMatch: (id: SessionId, recordId: string) => {
      const { query } = historyView.getState();
      openFindAt(find, { sessionId: id, query, recordId, isFromHistory: true });
      router.navigate({ screen: 'playground', sessionId: id });
    },
    exportEntries: (entries: readonly HistoryEntry[]) =>
      reportOutcome(exportEntries({ sessionFiles, recorder, notices, openSets }, entries)),
    rename: (entry: HistoryEntry, title: string) => reportOutcome(rename(entry, title)),
    duplicate: (entry: HistoryEntry) => reportOutcome(duplicate(entry)),
    remove: (entry: HistoryEntry) => reportOutcome(remove(entry)),
    create: () => reportOutcome(actions.createSession()),
  };
}

export type EntryActions = ReturnType<typeof useEntryActions>;

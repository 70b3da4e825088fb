/** Opens, creates, renames and deletes sessions. */
import { isEqual } from 'es-toolkit';

import { isLive } from '../../conversation/reply/run.ts';
import { defaultDraftView } from '../../conversation/session/draft.ts';
import { isEmptySession, createEmptySession } from '../../conversation/session/edit-session.ts';
import { changeSetups, removeLane } from '../../conversation/session/lanes.ts';
import type { SessionData, SessionId, Setup } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import { pluralize } from '../../lib/format.ts';
import { loadDraftView } from '../drafts/drafts.ts';
import type { ActionDeps } from './actions.ts';
import { getWriteKey, buildSessionWrites } from './autosave.ts';
import type { LoadedSession } from './library.ts';
import { updateSession, getCurrentSession, type OfferUndo } from './session-store.ts';

interface SessionActionDeps extends ActionDeps {
  offerUndo: OfferUndo;
}

export function createSessionActions({
  store,
  view,
  drafts,
  driver,
  recorder,
  library,
  prefs,
  router,
  environment,
  notices,
  isStorageOpening,
  offerUndo,
}: SessionActionDeps) {
  /**
   * Shows a session. The previous one stays in memory only while it has live runs, an undoable deletion or unsaved
   * changes.
   */
  function showSession(data: SessionData, draftView = defaultDraftView): void {
    const { message, isSlow } = recorder.problem.getState();
    const isUnsaved = message !== undefined || isSlow;
    store.setState((state) => {
      const busySessions = Object.entries(state.open).filter(
        ([id, openData]) =>
          isUnsaved || id === state.undo?.sessionId || Object.values(openData.runs).some(isLive),
      );
      const open = {
        ...Object.fromEntries(busySessions),
        [data.session.id]: state.open[data.session.id] ?? data,
      };
      return { currentId: data.session.id, open, missingId: undefined, loadError: undefined };
    });
    view.setState({
      scope: undefined,
      splitsSystemPrompt: false,
      hasInheritedLanes: false,
      ...draftView,
    });
    prefs.setState({ lastSessionId: data.session.id });
  }

  async function createSession(options?: { replace: boolean }): Promise<void> {
    const previous = getCurrentSession(store.getState());
    if (previous && isEmptySession(previous))
      return router.navigate({ screen: 'playground', sessionId: previous.session.id }, options);
    const defaultSetup: Setup = {
      model: '',
      params: defaultParams,
      ...prefs.getState().lastSetup,
      system: '',
    };
    // Reuses the lanes of the previous session, so that comparisons can continue.
    const setups = previous?.session.laneIds.flatMap((laneId) => previous.lanes[laneId]?.setup ?? []) ?? [
      defaultSetup,
    ];
    const blankSetups = setups.map((setup) => ({ ...setup, system: '' }));
    if (!(await openNewSession(blankSetups, '', options))) return;
    const isPlain =
      blankSetups.length === 1 && blankSetups.every(({ params }) => isEqual(params, defaultParams));
    if (previous && !isPlain) view.setState({ hasInheritedLanes: true });
  }

  /** Resets a session without messages to one lane without parameters; can be undone. */
  function resetLanes(): void {
    const initial = getCurrentSession(store.getState());
    if (!initial || !isEmptySession(initial)) return;
    const [firstLaneId, ...otherIds] = initial.session.laneIds;
    const withOneLane = otherIds.reduce((data, id) => removeLane(data, id)?.data ?? data, initial);
    const { id } = initial.session;
    const resetData = changeSetups(
      withOneLane,
      firstLaneId === undefined ? [] : [firstLaneId],
      ({ model }) => ({
        model,
        system: '',
        params: defaultParams,
      }),
    );
    updateSession(store, id, () => resetData);
    view.setState({ hasInheritedLanes: false, scope: undefined, splitsSystemPrompt: false });
    offerUndo(
      'Started fresh with one lane.',
      () => updateSession(store, id, () => initial),
      () => undefined,
      { sessionId: id },
    );
  }

  /**
   * Opens a new session with these setups and `draft` in its composer; nothing is sent. Returns false if the user has
   * navigated in the meantime; if another screen is open, the playground shows the session next time.
   */
  async function openNewSession(
    setups: readonly Setup[],
    draft = '',
    {
      hasNavigated = router.trackNavigation(),
      variables,
      ...options
    }: { replace?: boolean; hasNavigated?: () => boolean; variables?: Record<string, string> } = {},
  ): Promise<boolean> {
    const emptySession = createEmptySession(environment, setups);
    const data = variables
      ? { ...emptySession, session: { ...emptySession.session, variables } }
      : emptySession;
    const sessionId = data.session.id;
    await recorder.flush();
    for (const write of buildSessionWrites(data)) recorder.put(getWriteKey(write), write);
    drafts.startDraft(sessionId, draft);
    if (hasNavigated()) {
      if (router.state.getState().route.screen !== 'playground') showSession(data);
      return false;
    }
    showSession(data);
    router.navigate({ screen: 'playground', sessionId }, options);
    return true;
  }

  /** Opens a copy with its tapes, unless the user has navigated in the meantime; the history lists it either way. */
  async function duplicateSession(id: SessionId): Promise<void> {
    const hasNavigated = router.trackNavigation();
    await recorder.flush();
    const copy = await library.duplicate(id);
    if (copy !== undefined && !hasNavigated()) router.navigate({ screen: 'playground', sessionId: copy });
  }

  /**
   * Opens a stored session, the last one or a new one, and reports a missing ID. The last session comes from the
   * preferences; if they were lost in a browser crash, the newest session is used. Opens nothing if the user navigates
   * in the meantime.
   */
  async function openSession(id?: SessionId): Promise<void> {
    const { route: requestedRoute } = router.state.getState();
    const hasNavigated = () => {
      const { route } = router.state.getState();
      const isStillRequested =
        route === requestedRoute || (route.screen === 'playground' && route.sessionId === id);
      return !(id === undefined ? route === requestedRoute : isStillRequested);
    };
    // Creates a new session if the database is still opening, because the page is already visible.
    if (id === undefined && isStorageOpening()) return createSession({ replace: true });
    await recorder.flush();
    const requestedId = id ?? prefs.getState().lastSessionId;
    const openData = requestedId === undefined ? undefined : store.getState().open[requestedId];
    let loadedSession = requestedId === undefined || openData ? undefined : await library.load(requestedId);
    if (id === undefined && !openData && !loadedSession) {
      const [newest] = await library.list();
      if (newest) loadedSession = await library.load(newest.id);
    }
    const data = openData ?? loadedSession?.data;
    if (data) {
      // Loaded before the composer appears, so that its draft is never sent to an excluded lane.
      const view = await loadDraftView(drafts, data.session.id);
      if (hasNavigated()) return;
      showSession(data, view);
      store.setState({ unreadable: loadedSession?.unreadable ?? [] });
      const text = loadedSession && describeMissingParts(loadedSession);
      if (text) notices.setState({ notice: { severity: 'problem', text } });
      if (id === undefined)
        router.navigate({ screen: 'playground', sessionId: data.session.id }, { replace: true });
    } else if (hasNavigated()) return;
    else if (id !== undefined) store.setState({ currentId: undefined, missingId: id, loadError: undefined });
    // Replaces the URL, since Back would only return to this redirect.
    else await createSession({ replace: true });
  }

  /** Renames a session, by default the current one. */
  async function renameSession(
    title: string,
    id: SessionId | undefined = store.getState().currentId,
  ): Promise<void> {
    if (id === undefined) return;
    if (!store.getState().open[id]) return library.rename(id, title);
    updateSession(store, id, (data) => ({ ...data, session: { ...data.session, title, titled: true } }));
    await recorder.flush();
    library.notifyChanged();
  }

  /** Hides a session and removes it once the undo has expired. */
  async function deleteSession(id: SessionId | undefined = store.getState().currentId): Promise<void> {
    if (id === undefined) return;
    const liveRuns = Object.values(store.getState().open[id]?.runs ?? {}).filter(isLive);
    await Promise.all(liveRuns.map((run) => driver.stop(run.id)));
    await recorder.flush();
    library.hide(id);
    const wasCurrent = store.getState().currentId === id;
    const isOnScreen = wasCurrent && router.state.getState().route.screen === 'playground';
    store.setState(({ open: { [id]: _, ...open } }) => ({ open }));
    if (wasCurrent) store.setState({ currentId: undefined });
    if (isOnScreen) await createSession();
    offerUndo(
      'Deleted the session.',
      () => {
        library.unhide(id);
        if (isOnScreen) router.navigate({ screen: 'playground', sessionId: id });
      },
      // A session that could not be removed appears in the list again.
      () => void library.remove(id).catch(() => library.unhide(id)),
    );
  }

  return {
    createSession,
    resetLanes,
    openNewSession,
    openSession,
    duplicateSession,
    renameSession,
    deleteSession,
  };
}

/** Describes which parts of a stored session are missing, why, and what to do; empty if nothing is missing. */
function describeMissingParts({ unreadable, unreadTapeCount }: LoadedSession): string {
  const sentences: string[] = [];
  if (unreadable.length > 0)
    sentences.push(
      `${pluralize(unreadable.length, 'part')} of this session could not be read and ${unreadable.length === 1 ? 'is' : 'are'} not shown. Nothing was deleted. Export the session to get the raw data.`,
    );
  if (unreadTapeCount > 0)
    sentences.push(
      `The ${unreadTapeCount === 1 ? 'recording' : 'recordings'} of ${pluralize(unreadTapeCount, 'interrupted answer')} could not be read. Reload the page to try again.`,
    );
  return sentences.join(' ');
}

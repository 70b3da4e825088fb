import { isLive } from '../../conversation/reply/run.ts';
/** Opening, starting, renaming and deleting sessions. */
import { defaultDraftView } from '../../conversation/session/draft.ts';
import { isEmptySession, createEmptySession } from '../../conversation/session/edit-session.ts';
import { changeSetups, removeLane } from '../../conversation/session/lanes.ts';
import { isDeepEqual } from '../../conversation/session/request-diff.ts';
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
   * Leaves the session on screen; it stays in memory only while it has live runs, a deletion that can be
   * taken back, or changes that the disk did not take.
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
    view.setState({ scope: undefined, hasInheritedLanes: false, ...draftView });
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
    // The lanes of the session on screen go along: whoever compares models goes on comparing them.
    const setups = previous?.session.laneIds.flatMap((laneId) => previous.lanes[laneId]?.setup ?? []) ?? [
      defaultSetup,
    ];
    const blankSetups = setups.map((setup) => ({ ...setup, system: '' }));
    if (!(await openNewSession(blankSetups, '', options))) return;
    const isPlain =
      blankSetups.length === 1 && blankSetups.every(({ params }) => isDeepEqual(params, defaultParams));
    if (previous && !isPlain) view.setState({ hasInheritedLanes: true });
  }

  /** Back to one lane without parameters, in a session without messages; can be undone. */
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
    view.setState({ hasInheritedLanes: false, scope: undefined });
    offerUndo(
      'Started fresh with one lane.',
      () => updateSession(store, id, () => initial),
      () => undefined,
      { sessionId: id },
    );
  }

  /**
   * A new session with these setups, on screen; `draft` waits in its composer. Nothing is sent. Who has gone elsewhere
   * meanwhile stays there: then it is false, and the session is what the playground shows next.
   */
  async function openNewSession(
    setups: readonly Setup[],
    draft = '',
    {
      hasNavigated = router.trackNavigation(),
      ...options
    }: { replace?: boolean; hasNavigated?: () => boolean } = {},
  ): Promise<boolean> {
    const data = createEmptySession(environment, setups);
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

  /** Shows a copy with its tapes. Who has gone elsewhere meanwhile stays there, and finds it in the history. */
  async function duplicateSession(id: SessionId): Promise<void> {
    const hasNavigated = router.trackNavigation();
    await recorder.flush();
    const copy = await library.duplicate(id);
    if (copy !== undefined && !hasNavigated()) router.navigate({ screen: 'playground', sessionId: copy });
  }

  /**
   * Opens a stored session, or the last one, or a new one; says so where the asked one is not stored. Which was the
   * last is a preference, and a browser that is killed may have lost it: then it is the newest that is stored. Who has
   * gone elsewhere by the time it is here stays there.
   */
  async function openSession(id?: SessionId): Promise<void> {
    const { route: requestedRoute } = router.state.getState();
    const hasNavigated = () => {
      const { route } = router.state.getState();
      const isStillRequested =
        route === requestedRoute || (route.screen === 'playground' && route.sessionId === id);
      return !(id === undefined ? route === requestedRoute : isStillRequested);
    };
    // Nobody waits for the last one longer than the page took to be there.
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
      // Before its composer is there: what waits in it must not go to a lane that was left out.
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
    // The address of no session in particular is not a step of its own: Back would only lead here again.
    else await createSession({ replace: true });
  }

  /** Renames a session, open or not; the one on screen unless another is given. */
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

  /** Removes a session once its undo has expired; until then it is only hidden. */
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
      // What could not be removed is in the list again.
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

/** What of a stored session is not on screen, why, and what to do; empty where all of it is. */
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

import { isLive } from '../../conversation/reply/run.ts';
import { isDeepEqual } from '../../conversation/session/differences.ts';
/** Opening, starting, renaming and deleting sessions. */
import { defaultDraftView } from '../../conversation/session/draft.ts';
import { isEmptySession, createEmptySession } from '../../conversation/session/edit-session.ts';
import { changeSetups, removeLane } from '../../conversation/session/lanes.ts';
import type { SessionData, SessionId, Setup } from '../../conversation/session/types.ts';
import { defaultParams } from '../../conversation/setup/params.ts';
import { pluralize } from '../../lib/format.ts';
import { viewOf } from '../drafts/drafts.ts';
import type { ActionParts } from './actions.ts';
import { keyOf, writesOfSession } from './autosave.ts';
import type { Loaded } from './library.ts';
import { changeSession, currentSession, type OfferUndo } from './session-store.ts';

interface Parts extends ActionParts {
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
  isOpening,
  offerUndo,
}: Parts) {
  /**
   * Leaves the session on screen; it stays in memory only while it has live runs, a deletion that can be
   * taken back, or changes that the disk did not take.
   */
  function show(data: SessionData, kept = defaultDraftView): void {
    const { message, isSlow } = recorder.problem.getState();
    const isUnsaved = message !== undefined || isSlow;
    store.setState((state) => {
      const busy = Object.entries(state.open).filter(
        ([id, other]) => isUnsaved || id === state.undo?.sessionId || Object.values(other.runs).some(isLive),
      );
      const open = { ...Object.fromEntries(busy), [data.session.id]: state.open[data.session.id] ?? data };
      return { currentId: data.session.id, open, missingId: undefined, readProblem: undefined };
    });
    view.setState({ scope: undefined, lanesKept: false, ...kept });
    prefs.setState({ lastSessionId: data.session.id });
  }

  async function createSession(options?: { replace: boolean }): Promise<void> {
    const from = currentSession(store.getState());
    if (from && isEmptySession(from))
      return router.go({ screen: 'playground', sessionId: from.session.id }, options);
    const first: Setup = { model: '', params: defaultParams, ...prefs.getState().lastSetup, system: '' };
    // The lanes of the session on screen go along: whoever compares models goes on comparing them.
    const setups = from?.session.laneIds.flatMap((laneId) => from.lanes[laneId]?.setup ?? []) ?? [first];
    const blank = setups.map((setup) => ({ ...setup, system: '' }));
    if (!(await openNew(blank, '', options))) return;
    const isPlain = blank.length === 1 && blank.every(({ params }) => isDeepEqual(params, defaultParams));
    if (from && !isPlain) view.setState({ lanesKept: true });
  }

  /** Back to one lane without parameters, in a session without messages; can be undone. */
  function startPlain(): void {
    const before = currentSession(store.getState());
    if (!before || !isEmptySession(before)) return;
    const [first, ...others] = before.session.laneIds;
    const alone = others.reduce((data, id) => removeLane(data, id)?.data ?? data, before);
    const { id } = before.session;
    const plain = changeSetups(alone, first === undefined ? [] : [first], ({ model }) => ({
      model,
      system: '',
      params: defaultParams,
    }));
    changeSession(store, id, () => plain);
    view.setState({ lanesKept: false, scope: undefined });
    offerUndo(
      'Started plain, with one lane.',
      () => changeSession(store, id, () => before),
      () => undefined,
      { sessionId: id },
    );
  }

  /**
   * A new session with these setups, on screen; `draft` waits in its composer. Nothing is sent. Who has gone elsewhere
   * meanwhile stays there: then it is false, and the session is what the playground shows next.
   */
  async function openNew(
    setups: readonly Setup[],
    draft = '',
    { isLeft = router.watch(), ...options }: { replace?: boolean; isLeft?: () => boolean } = {},
  ): Promise<boolean> {
    const data = createEmptySession(environment, setups);
    const sessionId = data.session.id;
    await recorder.flush();
    for (const write of writesOfSession(data)) recorder.put(keyOf(write), write);
    drafts.begin(sessionId, draft);
    if (isLeft()) {
      if (router.route.getState().route.screen !== 'playground') show(data);
      return false;
    }
    show(data);
    router.go({ screen: 'playground', sessionId }, options);
    return true;
  }

  /** Shows a copy with its tapes. Who has gone elsewhere meanwhile stays there, and finds it in the history. */
  async function duplicateSession(id: SessionId): Promise<void> {
    const isLeft = router.watch();
    await recorder.flush();
    const copy = await library.duplicate(id);
    if (copy !== undefined && !isLeft()) router.go({ screen: 'playground', sessionId: copy });
  }

  /**
   * Opens a stored session, or the last one, or a new one; says so where the asked one is not stored. Which was the
   * last is a preference, and a browser that is killed may have lost it: then it is the newest that is stored. Who has
   * gone elsewhere by the time it is here stays there.
   */
  async function openSession(id?: SessionId): Promise<void> {
    const { route: asked } = router.route.getState();
    const isLeft = () => {
      const { route } = router.route.getState();
      const isAsked = route === asked || (route.screen === 'playground' && route.sessionId === id);
      return !(id === undefined ? route === asked : isAsked);
    };
    // Nobody waits for the last one longer than the page took to be there.
    if (id === undefined && isOpening()) return createSession({ replace: true });
    await recorder.flush();
    const wanted = id ?? prefs.getState().lastSessionId;
    const open = wanted === undefined ? undefined : store.getState().open[wanted];
    let revived = wanted === undefined || open ? undefined : await library.load(wanted);
    if (id === undefined && !open && !revived) {
      const [newest] = await library.list();
      if (newest) revived = await library.load(newest.id);
    }
    const data = open ?? revived?.data;
    if (data) {
      // Before its composer is there: what waits in it must not go to a lane that was left out.
      const view = await viewOf(drafts, data.session.id);
      if (isLeft()) return;
      show(data, view);
      store.setState({ unreadable: revived?.unreadable ?? [] });
      const text = revived && missingParts(revived);
      if (text) notices.setState({ notice: { tone: 'problem', text } });
      if (id === undefined)
        router.go({ screen: 'playground', sessionId: data.session.id }, { replace: true });
    } else if (isLeft()) return;
    else if (id !== undefined)
      store.setState({ currentId: undefined, missingId: id, readProblem: undefined });
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
    changeSession(store, id, (data) => ({ ...data, session: { ...data.session, title, titled: true } }));
    await recorder.flush();
    library.refresh();
  }

  /** Removes a session once its undo has expired; until then it is only hidden. */
  async function deleteSession(id: SessionId | undefined = store.getState().currentId): Promise<void> {
    if (id === undefined) return;
    const live = Object.values(store.getState().open[id]?.runs ?? {}).filter(isLive);
    await Promise.all(live.map((run) => driver.stop(run.id)));
    await recorder.flush();
    library.hide(id);
    const wasShown = store.getState().currentId === id;
    const isOnScreen = wasShown && router.route.getState().route.screen === 'playground';
    store.setState(({ open: { [id]: _, ...open } }) => ({ open }));
    if (wasShown) store.setState({ currentId: undefined });
    if (isOnScreen) await createSession();
    offerUndo(
      'Deleted the session.',
      () => {
        library.unhide(id);
        if (isOnScreen) router.go({ screen: 'playground', sessionId: id });
      },
      // What could not be removed is in the list again.
      () => void library.remove(id).catch(() => library.unhide(id)),
    );
  }

  return { createSession, startPlain, openNew, openSession, duplicateSession, renameSession, deleteSession };
}

/** What of a stored session is not on screen, why, and what to do; empty where all of it is. */
function missingParts({ unreadable, unreadTapes }: Loaded): string {
  const sentences: string[] = [];
  if (unreadable.length > 0)
    sentences.push(
      `${pluralize(unreadable.length, 'part')} of this session could not be read and ${unreadable.length === 1 ? 'is' : 'are'} not shown. Nothing was deleted: save the session as a file to have the raw data.`,
    );
  if (unreadTapes > 0)
    sentences.push(
      `The ${unreadTapes === 1 ? 'recording' : 'recordings'} of ${pluralize(unreadTapes, 'interrupted answer')} could not be read. Reload the page to try again.`,
    );
  return sentences.join(' ');
}

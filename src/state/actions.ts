/** Everything a person can do to the open session. Clicks call these; components hold no logic of their own. */
import {
  addPrompt,
  addTurn,
  changeLane,
  changeTurn,
  endOfLane,
  isEmptySession,
  newSession,
  removeTurns,
  restoreTurns,
  showCandidate,
  showTurn,
  summaryOf,
  type Environment,
  type Removal,
} from '../conversation/edit.ts';
import { firstParams, withText } from '../conversation/params.ts';
import { isLive, newRun } from '../conversation/run.ts';
import { answerVersions, newestAnswerTo, promptVersionsOf } from '../conversation/tree.ts';
import type {
  LaneId,
  RunId,
  SessionData,
  SessionId,
  Setup,
  ToolResult,
  Turn,
  TurnId,
} from '../conversation/types.ts';
import type { Message } from '../gateway/wire.ts';
import { plural } from '../lib/format.ts';
import { writesOfSession } from './autosave.ts';
import { createLaneActions } from './lane-actions.ts';
import type { Library } from './library.ts';
import { withRecentModel, type PrefsStore } from './prefs-store.ts';
import type { Recorder } from './recorder.ts';
import type { Router } from './route.ts';
import type { RunDriver } from './run-driver.ts';
import { changeSession, currentSession, sessionOfRun, type SessionStore } from './session-store.ts';
import type { ViewStore } from './view-store.ts';

export interface ActionParts {
  store: SessionStore;
  driver: RunDriver;
  recorder: Recorder;
  library: Library;
  prefs: PrefsStore;
  router: Router;
  environment: Environment;
  view: ViewStore;
}

export interface Said {
  messages: Message[];
  results?: ToolResult[];
}

export type Actions = ReturnType<typeof createActions>;

export function createActions({
  store,
  driver,
  recorder,
  library,
  prefs,
  router,
  environment,
  view,
}: ActionParts) {
  const current = (): SessionData | undefined => currentSession(store.getState());

  /** Puts the changed session into the store and on the disk, and sends its new runs. */
  async function start(data: SessionData, runs: readonly { turnId: TurnId; runId: RunId }[]): Promise<void> {
    const counted = {
      ...data,
      session: { ...data.session, updatedAt: environment.now(), summary: summaryOf(data) },
    };
    changeSession(store, data.session.id, () => counted);
    for (const { runId } of runs) {
      const setup = data.runs[runId]?.setup;
      if (setup)
        prefs.setState((state) => ({
          ...withRecentModel(state, setup.model),
          lastSetup: { ...setup, system: '' },
        }));
    }
    // Driven at once, so that Stop reaches a run from its first moment; the driver waits for the disk.
    await Promise.all([
      recorder.flush({ strict: true }),
      ...runs.map(({ turnId, runId }) => driver.drive(turnId, runId)),
    ]);
  }

  function addRuns(
    data: SessionData,
    places: readonly { laneId: LaneId; promptId: string; parent?: Turn['parent'] }[],
  ): { data: SessionData; runs: { turnId: TurnId; runId: RunId }[] } {
    const runs: { turnId: TurnId; runId: RunId }[] = [];
    let next = data;
    for (const { laneId, ...where } of places) {
      const added = addTurn(next, environment, laneId, { ...where, run: true });
      next = added.data;
      if (added.runId) runs.push({ turnId: added.turnId, runId: added.runId });
    }
    return { data: next, runs };
  }

  /** One prompt to these lanes, each at the end of its own path. Resolves when all their runs have ended. */
  async function sendPrompt(said: Said, laneIds?: readonly LaneId[]): Promise<void> {
    const data = current();
    if (!data) return;
    const prompted = addPrompt(data, environment, said);
    const places = (laneIds ?? data.session.laneIds).map((laneId) => {
      const parent = endOfLane(prompted.data, laneId);
      return parent
        ? { laneId, promptId: prompted.promptId, parent }
        : { laneId, promptId: prompted.promptId };
    });
    const added = addRuns(prompted.data, places);
    await start(added.data, added.runs);
  }

  /** Another answer to the same prompt with the setup of now; the old one stays as a version. */
  async function regenerate(turnIds: readonly TurnId[]): Promise<void> {
    const data = current();
    if (!data) return;
    const turns = turnIds.flatMap((turnId) => data.turns[turnId] ?? []);
    const waiting = turns.filter((turn) => !turn.reply);
    const added = addRuns(
      data,
      turns.filter((turn) => turn.reply),
    );
    let next = added.data;
    for (const turn of waiting) {
      const setup = next.lanes[turn.laneId]?.setup;
      if (!setup) continue;
      const run = newRun(environment.newId(), next.session.id, setup);
      next = changeTurn(next, turn.id, (known) => ({ ...known, reply: { runId: run.id } }));
      next = { ...next, runs: { ...next.runs, [run.id]: run } };
      added.runs.push({ turnId: turn.id, runId: run.id });
    }
    await start(next, added.runs);
  }

  /** The last turn of every lane once more, with the setup of now. */
  async function runAgain(): Promise<void> {
    const data = current();
    if (!data) return;
    await regenerate(data.session.laneIds.flatMap((laneId) => data.lanes[laneId]?.tip ?? []));
  }

  /** §2.1 has no way to continue an answer, so a new user turn asks for it. */
  function askToContinue(laneId: LaneId): Promise<void> {
    return sendPrompt({ messages: [{ role: 'user', content: 'Continue exactly where you stopped.' }] }, [
      laneId,
    ]);
  }

  /** The same prompt with a higher max_tokens from now on. */
  function raiseAndAskAgain(turnId: TurnId, maxTokens: number): Promise<void> {
    const turn = current()?.turns[turnId];
    const setup = turn && current()?.lanes[turn.laneId]?.setup;
    if (turn && setup)
      changeSetup(turn.laneId, { params: withText(setup.params, 'max_tokens', String(maxTokens)) });
    return regenerate([turnId]);
  }

  /** Shows another candidate of n; the one shown goes on in the history. */
  function showChoice(turnId: TurnId, choice: number): void {
    changeCurrent((data) => showCandidate(data, turnId, choice));
  }

  /**
   * A new version of the prompt that these turns share, a turn each of their lanes; nothing below the old
   * one disappears.
   */
  async function editPrompt(turnIds: readonly TurnId[], messages: Message[], run: boolean): Promise<void> {
    const data = current();
    const turns = turnIds.flatMap((turnId) => data?.turns[turnId] ?? []);
    const old = data?.prompts[turns[0]?.promptId ?? ''];
    if (!data || !old) return;
    const said = { messages, replaces: old.id, ...(old.results ? { results: old.results } : {}) };
    const prompted = addPrompt(data, environment, said);
    const places = turns.map(({ laneId, parent }) => {
      return { laneId, promptId: prompted.promptId, ...(parent ? { parent } : {}) };
    });
    if (run) {
      const added = addRuns(prompted.data, places);
      return start(added.data, added.runs);
    }
    const saved = places.reduce(
      (next, { laneId, ...where }) => addTurn(next, environment, laneId, { ...where, run: false }).data,
      prompted.data,
    );
    return start(saved, []);
  }

  function offerUndo(text: string, restore: () => void, expire: () => void, sessionId?: SessionId): void {
    store.getState().undo?.expire();
    const id = environment.newId();
    const close = () => store.setState((state) => (state.undo?.id === id ? { undo: undefined } : state));
    store.setState({
      undo: {
        id,
        text,
        ...(sessionId === undefined ? {} : { sessionId }),
        restore: () => {
          close();
          restore();
        },
        expire: () => {
          close();
          expire();
        },
      },
    });
  }

  /** Removes these turns and all below them, stopping what runs there; can be undone. */
  async function deleteTurns(rootIds: readonly TurnId[]): Promise<void> {
    const before = current();
    if (!before) return;
    const { removal: doomed } = removeTurns(before, rootIds);
    await Promise.all(doomed.runs.filter(isLive).map((run) => driver.stop(run.id)));
    const data = current();
    if (!data || data.session.id !== before.session.id) return;
    const { data: rest, removal } = removeTurns(data, rootIds);
    changeSession(store, data.session.id, () => ({
      ...rest,
      session: { ...rest.session, summary: summaryOf(rest) },
    }));
    const restore = () =>
      changeSession(store, data.session.id, (now) => {
        const restored = restoreTurns(now, removal);
        return { ...restored, session: { ...restored.session, summary: summaryOf(restored) } };
      });
    const expire = () => {
      for (const run of removal.runs) recorder.put(`tapes ${run.id}`, { store: 'tapes', remove: run.id });
    };
    offerUndo(deletionSentence(removal), restore, expire, data.session.id);
  }

  /** This version of the prompt with all its answers in the lanes of these turns, and all below. */
  async function deletePrompt(turnIds: readonly TurnId[]): Promise<void> {
    const data = current();
    if (!data) return;
    const turns = turnIds.flatMap((turnId) => data.turns[turnId] ?? []);
    await deleteTurns(turns.flatMap((turn) => answerVersions(data, turn).map((version) => version.id)));
  }

  /** Shows the version of the answer that is `step` away. */
  function stepAnswer(turnId: TurnId, step: number): void {
    changeCurrent((data) => {
      const turn = data.turns[turnId];
      const versions = turn ? answerVersions(data, turn) : [];
      const next = versions[versions.findIndex((version) => version.id === turnId) + step];
      return next ? showTurn(data, next) : data;
    });
  }

  /** Shows the version of the prompt that is `step` away, with its newest answer, in every lane that has it. */
  function stepPrompt(turnIds: readonly TurnId[], step: number): void {
    changeCurrent((data) => {
      const turns = turnIds.flatMap((turnId) => data.turns[turnId] ?? []);
      const versions = promptVersionsOf(data, turns);
      const next = versions[versions.findIndex((version) => version.id === turns[0]?.promptId) + step];
      if (!next) return data;
      return turns.reduce((shown, turn) => {
        const answer = newestAnswerTo(shown, turn, next.id);
        return answer ? showTurn(shown, answer) : shown;
      }, data);
    });
  }

  function changeCurrent(change: (data: SessionData) => SessionData): void {
    const id = store.getState().currentId;
    if (id !== undefined) changeSession(store, id, change);
  }

  function changeSetup(laneId: LaneId, change: Partial<Setup>): void {
    changeCurrent((data) =>
      changeLane(data, laneId, (lane) => ({ ...lane, setup: { ...lane.setup, ...change } })),
    );
  }

  async function stop(runId?: RunId): Promise<void> {
    const live = Object.values(current()?.runs ?? {}).filter(isLive);
    const stopping = runId === undefined ? live.map((run) => run.id) : [runId];
    await Promise.all(stopping.map((id) => driver.stop(id)));
  }

  /**
   * Leaves the session on screen; it stays in memory only while it has live runs, a deletion that can be
   * taken back, or changes that the disk did not take.
   */
  function show(data: SessionData): void {
    const isUnsaved = recorder.problem.getState().message !== undefined;
    store.setState((state) => {
      const busy = Object.entries(state.open).filter(
        ([id, other]) => isUnsaved || id === state.undo?.sessionId || Object.values(other.runs).some(isLive),
      );
      const open = { ...Object.fromEntries(busy), [data.session.id]: state.open[data.session.id] ?? data };
      return { currentId: data.session.id, open, missingId: undefined };
    });
    view.setState({ scope: undefined, notTo: [], namesHidden: false });
    prefs.setState({ lastSessionId: data.session.id });
  }

  async function createSession(): Promise<void> {
    const from = current();
    if (from && isEmptySession(from)) return router.go({ screen: 'playground', sessionId: from.session.id });
    const first: Setup = { model: '', params: firstParams, ...prefs.getState().lastSetup, system: '' };
    // The lanes of the session on screen go along: whoever compares models goes on comparing them.
    const setups = from?.session.laneIds.flatMap((laneId) => from.lanes[laneId]?.setup ?? []) ?? [first];
    await openNew(setups.map((setup) => ({ ...setup, system: '' })));
  }

  /** A new session with these setups, on screen; `draft` waits in its composer. Nothing is sent. */
  async function openNew(
    setups: readonly Setup[],
    draft = '',
    options?: { replace: boolean },
  ): Promise<void> {
    const data = newSession(environment, setups);
    const sessionId = data.session.id;
    await recorder.flush();
    for (const write of writesOfSession(data))
      recorder.put(`${write.store} ${'put' in write && 'id' in write.put ? write.put.id : ''}`, write);
    if (draft !== '') {
      recorder.put(`drafts ${sessionId}`, { store: 'drafts', put: { sessionId, text: draft } });
      // The composer looks on the disk for it.
      await recorder.flush();
    }
    show(data);
    router.go({ screen: 'playground', sessionId }, options);
  }

  /**
   * Opens a stored session, or the last one, or a new one; says so where the asked one is not stored. Which was the
   * last is a preference, and a browser that is killed may have lost it: then it is the newest that is stored.
   */
  async function openSession(id?: SessionId): Promise<void> {
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
      show(data);
      store.setState({ unreadable: revived?.unreadable ?? [] });
      if (id === undefined)
        router.go({ screen: 'playground', sessionId: data.session.id }, { replace: true });
    } else if (id !== undefined) store.setState({ currentId: undefined, missingId: id });
    else await createSession();
  }

  /** Renames a session, open or not; the one on screen unless another is given. */
  async function renameSession(
    title: string,
    id: SessionId | undefined = store.getState().currentId,
  ): Promise<void> {
    if (id === undefined) return;
    changeSession(store, id, (data) => ({ ...data, session: { ...data.session, title, titled: true } }));
    await recorder.flush();
    await library.rename(id, title);
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
      () => void library.remove(id),
    );
  }

  return {
    ...createLaneActions({ store, view, driver, recorder, library, router, environment, offerUndo }),
    askToContinue,
    raiseAndAskAgain,
    showChoice,
    deleteSession,
    sendPrompt,
    regenerate,
    runAgain,
    editPrompt,
    deleteTurns,
    deletePrompt,
    offerUndo,
    stepAnswer,
    stepPrompt,
    changeSetup,
    stop,
    createSession,
    openNew,
    openSession,
    renameSession,
    /** The run's session if it is open: for what follows a run's end. */
    sessionOf: (runId: RunId) => sessionOfRun(store.getState(), runId),
  };
}

/** What went, over all lanes. */
function deletionSentence({ prompts, turns }: Removal): string {
  const answers = turns.filter((turn) => turn.reply).length;
  const lanes = new Set(turns.map((turn) => turn.laneId)).size;
  const parts = [
    ...(prompts.length > 0 ? [plural(prompts.length, 'message')] : []),
    ...(answers > 0 ? [plural(answers, 'answer')] : []),
  ];
  const where = lanes > 1 ? ` in ${lanes} lanes` : '';
  return `Deleted ${parts.length > 0 ? parts.join(' and ') : 'the message'}${where}.`;
}

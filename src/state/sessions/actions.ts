import { applyVote, type VoteChoice } from '../../conversation/comparison/turn-vote.ts';
import { findOutputLimit } from '../../conversation/reply/ending.ts';
import { isLive, createRun } from '../../conversation/reply/run.ts';
import {
  addPrompt,
  addTurn,
  changeLane,
  changeTurn,
  getLaneEnd,
  summarizeForHistory,
  type Environment,
} from '../../conversation/session/edit-session.ts';
import { changeSetups } from '../../conversation/session/lanes.ts';
import { getRun, findTurnByRun, getTurns } from '../../conversation/session/turn-tree.ts';
import type {
  LaneId,
  PromptId,
  Run,
  RunId,
  SessionData,
  Setup,
  ToolResult,
  Turn,
  TurnId,
} from '../../conversation/session/types.ts';
/** Everything a person can do to the open session. Clicks call these; components hold no logic of their own. */
import { withText, type ParamName } from '../../conversation/setup/params.ts';
import {
  describeFixed,
  isFixable,
  isUsageRefused,
  listFieldRefusals,
  getParamOfField,
  toRefusedFields,
  withFieldsFixed,
  withRefusedFields,
} from '../../conversation/setup/refused-fields.ts';
import { revertEdit } from '../../conversation/setup/setup-changes.ts';
import type { Message } from '../../gateway/wire.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { LearnedModels } from '../learned-models.ts';
import type { NoticeStore } from '../notices.ts';
import { withAskedModel, type PrefsStore } from '../prefs-store.ts';
import type { Router } from '../route.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunDriver } from '../runs/run-driver.ts';
import { createLaneActions } from './lane-actions.ts';
import type { Library } from './library.ts';
import { createSessionActions } from './session-actions.ts';
import {
  changeCurrentSession,
  changeSession,
  currentSession,
  sessionOfRun,
  type SessionStore,
  type UndoPlace,
} from './session-store.ts';
import { createSetupEdits } from './setup-edits.ts';
import { createVersionActions } from './version-actions.ts';
import type { ViewStore } from './view-store.ts';

export interface ActionParts {
  store: SessionStore;
  driver: RunDriver;
  recorder: Recorder;
  library: Library;
  prefs: PrefsStore;
  learned: LearnedModels;
  /** The gateway's list has this model, as far as it has come. */
  isListed: (model: string) => boolean;
  router: Router;
  environment: Environment;
  view: ViewStore;
  drafts: Drafts;
  notices: NoticeStore;
  /** The browser has not opened what is stored yet. */
  isOpening: () => boolean;
}

export interface Said {
  messages: Message[];
  results?: ToolResult[];
}

export type Actions = ReturnType<typeof createActions>;

export function createActions(parts: ActionParts) {
  const { store, driver, recorder, prefs, learned, isListed, environment, view } = parts;
  const current = (): SessionData | undefined => currentSession(store.getState());

  /** Puts the changed session into the store and on the disk, and sends its new runs. */
  async function start(data: SessionData, runs: readonly { turnId: TurnId; runId: RunId }[]): Promise<void> {
    const counted = {
      ...data,
      session: { ...data.session, updatedAt: environment.now(), summary: summarizeForHistory(data) },
    };
    changeSession(store, data.session.id, () => counted);
    for (const { runId } of runs) {
      const setup = data.runs[runId]?.setup;
      if (setup)
        prefs.setState((state) => ({
          ...withAskedModel(state, setup.model, isListed(setup.model)),
          lastSetup: { ...setup, system: '' },
        }));
    }
    // Driven at once, so that Stop reaches a run from its first moment; the driver waits for the disk.
    await Promise.all([
      recorder.flush({ strict: true }),
      ...runs.map(({ turnId, runId }) => driver.drive(turnId, runId)),
    ]);
  }

  const withRefused = (setup: Setup) => withRefusedFields(setup, learned.refusedFields(setup.model));

  /** The one request that Bench repeats by itself: without the field that it had added, and that was refused. */
  async function askWithoutUsage(refused: Run): Promise<void> {
    if (!isUsageRefused(refused)) return;
    const { setup } = refused;
    const { model } = setup;
    learned.setRefusedFields(model, { ...learned.refusedFields(model), stream_options: null });
    const data = sessionOfRun(store.getState(), refused.id);
    const turn = data && findTurnByRun(data, refused.id);
    // Who has gone on from elsewhere is not called back.
    if (!data || !turn || data.lanes[turn.laneId]?.tip !== turn.id) return;
    const { laneId } = turn;
    const known = changeLane(data, laneId, (lane) => ({ ...lane, setup: withRefused(lane.setup) }));
    const added = addTurn(known, environment, laneId, {
      promptId: turn.promptId,
      ...(turn.parent ? { parent: turn.parent } : {}),
      run: false,
    });
    const run = createRun(environment.newId(), data.session.id, withRefused(setup));
    const next = changeTurn(added.data, added.turnId, (own) => ({
      ...own,
      reply: { kind: 'run', runId: run.id },
    }));
    await start({ ...next, runs: { ...next.runs, [run.id]: run } }, [
      { turnId: added.turnId, runId: run.id },
    ]);
  }

  function addRuns(
    data: SessionData,
    places: readonly { laneId: LaneId; promptId: string; parent?: Turn['parent'] }[],
  ): { data: SessionData; runs: { turnId: TurnId; runId: RunId }[] } {
    const runs: { turnId: TurnId; runId: RunId }[] = [];
    let next = data;
    for (const { laneId, ...where } of places) {
      next = changeLane(next, laneId, (lane) => ({ ...lane, setup: withRefused(lane.setup) }));
      const added = addTurn(next, environment, laneId, { ...where, run: true });
      next = added.data;
      if (added.runId) runs.push({ turnId: added.turnId, runId: added.runId });
    }
    return { data: next, runs };
  }

  const isAnsweredHere = (data: SessionData, turn: Turn) => {
    const run = getRun(data, turn);
    return run === undefined || !isLive(run) || driver.isDriving(run.id);
  };

  /** What another tab is being answered this moment is nothing to go on from: what is said here stands beside it. */
  function endToGoOnFrom(data: SessionData, laneId: LaneId): Turn['parent'] {
    let end = getLaneEnd(data, laneId);
    for (let turn = end && data.turns[end.turnId]; turn && !isAnsweredHere(data, turn);) {
      end = turn.parent;
      turn = end && data.turns[end.turnId];
    }
    return end;
  }

  /** One prompt to these lanes, each at the end of its own path. Resolves when all their runs have ended. */
  async function sendPrompt(said: Said, laneIds?: readonly LaneId[]): Promise<void> {
    const data = current();
    if (!data) return;
    const prompted = addPrompt(data, environment, said);
    const places = (laneIds ?? data.session.laneIds).map((laneId) => {
      const parent = endToGoOnFrom(prompted.data, laneId);
      return parent
        ? { laneId, promptId: prompted.promptId, parent }
        : { laneId, promptId: prompted.promptId };
    });
    const added = addRuns(prompted.data, places);
    await start(added.data, added.runs);
  }

  /** Another answer to the same prompt with the current setup; the old one stays as a version. */
  async function regenerate(turnIds: readonly TurnId[]): Promise<void> {
    const data = current();
    if (!data) return;
    const turns = getTurns(data, turnIds);
    const waiting = turns.filter((turn) => !turn.reply);
    const added = addRuns(
      data,
      turns.filter((turn) => turn.reply),
    );
    let next = added.data;
    for (const turn of waiting) {
      const setup = next.lanes[turn.laneId]?.setup;
      if (!setup) continue;
      const run = createRun(environment.newId(), next.session.id, withRefused(setup));
      next = changeTurn(next, turn.id, (known) => ({ ...known, reply: { kind: 'run', runId: run.id } }));
      next = { ...next, runs: { ...next.runs, [run.id]: run } };
      added.runs.push({ turnId: turn.id, runId: run.id });
    }
    await start(next, added.runs);
  }

  /** The last turn of every lane once more, with the current setup. */
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

  /** Retries the prompt with a higher output limit, which the lane keeps. */
  function raiseAndAskAgain(turnId: TurnId, maxTokens: number): Promise<void> {
    const turn = current()?.turns[turnId];
    const setup = turn && current()?.lanes[turn.laneId]?.setup;
    if (turn && setup)
      changeSetup(turn.laneId, {
        params: withText(
          setup.params,
          findOutputLimit(setup.params)?.name ?? 'max_tokens',
          String(maxTokens),
        ),
      });
    return regenerate([turnId]);
  }

  /**
   * Asks again as the error of this answer says, in all lanes of its model that were refused for the same fields, and
   * remembers it for the model. Undo forgets it and gives the setups back; the new answers stay.
   */
  async function fixFields(turnId: TurnId): Promise<void> {
    const data = current();
    const turn = data?.turns[turnId];
    const run = data && getRun(data, turn);
    if (!data || !turn || !run) return;
    const { model } = run.setup;
    const refusals = listFieldRefusals(run).filter(isFixable);
    const earlierFields = learned.refusedFields(model);
    const refused = toRefusedFields(refusals);
    learned.setRefusedFields(model, { ...earlierFields, ...refused });
    const edits = data.session.laneIds.flatMap((laneId) => {
      const before = data.lanes[laneId]?.setup;
      if (before?.model !== model) return [];
      const after = withRefused({ ...before, params: withFieldsFixed(before.params, refusals) });
      return [{ laneId, before, after }];
    });
    changeSession(store, data.session.id, (now) =>
      edits.reduce((next, { laneId, after }) => changeSetups(next, [laneId], () => after), now),
    );
    const undo = () => {
      const now = Object.entries(learned.refusedFields(model));
      const before = Object.entries(earlierFields).filter(([field]) => Object.hasOwn(refused, field));
      const others = now.filter(([field]) => !Object.hasOwn(refused, field));
      learned.setRefusedFields(model, Object.fromEntries([...others, ...before]));
      changeSession(store, data.session.id, (session) =>
        edits.reduce(
          (next, edit) => changeSetups(next, [edit.laneId], (setup) => withRefused(revertEdit(setup, edit))),
          session,
        ),
      );
    };
    const words = describeFixed(refusals, view.getState().namesHidden ? 'this model' : model);
    offerUndo(words, undo, () => undefined, { sessionId: data.session.id });
    const isRefusedAlike = ({ promptId, reply }: Turn) => {
      const other = reply?.kind === 'run' ? data.runs[reply.runId] : undefined;
      const fields = other ? listFieldRefusals(other).map(({ field }) => field) : [];
      const isFixed = fields.every((field) => refusals.some((each) => each.field === field));
      return promptId === turn.promptId && fields.length > 0 && isFixed;
    };
    const others = edits.flatMap(({ laneId }) => {
      const tip = data.turns[data.lanes[laneId]?.tip ?? ''];
      return tip && tip.id !== turnId && isRefusedAlike(tip) ? [tip.id] : [];
    });
    await regenerate([turnId, ...others]);
  }

  /** Forgets that the models of these lanes refused a field, so that it is sent again as set. */
  function forgetRefusedField(laneIds: readonly LaneId[], name: ParamName): void {
    const data = current();
    if (!data) return;
    for (const model of new Set(laneIds.flatMap((laneId) => data.lanes[laneId]?.setup.model ?? []))) {
      const fields = Object.entries(learned.refusedFields(model));
      const others = fields.filter(([field]) => getParamOfField(field) !== name);
      if (others.length < fields.length) learned.setRefusedFields(model, Object.fromEntries(others));
    }
    setupEdits.change(laneIds, (setup) => setup);
  }

  /**
   * A new version of the prompt that these turns share, a turn each of their lanes; nothing below the old
   * one disappears.
   */
  async function editPrompt(turnIds: readonly TurnId[], messages: Message[], run: boolean): Promise<void> {
    const data = current();
    if (!data) return;
    const turns = getTurns(data, turnIds);
    const old = data.prompts[turns[0]?.promptId ?? ''];
    if (!old) return;
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

  function offerUndo(text: string, restore: () => void, expire: () => void, place?: UndoPlace): void {
    store.getState().undo?.expire();
    const id = environment.newId();
    const close = () => store.setState((state) => (state.undo?.id === id ? { undo: undefined } : state));
    store.setState({
      undo: {
        id,
        text,
        ...place,
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

  const setupEdits = createSetupEdits({ store, view, offerUndo, withRefused });

  /** Says which lane's answer to this prompt is better, or takes it back. Answers with what is said of it. */
  function chooseBetter(promptId: PromptId, choice: VoteChoice): string {
    const { namesHidden } = view.getState();
    let said = '';
    changeCurrentSession(store, (data) => {
      const vote = { at: environment.now(), blind: namesHidden };
      const { data: next, message } = applyVote(data, promptId, choice, vote);
      said = message;
      return next;
    });
    return said;
  }

  function changeSetup(laneId: LaneId, change: Partial<Setup>): void {
    setupEdits.change([laneId], (setup) => ({ ...setup, ...change }));
  }

  async function stop(runId?: RunId): Promise<void> {
    const live = Object.values(current()?.runs ?? {}).filter(isLive);
    const stopping = runId === undefined ? live.map((run) => run.id) : [runId];
    await Promise.all(stopping.map((id) => driver.stop(id)));
  }

  return {
    ...createLaneActions({ ...parts, setupEdits, offerUndo }),
    ...createVersionActions({ ...parts, offerUndo }),
    ...createSessionActions({ ...parts, offerUndo }),
    askToContinue,
    raiseAndAskAgain,
    sendPrompt,
    regenerate,
    runAgain,
    /** Stops sending the opaque fields that came with the file of this session. */
    leaveImportedFieldsOut: () =>
      changeCurrentSession(store, (data) => ({
        ...data,
        session: { ...data.session, importedFields: 'left out' },
      })),
    editPrompt,
    chooseBetter,
    offerUndo,
    changeSetup,
    askWithoutUsage,
    fixFields,
    forgetRefusedField,
    undoSetupEdit: setupEdits.undo,
    canUndoSetupEdit: setupEdits.canUndo,
    endSetupRun: setupEdits.endRun,
    stop,
    /** The run's session if it is open: for what follows a run's end. */
    sessionOf: (runId: RunId) => sessionOfRun(store.getState(), runId),
  };
}

/** All actions on the open session. The UI calls these; components contain no logic. */
import { applyVote, type VoteChoice } from '../../conversation/comparison/turn-vote.ts';
import { isLive, createRun } from '../../conversation/reply/run.ts';
import {
  addPrompt,
  addTurn,
  changeLane,
  changeTurn,
  getNextTurnParent,
  summarizeForHistory,
  type Environment,
} from '../../conversation/session/edit-session.ts';
import { changeSetups } from '../../conversation/session/lanes.ts';
import { getRun, findTurnByRun, getTurns } from '../../conversation/session/turn-tree.ts';
import type {
  LaneId,
  ModelChoice,
  PromptId,
  Run,
  RunId,
  SessionData,
  Setup,
  ToolResult,
  Turn,
  TurnId,
} from '../../conversation/session/types.ts';
import { findOutputLimit } from '../../conversation/setup/output-limit.ts';
import { withText, type ParamName } from '../../conversation/setup/params.ts';
import {
  describeAppliedFix,
  isFixable,
  isUsageRefused,
  listFieldRefusals,
  getParamOfField,
  toRefusedFields,
  withFixedParams,
  withRefusedFields,
} from '../../conversation/setup/refused-fields.ts';
import { revertEdit } from '../../conversation/setup/setup-changes.ts';
import type { Message } from '../../gateway/wire.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { LearnedModels } from '../learned-models.ts';
import type { NoticeStore } from '../notices.ts';
import { withRequestedModel, type PrefsStore } from '../prefs-store.ts';
import type { Router } from '../route.ts';
import type { Recorder } from '../runs/recorder.ts';
import type { RunDriver } from '../runs/run-driver.ts';
import { createLaneActions } from './lane-actions.ts';
import type { Library } from './library.ts';
import { createSessionActions } from './session-actions.ts';
import {
  updateCurrentSession,
  updateSession,
  getCurrentSession,
  findSessionByRun,
  type SessionStore,
  type UndoScope,
} from './session-store.ts';
import { createSetupEdits } from './setup-edits.ts';
import { createVersionActions } from './version-actions.ts';
import type { ViewStore } from './view-store.ts';

export interface ActionDeps {
  store: SessionStore;
  driver: RunDriver;
  recorder: Recorder;
  library: Library;
  prefs: PrefsStore;
  learnedModels: LearnedModels;
  /** Returns true if the loaded model list contains the model. */
  isListed: (choice: ModelChoice) => boolean;
  router: Router;
  environment: Environment;
  view: ViewStore;
  drafts: Drafts;
  notices: NoticeStore;
  /** Returns true until the browser has opened the database. */
  isStorageOpening: () => boolean;
}

export interface PromptInput {
  messages: Message[];
  results?: ToolResult[];
}

export type Actions = ReturnType<typeof createActions>;

export function createActions(deps: ActionDeps) {
  const { store, driver, recorder, prefs, learnedModels, isListed, environment, view } = deps;
  const getCurrent = (): SessionData | undefined => getCurrentSession(store.getState());

  /** Stores the changed session in memory and on disk, and sends its new runs. */
  async function startRuns(
    data: SessionData,
    runs: readonly { turnId: TurnId; runId: RunId }[],
  ): Promise<void> {
    const updated = {
      ...data,
      session: { ...data.session, updatedAt: environment.now(), summary: summarizeForHistory(data) },
    };
    updateSession(store, data.session.id, () => updated);
    for (const { runId } of runs) {
      const setup = data.runs[runId]?.setup;
      if (setup)
        prefs.setState((state) => ({
          ...withRequestedModel(state, learnedModels.getKey(setup), isListed(setup)),
          lastSetup: { ...setup, system: '' },
        }));
    }
    // Started without waiting for the flush, so that Stop works immediately; the driver itself waits for the disk.
    await Promise.all([
      recorder.flush({ strict: true }),
      ...runs.map(({ turnId, runId }) => driver.drive(turnId, runId)),
    ]);
  }

  const withLearnedRefusals = (setup: Setup) =>
    withRefusedFields(setup, learnedModels.getRefusedFields(setup));

  /**
   * Retries a run without the usage field that Bench had added and the gateway rejected. No other run of a session is
   * sent to the gateway again automatically.
   */
  async function retryWithoutUsage(rejectedRun: Run): Promise<void> {
    if (!isUsageRefused(rejectedRun)) return;
    const { setup } = rejectedRun;
    learnedModels.setRefusedFields(setup, { ...learnedModels.getRefusedFields(setup), stream_options: null });
    const data = findSessionByRun(store.getState(), rejectedRun.id);
    const turn = data && findTurnByRun(data, rejectedRun.id);
    // The lane has moved on to another turn, so the run is not retried.
    if (!data || !turn || data.lanes[turn.laneId]?.tip !== turn.id) return;
    const { laneId } = turn;
    const updated = changeLane(data, laneId, (lane) => ({ ...lane, setup: withLearnedRefusals(lane.setup) }));
    const added = addTurn(updated, environment, laneId, {
      promptId: turn.promptId,
      ...(turn.parent ? { parent: turn.parent } : {}),
      run: false,
    });
    const run = createRun(environment.newId(), data.session.id, withLearnedRefusals(setup));
    const next = changeTurn(added.data, added.turnId, (newTurn) => ({
      ...newTurn,
      reply: { kind: 'run', runId: run.id },
    }));
    await startRuns({ ...next, runs: { ...next.runs, [run.id]: run } }, [
      { turnId: added.turnId, runId: run.id },
    ]);
  }

  function addRuns(
    data: SessionData,
    targets: readonly { laneId: LaneId; promptId: string; parent?: Turn['parent'] }[],
  ): { data: SessionData; runs: { turnId: TurnId; runId: RunId }[] } {
    const runs: { turnId: TurnId; runId: RunId }[] = [];
    let next = data;
    for (const { laneId, ...turnInput } of targets) {
      next = changeLane(next, laneId, (lane) => ({ ...lane, setup: withLearnedRefusals(lane.setup) }));
      const added = addTurn(next, environment, laneId, { ...turnInput, run: true });
      next = added.data;
      if (added.runId) runs.push({ turnId: added.turnId, runId: added.runId });
    }
    return { data: next, runs };
  }

  const isAnsweredInThisTab = (data: SessionData, turn: Turn) => {
    const run = getRun(data, turn);
    return run === undefined || !isLive(run) || driver.isDriving(run.id);
  };

  /**
   * Returns the turn to continue from. Turns being answered in another tab are skipped, so the new prompt becomes their
   * sibling.
   */
  function findContinuationPoint(data: SessionData, laneId: LaneId): Turn['parent'] {
    let end = getNextTurnParent(data, laneId);
    for (let turn = end && data.turns[end.turnId]; turn && !isAnsweredInThisTab(data, turn);) {
      end = turn.parent;
      turn = end && data.turns[end.turnId];
    }
    return end;
  }

  /** Sends a prompt to these lanes, at the end of each lane's path. Resolves when all runs have ended. */
  async function sendPrompt(input: PromptInput, laneIds?: readonly LaneId[]): Promise<void> {
    const data = getCurrent();
    if (!data) return;
    const prompted = addPrompt(data, environment, input);
    const targets = (laneIds ?? data.session.laneIds).map((laneId) => {
      const parent = findContinuationPoint(prompted.data, laneId);
      return parent
        ? { laneId, promptId: prompted.promptId, parent }
        : { laneId, promptId: prompted.promptId };
    });
    const added = addRuns(prompted.data, targets);
    await startRuns(added.data, added.runs);
  }

  /** Adds a new version of each of these answers with the current setup; the old versions are kept. */
  async function regenerate(turnIds: readonly TurnId[]): Promise<void> {
    const data = getCurrent();
    if (!data) return;
    const turns = getTurns(data, turnIds);
    const unansweredTurns = turns.filter((turn) => !turn.reply);
    const added = addRuns(
      data,
      turns.filter((turn) => turn.reply),
    );
    let next = added.data;
    for (const turn of unansweredTurns) {
      const setup = next.lanes[turn.laneId]?.setup;
      if (!setup) continue;
      const run = createRun(environment.newId(), next.session.id, withLearnedRefusals(setup));
      next = changeTurn(next, turn.id, (pendingTurn) => ({
        ...pendingTurn,
        reply: { kind: 'run', runId: run.id },
      }));
      next = { ...next, runs: { ...next.runs, [run.id]: run } };
      added.runs.push({ turnId: turn.id, runId: run.id });
    }
    await startRuns(next, added.runs);
  }

  /** Regenerates the last turn of every lane with the current setup. */
  async function regenerateLastTurns(): Promise<void> {
    const data = getCurrent();
    if (!data) return;
    await regenerate(data.session.laneIds.flatMap((laneId) => data.lanes[laneId]?.tip ?? []));
  }

  /** Sends a user message that requests the rest of the answer, since §2.1 has no way to continue an answer. */
  function continueAnswer(laneId: LaneId): Promise<void> {
    return sendPrompt({ messages: [{ role: 'user', content: 'Continue exactly where you stopped.' }] }, [
      laneId,
    ]);
  }

  /** Retries the prompt with a higher output limit, which the lane keeps for later prompts. */
  function retryWithHigherLimit(turnId: TurnId, maxTokens: number): Promise<void> {
    const turn = getCurrent()?.turns[turnId];
    const setup = turn && getCurrent()?.lanes[turn.laneId]?.setup;
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
   * Retries with the fix suggested by the error, in all lanes whose model rejected the same fields, and remembers it
   * for the model. Undo forgets the fix and restores the setups; the new answers stay.
   */
  async function retryWithFixedFields(turnId: TurnId): Promise<void> {
    const data = getCurrent();
    const turn = data?.turns[turnId];
    const run = data && getRun(data, turn);
    if (!data || !turn || !run) return;
    const { setup } = run;
    const refusals = listFieldRefusals(run).filter(isFixable);
    const earlierFields = learnedModels.getRefusedFields(setup);
    const refusedFields = toRefusedFields(refusals);
    learnedModels.setRefusedFields(setup, { ...earlierFields, ...refusedFields });
    const edits = data.session.laneIds.flatMap((laneId) => {
      const before = data.lanes[laneId]?.setup;
      if (before === undefined || learnedModels.getKey(before) !== learnedModels.getKey(setup)) return [];
      const after = withLearnedRefusals({ ...before, params: withFixedParams(before.params, refusals) });
      return [{ laneId, before, after }];
    });
    updateSession(store, data.session.id, (currentData) =>
      edits.reduce((next, { laneId, after }) => changeSetups(next, [laneId], () => after), currentData),
    );
    const undo = () => {
      const currentFields = Object.entries(learnedModels.getRefusedFields(setup));
      const restoredFields = Object.entries(earlierFields).filter(([field]) =>
        Object.hasOwn(refusedFields, field),
      );
      const otherFields = currentFields.filter(([field]) => !Object.hasOwn(refusedFields, field));
      learnedModels.setRefusedFields(setup, Object.fromEntries([...otherFields, ...restoredFields]));
      updateSession(store, data.session.id, (session) =>
        edits.reduce(
          (next, edit) =>
            changeSetups(next, [edit.laneId], (current) => withLearnedRefusals(revertEdit(current, edit))),
          session,
        ),
      );
    };
    const message = describeAppliedFix(refusals, view.getState().namesHidden ? 'this model' : setup.model);
    offerUndo(message, undo, () => undefined, { sessionId: data.session.id });
    const hasSameRefusal = ({ promptId, reply }: Turn) => {
      const otherRun = reply?.kind === 'run' ? data.runs[reply.runId] : undefined;
      const fields = otherRun ? listFieldRefusals(otherRun).map(({ field }) => field) : [];
      const isFixed = fields.every((field) => refusals.some((refusal) => refusal.field === field));
      return promptId === turn.promptId && fields.length > 0 && isFixed;
    };
    const otherTurnIds = edits.flatMap(({ laneId }) => {
      const tip = data.turns[data.lanes[laneId]?.tip ?? ''];
      return tip && tip.id !== turnId && hasSameRefusal(tip) ? [tip.id] : [];
    });
    await regenerate([turnId, ...otherTurnIds]);
  }

  /** Forgets that the models of these lanes rejected a field, so that it is sent again. */
  function clearRefusedField(laneIds: readonly LaneId[], name: ParamName): void {
    const data = getCurrent();
    if (!data) return;
    for (const setup of laneIds.flatMap((laneId) => data.lanes[laneId]?.setup ?? [])) {
      const fields = Object.entries(learnedModels.getRefusedFields(setup));
      const remaining = fields.filter(([field]) => getParamOfField(field) !== name);
      if (remaining.length < fields.length)
        learnedModels.setRefusedFields(setup, Object.fromEntries(remaining));
    }
    setupEdits.change(laneIds, (setup) => setup);
  }

  /**
   * Adds a new version of the prompt that these turns share, with one turn per lane; everything below the old version
   * is kept. Without `results`, those of the old version are sent again.
   */
  async function editPrompt(
    turnIds: readonly TurnId[],
    messages: Message[],
    shouldRun: boolean,
    results?: readonly ToolResult[],
  ): Promise<void> {
    const data = getCurrent();
    if (!data) return;
    const turns = getTurns(data, turnIds);
    const old = data.prompts[turns[0]?.promptId ?? ''];
    if (!old) return;
    const sentResults = results ?? old.results;
    const input = { messages, replaces: old.id, ...(sentResults ? { results: [...sentResults] } : {}) };
    const prompted = addPrompt(data, environment, input);
    const targets = turns.map(({ laneId, parent }) => {
      return { laneId, promptId: prompted.promptId, ...(parent ? { parent } : {}) };
    });
    if (shouldRun) {
      const added = addRuns(prompted.data, targets);
      return startRuns(added.data, added.runs);
    }
    const saved = targets.reduce(
      (next, { laneId, ...turnInput }) =>
        addTurn(next, environment, laneId, { ...turnInput, run: false }).data,
      prompted.data,
    );
    return startRuns(saved, []);
  }

  function offerUndo(text: string, restore: () => void, expire: () => void, scope?: UndoScope): void {
    store.getState().undo?.expire();
    const id = environment.newId();
    const clearUndo = () => store.setState((state) => (state.undo?.id === id ? { undo: undefined } : state));
    store.setState({
      undo: {
        id,
        text,
        ...scope,
        restore: () => {
          clearUndo();
          restore();
        },
        expire: () => {
          clearUndo();
          expire();
        },
      },
    });
  }

  const setupEdits = createSetupEdits({ store, view, offerUndo, withLearnedRefusals });

  /** Votes for a lane's answer to this prompt, or clears the vote. Returns the announcement. */
  function setVote(promptId: PromptId, choice: VoteChoice): string {
    const { namesHidden } = view.getState();
    let announcement = '';
    updateCurrentSession(store, (data) => {
      const vote = { votedAt: environment.now(), isBlind: namesHidden };
      const { data: next, message } = applyVote(data, promptId, choice, vote);
      announcement = message;
      return next;
    });
    return announcement;
  }

  function changeSetup(laneId: LaneId, change: Partial<Setup>): void {
    setupEdits.change([laneId], (setup) => ({ ...setup, ...change }));
  }

  async function stop(runId?: RunId): Promise<void> {
    const liveRuns = Object.values(getCurrent()?.runs ?? {}).filter(isLive);
    const stoppedIds = runId === undefined ? liveRuns.map((run) => run.id) : [runId];
    await Promise.all(stoppedIds.map((id) => driver.stop(id)));
  }

  return {
    ...createLaneActions({ ...deps, setupEdits, offerUndo }),
    ...createVersionActions({ ...deps, offerUndo }),
    ...createSessionActions({ ...deps, offerUndo }),
    continueAnswer,
    retryWithHigherLimit,
    sendPrompt,
    regenerate,
    regenerateLastTurns,
    /** Stops sending the opaque fields imported with this session. */
    omitImportedFields: () =>
      updateCurrentSession(store, (data) => ({
        ...data,
        session: { ...data.session, importedFields: 'left out' },
      })),
    editPrompt,
    setVote,
    offerUndo,
    changeSetup,
    retryWithoutUsage,
    retryWithFixedFields,
    clearRefusedField,
    undoSetupEdit: setupEdits.undo,
    canUndoSetupEdit: setupEdits.canUndo,
    endSetupStep: setupEdits.endStep,
    stop,
    /** Returns the run's session if it is open, for tasks after the end of a run. */
    findOpenSessionByRun: (runId: RunId) => findSessionByRun(store.getState(), runId),
  };
}

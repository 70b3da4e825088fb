/** Actions on lanes: add, remove, move, set up, branch. */
import { isLive } from '../../conversation/reply/run.ts';
import { changeTurn, summarizeForHistory } from '../../conversation/session/edit-session.ts';
import {
  branchToLane,
  branchToSession,
  changeSetups,
  duplicateLane,
  moveLane,
  removeLane,
  renameLane,
  restoreLane,
} from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData, SessionId, Setup, TurnId } from '../../conversation/session/types.ts';
import { withPreset, type Preset } from '../../conversation/setup/presets.ts';
import { pluralize } from '../../lib/format.ts';
import type { ActionDeps } from './actions.ts';
import { updateCurrentSession, updateSession, getCurrentSession, type OfferUndo } from './session-store.ts';
import type { ContentEdit, SetupEdits } from './setup-edits.ts';

interface LaneActionDeps extends ActionDeps {
  setupEdits: SetupEdits;
  offerUndo: OfferUndo;
}

type BranchPoint = 'prompt' | 'reply';

/** Returns the session without the answer to this turn if the branch starts at its prompt. */
function getBranchSource(data: SessionData, turnId: TurnId, point: BranchPoint): SessionData {
  if (point === 'reply') return data;
  return changeTurn(data, turnId, ({ reply: _, shownChoice: __, remark: ___, ...turn }) => turn);
}

/** Applies message and variables of a preset. Undo keeps what was changed again since. */
function applyPresetContent(
  { store, drafts }: Pick<LaneActionDeps, 'store' | 'drafts'>,
  { session }: SessionData,
  { setup: { message, variables } }: Preset,
): ContentEdit | undefined {
  if (message === undefined && variables === undefined) return undefined;
  const textBefore = drafts.state.getState()[session.id]?.text ?? '';
  const replaceText = (before: string, after: string) =>
    drafts.change(session.id, (draft) => (draft.text === before ? { ...draft, text: after } : draft));
  const replaceVariables = (getValue: (name: string, current: string | undefined) => string | undefined) =>
    updateSession(store, session.id, (current) => {
      const values = new Map(Object.entries(current.session.variables ?? {}));
      for (const name of Object.keys(variables ?? {})) {
        const value = getValue(name, values.get(name));
        if (value === undefined) values.delete(name);
        else values.set(name, value);
      }
      return { ...current, session: { ...current.session, variables: Object.fromEntries(values) } };
    });
  if (message !== undefined) replaceText(textBefore, message);
  if (variables) replaceVariables((name) => variables[name]);
  return {
    fields: [...(message === undefined ? [] : ['message']), ...(variables ? ['variables'] : [])],
    undo: () => {
      if (message !== undefined) replaceText(message, textBefore);
      if (variables)
        replaceVariables((name, value) => (value === variables[name] ? session.variables?.[name] : value));
    },
  };
}

export function createLaneActions(deps: LaneActionDeps) {
  const { store, view, driver, recorder, library, router, environment, setupEdits } = deps;
  const getCurrent = (): SessionData | undefined => getCurrentSession(store.getState());
  const updateCurrent = (edit: (data: SessionData) => SessionData) => updateCurrentSession(store, edit);
  const addLane = (edit: (data: SessionData) => SessionData) => {
    const { lanes = {} } = getCurrent() ?? {};
    updateCurrent(edit);
    view.setState({ addedLaneId: getCurrent()?.session.laneIds.find((id) => !lanes[id]) });
  };

  return {
    /** Adds a copy of the lane (by default the last one) next to it or at the end, with an edited setup. */
    addLane: (
      laneId?: LaneId,
      edit: (setup: Setup) => Setup = (setup) => setup,
      position: 'beside' | 'end' = 'beside',
    ): void =>
      addLane((data) => {
        const next = duplicateLane(data, environment, laneId ?? data.session.laneIds.at(-1) ?? '');
        const added = next.session.laneIds.filter((id) => !data.lanes[id]);
        const edited = changeSetups(next, added, edit);
        const [addedId] = added;
        if (position === 'beside' || addedId === undefined) return edited;
        const { laneIds } = edited.session;
        return moveLane(edited, addedId, laneIds.length - 1 - laneIds.indexOf(addedId));
      }),

    /** Stops the runs of a lane and removes it; can be undone. */
    removeLane: async (laneId: LaneId): Promise<void> => {
      const initial = getCurrent();
      const runsToStop = initial && removeLane(initial, laneId)?.laneRemoval.turnRemoval.runs.filter(isLive);
      if (!initial || !runsToStop) return;
      await Promise.all(runsToStop.map((run) => driver.stop(run.id)));
      const data = getCurrent();
      const result = data?.session.id === initial.session.id ? removeLane(data, laneId) : undefined;
      if (!data || !result) return;
      updateSession(store, data.session.id, () => result.data);
      if (view.getState().scope === laneId) view.setState({ scope: undefined });
      deps.offerUndo(
        `Removed lane ${getLaneLetter(result.laneRemoval.index)}.`,
        () => updateSession(store, data.session.id, (current) => restoreLane(current, result.laneRemoval)),
        () => {
          for (const run of result.laneRemoval.turnRemoval.runs) {
            recorder.put(`tapes ${run.id}`, { store: 'tapes', remove: run.id });
          }
        },
        { sessionId: data.session.id },
      );
    },

    /** Gives a lane a name, or removes it if it is empty; can be undone. */
    renameLane: (laneId: LaneId, name: string): void => {
      const data = getCurrent();
      const earlierName = data?.lanes[laneId]?.name ?? '';
      if (!data || name === earlierName) return;
      const rename = (next: string) =>
        updateSession(store, data.session.id, (current) => renameLane(current, laneId, next));
      rename(name);
      const letter = getLaneLetter(data.session.laneIds.indexOf(laneId));
      deps.offerUndo(
        name === '' ? `Removed the name of lane ${letter}.` : `Named lane ${letter} “${name}”.`,
        () => rename(earlierName),
        () => undefined,
        { sessionId: data.session.id },
      );
    },

    moveLane: (laneId: LaneId, step: number): void => updateCurrent((data) => moveLane(data, laneId, step)),

    copySetupToAll: (laneId: LaneId): void => {
      const data = getCurrent();
      const setup = data?.lanes[laneId]?.setup;
      if (!setup) return;
      const letter = getLaneLetter(data.session.laneIds.indexOf(laneId));
      setupEdits.change(
        data.session.laneIds,
        () => setup,
        `Copied the setup of lane ${letter} to ${pluralize(data.session.laneIds.length - 1, 'lane')}.`,
      );
    },

    /** Replaces large parts of setups in one step, and always offers Undo. */
    replaceSetups: (laneIds: readonly LaneId[], edit: (setup: Setup) => Setup, sentence: string): void =>
      setupEdits.change(laneIds, edit, sentence),

    /**
     * Applies a preset in one step: its setup to these lanes, its message to the composer, which is not sent, and its
     * values to the session's variables.
     */
    applyPreset: (laneIds: readonly LaneId[], preset: Preset, sentence: string): void => {
      const data = getCurrent();
      if (!data) return;
      setupEdits.change(
        laneIds,
        (setup) => withPreset(setup, preset),
        sentence,
        applyPresetContent(deps, data, preset),
      );
    },

    changeSetups: (laneIds: readonly LaneId[], edit: (setup: Setup, laneId: LaneId) => Setup): void =>
      setupEdits.change(laneIds, edit),

    /** Branches into a new lane. If the branch starts at a prompt, the answer is omitted and can be generated again. */
    branchToLane: (turnId: TurnId, point: BranchPoint = 'reply'): void =>
      addLane((data) => {
        const branched = branchToLane(getBranchSource(data, turnId, point), environment, turnId);
        const turn = data.turns[turnId];
        return turn ? { ...branched, turns: { ...branched.turns, [turnId]: turn } } : data;
      }),

    /** Branches into a new session and opens it. */
    branchToSession: async (turnId: TurnId, point: BranchPoint = 'reply'): Promise<SessionId | undefined> => {
      const source = getCurrent();
      const branch = source && branchToSession(getBranchSource(source, turnId, point), environment, turnId);
      if (!branch) return undefined;
      const hasNavigated = router.trackNavigation();
      await recorder.flush();
      const { session } = branch.data;
      // The history lists only sessions that have a summary.
      const data = { ...branch.data, session: { ...session, summary: summarizeForHistory(branch.data) } };
      await library.addSession(data, branch.runIds);
      // If the user has navigated in the meantime, the branch is only listed in the history.
      if (!hasNavigated()) router.navigate({ screen: 'playground', sessionId: branch.data.session.id });
      return branch.data.session.id;
    },
  };
}

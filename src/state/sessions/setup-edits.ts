/** Edits of setups, each of which can be undone: the newest first, and no more of it than it changed. */
import { changeSetups } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData, SessionId, Setup } from '../../conversation/session/types.ts';
import {
  findChangedFields,
  revertEdit,
  isTypedField,
  describeEqualizedField,
  type LaneEdit,
  type SetupField,
} from '../../conversation/setup/setup-changes.ts';
import { updateSession, getCurrentSession, type OfferUndo, type SessionStore } from './session-store.ts';
import type { ViewStore } from './view-store.ts';

interface SetupStep {
  sessionId: SessionId;
  fields: readonly SetupField[];
  lanes: readonly (LaneEdit & { laneId: LaneId })[];
}

type SetupEdit = (setup: Setup, laneId: LaneId) => Setup;

export type SetupEdits = ReturnType<typeof createSetupEdits>;

/** Older ones are let go. */
const maxSteps = 100;

export function createSetupEdits({
  store,
  view,
  offerUndo,
  withLearnedRefusals,
}: {
  store: SessionStore;
  view: ViewStore;
  offerUndo: OfferUndo;
  /** The setup without the fields that its model refused. */
  withLearnedRefusals: (setup: Setup) => Setup;
}) {
  let steps: readonly SetupStep[] = [];
  /** What is typed next goes on with the last step. */
  let isStepOpen = false;

  const findLastStep = (): SetupStep | undefined => {
    const { currentId } = store.getState();
    return steps.findLast(({ sessionId }) => sessionId === currentId);
  };

  function closeSetupUndo(): void {
    const { undo } = store.getState();
    if (undo?.isSetup) undo.expire();
  }

  /** Gives back what is left of the step; false where nothing is. */
  function undoStep(step: SetupStep): boolean {
    steps = steps.filter((other) => other !== step);
    isStepOpen = false;
    const openData = store.getState().open[step.sessionId];
    const remainingEdits = step.lanes.filter((edit) => {
      const setup = openData?.lanes[edit.laneId]?.setup;
      return setup !== undefined && revertEdit(setup, edit) !== setup;
    });
    updateSession(store, step.sessionId, (data) =>
      remainingEdits.reduce(
        (next, edit) => changeSetups(next, [edit.laneId], (setup) => revertEdit(setup, edit)),
        data,
      ),
    );
    return remainingEdits.length > 0;
  }

  function offerStepUndo(step: SetupStep, text: string): void {
    offerUndo(
      text,
      () => steps.includes(step) && undoStep(step),
      () => undefined,
      { sessionId: step.sessionId, isSetup: true },
    );
  }

  function isContinuation(lastStep: SetupStep, step: SetupStep): boolean {
    return (
      lastStep.sessionId === step.sessionId &&
      step.fields.every(isTypedField) &&
      lastStep.fields.join() === step.fields.join() &&
      lastStep.lanes.map(({ laneId }) => laneId).join() === step.lanes.map(({ laneId }) => laneId).join()
    );
  }

  return {
    /** Writes into these lanes of the session on screen. `sentence` offers Undo whatever the edit changes. */
    change: (laneIds: readonly LaneId[], requestedEdit: SetupEdit, sentence?: string): void => {
      const edit: SetupEdit = (setup, laneId) => withLearnedRefusals(requestedEdit(setup, laneId));
      const data = getCurrentSession(store.getState());
      if (!data) return;
      const lanes = laneIds.flatMap((laneId) => {
        const before = data.lanes[laneId]?.setup;
        return before ? [{ laneId, before, after: edit(before, laneId) }] : [];
      });
      updateSession(store, data.session.id, (current) => changeSetups(current, laneIds, edit));
      const fields = findChangedFields(lanes);
      if (fields.length === 0 && sentence === undefined) return;
      let step: SetupStep = { sessionId: data.session.id, fields, lanes };
      const lastStep = findLastStep();
      if (sentence === undefined && isStepOpen && lastStep && isContinuation(lastStep, step)) {
        steps = steps.filter((other) => other !== lastStep);
        step = {
          ...step,
          lanes: lanes.map((lane, index) => ({
            ...lane,
            before: lastStep.lanes[index]?.before ?? lane.before,
          })),
        };
      }
      isStepOpen = sentence === undefined;
      // What was typed and taken away again leaves nothing to undo.
      if (findChangedFields(step.lanes).length > 0) steps = [...steps, step].slice(-maxSteps);
      const message =
        sentence ?? describeEqualizedField(withLetters(data, step), view.getState().namesHidden);
      if (message === undefined) closeSetupUndo();
      else offerStepUndo(step, message);
    },

    /** Undoes the newest edit of the session on screen of which something is left, and says of what. */
    undo: (): string | undefined => {
      closeSetupUndo();
      for (let step = findLastStep(); step; step = findLastStep())
        if (undoStep(step))
          return `Undone: ${step.fields.map((field) => (field === 'system' ? 'system prompt' : field)).join(', ')}.`;
      return undefined;
    },

    canUndo: (): boolean => findLastStep() !== undefined,

    /** The field was left: what is typed next is an edit of its own. */
    endStep: (): void => {
      isStepOpen = false;
    },
  };
}

function withLetters({ session }: SessionData, { lanes }: SetupStep) {
  return lanes.map((lane) => ({ ...lane, letter: getLaneLetter(session.laneIds.indexOf(lane.laneId)) }));
}

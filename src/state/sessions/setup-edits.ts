/** Undoable edits of setups. Undo starts with the newest edit and reverts only what that edit changed. */
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
  content?: ContentEdit | undefined;
}

/** Change outside the setups that was made in the same step. */
export interface ContentEdit {
  /** Names of the changed fields, such as `message`. */
  fields: readonly string[];
  undo: () => void;
}

type SetupEdit = (setup: Setup, laneId: LaneId) => Setup;

export type SetupEdits = ReturnType<typeof createSetupEdits>;

/** Maximum number of undo steps; the oldest are dropped. */
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
  /** Returns the setup without the fields that its model rejected. */
  withLearnedRefusals: (setup: Setup) => Setup;
}) {
  let steps: readonly SetupStep[] = [];
  /** True while further typing extends the last step. */
  let isStepOpen = false;

  const findLastStep = (): SetupStep | undefined => {
    const { currentId } = store.getState();
    return steps.findLast(({ sessionId }) => sessionId === currentId);
  };

  function closeSetupUndo(): void {
    const { undo } = store.getState();
    if (undo?.isSetup) undo.expire();
  }

  /** Reverts the remaining changes of the step; returns false if there are none. */
  function undoStep(step: SetupStep): boolean {
    steps = steps.filter((other) => other !== step);
    isStepOpen = false;
    step.content?.undo();
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
    return remainingEdits.length > 0 || step.content !== undefined;
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
    /**
     * Edits these lanes of the current session. With `sentence`, Undo is offered even if nothing changed. Undo also
     * reverts `content`.
     */
    change: (
      laneIds: readonly LaneId[],
      requestedEdit: SetupEdit,
      sentence?: string,
      content?: ContentEdit,
    ): void => {
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
      let step: SetupStep = { sessionId: data.session.id, fields, lanes, content };
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
      // Text typed and removed again leaves nothing to undo.
      if (findChangedFields(step.lanes).length > 0 || content) steps = [...steps, step].slice(-maxSteps);
      const message =
        sentence ?? describeEqualizedField(withLetters(data, step), view.getState().namesHidden);
      if (message === undefined) closeSetupUndo();
      else offerStepUndo(step, message);
    },

    /** Reverts the newest edit of the current session that still has an effect, and returns its description. */
    undo: (): string | undefined => {
      closeSetupUndo();
      for (let step = findLastStep(); step; step = findLastStep())
        if (undoStep(step))
          return `Undid changes to ${[...step.fields, ...(step.content?.fields ?? [])].map((field) => (field === 'system' ? 'system prompt' : field)).join(', ')}.`;
      return undefined;
    },

    canUndo: (): boolean => findLastStep() !== undefined,

    /** Ends the step when the field loses focus, so further typing is a new edit. */
    endStep: (): void => {
      isStepOpen = false;
    },
  };
}

function withLetters({ session }: SessionData, { lanes }: SetupStep) {
  return lanes.map((lane) => ({ ...lane, letter: getLaneLetter(session.laneIds.indexOf(lane.laneId)) }));
}

/** Edits of setups, each of which can be undone: the newest first, and no more of it than it changed. */
import { changeSetups } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import type { LaneId, SessionData, SessionId, Setup } from '../../conversation/session/types.ts';
import {
  findChangedFields,
  revertEdit,
  isTypedField,
  describeLevelling,
  type LaneEdit,
  type SetupField,
} from '../../conversation/setup/setup-changes.ts';
import { changeSession, currentSession, type OfferUndo, type SessionStore } from './session-store.ts';
import type { ViewStore } from './view-store.ts';

interface Step {
  sessionId: SessionId;
  fields: readonly SetupField[];
  lanes: readonly (LaneEdit & { laneId: LaneId })[];
}

type SetupEdit = (setup: Setup, laneId: LaneId) => Setup;

export type SetupEdits = ReturnType<typeof createSetupEdits>;

/** Older ones are let go. */
const mostSteps = 100;

export function createSetupEdits({
  store,
  view,
  offerUndo,
  withRefused,
}: {
  store: SessionStore;
  view: ViewStore;
  offerUndo: OfferUndo;
  /** The setup without the fields that its model refused. */
  withRefused: (setup: Setup) => Setup;
}) {
  let steps: readonly Step[] = [];
  /** What is typed next goes on with the last step. */
  let isRunOpen = false;

  const ofSessionOnScreen = (): Step | undefined => {
    const { currentId } = store.getState();
    return steps.findLast(({ sessionId }) => sessionId === currentId);
  };

  function closeOwnOffer(): void {
    const { undo } = store.getState();
    if (undo?.isSetup) undo.expire();
  }

  /** Gives back what is left of the step; false where nothing is. */
  function giveBack(step: Step): boolean {
    steps = steps.filter((each) => each !== step);
    isRunOpen = false;
    const open = store.getState().open[step.sessionId];
    const left = step.lanes.filter((edit) => {
      const setup = open?.lanes[edit.laneId]?.setup;
      return setup !== undefined && revertEdit(setup, edit) !== setup;
    });
    changeSession(store, step.sessionId, (data) =>
      left.reduce((next, edit) => changeSetups(next, [edit.laneId], (now) => revertEdit(now, edit)), data),
    );
    return left.length > 0;
  }

  function offer(step: Step, text: string): void {
    offerUndo(
      text,
      () => steps.includes(step) && giveBack(step),
      () => undefined,
      { sessionId: step.sessionId, isSetup: true },
    );
  }

  function goesOn(last: Step, step: Step): boolean {
    return (
      last.sessionId === step.sessionId &&
      step.fields.every(isTypedField) &&
      last.fields.join() === step.fields.join() &&
      last.lanes.map(({ laneId }) => laneId).join() === step.lanes.map(({ laneId }) => laneId).join()
    );
  }

  return {
    /** Writes into these lanes of the session on screen. `sentence` offers Undo whatever the edit changes. */
    change: (laneIds: readonly LaneId[], anyEdit: SetupEdit, sentence?: string): void => {
      const edit: SetupEdit = (setup, laneId) => withRefused(anyEdit(setup, laneId));
      const data = currentSession(store.getState());
      if (!data) return;
      const lanes = laneIds.flatMap((laneId) => {
        const before = data.lanes[laneId]?.setup;
        return before ? [{ laneId, before, after: edit(before, laneId) }] : [];
      });
      changeSession(store, data.session.id, (now) => changeSetups(now, laneIds, edit));
      const fields = findChangedFields(lanes);
      if (fields.length === 0 && sentence === undefined) return;
      let step: Step = { sessionId: data.session.id, fields, lanes };
      const last = ofSessionOnScreen();
      if (sentence === undefined && isRunOpen && last && goesOn(last, step)) {
        steps = steps.filter((each) => each !== last);
        step = {
          ...step,
          lanes: lanes.map((lane, index) => ({ ...lane, before: last.lanes[index]?.before ?? lane.before })),
        };
      }
      isRunOpen = sentence === undefined;
      // What was typed and taken away again leaves nothing to undo.
      if (findChangedFields(step.lanes).length > 0) steps = [...steps, step].slice(-mostSteps);
      const words = sentence ?? describeLevelling(withLetters(data, step), view.getState().namesHidden);
      if (words === undefined) closeOwnOffer();
      else offer(step, words);
    },

    /** Undoes the newest edit of the session on screen of which something is left, and says of what. */
    undo: (): string | undefined => {
      closeOwnOffer();
      for (let step = ofSessionOnScreen(); step; step = ofSessionOnScreen())
        if (giveBack(step)) return `Undone: ${step.fields.join(', ')}.`;
      return undefined;
    },

    canUndo: (): boolean => ofSessionOnScreen() !== undefined,

    /** The field was left: what is typed next is an edit of its own. */
    endRun: (): void => {
      isRunOpen = false;
    },
  };
}

function withLetters({ session }: SessionData, { lanes }: Step) {
  return lanes.map((lane) => ({ ...lane, letter: getLaneLetter(session.laneIds.indexOf(lane.laneId)) }));
}

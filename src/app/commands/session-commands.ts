/** Commands for sessions and for all their lanes at once. */
import { isEmptySession } from '../../conversation/session/edit-session.ts';
import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { importChosenFile } from '../../features/playground/files/session-file-actions.ts';
import { noMoreLanes } from '../../features/playground/lane/lane-menu-items.ts';
import { bringLaneIntoView } from '../../features/playground/playground-focus-targets.ts';
import { sessionChoices } from '../../features/playground/session-bar/session-menu-items.ts';
import { resetParameters } from '../../features/playground/setup/setup-actions.ts';
import { ofSession, type Command } from './command.ts';

export const sessionCommands: readonly Command[] = [
  ofSession({
    id: 'add-lane',
    words: 'Add lane',
    group: 'Lanes',
    keys: [['Alt', 'Shift', 'L']],
    bindings: ['Alt+Shift+KeyL'],
    also: 'compare model column',
    blockedBy: (data) => noMoreLanes({ count: data.session.laneIds.length }),
    effect: () => 'a copy of the last lane',
    run: (_, { playground }) => playground.actions.addLane(),
  }),
  ...Array.from({ length: maxLanes }, (_, index): Command => {
    const letter = getLaneLetter(index);
    return ofSession({
      id: `view-lane-${letter}`,
      words: `Bring lane ${letter} into view`,
      group: 'Lanes',
      keys: [['Alt', 'Shift', String(index + 1)]],
      bindings: [`Alt+Shift+Digit${index + 1}`],
      also: 'scroll show',
      blockedBy: (data) => (data.session.laneIds.length <= index ? `There is no lane ${letter}` : undefined),
      run: (_data, { say }) => {
        bringLaneIntoView(letter);
        say(`Lane ${letter} in view.`);
      },
    });
  }),
  ofSession({
    id: 'fit-lanes',
    words: 'Fit all lanes into the window, or undo that',
    group: 'Lanes',
    also: 'narrow width squeeze',
    blockedBy: (data) => (data.session.laneIds.length < 2 ? 'Only one lane' : undefined),
    run: (_, { playground }) =>
      playground.view.setState(({ fitsLanes }) => ({ fitsLanes: !fitsLanes, soloLane: undefined })),
  }),
  ofSession({
    id: 'start-plain',
    words: 'Start plain, with one lane and no parameters',
    group: 'Session',
    also: 'reset blank',
    blockedBy: (data) => (isEmptySession(data) ? undefined : 'Only before the first message'),
    run: (_, { playground }) => playground.actions.resetLanes(),
  }),
  ofSession({
    id: 'hide-names',
    words: 'Hide or show model names',
    group: 'Lanes',
    also: 'blind',
    blockedBy: (data) => (data.session.laneIds.length < 2 ? 'Only one lane' : undefined),
    run: (_, { playground }) =>
      playground.view.setState(({ namesHidden }) => ({ namesHidden: !namesHidden })),
  }),
  ofSession({
    id: 'reset-parameters',
    words: 'Reset all parameters',
    group: 'Lanes',
    effect: () => 'in all lanes, back to a minimal request',
    run: (data, { playground }) => resetParameters(playground.actions, data.session.laneIds),
  }),
  ofSession({
    id: 'undo-setup',
    words: 'Undo the last setup change',
    group: 'Lanes',
    keys: [['Mod', 'Z']],
    // By what is written on the key: it lies elsewhere on some keyboards.
    bindings: ['$mod+z'],
    isLeftToFields: true,
    also: 'take back parameter model system prompt',
    blockedBy: (_, { playground }) => (playground.actions.canUndoSetupEdit() ? undefined : 'Nothing to undo'),
    run: (_, { playground, say }) => say(playground.actions.undoSetupEdit() ?? 'Nothing to undo.'),
  }),
  {
    id: 'new-session',
    words: 'New session',
    group: 'Session',
    keys: [['Mod', 'Shift', 'O']],
    bindings: ['$mod+Shift+KeyO'],
    run: ({ playground }) => playground.actions.createSession(),
  },
  ...sessionChoices.map(({ id, words, effect, also, blockedBy, run }) =>
    ofSession({
      id,
      words,
      group: 'Session',
      ...(also === undefined ? {} : { also }),
      ...(effect === undefined ? {} : { effect: () => effect }),
      ...(blockedBy === undefined ? {} : { blockedBy }),
      run: (data, { playground }) => run(playground, data),
    }),
  ),
  {
    id: 'import',
    words: 'Import a file',
    group: 'Session',
    also: 'sessions recordings tapes open json',
    run: ({ playground }) => importChosenFile(playground),
  },
];

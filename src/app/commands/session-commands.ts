/** Commands for sessions and for all their lanes at once. */
import { isEmptySession } from '../../conversation/session/edit.ts';
import { mostLanes } from '../../conversation/session/lanes.ts';
import { laneLetter } from '../../conversation/session/tree.ts';
import { importChosenFile, saveSession, saveTapesOf } from '../../features/playground/files/session-files.ts';
import { noMoreLanes } from '../../features/playground/lane/lane-choices.ts';
import { bringLaneIntoView } from '../../features/playground/places.ts';
import { resetParameters } from '../../features/playground/setup/whole-setups.ts';
import { setOpened } from '../../state/sessions/view-store.ts';
import { latestTurns, ofSession, withoutAnswer, type Command } from './command.ts';

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
  ...Array.from({ length: mostLanes }, (_, index): Command => {
    const letter = laneLetter(index);
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
      playground.view.setState(({ lanesFit }) => ({ lanesFit: !lanesFit, soloLane: undefined })),
  }),
  ofSession({
    id: 'start-plain',
    words: 'Start plain, with one lane and no parameters',
    group: 'Session',
    also: 'reset blank',
    blockedBy: (data) => (isEmptySession(data) ? undefined : 'Only before the first message'),
    run: (_, { playground }) => playground.actions.startPlain(),
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
  ofSession({
    id: 'duplicate-session',
    words: 'Duplicate the session',
    group: 'Session',
    blockedBy: (data) => (latestTurns(data).length === 0 ? 'No messages yet' : undefined),
    run: (data, { playground }) => playground.actions.duplicateSession(data.session.id),
  }),
  ofSession({
    id: 'share',
    words: 'Share setup',
    group: 'Session',
    also: 'link url',
    effect: () => 'as a link without a key',
    run: (_, { playground }) => setOpened(playground.view, 'share'),
  }),
  ...(['json', 'md', 'html'] as const).map((form) =>
    ofSession({
      id: `save-${form}`,
      words: { json: 'Export the session', md: 'Save as Markdown', html: 'Share answers' }[form],
      group: 'Session',
      also: 'file download save html page',
      ...(form === 'md'
        ? {}
        : {
            effect: () => (form === 'json' ? 'one JSON file that can be imported' : 'one HTML file to read'),
          }),
      run: (data, { playground }) => saveSession(playground, data.session.id, form),
    }),
  ),
  ofSession({
    id: 'save-tapes',
    words: 'Save recordings',
    group: 'Session',
    also: 'tapes jsonl file',
    effect: () => 'every recorded event as JSON Lines',
    blockedBy: withoutAnswer,
    run: (data, { playground }) => saveTapesOf(playground, data.session.id),
  }),
  {
    id: 'import',
    words: 'Import a file',
    group: 'Session',
    also: 'sessions recordings tapes open json',
    run: ({ playground }) => importChosenFile(playground),
  },
  ofSession({
    id: 'delete-session',
    words: 'Delete the session',
    group: 'Session',
    effect: () => 'can be undone for 8 seconds',
    run: (_, { playground }) => playground.actions.deleteSession(),
  }),
];

/** Commands for sessions and for all lanes of a session. */
import { isEmptySession } from '../../conversation/session/edit-session.ts';
import { maxLanes } from '../../conversation/session/lanes.ts';
import { getLaneLetter } from '../../conversation/session/turn-tree.ts';
import { getLaneLimitReason } from '../../features/lanes/lane-menu-items.ts';
import { resetParameters } from '../../features/parameters/setup-actions.ts';
import { importFromDialog } from '../../features/session-files/session-file-actions.ts';
import { sessionMenuItems } from '../../features/session/session-menu-items.ts';
import { bringLaneIntoView } from '../../features/workspace/playground-focus-targets.ts';
import { createSessionCommand, type Command } from './command.ts';

export const sessionCommands: readonly Command[] = [
  createSessionCommand({
    id: 'add-lane',
    label: 'Add lane',
    group: 'Lanes',
    keys: [['Alt', 'Shift', 'L']],
    bindings: ['Alt+Shift+KeyL'],
    keywords: 'compare model column',
    getBlocker: (data) => getLaneLimitReason({ count: data.session.laneIds.length }),
    getDescription: () => 'a copy of the last lane',
    run: (_, context) => context.actions.addLane(),
  }),
  ...Array.from({ length: maxLanes }, (_, index): Command => {
    const letter = getLaneLetter(index);
    return createSessionCommand({
      id: `view-lane-${letter}`,
      label: `Bring lane ${letter} into view`,
      group: 'Lanes',
      keys: [['Alt', 'Shift', String(index + 1)]],
      sharedShortcut: {
        label: 'Bring lane A to F into view',
        keys: [['Alt', 'Shift', `1 to ${maxLanes}`]],
      },
      bindings: [`Alt+Shift+Digit${index + 1}`],
      keywords: 'scroll show',
      getBlocker: (data) => (data.session.laneIds.length <= index ? `There is no lane ${letter}` : undefined),
      run: (_data, { announce }) => {
        bringLaneIntoView(letter);
        announce(`Lane ${letter} in view.`);
      },
    });
  }),
  createSessionCommand({
    id: 'fit-lanes',
    label: 'Toggle fit all lanes',
    group: 'Lanes',
    keywords: 'narrow width squeeze',
    getBlocker: (data) => (data.session.laneIds.length < 2 ? 'Only one lane' : undefined),
    run: (_, context) =>
      context.view.setState(({ fitsLanes }) => ({ fitsLanes: !fitsLanes, soloLane: undefined })),
  }),
  createSessionCommand({
    id: 'start-plain',
    label: 'Start fresh with one lane and no parameters',
    group: 'Session',
    keywords: 'reset blank',
    getBlocker: (data) => (isEmptySession(data) ? undefined : 'Only before the first message'),
    run: (_, context) => context.actions.resetLanes(),
  }),
  createSessionCommand({
    id: 'hide-names',
    label: 'Show or hide model names',
    group: 'Lanes',
    keywords: 'blind',
    getBlocker: (data) => (data.session.laneIds.length < 2 ? 'Only one lane' : undefined),
    run: (_, context) => context.view.setState(({ namesHidden }) => ({ namesHidden: !namesHidden })),
  }),
  createSessionCommand({
    id: 'reset-parameters',
    label: 'Reset all parameters',
    group: 'Lanes',
    getDescription: () => 'in all lanes, back to a minimal request',
    run: (data, context) => resetParameters(context.actions, data.session.laneIds),
  }),
  createSessionCommand({
    id: 'undo-setup',
    label: 'Undo the last setup change',
    group: 'Lanes',
    keys: [['Mod', 'Z']],
    // Bound by the printed letter, because the position of Z differs between keyboard layouts.
    bindings: ['$mod+z'],
    yieldsToFields: true,
    keywords: 'take back parameter model system prompt',
    getBlocker: (_, context) => (context.actions.canUndoSetupEdit() ? undefined : 'Nothing to undo'),
    run: (_, context) => context.announce(context.actions.undoSetupEdit() ?? 'Nothing to undo.'),
  }),
  {
    id: 'new-session',
    label: 'New session',
    group: 'Session',
    keys: [['Mod', 'Shift', 'O']],
    bindings: ['$mod+Shift+KeyO'],
    run: (context) => context.actions.createSession(),
  },
  ...sessionMenuItems.map(({ id, fullLabel: label, description, keywords, getDisabledReason, run }) =>
    createSessionCommand({
      id,
      label,
      group: 'Session',
      ...(keywords === undefined ? {} : { keywords }),
      ...(description === undefined ? {} : { getDescription: () => description }),
      ...(getDisabledReason === undefined ? {} : { getBlocker: getDisabledReason }),
      run: (data, context) => run(context, data),
    }),
  ),
  {
    id: 'import',
    label: 'Import a file',
    group: 'Session',
    keywords: 'sessions recordings tapes open json',
    run: (context) => importFromDialog(context),
  },
];

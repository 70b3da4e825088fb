/** Commands for the page: overlays, regions and appearance. */
import { getLatestTurns } from '../../conversation/session/turn-tree.ts';
import { getPresentationBlocker, getTrialShortcuts } from '../../features/trials/trial-view.ts';
import { sessionFindField } from '../../features/workspace/playground-focus-targets.ts';
import { toggleParameters } from '../../features/workspace/use-parameters-open.ts';
import { openFind } from '../../state/find/find-store.ts';
import type { Theme } from '../../state/prefs-store.ts';
import { focusNextRegion } from '../../ui/focus/regions.ts';
import { openHelp } from '../open-help.ts';
import { openPresentation } from '../open-presentation.ts';
import { createSessionCommand, getVisibleSession, type Command } from './command.ts';

function createThemeCommand(theme: Theme, label: string): Command {
  return {
    id: `theme-${theme}`,
    label,
    group: 'Screen',
    keywords: 'theme colours dark light',
    getDisabledReason: (context) => (context.prefs.getState().theme === theme ? 'In use' : undefined),
    run: (context) => context.prefs.setState({ theme }),
  };
}

export const screenCommands: readonly Command[] = [
  {
    id: 'palette',
    label: 'Search or run a command',
    group: 'Screen',
    keys: [['Mod', 'K']],
    bindings: ['$mod+KeyK'],
    run: ({ pageState }) => pageState.setState({ openOverlay: 'palette' }),
  },
  {
    id: 'keys',
    label: 'Show keyboard shortcuts',
    group: 'Screen',
    keys: [['?']],
    bindings: ['?', 'Shift+?'],
    isSingleKey: true,
    keywords: 'list all keys help',
    run: ({ pageState }) => pageState.setState({ openOverlay: 'keys' }),
  },
  {
    id: 'help',
    label: 'Help',
    group: 'Screen',
    keys: [['F1']],
    bindings: ['F1'],
    worksOverOverlays: true,
    keywords: 'documentation manual guide explain',
    run: ({ view }) => openHelp(view),
  },
  {
    id: 'settings',
    label: 'Open settings',
    group: 'Screen',
    keys: [['Mod', ',']],
    bindings: ['$mod+Comma'],
    keywords: 'preferences density storage requests per minute erase read replies by sentence',
    run: ({ pageState }) => pageState.setState({ openOverlay: 'settings' }),
  },
  {
    id: 'present',
    label: 'Present',
    group: 'Screen',
    keys: [['Alt', 'Shift', 'P']],
    bindings: ['Alt+Shift+KeyP'],
    keywords: 'presentation stage demo full screen',
    getDisabledReason: (context) => {
      const data = getVisibleSession(context);
      if (data) return getLatestTurns(data).length === 0 ? 'No messages yet' : undefined;
      return getPresentationBlocker(getTrialShortcuts(context.lazyTrials)?.trial.state.getState());
    },
    getDescription: () => 'large text, no controls',
    run: openPresentation,
  },
  createSessionCommand({
    id: 'find',
    label: 'Find in session',
    group: 'Screen',
    keys: [['Mod', 'F']],
    bindings: ['$mod+KeyF'],
    yieldsToBrowser: true,
    keywords: 'search messages text hits',
    // Pressing the key again opens the browser's own search.
    getBlocker: (_, context) => (context.find.getState().isInputFocused ? 'Already open' : undefined),
    run: (data, context) => {
      openFind(context.find, data.session.id);
      sessionFindField.focus();
    },
  }),
  createSessionCommand({
    id: 'toggle-parameters',
    label: 'Show or hide parameters',
    group: 'Screen',
    keys: [['Mod', '\\']],
    bindings: ['$mod+(\\\\|Backslash)'],
    keywords: 'sidebar',
    run: (_, context) => toggleParameters(context),
  }),
  {
    id: 'next-region',
    label: 'Focus next region',
    group: 'Screen',
    keys: [['F6']],
    bindings: ['F6'],
    run: () => focusNextRegion(1),
  },
  {
    id: 'previous-region',
    label: 'Focus previous region',
    group: 'Screen',
    keys: [['Shift', 'F6']],
    bindings: ['Shift+F6'],
    run: () => focusNextRegion(-1),
  },
  createThemeCommand('light', 'Use light theme'),
  createThemeCommand('dark', 'Use dark theme'),
  createThemeCommand('system', 'Use system theme'),
  {
    id: 'density',
    label: 'Change density',
    group: 'Screen',
    keywords: 'compact comfortable rows size',
    getDescription: (context) =>
      context.prefs.getState().density === 'comfortable'
        ? 'switch to compact'
        : 'switch to comfortable (taller rows, larger text)',
    run: (context) =>
      context.prefs.setState(({ density }) => ({
        density: density === 'comfortable' ? 'compact' : 'comfortable',
      })),
  },
  {
    id: 'read-by-sentence',
    label: 'Read replies sentence by sentence',
    group: 'Screen',
    keywords: 'screen reader aloud announce',
    getDescription: (context) =>
      context.prefs.getState().readBySentence ? 'turn off' : 'turn on, for screen readers',
    run: (context) => {
      context.prefs.setState(({ readBySentence }) => ({ readBySentence: !readBySentence }));
      context.announce(
        `Reading replies sentence by sentence is ${context.prefs.getState().readBySentence ? 'on' : 'off'}.`,
      );
    },
  },
];

/** Commands for what is on screen: what lies over the page, its parts, and its looks. */
import { getLatestTurns } from '../../conversation/session/turn-tree.ts';
import { findField } from '../../features/playground/playground-focus-targets.ts';
import { toggleParameters } from '../../features/playground/use-parameters-open.ts';
import { openFind } from '../../state/find/find-store.ts';
import type { Theme } from '../../state/prefs-store.ts';
import { focusNextRegion } from '../../ui/focus/regions.ts';
import { ofSession, type Command } from './command.ts';

function themeCommand(theme: Theme, words: string): Command {
  return {
    id: `theme-${theme}`,
    words,
    group: 'Screen',
    also: 'theme colours dark light',
    blockedBy: ({ playground }) => (playground.prefs.getState().theme === theme ? 'In use' : undefined),
    run: ({ playground }) => playground.prefs.setState({ theme }),
  };
}

export const screenCommands: readonly Command[] = [
  {
    id: 'palette',
    words: 'Search or run a command',
    group: 'Screen',
    keys: [['Mod', 'K']],
    bindings: ['$mod+KeyK'],
    run: ({ pageState }) => pageState.setState({ open: 'palette' }),
  },
  {
    id: 'keys',
    words: 'Show keyboard shortcuts',
    group: 'Screen',
    keys: [['?']],
    bindings: ['?', 'Shift+?'],
    isSingle: true,
    also: 'list all keys help',
    run: ({ pageState }) => pageState.setState({ open: 'keys' }),
  },
  {
    id: 'settings',
    words: 'Open settings',
    group: 'Screen',
    keys: [['Mod', ',']],
    bindings: ['$mod+Comma'],
    also: 'preferences density storage requests per minute erase read replies by sentence',
    run: ({ pageState }) => pageState.setState({ open: 'settings' }),
  },
  ofSession({
    id: 'present',
    words: 'Present',
    group: 'Screen',
    keys: [['Alt', 'Shift', 'P']],
    bindings: ['Alt+Shift+KeyP'],
    also: 'presentation stage demo full screen',
    blockedBy: (data) => (getLatestTurns(data).length === 0 ? 'No messages yet' : undefined),
    effect: () => 'large text, no controls',
    run: (_, { pageState }) => pageState.setState({ open: 'presentation' }),
  }),
  ofSession({
    id: 'find',
    words: 'Find in session',
    group: 'Screen',
    keys: [['Mod', 'F']],
    bindings: ['$mod+KeyF'],
    isSharedWithBrowser: true,
    also: 'search messages text hits',
    // The second time in a row the browser's own search opens.
    blockedBy: (_, { playground }) =>
      playground.find.getState().isInputFocused ? 'Already open' : undefined,
    run: (data, { playground }) => {
      openFind(playground.find, data.session.id);
      findField.focus();
    },
  }),
  ofSession({
    id: 'toggle-parameters',
    words: 'Show or hide the parameters',
    group: 'Screen',
    keys: [['Mod', '\\']],
    bindings: ['$mod+(\\\\|Backslash)'],
    also: 'sidebar',
    run: (_, { playground }) => toggleParameters(playground),
  }),
  {
    id: 'next-region',
    words: 'Go to the next part of the page',
    group: 'Screen',
    keys: [['F6']],
    bindings: ['F6'],
    run: () => focusNextRegion(1),
  },
  {
    id: 'previous-region',
    words: 'Go to the previous part of the page',
    group: 'Screen',
    keys: [['Shift', 'F6']],
    bindings: ['Shift+F6'],
    run: () => focusNextRegion(-1),
  },
  themeCommand('light', 'Use light theme'),
  themeCommand('dark', 'Use dark theme'),
  themeCommand('system', 'Use system theme'),
  {
    id: 'density',
    words: 'Change density',
    group: 'Screen',
    also: 'compact comfortable rows size',
    effect: ({ playground }) =>
      playground.prefs.getState().density === 'comfortable'
        ? 'to compact'
        : 'to comfortable: taller rows, larger text',
    run: ({ playground }) =>
      playground.prefs.setState(({ density }) => ({
        density: density === 'comfortable' ? 'compact' : 'comfortable',
      })),
  },
  {
    id: 'read-by-sentence',
    words: 'Read replies by sentence',
    group: 'Screen',
    also: 'screen reader aloud announce',
    effect: ({ playground }) =>
      playground.prefs.getState().readBySentence ? 'turns it off' : 'turns it on, for screen readers',
    run: ({ playground, say }) => {
      playground.prefs.setState(({ readBySentence }) => ({ readBySentence: !readBySentence }));
      say(`Reading replies by sentence is ${playground.prefs.getState().readBySentence ? 'on' : 'off'}.`);
    },
  },
];

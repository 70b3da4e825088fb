/** Every key of the app, as the sheet lists them. `binding` (tinykeys) and `does` stand where the app itself listens. */

export type ShortcutAction = 'toggle-parameters' | 'toggle-inspector' | 'new-session' | 'open-history' | 'stop' | 'show-keys';

export interface Shortcut {
  /** Each inner list is pressed together; `Mod` is Ctrl, on a Mac Cmd. */
  keys: readonly (readonly string[])[];
  what: string;
  where: 'Anywhere' | 'Message' | 'Conversation' | 'Lists and menus' | 'Parameters';
  bindings?: readonly string[];
  does?: ShortcutAction;
  /** A single key, which types where one can type. */
  isSingle?: true;
}

export const shortcuts: readonly Shortcut[] = [
  {
    keys: [['?']],
    what: 'List all keys',
    where: 'Anywhere',
    bindings: ['?', 'Shift+?'],
    does: 'show-keys',
    isSingle: true,
  },
  {
    keys: [['Mod', '\\']],
    what: 'Show or hide the parameters',
    where: 'Anywhere',
    bindings: ['$mod+(\\\\|Backslash)'],
    does: 'toggle-parameters',
  },
  {
    keys: [['Mod', 'I']],
    what: 'Open or close the inspector',
    where: 'Anywhere',
    bindings: ['$mod+KeyI'],
    does: 'toggle-inspector',
  },
  {
    keys: [['Mod', 'Shift', 'O']],
    what: 'New session',
    where: 'Anywhere',
    bindings: ['$mod+Shift+KeyO'],
    does: 'new-session',
  },
  {
    keys: [['Mod', 'Shift', 'H']],
    what: 'Open the history',
    where: 'Anywhere',
    bindings: ['$mod+Shift+KeyH'],
    does: 'open-history',
  },
  {
    keys: [['Esc']],
    what: 'Close what is open, then stop what runs',
    where: 'Anywhere',
    bindings: ['Escape'],
    does: 'stop',
  },
  { keys: [['Enter']], what: 'Send', where: 'Message' },
  { keys: [['Mod', 'Enter']], what: 'Send, also on a touch keyboard', where: 'Message' },
  { keys: [['Shift', 'Enter']], what: 'New line', where: 'Message' },
  { keys: [['↑']], what: 'In an empty field: edit the last message', where: 'Message' },
  { keys: [['↑'], ['↓']], what: 'Move', where: 'Lists and menus' },
  { keys: [['Enter']], what: 'Use', where: 'Lists and menus' },
  { keys: [['Esc']], what: 'Close and restore', where: 'Lists and menus' },
  { keys: [['↑'], ['↓']], what: 'One step; with Shift ten', where: 'Parameters' },
  { keys: [['Page Up'], ['Page Down']], what: 'A large step', where: 'Parameters' },
  { keys: [['Backspace']], what: 'In an empty field: do not send it', where: 'Parameters' },
];

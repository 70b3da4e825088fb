/** Keys that parts of the page listen to themselves: on the sheet beside those of the commands. */
export interface PartKey {
  keys: readonly (readonly string[])[];
  what: string;
  where: string;
}

export const partKeys: readonly PartKey[] = [
  { keys: [['Esc']], what: 'Close what is open, then stop what runs', where: 'Screen' },
  { keys: [['Enter']], what: 'Send', where: 'Message' },
  { keys: [['Mod', 'Enter']], what: 'Send, also on a touch keyboard', where: 'Message' },
  { keys: [['Shift', 'Enter']], what: 'New line', where: 'Message' },
  { keys: [['↑']], what: 'In an empty field: edit the last message', where: 'Message' },
  { keys: [['↑'], ['↓']], what: 'Move', where: 'Lists and menus' },
  { keys: [['Enter']], what: 'Use', where: 'Lists and menus' },
  {
    keys: [['Mod', 'Enter']],
    what: 'Model in a new lane; command without closing',
    where: 'Lists and menus',
  },
  { keys: [['Esc']], what: 'Close and restore', where: 'Lists and menus' },
  { keys: [['←'], ['→']], what: 'From the button of a lane to that of the next', where: 'Lanes' },
  { keys: [['↑'], ['↓']], what: 'One step; with Shift ten', where: 'Parameters' },
  { keys: [['Page Up'], ['Page Down']], what: 'A large step', where: 'Parameters' },
  { keys: [['Backspace']], what: 'In an empty field: do not send it', where: 'Parameters' },
  { keys: [['←'], ['→']], what: 'Turns', where: 'Presentation' },
  { keys: [['1'], ['6']], what: 'Focus a lane; again: all', where: 'Presentation' },
  { keys: [['N'], ['M']], what: 'Hide names, hide numbers', where: 'Presentation' },
  { keys: [['R']], what: 'Play the recording; again: pause', where: 'Presentation' },
  { keys: [['T']], what: 'Show the reasoning', where: 'Presentation' },
];

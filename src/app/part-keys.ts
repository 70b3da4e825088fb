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
  { keys: [['←'], ['→']], what: 'The one before, the one after', where: 'Versions and candidates' },
  { keys: [['↑'], ['↓']], what: 'One step; with Shift ten', where: 'Parameters' },
  { keys: [['Page Up'], ['Page Down']], what: 'A large step', where: 'Parameters' },
  { keys: [['Backspace']], what: 'In an empty field: do not send it', where: 'Parameters' },
  { keys: [['←'], ['→']], what: 'On the tile of a lane: one step; with Shift ten', where: 'Parameters' },
  { keys: [['Esc']], what: 'On the tile of a lane: put it back', where: 'Parameters' },
  { keys: [['←'], ['→']], what: 'Turns', where: 'Presentation' },
  { keys: [['1'], ['6']], what: 'Focus a lane; again: all', where: 'Presentation' },
  { keys: [['N'], ['M']], what: 'Hide names, hide numbers', where: 'Presentation' },
  { keys: [['R']], what: 'Play the recording; again: pause', where: 'Presentation' },
  { keys: [['T']], what: 'Show the reasoning', where: 'Presentation' },
  { keys: [['Mod', 'Enter']], what: 'In the field of texts: embed', where: 'Embeddings' },
  { keys: [['Enter']], what: 'In the query: embed it and show its nearest', where: 'Embeddings' },
  { keys: [['←'], ['→']], what: 'From the name of a view to the next', where: 'Embeddings' },
  { keys: [['↑'], ['↓']], what: 'Choose a text; with Shift several', where: 'Embeddings: texts' },
  { keys: [['Page Up'], ['Page Down']], what: 'A screenful of texts', where: 'Embeddings: texts' },
  { keys: [['Home'], ['End']], what: 'First and last text', where: 'Embeddings: texts' },
  { keys: [['←'], ['→'], ['↑'], ['↓']], what: 'To the next point', where: 'Embeddings: map' },
  { keys: [['Enter']], what: 'Show the nearest of the point', where: 'Embeddings: map' },
  { keys: [['Esc']], what: 'Choose none', where: 'Embeddings: map' },
  { keys: [['+'], ['-'], ['0']], what: 'Nearer, farther, all points', where: 'Embeddings: map' },
  {
    keys: [['←'], ['→'], ['↑'], ['↓']],
    what: 'To the next cell; with Shift ten',
    where: 'Embeddings: similarity',
  },
  { keys: [['Page Up'], ['Page Down']], what: 'Ten rows', where: 'Embeddings: similarity' },
  {
    keys: [['Home'], ['End']],
    what: 'Ends of the row; with Ctrl of the matrix',
    where: 'Embeddings: similarity',
  },
  {
    keys: [['+'], ['-'], ['0']],
    what: 'A large matrix: nearer, farther, all',
    where: 'Embeddings: similarity',
  },
];

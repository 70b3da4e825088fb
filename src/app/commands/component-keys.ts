export interface PartKey {
  keys: readonly (readonly string[])[];
  what: string;
  where: string;
}

/** Keys that parts of the page listen to themselves, by the path of their screen: on the sheet beside those of the commands. */
export const partKeys: Readonly<Record<string, readonly PartKey[]>> = {
  everywhere: [
    { keys: [['Esc']], what: 'Close the open panel, then stop generating', where: 'Screen' },
    { keys: [['↑'], ['↓']], what: 'Move', where: 'Lists and menus' },
    { keys: [['Enter']], what: 'Use', where: 'Lists and menus' },
    {
      keys: [['Mod', 'Enter']],
      what: 'Use in a new lane; run and keep open',
      where: 'Lists and menus',
    },
    { keys: [['Esc']], what: 'Close without changing', where: 'Lists and menus' },
  ],
  '/': [
    { keys: [['Enter'], ['F3']], what: 'Next hit; the previous one with Shift', where: 'Find in session' },
    { keys: [['Esc']], what: 'Close, and go on at the hit', where: 'Find in session' },
    { keys: [['Enter']], what: 'Send', where: 'Message' },
    { keys: [['Mod', 'Enter']], what: 'Send, also on a touch keyboard', where: 'Message' },
    { keys: [['Shift', 'Enter']], what: 'New line', where: 'Message' },
    { keys: [['↑']], what: 'In an empty field: edit the last message', where: 'Message' },
    { keys: [['←'], ['→']], what: 'Same button in the next lane', where: 'Lanes' },
    { keys: [['←'], ['→']], what: 'Previous, next', where: 'Versions and candidates' },
    { keys: [['↑'], ['↓']], what: 'One step; ten with Shift', where: 'Parameters' },
    { keys: [['Page Up'], ['Page Down']], what: 'Large step', where: 'Parameters' },
    { keys: [['Backspace']], what: 'In an empty field: do not send it', where: 'Parameters' },
    { keys: [['←'], ['→']], what: 'On a lane tile: one step; ten with Shift', where: 'Parameters' },
    { keys: [['Esc']], what: 'On a lane tile: restore the value', where: 'Parameters' },
    { keys: [['←'], ['→']], what: 'Turns', where: 'Presentation' },
    { keys: [['1'], ['6']], what: 'Show one lane; press again for all', where: 'Presentation' },
    { keys: [['N'], ['M']], what: 'Hide names, hide numbers', where: 'Presentation' },
    { keys: [['R']], what: 'Replay; press again to pause', where: 'Presentation' },
    { keys: [['T']], what: 'Show the reasoning', where: 'Presentation' },
  ],
  '/trials': [
    { keys: [['←'], ['→'], ['↑'], ['↓']], what: 'Next cell', where: 'Trials: cases' },
    { keys: [['Page Up'], ['Page Down']], what: 'One page of cases', where: 'Trials: cases' },
    { keys: [['Home'], ['End']], what: 'Ends of the row; of the grid with Ctrl', where: 'Trials: cases' },
    { keys: [['Enter']], what: 'Open the cell', where: 'Trials: cases' },
    { keys: [['Space']], what: 'Play its recording', where: 'Trials: cases' },
    { keys: [['Esc']], what: 'Back to the cases; then pause', where: 'Trials: cases' },
  ],
  '/embeddings': [
    { keys: [['Mod', 'Enter']], what: 'In the Texts field: embed', where: 'Embeddings' },
    { keys: [['Enter']], what: 'In the query: embed it and show the nearest texts', where: 'Embeddings' },
    { keys: [['←'], ['→']], what: 'Next tab', where: 'Embeddings' },
    { keys: [['↑'], ['↓']], what: 'Select a text; several with Shift', where: 'Embeddings: texts' },
    { keys: [['Page Up'], ['Page Down']], what: 'One page of texts', where: 'Embeddings: texts' },
    { keys: [['Home'], ['End']], what: 'First and last text', where: 'Embeddings: texts' },
    { keys: [['←'], ['→'], ['↑'], ['↓']], what: 'Next point', where: 'Embeddings: map' },
    { keys: [['Enter']], what: 'Show the nearest texts', where: 'Embeddings: map' },
    { keys: [['Esc']], what: 'Clear selection', where: 'Embeddings: map' },
    { keys: [['+'], ['-'], ['0']], what: 'Zoom in, zoom out, fit', where: 'Embeddings: map' },
    {
      keys: [['←'], ['→'], ['↑'], ['↓']],
      what: 'Next cell; ten with Shift',
      where: 'Embeddings: similarity',
    },
    { keys: [['Page Up'], ['Page Down']], what: 'Ten rows', where: 'Embeddings: similarity' },
    {
      keys: [['Home'], ['End']],
      what: 'Ends of the row; of the matrix with Ctrl',
      where: 'Embeddings: similarity',
    },
    {
      keys: [['+'], ['-'], ['0']],
      what: 'Large matrix: zoom in, zoom out, fit',
      where: 'Embeddings: similarity',
    },
  ],
};

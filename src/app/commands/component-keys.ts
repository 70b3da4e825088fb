export interface ComponentKey {
  keys: readonly (readonly string[])[];
  label: string;
  group: string;
}

/** Keys that parts of the page listen to themselves, by the path of their screen: on the sheet beside those of the commands. */
export const componentKeys: Readonly<Record<string, readonly ComponentKey[]>> = {
  everywhere: [
    { keys: [['Esc']], label: 'Close the open panel, then stop generating', group: 'Screen' },
    { keys: [['↑'], ['↓']], label: 'Move', group: 'Lists and menus' },
    { keys: [['Enter']], label: 'Use', group: 'Lists and menus' },
    {
      keys: [['Mod', 'Enter']],
      label: 'Use in a new lane; run and keep open',
      group: 'Lists and menus',
    },
    { keys: [['Esc']], label: 'Close without changing', group: 'Lists and menus' },
  ],
  '/': [
    { keys: [['Enter'], ['F3']], label: 'Next hit; the previous one with Shift', group: 'Find in session' },
    { keys: [['Esc']], label: 'Close, and go on at the hit', group: 'Find in session' },
    { keys: [['Enter']], label: 'Send', group: 'Message' },
    { keys: [['Mod', 'Enter']], label: 'Send, also on a touch keyboard', group: 'Message' },
    { keys: [['Shift', 'Enter']], label: 'New line', group: 'Message' },
    { keys: [['↑']], label: 'In an empty field: edit the last message', group: 'Message' },
    { keys: [['←'], ['→']], label: 'Same button in the next lane', group: 'Lanes' },
    { keys: [['←'], ['→']], label: 'Previous, next', group: 'Versions and candidates' },
    { keys: [['↑'], ['↓']], label: 'One step; ten with Shift', group: 'Parameters' },
    { keys: [['Page Up'], ['Page Down']], label: 'Large step', group: 'Parameters' },
    { keys: [['Backspace']], label: 'In an empty field: do not send it', group: 'Parameters' },
    { keys: [['←'], ['→']], label: 'On a lane tile: one step; ten with Shift', group: 'Parameters' },
    { keys: [['Esc']], label: 'On a lane tile: restore the value', group: 'Parameters' },
    { keys: [['←'], ['→']], label: 'Turns', group: 'Presentation' },
    { keys: [['1'], ['6']], label: 'Show one lane; press again for all', group: 'Presentation' },
    { keys: [['N'], ['M']], label: 'Hide names, hide numbers', group: 'Presentation' },
    { keys: [['R']], label: 'Replay; press again to pause', group: 'Presentation' },
    { keys: [['T']], label: 'Show the reasoning', group: 'Presentation' },
  ],
  '/trials': [
    { keys: [['←'], ['→'], ['↑'], ['↓']], label: 'Next cell', group: 'Trials: cases' },
    { keys: [['Page Up'], ['Page Down']], label: 'One page of cases', group: 'Trials: cases' },
    { keys: [['Home'], ['End']], label: 'Ends of the row; of the grid with Ctrl', group: 'Trials: cases' },
    { keys: [['Enter']], label: 'Open the cell', group: 'Trials: cases' },
    { keys: [['Space']], label: 'Play its recording', group: 'Trials: cases' },
    { keys: [['Esc']], label: 'Back to the cases; then pause', group: 'Trials: cases' },
  ],
  '/embeddings': [
    { keys: [['Mod', 'Enter']], label: 'In the Texts field: embed', group: 'Embeddings' },
    { keys: [['Enter']], label: 'In the query: embed it and show the nearest texts', group: 'Embeddings' },
    { keys: [['←'], ['→']], label: 'Next tab', group: 'Embeddings' },
    { keys: [['↑'], ['↓']], label: 'Select a text; several with Shift', group: 'Embeddings: texts' },
    { keys: [['Page Up'], ['Page Down']], label: 'One page of texts', group: 'Embeddings: texts' },
    { keys: [['Home'], ['End']], label: 'First and last text', group: 'Embeddings: texts' },
    { keys: [['←'], ['→'], ['↑'], ['↓']], label: 'Next point', group: 'Embeddings: map' },
    { keys: [['Enter']], label: 'Show the nearest texts', group: 'Embeddings: map' },
    { keys: [['Esc']], label: 'Clear selection', group: 'Embeddings: map' },
    { keys: [['+'], ['-'], ['0']], label: 'Zoom in, zoom out, fit', group: 'Embeddings: map' },
    {
      keys: [['←'], ['→'], ['↑'], ['↓']],
      label: 'Next cell; ten with Shift',
      group: 'Embeddings: similarity',
    },
    { keys: [['Page Up'], ['Page Down']], label: 'Ten rows', group: 'Embeddings: similarity' },
    {
      keys: [['Home'], ['End']],
      label: 'Ends of the row; of the matrix with Ctrl',
      group: 'Embeddings: similarity',
    },
    {
      keys: [['+'], ['-'], ['0']],
      label: 'Large matrix: zoom in, zoom out, fit',
      group: 'Embeddings: similarity',
    },
  ],
};

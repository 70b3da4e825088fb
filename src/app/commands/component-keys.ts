export interface ComponentKey {
  keys: readonly (readonly string[])[];
  label: string;
  group: string;
}

/**
 * Keys that components handle themselves, by the path of their screen. The list of keys shows them beside the command
 * keys.
 */
export const componentKeys: Readonly<Record<string, readonly ComponentKey[]>> = {
  everywhere: [
    { keys: [['Esc']], label: 'Close panel; if none, stop generating', group: 'Screen' },
    { keys: [['↑'], ['↓']], label: 'Move', group: 'Lists and menus' },
    { keys: [['Enter']], label: 'Select', group: 'Lists and menus' },
    {
      keys: [['Mod', 'Enter']],
      label: 'Model: use in a new lane; command: run and stay here',
      group: 'Lists and menus',
    },
    { keys: [['Esc']], label: 'Close without changing', group: 'Lists and menus' },
  ],
  '/': [
    { keys: [['Enter'], ['F3']], label: 'Next hit; previous with Shift', group: 'Find in session' },
    { keys: [['Esc']], label: 'Close and keep the current position', group: 'Find in session' },
    { keys: [['Enter']], label: 'Send', group: 'Message' },
    { keys: [['Mod', 'Enter']], label: 'Send (also on touch keyboards)', group: 'Message' },
    { keys: [['Shift', 'Enter']], label: 'New line', group: 'Message' },
    { keys: [['↑']], label: 'In an empty field: edit last message', group: 'Message' },
    { keys: [['←'], ['→']], label: 'Same button in the previous or next lane', group: 'Lanes' },
    { keys: [['←'], ['→']], label: 'Previous or next', group: 'Versions and candidates' },
    { keys: [['↑'], ['↓']], label: 'One step; ten with Shift', group: 'Parameters' },
    { keys: [['Page Up'], ['Page Down']], label: 'Large step', group: 'Parameters' },
    { keys: [['Backspace']], label: 'In an empty field: do not send the parameter', group: 'Parameters' },
    { keys: [['←'], ['→']], label: 'On a lane marker: one step; ten with Shift', group: 'Parameters' },
    { keys: [['Esc']], label: 'On a lane marker: restore the value', group: 'Parameters' },
    { keys: [['←'], ['→']], label: 'Previous or next turn', group: 'Presentation' },
    { keys: [['1 to 6']], label: 'Show only that lane; press again to show all', group: 'Presentation' },
    { keys: [['N'], ['M']], label: 'Show or hide names (N) or metrics (M)', group: 'Presentation' },
    { keys: [['R']], label: 'Replay; press again to pause', group: 'Presentation' },
    { keys: [['T']], label: 'Show or hide reasoning', group: 'Presentation' },
  ],
  '/trials': [
    { keys: [['←'], ['→'], ['↑'], ['↓']], label: 'Move between cells', group: 'Cases' },
    { keys: [['Page Up'], ['Page Down']], label: 'One page up or down', group: 'Cases' },
    {
      keys: [['Home'], ['End']],
      label: 'Start or end of row; with Ctrl, of the grid',
      group: 'Cases',
    },
    { keys: [['Enter']], label: 'Open cell', group: 'Cases' },
    {
      keys: [
        ['Shift', '←'],
        ['Shift', '→'],
      ],
      label: 'Resize the column; Shift+Enter fits it',
      group: 'Cases',
    },
    { keys: [['Space']], label: 'Play recording', group: 'Cases' },
    { keys: [['Esc']], label: 'Return to cases; press again to pause the trial', group: 'Cases' },
    { keys: [['←'], ['→']], label: 'Previous or next case', group: 'Presentation' },
  ],
  '/embeddings': [
    { keys: [['Mod', 'Enter']], label: 'In the Texts field: embed', group: 'Embeddings' },
    { keys: [['Enter']], label: 'In the query field: find nearest texts', group: 'Embeddings' },
    { keys: [['←'], ['→']], label: 'Previous or next tab', group: 'Embeddings' },
    { keys: [['↑'], ['↓']], label: 'Select a text; several with Shift', group: 'Texts' },
    { keys: [['Page Up'], ['Page Down']], label: 'One page up or down', group: 'Texts' },
    { keys: [['Home'], ['End']], label: 'First or last text', group: 'Texts' },
    { keys: [['←'], ['→'], ['↑'], ['↓']], label: 'Move between points', group: 'Map' },
    { keys: [['Enter']], label: 'Show nearest texts', group: 'Map' },
    { keys: [['Esc']], label: 'Clear selection', group: 'Map' },
    { keys: [['+'], ['-'], ['0']], label: 'Zoom in, zoom out, fit', group: 'Map' },
    {
      keys: [['←'], ['→'], ['↑'], ['↓']],
      label: 'Move one cell; ten with Shift',
      group: 'Similarity',
    },
    { keys: [['Page Up'], ['Page Down']], label: 'Ten rows up or down', group: 'Similarity' },
    {
      keys: [['Home'], ['End']],
      label: 'Start or end of row; with Ctrl, of the matrix',
      group: 'Similarity',
    },
    {
      keys: [['+'], ['-'], ['0']],
      label: 'Zoom in, zoom out, fit (large matrix)',
      group: 'Similarity',
    },
  ],
};

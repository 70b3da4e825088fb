/** Settings of each kind of check, as rows for the editor. */
import type { Check } from '../../../trials/trial.ts';

export type CheckSettingRow = { name: string; label: string } & (
  | { type: 'flag' | 'text' | 'JSON' }
  | { type: 'number'; unit: string }
  /** Options; the first is the default. */
  | { type: 'choice'; choices: readonly string[] }
);

const textComparisonSettings: readonly CheckSettingRow[] = [
  { name: 'ignoreCase', label: 'Ignore case', type: 'flag' },
  { name: 'ignoreSpace', label: 'Ignore whitespace', type: 'flag' },
  { name: 'ignoreLastStop', label: 'Ignore a final full stop', type: 'flag' },
  { name: 'ignoreQuotes', label: 'Ignore quotation marks', type: 'flag' },
];
const patternSettings: readonly CheckSettingRow[] = [
  { name: 'pattern', label: 'Pattern', type: 'text' },
  { name: 'flags', label: 'Flags', type: 'text' },
];
const timeLimitSettings: readonly CheckSettingRow[] = [
  { name: 'ms', label: 'Maximum time', type: 'number', unit: 'ms' },
];

/** Lists the rows of this check. */
export function listCheckSettings({
  kind,
  settings,
}: Pick<Check, 'kind' | 'settings'>): readonly CheckSettingRow[] {
  switch (kind) {
    case 'equals':
    case 'one of':
      return textComparisonSettings;
    case 'contains':
      return [
        { name: 'ignoreCase', label: 'Ignore case', type: 'flag' },
        { name: 'all', label: 'Require all lines', type: 'flag' },
      ];
    case 'contains none':
      return [{ name: 'ignoreCase', label: 'Ignore case', type: 'flag' }];
    case 'matches':
    case 'matches none':
      return patternSettings;
    case 'is JSON':
      return [{ name: 'allowFence', label: 'Allow a code fence', type: 'flag' }];
    case 'fits schema':
      return [{ name: 'schema', label: 'Schema', type: 'JSON' }];
    case 'number within':
      return [
        {
          name: 'tolerance',
          label: 'Tolerance',
          type: 'number',
          unit: settings['unit'] === 'percent' ? '%' : '',
        },
        { name: 'unit', label: 'Tolerance is', type: 'choice', choices: ['absolute', 'percent'] },
        { name: 'which', label: 'Which number', type: 'choice', choices: ['only', 'first', 'last'] },
        { name: 'decimal', label: 'Decimal separator', type: 'choice', choices: ['point', 'comma'] },
      ];
    case 'finish reason':
      return [{ name: 'reason', label: 'Finish reason', type: 'text' }];
    case 'called tool':
      return settings['none'] === true
        ? [{ name: 'none', label: 'Calls no tool', type: 'flag' }]
        : [
            { name: 'none', label: 'Calls no tool', type: 'flag' },
            { name: 'name', label: 'Tool name', type: 'text' },
            { name: 'arguments', label: 'Arguments include', type: 'JSON' },
          ];
    case 'length':
      return [
        { name: 'atLeast', label: 'At least', type: 'number', unit: '' },
        { name: 'atMost', label: 'At most', type: 'number', unit: '' },
        { name: 'unit', label: 'Counted in', type: 'choice', choices: ['characters', 'words', 'tokens'] },
      ];
    case 'first token within':
    case 'whole answer within':
      return timeLimitSettings;
    case 'marks':
      return [];
  }
}

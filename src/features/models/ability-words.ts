import type { Ability } from '../../conversation/model-marks.ts';

/** What an ability is called in the picker. */
export const abilityWords: Readonly<Record<Ability, string>> = {
  vision: 'vision',
  tools: 'tools',
  thinking: 'thinking',
  json: 'JSON mode',
  usage: 'usage in streams',
};

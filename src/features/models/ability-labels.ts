import type { Ability } from '../../conversation/setup/model-marks.ts';

/** Labels of abilities in the picker. */
export const abilityLabels: Readonly<Record<Ability, string>> = {
  vision: 'images',
  files: 'files',
  audio: 'audio',
  tools: 'tools',
  thinking: 'reasoning',
  json: 'JSON mode',
  usage: 'streaming usage',
};

/** Search words for models with an ability. */
export const abilityKeywords: Readonly<Record<Ability, readonly string[]>> = {
  vision: ['images', 'vision'],
  files: ['files', 'pdf', 'documents'],
  audio: ['audio'],
  tools: ['tools', 'functions'],
  thinking: ['thinking', 'reasoning'],
  json: ['json'],
  usage: [],
};

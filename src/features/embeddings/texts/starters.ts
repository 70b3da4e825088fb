import type { starterTexts } from './starter-texts.ts';

interface Starter {
  id: keyof typeof starterTexts;
  name: string;
  about: string;
}

/** Texts to begin with. */
export const starters: readonly Starter[] = [
  { id: 'support', name: 'Support phrases', about: '24 texts in four groups' },
  { id: 'wording', name: 'Meaning and wording', about: '20 texts that tell the two apart' },
  { id: 'languages', name: 'Four sentences, five languages', about: '20 translations' },
];

export async function textOfStarter(id: Starter['id']): Promise<string> {
  const { starterTexts: texts } = await import('./starter-texts.ts');
  return texts[id];
}

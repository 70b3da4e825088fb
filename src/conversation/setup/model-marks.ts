/** Abilities of models: as in their record, unless the user marked them differently. */
import type { ModelRecord } from '../../gateway/models/model-record.ts';

export const allAbilities = ['vision', 'tools', 'thinking', 'json', 'usage'] as const;

/** Abilities; `json` is JSON mode, `usage` is token counts in streams. */
export type Ability = (typeof allAbilities)[number];

/** Known abilities; absent ones are unknown. */
export type Abilities = Partial<Record<Ability, boolean>>;

/** User marks by model key (model-key.ts). */
export type ModelMarks = Readonly<Record<string, Abilities>>;

export function getModelMarks(marks: ModelMarks, key: string): Abilities {
  return (Object.hasOwn(marks, key) ? marks[key] : undefined) ?? {};
}

/** Returns the abilities marked by the user, otherwise those in the model record. */
export function getDeclaredAbilities(
  key: string,
  marks: ModelMarks,
  record: ModelRecord | undefined,
): Abilities {
  const recordAbilities: Abilities = record?.abilities ?? {};
  return { ...recordAbilities, ...getModelMarks(marks, key) };
}

/** Returns true for models known to accept only text; images are not sent to them (§2.3). */
export function isTextOnly(key: string, marks: ModelMarks, record: ModelRecord | undefined): boolean {
  return getDeclaredAbilities(key, marks, record).vision === false;
}

/** Sets a mark, or removes it if `value` is undefined. */
export function withModelMark(
  marks: ModelMarks,
  key: string,
  ability: Ability,
  value: boolean | undefined,
): ModelMarks {
  const { [ability]: _, ...rest } = getModelMarks(marks, key);
  const modelAbilities: Abilities = value === undefined ? rest : { ...rest, [ability]: value };
  const { [key]: __, ...others } = marks;
  return Object.keys(modelAbilities).length === 0 ? others : { ...others, [key]: modelAbilities };
}

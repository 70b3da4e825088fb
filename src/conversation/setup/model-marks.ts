/** Abilities of models: as in their record, unless the user marked them differently. */
import { findModel, type ModelRecord } from '../../gateway/models/model-record.ts';

export const allAbilities = ['vision', 'tools', 'thinking', 'json', 'usage'] as const;

/** Abilities; `json` is JSON mode, `usage` is token counts in streams. */
export type Ability = (typeof allAbilities)[number];

/** Known abilities; absent ones are unknown. */
export type Abilities = Partial<Record<Ability, boolean>>;

/** User marks by model ID. */
export type ModelMarks = Readonly<Record<string, Abilities>>;

export function getModelMarks(marks: ModelMarks, model: string): Abilities {
  return (Object.hasOwn(marks, model) ? marks[model] : undefined) ?? {};
}

/** Returns the abilities marked by the user, otherwise those in the model record. */
export function getDeclaredAbilities(
  model: string,
  marks: ModelMarks,
  models: readonly ModelRecord[],
): Abilities {
  const recordAbilities: Abilities = findModel(models, model)?.abilities ?? {};
  return { ...recordAbilities, ...getModelMarks(marks, model) };
}

/** Returns true for models known to accept only text; images are not sent to them (§2.3). */
export function isTextOnly(model: string, marks: ModelMarks, models: readonly ModelRecord[]): boolean {
  return getDeclaredAbilities(model, marks, models).vision === false;
}

/** Sets a mark, or removes it if `value` is undefined. */
export function withModelMark(
  marks: ModelMarks,
  model: string,
  ability: Ability,
  value: boolean | undefined,
): ModelMarks {
  const { [ability]: _, ...rest } = getModelMarks(marks, model);
  const modelAbilities: Abilities = value === undefined ? rest : { ...rest, [ability]: value };
  const { [model]: __, ...others } = marks;
  return Object.keys(modelAbilities).length === 0 ? others : { ...others, [model]: modelAbilities };
}

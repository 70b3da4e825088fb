/** What a model can do: as its record says, unless a person knows better and marked it. */
import { findModel, type ModelRecord } from '../../gateway/models/model-record.ts';

export const allAbilities = ['vision', 'tools', 'thinking', 'json', 'usage'] as const;

/** json: JSON mode. usage: token counts in a stream. */
export type Ability = (typeof allAbilities)[number];

/** Absent: nobody said. */
export type Abilities = Partial<Record<Ability, boolean>>;

/** By model id. */
export type ModelMarks = Readonly<Record<string, Abilities>>;

export function getModelMarks(marks: ModelMarks, model: string): Abilities {
  return (Object.hasOwn(marks, model) ? marks[model] : undefined) ?? {};
}

/** The person's mark where there is one, else what the record says. */
export function getDeclaredAbilities(
  model: string,
  marks: ModelMarks,
  models: readonly ModelRecord[],
): Abilities {
  const recordAbilities: Abilities = findModel(models, model)?.abilities ?? {};
  return { ...recordAbilities, ...getModelMarks(marks, model) };
}

/** §2.3: images go only to models that are not known to take words alone. */
export function isTextOnly(model: string, marks: ModelMarks, models: readonly ModelRecord[]): boolean {
  return getDeclaredAbilities(model, marks, models).vision === false;
}

/** The marks after one was set, or taken away where `value` is undefined. */
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

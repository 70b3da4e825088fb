/** What a model can do: as its record says, unless a person knows better and marked it. */
import { findModel, type ModelRecord } from '../../gateway/models/model-record.ts';

export const everyAbility = ['vision', 'tools', 'thinking', 'json', 'usage'] as const;

/** json: JSON mode. usage: token counts in a stream. */
export type Ability = (typeof everyAbility)[number];

/** Absent: nobody said. */
export type Abilities = Partial<Record<Ability, boolean>>;

/** By model id. */
export type ModelMarks = Readonly<Record<string, Abilities>>;

export function marksOf(marks: ModelMarks, model: string): Abilities {
  return (Object.hasOwn(marks, model) ? marks[model] : undefined) ?? {};
}

/** The person's mark where there is one, else what the record says. */
export function abilitiesOf(model: string, marks: ModelMarks, models: readonly ModelRecord[]): Abilities {
  const listed: Abilities = findModel(models, model)?.abilities ?? {};
  return { ...listed, ...marksOf(marks, model) };
}

/** §2.3: images go only to models that are not known to take words alone. */
export function isTextOnly(model: string, marks: ModelMarks, models: readonly ModelRecord[]): boolean {
  return abilitiesOf(model, marks, models).vision === false;
}

/** The marks after one was set, or taken away where `value` is undefined. */
export function withMark(
  marks: ModelMarks,
  model: string,
  ability: Ability,
  value: boolean | undefined,
): ModelMarks {
  const { [ability]: _, ...rest } = marksOf(marks, model);
  const own: Abilities = value === undefined ? rest : { ...rest, [ability]: value };
  const { [model]: __, ...others } = marks;
  return Object.keys(own).length === 0 ? others : { ...others, [model]: own };
}

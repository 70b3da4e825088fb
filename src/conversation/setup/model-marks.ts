/** Abilities of models: as in their record, unless the user marked them differently. */
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { mediaTypes, type MediaType } from '../request/message-images.ts';

export const allAbilities = ['vision', 'files', 'audio', 'tools', 'thinking', 'json', 'usage'] as const;

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

/** Abilities that the parts of a message need. */
export const mediaAbilities = {
  image_url: 'vision',
  file: 'files',
  input_audio: 'audio',
} as const satisfies Record<MediaType, Ability>;

/** Returns the types of parts that the model is known to reject; they are not sent to it (§2.3). */
export function listRejectedTypes(
  key: string,
  marks: ModelMarks,
  record: ModelRecord | undefined,
): MediaType[] {
  const abilities = getDeclaredAbilities(key, marks, record);
  return mediaTypes.filter((type) => abilities[mediaAbilities[type]] === false);
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

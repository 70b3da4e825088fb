import type { ModelRecord } from '../../gateway/models/model-record.ts';
import type { ComboboxOption } from '../../ui/controls/option-rows.ts';

export type PickerKind = 'chat' | 'embedding';
export const filterAbilities = ['vision', 'tools', 'thinking'] as const;

/** What the picker filters by. */
export type FilterAbility = (typeof filterAbilities)[number];

export interface ModelOption extends ComboboxOption {
  /** Absent: an id that the gateway does not list. */
  model?: ModelRecord;
  /** What was typed, which is not among the options. */
  isTyped?: true;
}

/** Up to here the whole list is in view at once and sections only get in the way. */
const maxFlatOptions = 12;

/** A model whose kind is not known may be either, unless the list says of others that they make embeddings. */
export function filterModelsByKind(models: readonly ModelRecord[], kind: PickerKind): ModelRecord[] {
  if (kind === 'chat') {
    const others = models.filter((model) => model.kind === 'other');
    return [...models.filter((model) => model.kind !== 'embedding' && model.kind !== 'other'), ...others];
  }
  const embeddingModels = models.filter((model) => model.kind === 'embedding');
  return embeddingModels.length > 0 ? embeddingModels : models.filter((model) => model.kind === 'unknown');
}

/** Not excluded by the filters: what a model does not say about itself excludes nothing. */
function canHaveAbilities(
  model: ModelRecord | undefined,
  requiredAbilities: readonly FilterAbility[],
): boolean {
  return requiredAbilities.every((ability) => model?.abilities[ability] !== false);
}

interface PickerOptionsInput {
  /** Everything that the gateway lists, of any kind. */
  models: readonly ModelRecord[];
  kind: PickerKind;
  favourites: readonly string[];
  recent: readonly string[];
  requiredAbilities: readonly FilterAbility[];
}

/** The picker's list: favourites, recent ones, all others. Each model once; without sections where it is short. */
export function buildPickerOptions({
  models,
  kind,
  favourites,
  recent,
  requiredAbilities,
}: PickerOptionsInput): ModelOption[] {
  const modelById = new Map(filterModelsByKind(models, kind).map((model) => [model.id, model]));
  const listedIds = new Set(models.map((model) => model.id));
  // What was typed and used before stays at hand, but only where it was used: in chat.
  const isOffered = (id: string) => modelById.has(id) || (kind === 'chat' && !listedIds.has(id));
  const usedIds = new Set<string>();
  const buildSection = (ids: Iterable<string>, group: string): ModelOption[] => {
    const options: ModelOption[] = [];
    for (const id of ids) {
      const model = modelById.get(id);
      if (usedIds.has(id) || !isOffered(id) || !canHaveAbilities(model, requiredAbilities)) continue;
      usedIds.add(id);
      options.push({ id, label: id, group, ...(model ? { model } : {}) });
    }
    return options;
  };
  if (modelById.size > maxFlatOptions) {
    return [
      ...buildSection(favourites, 'Favourites'),
      ...buildSection(recent, 'Recent'),
      ...buildSection(modelById.keys(), 'All'),
    ];
  }
  const flat = [
    ...buildSection(modelById.keys(), ''),
    ...buildSection(favourites, ''),
    ...buildSection(recent, ''),
  ];
  return flat.map(({ group: _, ...option }) => option);
}

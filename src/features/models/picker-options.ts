import type { ModelRecord } from '../../gateway/models/model-record.ts';
import type { ComboboxOption } from '../../ui/controls/combobox-options.ts';

export type PickerKind = 'chat' | 'embedding';
export const filterAbilities = ['vision', 'tools', 'thinking'] as const;

/** Abilities by which the picker can filter. */
export type FilterAbility = (typeof filterAbilities)[number];

export interface ModelOption extends ComboboxOption {
  /** Record of the model; absent if the gateway does not list the ID. */
  model?: ModelRecord;
  /** Typed model ID that is not in the list. */
  isTyped?: true;
}

/** Maximum number of options without sections; a list this short is visible as a whole. */
const maxFlatOptions = 12;

/**
 * Filters models by kind. A model of unknown kind counts as a chat model, and as an embedding model only if none is
 * known.
 */
export function filterModelsByKind(models: readonly ModelRecord[], kind: PickerKind): ModelRecord[] {
  if (kind === 'chat') {
    const others = models.filter((model) => model.kind === 'other');
    return [...models.filter((model) => model.kind !== 'embedding' && model.kind !== 'other'), ...others];
  }
  const embeddingModels = models.filter((model) => model.kind === 'embedding');
  return embeddingModels.length > 0 ? embeddingModels : models.filter((model) => model.kind === 'unknown');
}

/** Returns true unless the model is known to lack a required ability. An unknown ability does not exclude a model. */
function canHaveAbilities(
  model: ModelRecord | undefined,
  requiredAbilities: readonly FilterAbility[],
): boolean {
  return requiredAbilities.every((ability) => model?.abilities[ability] !== false);
}

interface PickerOptionsInput {
  /** All listed models, of any kind. */
  models: readonly ModelRecord[];
  kind: PickerKind;
  favourites: readonly string[];
  recent: readonly string[];
  requiredAbilities: readonly FilterAbility[];
}

/** Builds the options: favourites, recent models, all others. Each model appears once; short lists have no sections. */
export function buildPickerOptions({
  models,
  kind,
  favourites,
  recent,
  requiredAbilities,
}: PickerOptionsInput): ModelOption[] {
  const modelById = new Map(filterModelsByKind(models, kind).map((model) => [model.id, model]));
  const listedIds = new Set(models.map((model) => model.id));
  // Unlisted IDs used earlier stay available, but only for chat, where they were used.
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

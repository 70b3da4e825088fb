import type { ModelChoice } from '../../conversation/session/types.ts';
import { splitModelKey } from '../../conversation/setup/model-key.ts';
import type { GatewayStatus } from '../../gateway/http/status.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import type { ComboboxOption } from '../../ui/controls/combobox-options.ts';

export type PickerKind = 'chat' | 'embedding';
export const filterAbilities = ['vision', 'tools', 'thinking'] as const;

/** Abilities by which the picker can filter. */
export type FilterAbility = (typeof filterAbilities)[number];

export interface ModelOption extends ComboboxOption {
  choice: ModelChoice;
  /** Name and label of the gateway, which can be typed before the ID; absent if there is only one gateway. */
  headings?: readonly string[];
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

export interface PickerOptionsInput {
  /** All listed models, of any kind. */
  models: readonly ModelRecord[];
  /** Gateway of the models, if there are several; its label is the heading of all options. */
  gateway?: Pick<GatewayStatus, 'name' | 'label'>;
  /** Builds the key of a model, by which it is stored. */
  getKey: (choice: ModelChoice) => string;
  kind: PickerKind;
  /** Keys of models. */
  favourites: readonly string[];
  recent: readonly string[];
  requiredAbilities: readonly FilterAbility[];
}

/**
 * Builds the options of one gateway: favourites, recent models, all others. Each model appears once; short lists have
 * no sections.
 */
export function buildPickerOptions({
  models,
  gateway,
  getKey,
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
  const createChoice = (model: string): ModelChoice =>
    gateway ? { model, gateway: gateway.name } : { model };
  const isOwnKey = (key: string) => getKey(createChoice(splitModelKey(key).model)) === key;
  const listOwnIds = (keys: readonly string[]) =>
    keys.filter(isOwnKey).map((key) => splitModelKey(key).model);
  const buildSection = (ids: Iterable<string>, group: string): ModelOption[] => {
    const options: ModelOption[] = [];
    for (const id of ids) {
      const model = modelById.get(id);
      if (usedIds.has(id) || !isOffered(id) || !canHaveAbilities(model, requiredAbilities)) continue;
      usedIds.add(id);
      const choice = createChoice(id);
      options.push({
        id: getKey(choice),
        label: id,
        typedText: id,
        choice,
        group: gateway?.label ?? group,
        ...(gateway ? { headings: [gateway.name, gateway.label] } : {}),
        ...(model ? { model } : {}),
      });
    }
    return options;
  };
  if (modelById.size > maxFlatOptions) {
    return [
      ...buildSection(listOwnIds(favourites), 'Favourites'),
      ...buildSection(listOwnIds(recent), 'Recent'),
      ...buildSection(modelById.keys(), 'All'),
    ];
  }
  const flat = [
    ...buildSection(modelById.keys(), ''),
    ...buildSection(listOwnIds(favourites), ''),
    ...buildSection(listOwnIds(recent), ''),
  ];
  return gateway ? flat : flat.map(({ group: _, ...option }) => option);
}

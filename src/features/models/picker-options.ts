import { sortBy } from 'es-toolkit';

import type { GetModelPrice } from '../../conversation/reply/cost.ts';
import type { ModelChoice } from '../../conversation/session/types.ts';
import { splitModelKey } from '../../conversation/setup/model-key.ts';
import type { GatewayStatus } from '../../gateway/http/status.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import type { ModelOrder } from '../../state/prefs-store.ts';
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
  /** Order within each section; by default that of the list. */
  order?: ModelOrder | undefined;
  /** Needed for the order by price. */
  getPrice?: GetModelPrice | undefined;
}

/** Returns the owner of a model: the beginning of its ID, otherwise as listed. */
function getOwner({ label, model }: ModelOption): string | undefined {
  const [owner = '', name] = label.split('/', 2);
  return (name === undefined ? model?.ownedBy?.trim() : owner) || undefined;
}

/** Lists the orders that make a difference to these options. */
export function listModelOrders(
  options: readonly ModelOption[],
  getPrice: GetModelPrice | undefined,
): ModelOrder[] {
  const firstOwner = options[0] && getOwner(options[0]);
  return [
    ...(getPrice && options.some(({ choice }) => getPrice(choice)) ? (['price'] as const) : []),
    ...(options.some(({ model }) => model?.contextTokens) ? (['context'] as const) : []),
    ...(options.some((option) => getOwner(option) !== firstOwner) ? (['owner'] as const) : []),
  ];
}

interface SortedOption {
  option: ModelOption;
  /** Compared one after the other; at most four. */
  keys: readonly (string | number)[];
}

/** Sorts by price upwards, context length downwards or owner; options without it come last. */
function sortOptions(
  options: readonly ModelOption[],
  { order, getPrice }: Pick<PickerOptionsInput, 'order' | 'getPrice'>,
): readonly ModelOption[] {
  if (order === undefined) return options;
  const getKeys = (option: ModelOption): SortedOption['keys'] => {
    if (order === 'context') return [-(option.model?.contextTokens ?? 0)];
    const owner = order === 'owner' ? getOwner(option) : undefined;
    if (owner !== undefined) return [0, owner.toLowerCase(), owner];
    const price = order === 'price' ? getPrice?.(option.choice) : undefined;
    return price ? [0, price.currency, price.inputPerMillion, price.outputPerMillion] : [1];
  };
  // Computed once per option instead of in each comparison.
  const sortedOptions = options.map((option) => ({ option, keys: getKeys(option) }));
  return sortBy(
    sortedOptions,
    [0, 1, 2, 3].map(
      (index) =>
        ({ keys }: SortedOption) =>
          keys[index],
    ),
  ).map(({ option }) => option);
}

/**
 * Builds the options of one gateway: favourites, recent models, all others. Each model appears once; short lists have
 * no sections. Sorted by owner, the models of a single gateway are grouped by it.
 */
export function buildPickerOptions({
  models,
  gateway,
  getKey,
  kind,
  favourites,
  recent,
  requiredAbilities,
  ...sorting
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
  const buildSortedSection = (ids: Iterable<string>, group: string) =>
    sortOptions(buildSection(ids, group), sorting);
  const hasOwnerGroups = sorting.order === 'owner' && !gateway;
  const withOwnerGroup = (option: ModelOption) => ({ ...option, group: getOwner(option) ?? 'Other owners' });
  if (modelById.size > maxFlatOptions) {
    const favouriteOptions = buildSortedSection(listOwnIds(favourites), 'Favourites');
    const recentOptions = buildSortedSection(listOwnIds(recent), 'Recent');
    const others = buildSortedSection(modelById.keys(), 'All');
    return [...favouriteOptions, ...recentOptions, ...(hasOwnerGroups ? others.map(withOwnerGroup) : others)];
  }
  const flat = buildSortedSection(
    [...modelById.keys(), ...listOwnIds(favourites), ...listOwnIds(recent)],
    '',
  );
  if (gateway) return [...flat];
  return flat.map(hasOwnerGroups ? withOwnerGroup : ({ group: _, ...option }) => option);
}

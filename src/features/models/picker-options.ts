import type { ModelRecord } from '../../gateway/models/model-record.ts';
import type { ComboboxOption } from '../../ui/controls/option-rows.ts';

export type PickerKind = 'chat' | 'embedding';
export const abilities = ['vision', 'tools', 'thinking'] as const;

/** What the picker filters by. */
export type FilterAbility = (typeof abilities)[number];

export interface ModelOption extends ComboboxOption {
  /** Absent: an id that the gateway does not list. */
  model?: ModelRecord;
  /** What was typed, which is not among the options. */
  isTyped?: true;
}

/** Up to here the whole list is in view at once and sections only get in the way. */
const flatListSize = 12;

/** A model whose kind is not known may be either, unless the list says of others that they make embeddings. */
export function modelsOfKind(models: readonly ModelRecord[], kind: PickerKind): ModelRecord[] {
  if (kind === 'chat') {
    const others = models.filter((model) => model.kind === 'other');
    return [...models.filter((model) => model.kind !== 'embedding' && model.kind !== 'other'), ...others];
  }
  const known = models.filter((model) => model.kind === 'embedding');
  return known.length > 0 ? known : models.filter((model) => model.kind === 'unknown');
}

/** Not excluded by the filters: what a model does not say about itself excludes nothing. */
function mayDo(model: ModelRecord | undefined, wanted: readonly FilterAbility[]): boolean {
  return wanted.every((ability) => model?.abilities[ability] !== false);
}

interface ListParts {
  /** Everything that the gateway lists, of any kind. */
  models: readonly ModelRecord[];
  kind: PickerKind;
  favourites: readonly string[];
  recent: readonly string[];
  wanted: readonly FilterAbility[];
}

/** The picker's list: favourites, recent ones, all others. Each model once; without sections where it is short. */
export function modelOptions({ models, kind, favourites, recent, wanted }: ListParts): ModelOption[] {
  const offered = new Map(modelsOfKind(models, kind).map((model) => [model.id, model]));
  const listed = new Set(models.map((model) => model.id));
  // What was typed and used before stays at hand, but only where it was used: in chat.
  const isOffered = (id: string) => offered.has(id) || (kind === 'chat' && !listed.has(id));
  const taken = new Set<string>();
  const section = (ids: Iterable<string>, group: string): ModelOption[] => {
    const options: ModelOption[] = [];
    for (const id of ids) {
      const model = offered.get(id);
      if (taken.has(id) || !isOffered(id) || !mayDo(model, wanted)) continue;
      taken.add(id);
      options.push({ id, label: id, group, ...(model ? { model } : {}) });
    }
    return options;
  };
  if (offered.size > flatListSize) {
    return [
      ...section(favourites, 'Favourites'),
      ...section(recent, 'Recent'),
      ...section(offered.keys(), 'All'),
    ];
  }
  const flat = [...section(offered.keys(), ''), ...section(favourites, ''), ...section(recent, '')];
  return flat.map(({ group: _, ...option }) => option);
}

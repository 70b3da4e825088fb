import { useMemo } from 'react';

import { mergeAbilities } from '../../conversation/setup/learned-abilities.ts';
import type { ModelMarks } from '../../conversation/setup/model-marks.ts';
import { useAppServices, useLearnedRecords, usePrefs } from '../../state/contexts.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { buildPickerOptions, type ModelOption, type PickerOptionsInput } from './picker-options.ts';
import { useModelLists } from './use-model-lists.ts';
import { usePrices } from './use-model-price.ts';

const noMarks: ModelMarks = {};
const noItems: readonly never[] = [];

/** Returns the models of all gateways as options, gateway by gateway. */
export function useModelOptions({
  kind,
  favourites = noItems,
  recent = noItems,
  requiredAbilities = noItems,
  order,
}: Pick<PickerOptionsInput, 'kind'> &
  Partial<Pick<PickerOptionsInput, 'favourites' | 'recent' | 'requiredAbilities' | 'order'>>): ModelOption[] {
  const { getModelKey } = useAppServices().gateways;
  const statuses = useGatewayStatuses();
  const lists = useModelLists();
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const learned = useLearnedRecords();
  const prices = usePrices();
  const getPrice = order === 'price' ? prices?.getModelPrice : undefined;
  return useMemo(
    () =>
      lists.flatMap((list, index) => {
        const gateway = statuses.length > 1 ? statuses[index] : undefined;
        const models = (list.data?.models ?? noItems).map((model) => {
          const key = getModelKey({ model: model.id, ...(gateway ? { gateway: gateway.name } : {}) });
          return Object.hasOwn(learned, key) || Object.hasOwn(marks, key)
            ? { ...model, abilities: mergeAbilities(model, key, learned, marks) }
            : model;
        });
        return buildPickerOptions({
          models,
          ...(gateway ? { gateway } : {}),
          getKey: getModelKey,
          kind,
          favourites,
          recent,
          requiredAbilities,
          order,
          getPrice,
        });
      }),
    [
      lists,
      statuses,
      getModelKey,
      learned,
      marks,
      kind,
      favourites,
      recent,
      requiredAbilities,
      order,
      getPrice,
    ],
  );
}

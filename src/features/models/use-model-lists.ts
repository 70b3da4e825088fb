import { useQueries } from '@tanstack/react-query';

import type { ModelChoice } from '../../conversation/session/types.ts';
import { findModel, type ModelRecord } from '../../gateway/models/model-record.ts';
import { useAppServices } from '../../state/contexts.tsx';
import { useGatewayStatuses } from '../health/use-status.ts';
import { getModelsQueryOptions } from './use-models.ts';

/** Returns the model lists of all gateways, in their order; that of the first one while the server has reported none. */
export function useModelLists() {
  const app = useAppServices();
  const names = useGatewayStatuses().map(({ name }) => app.gateways.resolveName(name) ?? '');
  return useQueries({
    queries: (names.length === 0 ? [''] : names).map((name) => getModelsQueryOptions(app, name)),
  });
}

/** Returns a function that finds a model in the list of its gateway. */
export function useFindModel(): (choice: ModelChoice) => ModelRecord | undefined {
  const { gateways } = useAppServices();
  const lists = useModelLists();
  const statuses = useGatewayStatuses();
  return ({ model, gateway }) => {
    const key = gateways.resolveName(gateway);
    const index = key === undefined ? 0 : statuses.findIndex(({ name }) => name === key);
    return findModel(lists[index]?.data?.models ?? noModels, model);
  };
}

const noModels: readonly ModelRecord[] = [];

import { queryOptions, useQuery } from '@tanstack/react-query';

import { GatewayError } from '../../gateway/errors/errors.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { useAppServices } from '../../state/contexts.tsx';
import type { AppServices } from '../../state/create-playground.ts';

export const modelsKey = ['models'] as const;

const staleTimeMs = 60_000;

/** Returns the query options for the model list; loading it also reports whether the key was accepted. */
export function getModelsQueryOptions({
  gateway,
  signals,
  setListedModels,
}: Pick<AppServices, 'gateway' | 'signals' | 'setListedModels'>) {
  return queryOptions({
    queryKey: modelsKey,
    queryFn: async ({ signal }) => {
      try {
        const list = await gateway.listModels(signal);
        signals.onModels();
        setListedModels(list.models);
        return list;
      } catch (error) {
        if (error instanceof GatewayError) signals.onModels(error.report);
        throw error;
      }
    },
    staleTime: staleTimeMs,
    // Comparing 60,000 records field by field takes longer than parsing them.
    structuralSharing: (previous, next) =>
      getOwnProperty(previous, 'text') === getOwnProperty(next, 'text') ? previous : next,
  });
}

/**
 * Returns the gateway's models. The previous list stays visible during a reload, which happens at most once a minute.
 */
export function useModels() {
  return useQuery(getModelsQueryOptions(useAppServices()));
}

/** Describes the next step for an empty list; `undefined` while the list is loading. */
export function describeEmptyList({
  isError,
  data,
}: Pick<ReturnType<typeof useModels>, 'isError' | 'data'>): string {
  if (isError || data === undefined) return 'Type an ID and press Enter to use it.';
  return data.models.length === 0
    ? 'The gateway lists no models. Type an ID and press Enter to use it.'
    : 'No models match. Type a full ID and press Enter to use it.';
}

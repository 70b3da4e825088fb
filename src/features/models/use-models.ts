import { queryOptions, useQuery } from '@tanstack/react-query';

import { GatewayError } from '../../gateway/errors/errors.ts';
import { getOwnProperty } from '../../lib/json.ts';
import type { Playground } from '../../state/create-playground.ts';
import { usePlayground } from '../../state/use-playground.tsx';

export const modelsKey = ['models'] as const;

const staleTimeMs = 60_000;

/** Asks for the list, and passes on what the answer tells of the key. */
export function getModelsQueryOptions({ gateway, signals, setListedModels }: Playground) {
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
    // Comparing 60,000 records field by field takes longer than reading them.
    structuralSharing: (previous, next) =>
      getOwnProperty(previous, 'text') === getOwnProperty(next, 'text') ? previous : next,
  });
}

/** The gateway's models. The last list stays while a new one is asked for, at most once a minute. */
export function useModels() {
  return useQuery(getModelsQueryOptions(usePlayground()));
}

/** What to do under an empty list; nothing is said of a list that is still to come. */
export function describeEmptyList({
  isError,
  data,
}: Pick<ReturnType<typeof useModels>, 'isError' | 'data'>): string {
  if (isError || data === undefined) return 'Type an ID and press Enter to use it.';
  return data.models.length === 0
    ? 'The gateway lists no models. Type an ID and press Enter to use it.'
    : 'No models match. Type a full ID and press Enter to use it.';
}

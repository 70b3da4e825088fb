import { queryOptions, useQuery } from '@tanstack/react-query';

import { GatewayError } from '../../gateway/errors/errors.ts';
import type { Playground } from '../../state/playground.ts';
import { usePlayground } from '../../state/react.tsx';

export const modelsKey = ['models'] as const;

const freshForMs = 60_000;

/** Asks for the list, and passes on what the answer tells of the key. */
export function modelsQuery({ gateway, signals, heardModels }: Playground) {
  return queryOptions({
    queryKey: modelsKey,
    queryFn: async ({ signal }) => {
      try {
        const list = await gateway.listModels(signal);
        signals.heardModels();
        heardModels(list.models);
        return list;
      } catch (error) {
        if (error instanceof GatewayError) signals.heardModels(error.report);
        throw error;
      }
    },
    staleTime: freshForMs,
  });
}

/** The gateway's models. The last list stays while a new one is asked for, at most once a minute. */
export function useModels() {
  return useQuery(modelsQuery(usePlayground()));
}

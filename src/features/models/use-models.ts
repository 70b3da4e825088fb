import { queryOptions, useQuery } from '@tanstack/react-query';

import { GatewayError } from '../../gateway/errors/errors.ts';
import { getOwnProperty } from '../../lib/json.ts';
import { useAppServices } from '../../state/contexts.tsx';
import type { AppServices } from '../../state/create-playground.ts';
import { useGatewayKey } from '../health/use-status.ts';

/** Start of the keys of all model lists; `getModelsKey` adds the gateway. */
export const modelsKey = ['models'] as const;

/** Returns the query key of a gateway's model list. `gatewayKey`: its name, empty for the first gateway. */
export function getModelsKey(gatewayKey = '') {
  return [...modelsKey, gatewayKey] as const;
}

const staleTimeMs = 60_000;

/** Returns the query options for a model list; loading it also reports whether the key was accepted. */
export function getModelsQueryOptions({ gateways }: Pick<AppServices, 'gateways'>, gatewayKey = '') {
  const name = gatewayKey === '' ? undefined : gatewayKey;
  return queryOptions({
    queryKey: getModelsKey(gatewayKey),
    queryFn: async ({ signal }) => {
      const { signals } = gateways.getServices(name);
      try {
        const list = await gateways.getClient(name).listModels(signal);
        signals.onModels();
        gateways.setListedModels(list.models, name);
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
 * Returns the models of a gateway, by default of the first one. The previous list stays visible during a reload, which
 * happens at most once a minute. A gateway that the server does not have is not asked.
 */
export function useModels(gatewayName?: string) {
  const app = useAppServices();
  const gatewayKey = useGatewayKey(gatewayName);
  return useQuery({
    ...getModelsQueryOptions(app, gatewayKey),
    enabled: !app.gateways.isUnknown(gatewayName),
  });
}

/** Describes the next step for an empty list; `undefined` while the list is loading. */
export function describeEmptyList(
  lists: readonly Pick<ReturnType<typeof useModels>, 'isError' | 'data'>[],
): string {
  if (lists.some(({ isError, data }) => isError || data === undefined))
    return 'Type an ID and press Enter to use it.';
  return lists.every(({ data }) => data?.models.length === 0)
    ? 'The gateway lists no models. Type an ID and press Enter to use it.'
    : 'No models match. Type a full ID and press Enter to use it.';
}

import { queryOptions, useQuery } from '@tanstack/react-query';

import { useAppServices } from '../../state/contexts.tsx';
import type { AppServices } from '../../state/create-playground.ts';

export const statusKey = ['status'] as const;

/** Returns the query options for the status of the playground's own server; loading it applies its rate limit. */
export function getStatusQueryOptions({
  gateway,
  setServerStatus,
}: Pick<AppServices, 'gateway' | 'setServerStatus'>) {
  return queryOptions({
    queryKey: statusKey,
    queryFn: async ({ signal }) => {
      const status = await gateway.readStatus(signal);
      if (!status.loginRequired) setServerStatus(status);
      return status;
    },
    staleTime: 60_000,
    refetchOnReconnect: 'always',
  });
}

/** Returns the status of the playground's own server: gateway, whether a key is set, limit, version. */
export function useStatus() {
  return useQuery(getStatusQueryOptions(useAppServices()));
}

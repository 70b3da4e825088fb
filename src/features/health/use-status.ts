import { queryOptions, useQuery } from '@tanstack/react-query';

import type { Playground } from '../../state/create-playground.ts';
import { usePlayground } from '../../state/use-playground.tsx';

export const statusKey = ['status'] as const;

/** Asks the playground's own server about itself; its limit holds from then on. */
export function getStatusQueryOptions({ gateway, setServerStatus }: Playground) {
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

/** What the playground's own server says of itself: which gateway, whether a key is set, the limit, the version. */
export function useStatus() {
  return useQuery(getStatusQueryOptions(usePlayground()));
}

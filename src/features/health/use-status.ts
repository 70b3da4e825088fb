import { useQuery } from '@tanstack/react-query';

import { usePlayground } from '../../state/react.tsx';

export const statusKey = ['status'] as const;

/** What the playground's own server says of itself: which gateway, whether a key is set, the limit, the version. */
export function useStatus() {
  const { gateway, setServerLimit } = usePlayground();
  return useQuery({
    queryKey: statusKey,
    queryFn: async ({ signal }) => {
      const status = await gateway.readStatus(signal);
      if (!status.loginRequired) setServerLimit(status.requestsPerMinute);
      return status;
    },
    staleTime: 60_000,
    refetchOnReconnect: 'always',
  });
}

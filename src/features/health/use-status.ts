import { queryOptions, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';

import type { GatewayStatus } from '../../gateway/http/status.ts';
import { useAppServices } from '../../state/contexts.tsx';
import type { AppServices } from '../../state/create-playground.ts';

export const statusKey = ['status'] as const;

/** Returns the query options for the status of the playground's own server; loading it applies its gateways. */
export function getStatusQueryOptions({
  serverClient,
  setServerStatus,
}: Pick<AppServices, 'serverClient' | 'setServerStatus'>) {
  return queryOptions({
    queryKey: statusKey,
    queryFn: async ({ signal }) => {
      const status = await serverClient.readStatus(signal);
      if (!status.loginRequired) setServerStatus(status.gateways);
      return status;
    },
    staleTime: 60_000,
    refetchOnReconnect: 'always',
  });
}

/** Returns the status of the playground's own server: version, and whether a login is required. */
export function useStatus() {
  return useQuery(getStatusQueryOptions(useAppServices()));
}

/** Returns the gateways in use, first the one without a name in setups; empty until the server has reported them. */
export function useGatewayStatuses(): readonly GatewayStatus[] {
  return useStore(useAppServices().gateways.statuses);
}

/** Returns the status of a gateway, by default of the first one; `undefined` while it is not known. */
export function useGatewayStatus(name?: string): GatewayStatus | undefined {
  const { gateways } = useAppServices();
  return useStore(gateways.statuses, () => gateways.getStatus(name));
}

/** Returns the name of a gateway in query keys: empty for the first one. */
export function useGatewayKey(name: string | undefined): string {
  const { gateways } = useAppServices();
  return useStore(gateways.statuses, () => gateways.resolveName(name) ?? '');
}

import {
  queryOptions,
  useIsFetching,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from 'zustand';

import { GatewayError } from '../../gateway/errors/errors.ts';
import { getHealthBadge, isFailedReading, type Badge, type BadgeInputs } from '../../gateway/http/badge.ts';
import { isLoadingReport, isUnreachable } from '../../gateway/http/gateway-state.ts';
import { isLoadingText } from '../../gateway/http/health-body.ts';
import type { HealthReading } from '../../gateway/http/health.ts';
import type { ReportedLimit } from '../../gateway/http/reported-limit.ts';
import type { GatewayStatus } from '../../gateway/http/status.ts';
import type { ModelList } from '../../gateway/models/models.ts';
import { useAppServices } from '../../state/contexts.tsx';
import type { AppServices } from '../../state/create-playground.ts';
import type { SignalsState } from '../../state/gateway-signals.ts';
import { getModelsKey, getModelsQueryOptions } from '../models/use-models.ts';
import { useOnline } from './use-online.ts';
import { statusKey, useGatewayKey, useGatewayStatus, useStatus } from './use-status.ts';

/** Start of the keys of all health checks; `getHealthKey` adds the gateway. */
export const healthKey = ['health'] as const;

/** Returns the query key of a gateway's health. `gatewayKey`: its name, empty for the first gateway. */
export function getHealthKey(gatewayKey = '') {
  return [...healthKey, gatewayKey] as const;
}

const pollIntervalMs = 30_000;
/** Polling interval after a failure, in ms. Shorter, because two failures mark a gateway as down. */
const pollAfterFailureMs = 5_000;
/** Polling interval of the model list in ms; longer, because lists are larger than health responses. */
const modelsPollIntervalMs = 60_000;
const loadingPollIntervalMs = 5_000;

/** Reading from the health route, or from the model list if there is no such route. */
export type TimedReading = HealthReading & {
  /** Time of the check, in epoch ms. */
  checkedAt: number;
  /** Empty if the server had not reported it yet. */
  gatewayId: string;
  isFromModels?: true;
};

export interface Health {
  badge: Badge;
  lastReading?: TimedReading;
  /** Rate limit most recently reported by the gateway. */
  limit?: ReportedLimit;
  status?: GatewayStatus;
  /** Version of Bench. */
  version?: string;
  /** Transport of requests, known after the first one: the channel or separate connections. */
  transport?: 'channel' | 'direct';
  /** True if a proxy between page and server buffers the channel's frames. */
  isBuffered?: boolean;
  isChecking: boolean;
  checkNow: () => void;
}

/** Returns true if the most recent response about the key rejected it. */
export function isKeyRejected({ keyAcceptedAt, keyRejectedAt }: SignalsState): boolean {
  return keyRejectedAt !== undefined && keyRejectedAt >= (keyAcceptedAt ?? 0);
}

function getLastKeyUse(state: SignalsState): BadgeInputs['lastUse'] {
  if (isKeyRejected(state)) return 'key-rejected';
  return state.keyAcceptedAt === undefined ? undefined : 'accepted';
}

/** Reuses a request in flight, since a gateway may query each of its models for one health response. */
const joinInFlight = { cancelRefetch: false };

async function refetchStatusAndModels(client: QueryClient, gatewayKey: string): Promise<void> {
  await Promise.all([
    client.refetchQueries({ queryKey: statusKey }, joinInFlight),
    client.refetchQueries({ queryKey: getModelsKey(gatewayKey) }, joinInFlight),
  ]);
}

/** Uses the list of models as the health reading of a gateway without a health route. */
async function readFromModels(
  app: AppServices,
  client: QueryClient,
  gatewayKey: string,
): Promise<HealthReading> {
  const noRouteReading = { status: 404, body: '', ok: false, hasNoRoute: true };
  const { environment } = app;
  const sentAt = environment.now();
  try {
    const { latencyMs } = await client.fetchQuery({
      ...getModelsQueryOptions(app, gatewayKey),
      staleTime: 0,
    });
    return { ...noRouteReading, latencyMs };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const latencyMs = environment.now() - sentAt;
    if (!isUnreachable(error.report)) return { ...noRouteReading, latencyMs };
    return { latencyMs, body: '', ok: false, hasNoRoute: false, error: error.report };
  }
}

/**
 * Returns the query options of the health check. Its data includes the previous reading; once the health route is known
 * to be missing, it is not requested again.
 */
export function getHealthQueryOptions(app: AppServices, client: QueryClient, gatewayKey = '') {
  const { gateways, environment } = app;
  const name = gatewayKey === '' ? undefined : gatewayKey;
  const getGatewayId = () => gateways.getStatus(name)?.id ?? '';
  return queryOptions({
    queryKey: getHealthKey(gatewayKey),
    queryFn: async ({ signal }): Promise<readonly TimedReading[]> => {
      const getReadings = () =>
        (client.getQueryData<readonly TimedReading[]>(getHealthKey(gatewayKey)) ?? []).filter(
          (item) => item.gatewayId === '' || item.gatewayId === getGatewayId(),
        );
      const lastReading = getReadings().at(-1);
      const isFromModels = lastReading?.hasNoRoute === true || lastReading?.isFromModels === true;
      const reading = isFromModels
        ? await readFromModels(app, client, gatewayKey)
        : await gateways.getClient(name).checkHealth(signal);
      // The login session has expired; reloading the status shows the login screen.
      if (reading.error?.kind === 'login-required') void client.invalidateQueries({ queryKey: statusKey });
      const previous = getReadings().at(-1);
      const checkedAt = environment.now();
      // The gateway responds again, so requests that failed in the meantime are retried.
      if (previous && isFailedReading(previous) && !isFailedReading(reading))
        void refetchStatusAndModels(client, gatewayKey);
      // The model list shows whether the gateway is down, or only its health route.
      else if (isFailedReading(reading) && !isFromModels)
        void client.refetchQueries({ queryKey: getModelsKey(gatewayKey) }, joinInFlight);
      const body = isFromModels && reading.hasNoRoute ? (previous?.body ?? '') : reading.body;
      const newReading: TimedReading = { ...reading, body, checkedAt, gatewayId: getGatewayId() };
      return [...(previous ? [previous] : []), isFromModels ? { ...newReading, isFromModels } : newReading];
    },
  });
}

function isLoadingList(list: ModelList | undefined, error: Error | null): boolean {
  if (error instanceof GatewayError) return isLoadingReport(error.report);
  return list?.models.some(({ state }) => state !== undefined && isLoadingText(state)) ?? false;
}

/**
 * Polls the health of a gateway, by default of the first one, every 30 s while the page is visible, and immediately when
 * it becomes visible or comes online.
 */
export function useHealth(gatewayName?: string): Health {
  const app = useAppServices();
  const { serverClient, gateways } = app;
  const { signals } = gateways.getServices(gatewayName);
  const gatewayKey = useGatewayKey(gatewayName);
  const client = useQueryClient();
  const isOnline = useOnline();
  const lastUse = useStore(signals.state, getLastKeyUse);
  const lastUseAt = useStore(signals.state, ({ keyAcceptedAt, keyRejectedAt }) =>
    Math.max(keyAcceptedAt ?? 0, keyRejectedAt ?? 0),
  );
  const modelsError = useStore(signals.state, (state) => state.modelsError);
  const limit = useStore(signals.state, (state) => state.limit);
  const { data: serverStatus } = useStatus();
  const status = useGatewayStatus(gatewayName);
  const isEnabled = serverStatus?.loginRequired !== true && !gateways.isUnknown(gatewayName);
  const computeBadge = (readings: readonly TimedReading[]) =>
    getHealthBadge({
      isOnline,
      readings,
      modelsError,
      ...(status ? { status } : {}),
      ...(lastUse ? { lastUse, lastUseAt } : {}),
    });
  const query = useQuery({
    ...getHealthQueryOptions(app, client, gatewayKey),
    enabled: isEnabled,
    refetchInterval: ({ state: { data = [] } }) => {
      const last = data.at(-1);
      if (last?.hasNoRoute) return modelsPollIntervalMs;
      if (!last || !isFailedReading(last)) return pollIntervalMs;
      return computeBadge(data).text === 'Gateway degraded' ? pollIntervalMs : pollAfterFailureMs;
    },
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });

  // Polls until a model list that is still being loaded appears. There is only one polling observer, however many
  // components show the list.
  useQuery({
    ...getModelsQueryOptions(app, gatewayKey),
    enabled: isEnabled,
    refetchInterval: ({ state: { data, error } }) =>
      isLoadingList(data, error) ? loadingPollIntervalMs : false,
  });

  const connectionLostAt = useStore(signals.state, (state) => state.connectionLostAt);
  // Checks immediately when the connection is lost, instead of up to 30 s later at the next poll.
  useEffect(() => {
    if (connectionLostAt !== undefined)
      void client.refetchQueries({ queryKey: getHealthKey(gatewayKey) }, joinInFlight);
  }, [client, connectionLostAt, gatewayKey]);

  const channel = serverClient.channel?.getState() ?? 'refused';
  const readings = query.data ?? [];
  const lastReading = readings.at(-1);
  return {
    badge: computeBadge(readings),
    ...(channel === 'closed'
      ? {}
      : { transport: channel === 'open' ? ('channel' as const) : ('direct' as const) }),
    isBuffered: serverClient.channel?.isBuffered() ?? false,
    isChecking: query.isFetching,
    checkNow: () => {
      void query.refetch(joinInFlight);
      // The model list shows whether the key is accepted; the health route may not need a key.
      void refetchStatusAndModels(client, gatewayKey);
    },
    ...(lastReading ? { lastReading } : {}),
    ...(limit ? { limit } : {}),
    ...(status ? { status } : {}),
    ...(serverStatus ? { version: serverStatus.version } : {}),
  };
}

/** Returns whether Bench's own server was unreachable at the last check. Sends no request. */
export function useServerReach() {
  const client = useQueryClient();
  const isChecking = useIsFetching({ queryKey: healthKey }) > 0;
  const { data } = useQuery({ ...getHealthQueryOptions(useAppServices(), client), enabled: false });
  return {
    isServerUnreachable: data?.at(-1)?.error?.kind === 'proxy-unreachable',
    isChecking,
    checkNow: () => void client.refetchQueries({ queryKey: healthKey }, joinInFlight),
  };
}

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
import type { PlaygroundStatus } from '../../gateway/http/status.ts';
import type { ModelList } from '../../gateway/models/models.ts';
import type { Playground } from '../../state/create-playground.ts';
import type { SignalsState } from '../../state/gateway-signals.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { modelsKey, getModelsQueryOptions } from '../models/use-models.ts';
import { useOnline } from './use-online.ts';
import { statusKey, useStatus } from './use-status.ts';

export const healthKey = ['health'] as const;
const pollIntervalMs = 30_000;
/** After a failure the next look comes sooner: two failures make a gateway that is down. */
const pollAfterFailureMs = 5_000;
/** Lists of models are larger than health responses. */
const modelsPollIntervalMs = 60_000;
const loadingPollIntervalMs = 5_000;

/** A look at the health route, or at the list of models where there is no such route. */
export type TimedReading = HealthReading & {
  /** Epoch milliseconds. */
  checkedAt: number;
  /** Empty if the server had not reported it yet. */
  gatewayId: string;
  isFromModels?: true;
};

export interface Health {
  badge: Badge;
  lastReading?: TimedReading;
  /** Limit that the gateway last reported. */
  limit?: ReportedLimit;
  status?: PlaygroundStatus;
  /** How requests travel, once one has: over the channel, or each over a connection of its own. */
  transport?: 'channel' | 'direct';
  /** Something between the page and the server holds the channel's frames back. */
  isBuffered?: boolean;
  isChecking: boolean;
  checkNow: () => void;
}

/** The last that was heard of the key is that it is not accepted. */
export function isKeyRejected({ keyAcceptedAt, keyRejectedAt }: SignalsState): boolean {
  return keyRejectedAt !== undefined && keyRejectedAt >= (keyAcceptedAt ?? 0);
}

function getLastKeyUse(state: SignalsState): BadgeInputs['lastUse'] {
  if (isKeyRejected(state)) return 'key-rejected';
  return state.keyAcceptedAt === undefined ? undefined : 'accepted';
}

/** Waits for a request in flight, since a gateway may query each of its models for one health response. */
const joinInFlight = { cancelRefetch: false };

async function refetchStatusAndModels(client: QueryClient): Promise<void> {
  await Promise.all([
    client.refetchQueries({ queryKey: statusKey }, joinInFlight),
    client.refetchQueries({ queryKey: modelsKey }, joinInFlight),
  ]);
}

/** Uses the list of models as the health reading of a gateway without a health route. */
async function readFromModels(playground: Playground, client: QueryClient): Promise<HealthReading> {
  const noRouteReading = { status: 404, body: '', ok: false, hasNoRoute: true };
  const { environment } = playground;
  const sentAt = environment.now();
  try {
    const { latencyMs } = await client.fetchQuery({ ...getModelsQueryOptions(playground), staleTime: 0 });
    return { ...noRouteReading, latencyMs };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const latencyMs = environment.now() - sentAt;
    if (!isUnreachable(error.report)) return { ...noRouteReading, latencyMs };
    return { latencyMs, body: '', ok: false, hasNoRoute: false, error: error.report };
  }
}

/** Checks the health route once more and keeps the reading before. A missing route is not requested again. */
export function getHealthQueryOptions(playground: Playground, client: QueryClient) {
  const { gateway, getGatewayId, environment } = playground;
  return queryOptions({
    queryKey: healthKey,
    queryFn: async ({ signal }): Promise<readonly TimedReading[]> => {
      const getReadings = () =>
        (client.getQueryData<readonly TimedReading[]>(healthKey) ?? []).filter(
          (item) => item.gatewayId === '' || item.gatewayId === getGatewayId(),
        );
      const lastReading = getReadings().at(-1);
      const isFromModels = lastReading?.hasNoRoute === true || lastReading?.isFromModels === true;
      const reading = isFromModels
        ? await readFromModels(playground, client)
        : await gateway.checkHealth(signal);
      // The session at the server is over: its status asks for the password again.
      if (reading.error?.kind === 'login-required') void client.invalidateQueries({ queryKey: statusKey });
      const previous = getReadings().at(-1);
      const checkedAt = environment.now();
      // What failed while nothing answered is asked again now.
      if (previous && isFailedReading(previous) && !isFailedReading(reading))
        void refetchStatusAndModels(client);
      // The list of models shows whether the gateway is down, or only its health route.
      else if (isFailedReading(reading) && !isFromModels)
        void client.refetchQueries({ queryKey: modelsKey }, joinInFlight);
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

/** The gateway's health: asked every 30 s while the page is visible, at once when it becomes so or comes online. */
export function useHealth(): Health {
  const playground = usePlayground();
  const { gateway, signals } = playground;
  const client = useQueryClient();
  const isOnline = useOnline();
  const lastUse = useStore(signals.state, getLastKeyUse);
  const lastUseAt = useStore(signals.state, ({ keyAcceptedAt, keyRejectedAt }) =>
    Math.max(keyAcceptedAt ?? 0, keyRejectedAt ?? 0),
  );
  const modelsError = useStore(signals.state, (state) => state.modelsError);
  const limit = useStore(signals.state, (state) => state.limit);
  const { data: status } = useStatus();
  const computeBadge = (readings: readonly TimedReading[]) =>
    getHealthBadge({
      isOnline,
      readings,
      modelsError,
      ...(status ? { status } : {}),
      ...(lastUse ? { lastUse, lastUseAt } : {}),
    });
  const query = useQuery({
    ...getHealthQueryOptions(playground, client),
    enabled: status?.loginRequired !== true,
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

  // A list that is being loaded appears without a reload. One observer polls, however many show the list.
  useQuery({
    ...getModelsQueryOptions(playground),
    enabled: status?.loginRequired !== true,
    refetchInterval: ({ state: { data, error } }) =>
      isLoadingList(data, error) ? loadingPollIntervalMs : false,
  });

  const connectionLostAt = useStore(signals.state, (state) => state.connectionLostAt);
  // A server that died is not only noticed at the next look in half a minute.
  useEffect(() => {
    if (connectionLostAt !== undefined) void client.refetchQueries({ queryKey: healthKey }, joinInFlight);
  }, [client, connectionLostAt]);

  const channel = gateway.channel?.getState() ?? 'refused';
  const readings = query.data ?? [];
  const lastReading = readings.at(-1);
  return {
    badge: computeBadge(readings),
    ...(channel === 'closed'
      ? {}
      : { transport: channel === 'open' ? ('channel' as const) : ('direct' as const) }),
    isBuffered: gateway.channel?.isBuffered() ?? false,
    isChecking: query.isFetching,
    checkNow: () => {
      void query.refetch(joinInFlight);
      // The list of models tells whether the key is accepted; the health route may need none.
      void refetchStatusAndModels(client);
    },
    ...(lastReading ? { lastReading } : {}),
    ...(limit ? { limit } : {}),
    ...(status ? { status } : {}),
  };
}

/** Whether Bench's own server was out of reach at the last look. Asks for nothing by itself. */
export function useServerReach() {
  const client = useQueryClient();
  const isChecking = useIsFetching({ queryKey: healthKey }) > 0;
  const { data } = useQuery({ ...getHealthQueryOptions(usePlayground(), client), enabled: false });
  return {
    isServerUnreachable: data?.at(-1)?.error?.kind === 'proxy-unreachable',
    isChecking,
    checkNow: () => void client.refetchQueries({ queryKey: healthKey }, joinInFlight),
  };
}

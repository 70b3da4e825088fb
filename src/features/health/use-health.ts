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
import type { SignalsState } from '../../state/signals.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { modelsKey, modelsQuery } from '../models/use-models.ts';
import { useOnline } from './use-online.ts';
import { statusKey, useStatus } from './use-status.ts';

export const healthKey = ['health'] as const;
const pollEveryMs = 30_000;
/** After a failure the next look comes sooner: two failures make a gateway that is down. */
const pollAfterFailureMs = 5_000;
/** Lists of models are larger than health responses. */
const pollModelsEveryMs = 60_000;
const pollLoadingEveryMs = 5_000;

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
  last?: TimedReading;
  /** Limit that the gateway last reported. */
  limit?: ReportedLimit;
  status?: PlaygroundStatus;
  /** How requests travel, once one has: over the channel, or each over a connection of its own. */
  way?: 'channel' | 'direct';
  /** Something between the page and the server holds the channel's frames back. */
  isBuffered?: boolean;
  isChecking: boolean;
  checkNow: () => void;
}

/** The last that was heard of the key is that it is not accepted. */
export function isKeyRejected({ keyAcceptedAt, keyRejectedAt }: SignalsState): boolean {
  return keyRejectedAt !== undefined && keyRejectedAt >= (keyAcceptedAt ?? 0);
}

function lastUseOf(state: SignalsState): BadgeInputs['lastUse'] {
  if (isKeyRejected(state)) return 'key-rejected';
  return state.keyAcceptedAt === undefined ? undefined : 'accepted';
}

/** Waits for a request in flight, since a gateway may query each of its models for one health response. */
const once = { cancelRefetch: false };

async function refetchFacts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.refetchQueries({ queryKey: statusKey }, once),
    client.refetchQueries({ queryKey: modelsKey }, once),
  ]);
}

/** Uses the list of models as the health reading of a gateway without a health route. */
async function readFromModels(playground: Playground, client: QueryClient): Promise<HealthReading> {
  const isThere = { status: 404, body: '', ok: false, hasNoRoute: true };
  const { environment } = playground;
  const sentAt = environment.now();
  try {
    const { latencyMs } = await client.fetchQuery({ ...modelsQuery(playground), staleTime: 0 });
    return { ...isThere, latencyMs };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const latencyMs = environment.now() - sentAt;
    if (!isUnreachable(error.report)) return { ...isThere, latencyMs };
    return { latencyMs, body: '', ok: false, hasNoRoute: false, error: error.report };
  }
}

/** Checks the health route once more and keeps the reading before. A missing route is not requested again. */
export function healthQuery(playground: Playground, client: QueryClient) {
  const { gateway, getGatewayId, environment } = playground;
  return queryOptions({
    queryKey: healthKey,
    queryFn: async ({ signal }): Promise<readonly TimedReading[]> => {
      const readings = () =>
        (client.getQueryData<readonly TimedReading[]>(healthKey) ?? []).filter(
          (each) => each.gatewayId === '' || each.gatewayId === getGatewayId(),
        );
      const earlier = readings().at(-1);
      const isFromModels = earlier?.hasNoRoute === true || earlier?.isFromModels === true;
      const reading = isFromModels
        ? await readFromModels(playground, client)
        : await gateway.checkHealth(signal);
      // The session at the server is over: its status asks for the password again.
      if (reading.error?.kind === 'login-required') void client.invalidateQueries({ queryKey: statusKey });
      const before = readings().at(-1);
      const checkedAt = environment.now();
      // What failed while nothing answered is asked again now.
      if (before && isFailedReading(before) && !isFailedReading(reading)) void refetchFacts(client);
      // The list of models shows whether the gateway is down, or only its health route.
      else if (isFailedReading(reading) && !isFromModels)
        void client.refetchQueries({ queryKey: modelsKey }, once);
      const body = isFromModels && reading.hasNoRoute ? (before?.body ?? '') : reading.body;
      const now: TimedReading = { ...reading, body, checkedAt, gatewayId: getGatewayId() };
      return [...(before ? [before] : []), isFromModels ? { ...now, isFromModels } : now];
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
  const online = useOnline();
  const lastUse = useStore(signals.state, lastUseOf);
  const lastUseAt = useStore(signals.state, ({ keyAcceptedAt, keyRejectedAt }) =>
    Math.max(keyAcceptedAt ?? 0, keyRejectedAt ?? 0),
  );
  const modelsError = useStore(signals.state, (state) => state.modelsError);
  const limit = useStore(signals.state, (state) => state.limit);
  const { data: status } = useStatus();
  const badgeFor = (readings: readonly TimedReading[]) =>
    getHealthBadge({
      online,
      readings,
      modelsError,
      ...(status ? { status } : {}),
      ...(lastUse ? { lastUse, lastUseAt } : {}),
    });
  const query = useQuery({
    ...healthQuery(playground, client),
    enabled: status?.loginRequired !== true,
    refetchInterval: ({ state: { data = [] } }) => {
      const last = data.at(-1);
      if (last?.hasNoRoute) return pollModelsEveryMs;
      if (!last || !isFailedReading(last)) return pollEveryMs;
      return badgeFor(data).text === 'Gateway degraded' ? pollEveryMs : pollAfterFailureMs;
    },
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });

  // A list that is being loaded appears without a reload. One observer polls, however many show the list.
  useQuery({
    ...modelsQuery(playground),
    enabled: status?.loginRequired !== true,
    refetchInterval: ({ state: { data, error } }) =>
      isLoadingList(data, error) ? pollLoadingEveryMs : false,
  });

  const lostAt = useStore(signals.state, (state) => state.connectionLostAt);
  // A server that died is not only noticed at the next look in half a minute.
  useEffect(() => {
    if (lostAt !== undefined) void client.refetchQueries({ queryKey: healthKey }, once);
  }, [client, lostAt]);

  const channel = gateway.channel?.state() ?? 'refused';
  const readings = query.data ?? [];
  const last = readings.at(-1);
  return {
    badge: badgeFor(readings),
    ...(channel === 'closed' ? {} : { way: channel === 'open' ? ('channel' as const) : ('direct' as const) }),
    isBuffered: gateway.channel?.isBuffered() ?? false,
    isChecking: query.isFetching,
    checkNow: () => {
      void query.refetch(once);
      // The list of models tells whether the key is accepted; the health route may need none.
      void refetchFacts(client);
    },
    ...(last ? { last } : {}),
    ...(limit ? { limit } : {}),
    ...(status ? { status } : {}),
  };
}

/** Whether Bench's own server was out of reach at the last look. Asks for nothing by itself. */
export function useServerReach() {
  const client = useQueryClient();
  const isChecking = useIsFetching({ queryKey: healthKey }) > 0;
  const { data } = useQuery({ ...healthQuery(usePlayground(), client), enabled: false });
  return {
    isGone: data?.at(-1)?.error?.kind === 'proxy-unreachable',
    isChecking,
    checkNow: () => void client.refetchQueries({ queryKey: healthKey }, once),
  };
}

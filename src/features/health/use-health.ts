import {
  queryOptions,
  useIsFetching,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import { useStore } from 'zustand';

import { badgeOf, type Badge, type BadgeFacts } from '../../gateway/http/badge.ts';
import type { HealthReading } from '../../gateway/http/health.ts';
import type { PlaygroundStatus } from '../../gateway/http/status.ts';
import type { Playground } from '../../state/playground.ts';
import { usePlayground } from '../../state/react.tsx';
import type { SignalsState } from '../../state/signals.ts';
import { modelsKey } from '../models/use-models.ts';
import { useOnline } from './use-online.ts';
import { statusKey, useStatus } from './use-status.ts';

export const healthKey = ['health'] as const;
const pollEveryMs = 30_000;
/** After a failure the next look comes sooner: two failures make a gateway that is down. */
const pollAfterFailureMs = 5_000;

/** A look at the health route, and when it was taken, in epoch milliseconds. */
export type TimedReading = HealthReading & { at: number };

export interface Health {
  badge: Badge;
  last?: TimedReading;
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

function lastUseOf(state: SignalsState): BadgeFacts['lastUse'] {
  if (isKeyRejected(state)) return 'key-rejected';
  return state.keyAcceptedAt === undefined ? undefined : 'accepted';
}

async function refetchFacts(client: QueryClient): Promise<void> {
  await Promise.all([
    client.refetchQueries({ queryKey: statusKey }),
    client.refetchQueries({ queryKey: modelsKey }),
  ]);
}

/** One look more at the health route, behind the one before it. */
export function healthQuery({ gateway }: Playground, client: QueryClient) {
  return queryOptions({
    queryKey: healthKey,
    queryFn: async ({ signal }): Promise<readonly TimedReading[]> => {
      const reading = await gateway.checkHealth(signal);
      // The session at the server is over: its status asks for the password again.
      if (reading.error?.kind === 'login-required') void client.invalidateQueries({ queryKey: statusKey });
      const before = client.getQueryData<readonly TimedReading[]>(healthKey) ?? [];
      // What failed while nothing answered is asked again now.
      if (before.at(-1)?.error && !reading.error) void refetchFacts(client);
      return [...before.slice(-1), { ...reading, at: Date.now() }];
    },
  });
}

/** The gateway's health: asked every 30 s while the page is visible, at once when it becomes so or comes online. */
export function useHealth(): Health {
  const playground = usePlayground();
  const { gateway, signals } = playground;
  const client = useQueryClient();
  const online = useOnline();
  const lastUse = useStore(signals.state, lastUseOf);
  const { data: status } = useStatus();
  const query = useQuery({
    ...healthQuery(playground, client),
    enabled: status?.loginRequired !== true,
    refetchInterval: ({ state }) => (state.data?.at(-1)?.error ? pollAfterFailureMs : pollEveryMs),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
  });

  const lostAt = useStore(signals.state, (state) => state.connectionLostAt);
  // F96: a server that died is not only noticed at the next look in half a minute.
  useEffect(() => {
    if (lostAt !== undefined) void client.refetchQueries({ queryKey: healthKey });
  }, [client, lostAt]);

  const channel = gateway.channel?.state() ?? 'refused';
  const readings = query.data ?? [];
  const last = readings.at(-1);
  return {
    badge: badgeOf({ online, readings, ...(status ? { status } : {}), ...(lastUse ? { lastUse } : {}) }),
    ...(channel === 'closed' ? {} : { way: channel === 'open' ? ('channel' as const) : ('direct' as const) }),
    isBuffered: gateway.channel?.isBuffered() ?? false,
    isChecking: query.isFetching,
    checkNow: () => {
      void query.refetch();
      // The list of models tells whether the key is accepted; the health route may need none.
      void refetchFacts(client);
    },
    ...(last ? { last } : {}),
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
    checkNow: () => void client.refetchQueries({ queryKey: healthKey }),
  };
}

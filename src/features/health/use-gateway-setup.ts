import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import { getGatewayState, type GatewayInputs, type GatewayState } from '../../gateway/http/gateway-state.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { modelsKey, useModels } from '../models/use-models.ts';
import { healthKey, getHealthQueryOptions, isKeyRejected } from './use-health.ts';
import { statusKey, useStatus } from './use-status.ts';

const recheckIntervalMs = 10_000;

/** What is known of the gateway; asks only for the list of models. */
export function useGatewayInputs(): GatewayInputs {
  const playground = usePlayground();
  const { signals } = playground;
  const client = useQueryClient();
  const { data: status } = useStatus();
  // Only read: the badge asks.
  const { data: readings } = useQuery({ ...getHealthQueryOptions(playground, client), enabled: false });
  const { data: list } = useModels();
  const modelsError = useStore(signals.state, (state) => state.modelsError);
  const isRejected = useStore(signals.state, isKeyRejected);
  return {
    status,
    health: readings?.at(-1),
    modelCount: list?.models.length,
    modelsError,
    isKeyRejected: isRejected,
  };
}

/** Whether the gateway can be used, as far as is known. */
export function useGatewayState(): GatewayState {
  return getGatewayState(useGatewayInputs());
}

/** When the gateway was last looked at, and a look now: at its health, at the server's own status, and at the models. */
export function useGatewayRefresh(): {
  lastCheckedAt: number | undefined;
  isChecking: boolean;
  checkNow: () => void;
} {
  const client = useQueryClient();
  const { isFetching, dataUpdatedAt, errorUpdatedAt } = useModels();
  const lastCheckedAt = Math.max(dataUpdatedAt, errorUpdatedAt);
  const checkNow = () => {
    for (const queryKey of [healthKey, statusKey, modelsKey])
      void client.refetchQueries({ queryKey }, { cancelRefetch: false });
  };
  return { lastCheckedAt: lastCheckedAt === 0 ? undefined : lastCheckedAt, isChecking: isFetching, checkNow };
}

/** Looks again by itself while this is on screen: every 10 s, and at once when the page is looked at again. */
export function useGatewayRechecks(checkNow: () => void): void {
  const [check] = useState(() => checkNow);
  useEffect(() => {
    const recheck = () => document.visibilityState === 'visible' && check();
    const timer = setInterval(recheck, recheckIntervalMs);
    window.addEventListener('focus', recheck);
    document.addEventListener('visibilitychange', recheck);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', recheck);
      document.removeEventListener('visibilitychange', recheck);
    };
  }, [check]);
}

/** True once this has been on screen for so long. */
export function useHasBeenVisibleFor(ms: number): boolean {
  const [hasElapsed, setHasElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasElapsed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return hasElapsed;
}

/** Puts the demo gateway in the place of the configured one for this tab, or takes it back. */
export function useDemoChoice(): (isDemo: boolean) => void {
  const { setDemoMode } = usePlayground();
  const client = useQueryClient();
  return (isDemo) => {
    setDemoMode(isDemo);
    for (const queryKey of [statusKey, modelsKey, healthKey]) void client.resetQueries({ queryKey });
  };
}

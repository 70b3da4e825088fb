import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import { getGatewayState, type GatewayInputs, type GatewayState } from '../../gateway/http/gateway-state.ts';
import { useAppServices } from '../../state/contexts.tsx';
import { getModelsKey, modelsKey, useModels } from '../models/use-models.ts';
import { getHealthKey, healthKey, getHealthQueryOptions, isKeyRejected } from './use-health.ts';
import { statusKey, useGatewayKey, useGatewayStatus } from './use-status.ts';

const recheckIntervalMs = 10_000;

/**
 * Returns the known state of a gateway, by default of the first one. The only request sent from here is for the model
 * list.
 */
export function useGatewayInputs(gatewayName?: string): GatewayInputs {
  const app = useAppServices();
  const { signals } = app.gateways.getServices(gatewayName);
  const client = useQueryClient();
  const status = useGatewayStatus(gatewayName);
  const gatewayKey = useGatewayKey(gatewayName);
  // Only reads the results: the badge sends the requests.
  const { data: readings } = useQuery({
    ...getHealthQueryOptions(app, client, gatewayKey),
    enabled: false,
  });
  const { data: list } = useModels(gatewayName);
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

/** Returns whether a gateway is usable, according to the checks so far. */
export function useGatewayState(gatewayName?: string): GatewayState {
  return getGatewayState(useGatewayInputs(gatewayName));
}

/** Returns the time of the last check and a function that checks now: health, server status and models. */
export function useGatewayRefresh(gatewayName?: string): {
  lastCheckedAt: number | undefined;
  isChecking: boolean;
  checkNow: () => void;
} {
  const client = useQueryClient();
  const gatewayKey = useGatewayKey(gatewayName);
  const { isFetching, dataUpdatedAt, errorUpdatedAt } = useModels(gatewayName);
  const lastCheckedAt = Math.max(dataUpdatedAt, errorUpdatedAt);
  const checkNow = () => {
    for (const queryKey of [getHealthKey(gatewayKey), statusKey, getModelsKey(gatewayKey)])
      void client.refetchQueries({ queryKey }, { cancelRefetch: false });
  };
  return { lastCheckedAt: lastCheckedAt === 0 ? undefined : lastCheckedAt, isChecking: isFetching, checkNow };
}

/** Rechecks every 10 s while mounted, and immediately when the page becomes visible again. */
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

/** Returns true once the component has been mounted for `ms` milliseconds. */
export function useHasBeenVisibleFor(ms: number): boolean {
  const [hasElapsed, setHasElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasElapsed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return hasElapsed;
}

/** Returns a function that switches this tab to the demo gateway or back. */
export function useDemoChoice(): (isDemo: boolean) => void {
  const { setDemoMode } = useAppServices();
  const client = useQueryClient();
  return (isDemo) => {
    setDemoMode(isDemo);
    for (const queryKey of [statusKey, modelsKey, healthKey]) void client.resetQueries({ queryKey });
  };
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import { getGatewayState, type GatewayInputs, type GatewayState } from '../../gateway/http/gateway-state.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import { modelsKey, useModels } from '../models/use-models.ts';
import { healthKey, healthQuery, isKeyRejected } from './use-health.ts';
import { statusKey, useStatus } from './use-status.ts';

const recheckEveryMs = 10_000;

/** What is known of the gateway; asks only for the list of models. */
export function useGatewayFacts(): GatewayInputs {
  const playground = usePlayground();
  const { signals } = playground;
  const client = useQueryClient();
  const { data: status } = useStatus();
  // Only read: the badge asks.
  const { data: readings } = useQuery({ ...healthQuery(playground, client), enabled: false });
  const { data: list } = useModels();
  const modelsError = useStore(signals.state, (state) => state.modelsError);
  const rejected = useStore(signals.state, isKeyRejected);
  return {
    status,
    health: readings?.at(-1),
    modelCount: list?.models.length,
    modelsError,
    isKeyRejected: rejected,
  };
}

/** Whether the gateway can be used, as far as is known. */
export function useGatewayState(): GatewayState {
  return getGatewayState(useGatewayFacts());
}

/** When the gateway was last looked at, and a look now: at its health, at the server's own status, and at the models. */
export function useGatewayCheck(): { lastAt: number | undefined; isChecking: boolean; checkNow: () => void } {
  const client = useQueryClient();
  const { isFetching, dataUpdatedAt, errorUpdatedAt } = useModels();
  const lastAt = Math.max(dataUpdatedAt, errorUpdatedAt);
  const checkNow = () => {
    for (const queryKey of [healthKey, statusKey, modelsKey])
      void client.refetchQueries({ queryKey }, { cancelRefetch: false });
  };
  return { lastAt: lastAt === 0 ? undefined : lastAt, isChecking: isFetching, checkNow };
}

/** Looks again by itself while this is on screen: every 10 s, and at once when the page is looked at again. */
export function useGatewayRechecks(checkNow: () => void): void {
  const [check] = useState(() => checkNow);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && check();
    const timer = setInterval(look, recheckEveryMs);
    window.addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [check]);
}

/** True once this has been on screen for so long. */
export function useShownFor(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
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

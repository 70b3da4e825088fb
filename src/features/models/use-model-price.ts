/** Prices of models and costs of answers. The pricing code loads lazily, because it is not needed at first. */
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';

import type * as estimateModule from '../../conversation/reply/cost-estimate.ts';
import type { CostEstimate } from '../../conversation/reply/cost-estimate.ts';
import type * as costModule from '../../conversation/reply/cost.ts';
import type { GetModelPrice } from '../../conversation/reply/cost.ts';
import { isLive } from '../../conversation/reply/run.ts';
import { getCopiedTurn, getLanePath, getRun } from '../../conversation/session/turn-tree.ts';
import type { LaneId, ModelChoice, Run, SessionData } from '../../conversation/session/types.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useAppServices, useSessionByPhases } from '../../state/contexts.tsx';
import { useLazyModule, type LazyModule } from '../../ui/hooks/use-lazy-module.ts';

const loadPricing = createPreloadableImport(async () => {
  const [cost, { estimateContext, estimateNextCost }] = await Promise.all([
    import('../../conversation/reply/cost.ts'),
    import('../../conversation/reply/cost-estimate.ts'),
  ]);
  const { getPriceLookup, computeRunsCost, describeCost, formatModelPrice, formatTotalCost } = cost;
  return (pricing.loaded = {
    getPriceLookup,
    computeRunsCost,
    describeCost,
    estimateContext,
    estimateNextCost,
    formatModelPrice,
    formatTotalCost,
  });
});
interface Pricing
  extends
    Pick<
      typeof costModule,
      'getPriceLookup' | 'computeRunsCost' | 'describeCost' | 'formatModelPrice' | 'formatTotalCost'
    >,
    Pick<typeof estimateModule, 'estimateContext' | 'estimateNextCost'> {}

interface Prices extends Pricing {
  getModelPrice: GetModelPrice;
}

/** Pricing module; if it fails to load, prices are omitted. */
const pricing: LazyModule<Pricing | undefined> = { load: () => loadPricing().catch(() => undefined) };

/** Returns the pricing code and the current prices; `undefined` until the code has loaded. */
export function usePrices(): Prices | undefined {
  const sources = useStore(useAppServices().gateways.priceSources);
  const loaded = useLazyModule(pricing);
  return useMemo(
    () => loaded && { ...loaded, getModelPrice: loaded.getPriceLookup(sources) },
    [loaded, sources],
  );
}

/** Returns the price of a model in the picker, or `undefined`. */
export function useModelPrice(setup: ModelChoice): string | undefined {
  const prices = usePrices();
  return prices?.formatModelPrice(prices.getModelPrice(setup));
}

/** Returns the estimated cost of sending this text to these lanes; `undefined` if no price is known. */
export function useCostEstimate(text: string, laneIds: readonly LaneId[]): CostEstimate | undefined {
  const prices = usePrices();
  const data = useSessionByPhases();
  return data && prices?.estimateNextCost(data, laneIds, text, prices.getModelPrice);
}

/** Cost on screen, such as "$0.0016" or "no price". */
export interface CostText {
  text: string;
  /** Sentence with the origin of the cost and the number of answers without a price. */
  description: string;
  /** Number of answers without a price in words; `undefined` if all have one. */
  omissionText: string | undefined;
  /** False for "no price". */
  isKnown: boolean;
}

/** Returns the cost of an ended answer; `undefined` until it is available, and if nothing was received. */
export function useAnswerCost(run: Run): CostText | undefined {
  const prices = usePrices();
  return useMemo(() => prices && toCostText(prices, [run]), [prices, run]);
}

/** Returns the cost of all answers of the session, including other versions; `undefined` if no price is known. */
export function useSessionCost(): CostText | undefined {
  const cost = useTotalCost(listAllRuns);
  return cost?.isKnown ? cost : undefined;
}

/** Returns the cost of the answers on the lane's shown path; `undefined` without answers. */
export function useLaneCost(laneId: string): CostText | undefined {
  return useTotalCost(
    useCallback(
      (data: SessionData) => {
        const lane = data.lanes[laneId];
        return lane
          ? getLanePath(data, lane).flatMap((turn) =>
              getCopiedTurn(data, turn) ? [] : (getRun(data, turn) ?? []),
            )
          : [];
      },
      [laneId],
    ),
  );
}

function listAllRuns({ runs }: SessionData): Run[] {
  return Object.values(runs);
}

function useTotalCost(listRuns: (data: SessionData) => Run[]): CostText | undefined {
  const prices = usePrices();
  const data = useSessionByPhases();
  return useMemo(() => {
    return data && prices && toCostText(prices, listRuns(data));
  }, [data, prices, listRuns]);
}

function toCostText(
  { computeRunsCost, describeCost, formatTotalCost, getModelPrice }: Prices,
  runs: readonly Run[],
): CostText | undefined {
  const cost = computeRunsCost(
    runs.filter((run) => !isLive(run)),
    getModelPrice,
  );
  return (
    cost && {
      text: formatTotalCost(cost),
      description: describeCost(cost),
      omissionText: cost.unpricedCount === 0 ? undefined : `${cost.unpricedCount} without a price`,
      isKnown: cost.source !== 'unknown',
    }
  );
}

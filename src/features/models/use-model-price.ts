/**
 * Prices of models and answers, if the gateway lists them. The pricing code loads lazily, because it is not needed at
 * first.
 */
import { isLive } from '../../conversation/reply/run.ts';
import type { Run } from '../../conversation/session/types.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useAppServices } from '../../state/contexts.tsx';
import { useLazyModule, type LazyModule } from '../../ui/hooks/use-lazy-module.ts';

interface Pricing {
  formatListedPrice: (record: unknown) => string | undefined;
  formatAnswerCost: (run: Run, record: unknown) => string | undefined;
}

const loadPricing = createPreloadableImport(async () => {
  const { formatListedPrice, formatAnswerCost } = await import('../../conversation/reply/cost.ts');
  return (pricing.loaded = { formatListedPrice, formatAnswerCost });
});
const noPricing: Pricing = { formatListedPrice: () => undefined, formatAnswerCost: () => undefined };
/** Pricing module; if it fails to load, prices are omitted. */
const pricing: LazyModule<Pricing> = { load: () => loadPricing().catch(() => noPricing) };

/** Returns the listed price of a model in the picker, or `undefined`. */
export function useListedPrice(model: ModelRecord | undefined): string | undefined {
  return useLazyModule(pricing)?.formatListedPrice(model?.raw);
}

/** Label if the cost is neither reported nor computable from a listed price. */
export const noPrice = 'no price';

/** Returns the cost of an ended answer as text, or `undefined` until it is available. */
export function useAnswerCost(run: Run): string | undefined {
  const { getListedModel } = useAppServices();
  const loaded = useLazyModule(pricing);
  if (isLive(run) || loaded === undefined) return undefined;
  return loaded.formatAnswerCost(run, getListedModel(run.setup.model)?.raw) ?? noPrice;
}

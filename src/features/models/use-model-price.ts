/** What models and answers cost, where the gateway lists prices. The reading comes late: nobody looks for it at first. */
import { isLive } from '../../conversation/reply/run.ts';
import type { Run } from '../../conversation/session/types.ts';
import type { ModelRecord } from '../../gateway/models/model-record.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { usePlayground } from '../../state/use-playground.tsx';
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
/** Whatever a price stands beside is there without it. */
const pricing: LazyModule<Pricing> = { load: () => loadPricing().catch(() => noPricing) };

/** Of a model in the picker; undefined where it has none. */
export function useListedPrice(model: ModelRecord | undefined): string | undefined {
  return useLazyModule(pricing)?.formatListedPrice(model?.raw);
}

/** Shown in place of a cost that is neither reported nor listed. */
export const noPrice = 'no price';

/** Returns the cost of an ended answer as text; undefined until it is available. */
export function useAnswerCost(run: Run): string | undefined {
  const { getListedModel } = usePlayground();
  const loaded = useLazyModule(pricing);
  if (isLive(run) || loaded === undefined) return undefined;
  return loaded.formatAnswerCost(run, getListedModel(run.setup.model)?.raw) ?? noPrice;
}

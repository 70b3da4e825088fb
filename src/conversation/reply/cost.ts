/**
 * Cost of answers: as reported by the provider, otherwise computed from token counts and the gateway's listed price.
 */
import { parsePrice, type Price } from '../../gateway/models/model-price.ts';
import { formatCost, formatPrice } from '../../lib/usd.ts';
import type { Run } from '../session/types.ts';
import { computeMetrics, type Metrics } from './metrics.ts';

/** Returns the listed price of a model ID, `undefined` if the gateway lists none. */
export type GetModelPrice = (model: string) => Price | undefined;

export interface Cost {
  usd: number;
  /** True if some token counts are estimates. */
  isEstimated: boolean;
  /** True if the price of some answers is unknown, so the real cost is higher. */
  isLowerBound: boolean;
  /** Origin of the cost: reported by the provider, computed from listed prices, or both. */
  source: 'reported' | 'listed' | 'mixed';
}

/**
 * Returns the total cost, `undefined` if no cost is known. Answers without token counts (none were received) are
 * skipped.
 */
export function computeCost(
  answers: readonly { run: Run; metrics: Pick<Metrics, 'tokensIn' | 'tokensOut' | 'costUsd'> }[],
  getModelPrice: GetModelPrice,
): Cost | undefined {
  const costs = answers.flatMap(({ run, metrics: { tokensIn, tokensOut, costUsd } }) => {
    if (costUsd !== undefined) return [{ usd: costUsd, isEstimated: false, isReported: true }];
    if (!('value' in tokensIn) || !('value' in tokensOut)) return [];
    const price = getModelPrice(run.setup.model);
    if (!price) return [undefined];
    const isEstimated = tokensIn.kind === 'estimated' || tokensOut.kind === 'estimated';
    const usd = (tokensIn.value * price.promptUsd + tokensOut.value * price.completionUsd) / 1_000_000;
    return [{ usd, isEstimated, isReported: false }];
  });
  const knownCosts = costs.filter((cost) => cost !== undefined);
  if (knownCosts.length === 0) return undefined;
  const reportedCount = knownCosts.filter(({ isReported }) => isReported).length;
  return {
    usd: knownCosts.reduce((sum, { usd }) => sum + usd, 0),
    isEstimated: knownCosts.some(({ isEstimated }) => isEstimated),
    isLowerBound: knownCosts.length < costs.length,
    source: reportedCount === 0 ? 'listed' : reportedCount === knownCosts.length ? 'reported' : 'mixed',
  };
}

/** Formats a cost as "$0.0012", "~$0.0012" or "≥ $0.0012". */
export function formatTotalCost({ usd, isEstimated, isLowerBound }: Cost): string {
  return `${isLowerBound ? '≥ ' : ''}${isEstimated ? '~' : ''}${formatCost(usd)}`;
}

/**
 * Formats the price of a million tokens in and out as "$3 / $15" or "free"; `undefined` if the model record has no
 * price.
 */
export function formatListedPrice(record: unknown): string | undefined {
  const price = parsePrice(record);
  if (!price) return undefined;
  const { promptUsd, completionUsd } = price;
  return promptUsd + completionUsd === 0
    ? 'free'
    : `${formatPrice(promptUsd)} / ${formatPrice(completionUsd)}`;
}

/** Formats the cost of one answer. `record` is the gateway's record of the model. */
export function formatAnswerCost(run: Run, record: unknown): string | undefined {
  const cost = computeCost([{ run, metrics: computeMetrics(run) }], () => parsePrice(record));
  return cost && formatTotalCost(cost);
}

/** Cost of answers: as reported with their tokens, else from their token counts and the price that the gateway lists. */
import { parsePrice, type Price } from '../../gateway/models/model-price.ts';
import { formatCost, formatPrice } from '../../lib/usd.ts';
import type { Run } from '../session/types.ts';
import { computeMetrics, type Metrics } from './metrics.ts';

/** By the id of a model, as the gateway lists it; undefined where it lists no price. */
export type GetModelPrice = (model: string) => Price | undefined;

export interface Cost {
  usd: number;
  /** Some of the tokens are counted here. */
  isEstimated: boolean;
  /** It is more than that: of some answers the price is not known. */
  isLowerBound: boolean;
  /** Reported by the provider with each answer, computed from listed prices, or both. */
  source: 'reported' | 'listed' | 'mixed';
}

/** Together; undefined where nothing is known of any. What has no tokens was never answered and costs nothing here. */
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

/** "$0.0012", "~$0.0012", "≥ $0.0012" */
export function formatTotalCost({ usd, isEstimated, isLowerBound }: Cost): string {
  return `${isLowerBound ? '≥ ' : ''}${isEstimated ? '~' : ''}${formatCost(usd)}`;
}

/** "$3 / $15" for a million tokens in and out, or "free"; undefined where the record of a model lists no price. */
export function formatListedPrice(record: unknown): string | undefined {
  const price = parsePrice(record);
  if (!price) return undefined;
  const { promptUsd, completionUsd } = price;
  return promptUsd + completionUsd === 0
    ? 'free'
    : `${formatPrice(promptUsd)} / ${formatPrice(completionUsd)}`;
}

/** What one answer cost, in words; `record`: of its model, as the gateway lists it. */
export function formatAnswerCost(run: Run, record: unknown): string | undefined {
  const cost = computeCost([{ run, metrics: computeMetrics(run) }], () => parsePrice(record));
  return cost && formatTotalCost(cost);
}

/**
 * Cost of answers: as reported by the provider, otherwise computed from token counts and a price, which is that of the
 * model's record or that of the operator's own file.
 */
import { parsePrice, type OwnPrice, type Price } from '../../gateway/models/model-price.ts';
import { findModel, type ModelRecord } from '../../gateway/models/model-record.ts';
import { pluralize } from '../../lib/format.ts';
import { formatCost, formatPrice } from '../../lib/money.ts';
import type { ModelChoice, Run } from '../session/types.ts';
import { computeMetrics, type Metrics } from './metrics.ts';

/** Everything that the prices of a gateway's models are read from. */
export interface PriceSource {
  /** Name of the gateway. */
  gateway: string;
  models: readonly ModelRecord[];
  ownPrices: readonly OwnPrice[];
}

/** Price with its origin: the model's record, or the file of the operator. */
export interface ModelPrice extends Price {
  source: 'listed' | 'file';
}

/** Returns the price of a setup's model, `undefined` if it is unknown. */
export type GetModelPrice = (choice: ModelChoice) => ModelPrice | undefined;

/** Amount of each currency, under its ISO 4217 code. Amounts of different currencies cannot be added. */
export type Amounts = Readonly<Record<string, number>>;

export interface Cost {
  /** Known part of the cost; empty if no price is known. */
  amounts: Amounts;
  /** True if some token counts are estimates. */
  isEstimated: boolean;
  /** Number of answers with a cost, and of those whose price is unknown. */
  pricedCount: number;
  unpricedCount: number;
  /** Origin of the cost: reported by the provider, computed from a listed price or from the operator's, or several. */
  source: 'reported' | 'listed' | 'file' | 'mixed' | 'unknown';
}

/** Text for a cost or price that is unknown, which is not free. */
const noPrice = 'no price';

type CostMetrics = Pick<
  Metrics,
  'tokensIn' | 'tokensOut' | 'cachedTokens' | 'isCachedExtra' | 'reasoningTokens' | 'costUsd'
>;

const lookups = new WeakMap<readonly PriceSource[], GetModelPrice>();

/** Returns the lookup in these sources, which must not be mutated. The first one is for setups without a gateway. */
export function getPriceLookup(sources: readonly PriceSource[]): GetModelPrice {
  const existing = lookups.get(sources);
  if (existing) return existing;
  const prices = new Map<string, ModelPrice | undefined>();
  const getModelPrice: GetModelPrice = ({ model, gateway }) => {
    const key = JSON.stringify([gateway, model]);
    if (!prices.has(key))
      prices.set(
        key,
        findPrice(
          gateway === undefined ? sources[0] : sources.find((source) => source.gateway === gateway),
          model,
        ),
      );
    return prices.get(key);
  };
  lookups.set(sources, getModelPrice);
  return getModelPrice;
}

function findPrice(source: PriceSource | undefined, model: string): ModelPrice | undefined {
  if (source === undefined) return undefined;
  const listedPrice = parsePrice(findModel(source.models, model)?.raw);
  if (listedPrice) return { ...listedPrice, source: 'listed' };
  const ownPrice = source.ownPrices.find((price) => price.model === model);
  return ownPrice && { ...ownPrice, source: 'file' };
}

/** Returns the total cost, `undefined` without answers. Answers without token counts (none were received) are skipped. */
export function computeCost(
  answers: readonly { run: Run; metrics: CostMetrics }[],
  getModelPrice: GetModelPrice,
): Cost | undefined {
  return addCosts(
    answers.flatMap(({ run, metrics }) => computeAnswerCost(run, metrics, getModelPrice) ?? []),
  );
}

const runCosts = new WeakMap<GetModelPrice, WeakMap<Run, Cost | undefined>>();

/** Returns the total cost of these runs, `undefined` without answers. Remembers the cost of each run at these prices. */
export function computeRunsCost(runs: readonly Run[], getModelPrice: GetModelPrice): Cost | undefined {
  const costs = runCosts.get(getModelPrice) ?? new WeakMap<Run, Cost | undefined>();
  runCosts.set(getModelPrice, costs);
  return addCosts(
    runs.flatMap((run) => {
      if (!costs.has(run)) costs.set(run, computeAnswerCost(run, computeMetrics(run), getModelPrice));
      return costs.get(run) ?? [];
    }),
  );
}

/** Returns the sum of costs, per currency; `undefined` if there are none. */
export function addCosts(costs: readonly Cost[]): Cost | undefined {
  if (costs.length === 0) return undefined;
  const amounts: Record<string, number> = {};
  for (const cost of costs)
    for (const [currency, amount] of Object.entries(cost.amounts))
      amounts[currency] = (amounts[currency] ?? 0) + amount;
  const sources = new Set(costs.map(({ source }) => source).filter((source) => source !== 'unknown'));
  const [source = 'unknown'] = sources;
  return {
    amounts,
    isEstimated: costs.some(({ isEstimated }) => isEstimated),
    pricedCount: costs.reduce((sum, { pricedCount }) => sum + pricedCount, 0),
    unpricedCount: costs.reduce((sum, { unpricedCount }) => sum + unpricedCount, 0),
    source: sources.size > 1 ? 'mixed' : source,
  };
}

function computeAnswerCost(run: Run, metrics: CostMetrics, getModelPrice: GetModelPrice): Cost | undefined {
  const { tokensIn, tokensOut, costUsd } = metrics;
  if (costUsd !== undefined) return { ...createCost('USD', costUsd), source: 'reported' };
  if (!('value' in tokensIn) || !('value' in tokensOut)) return undefined;
  const cost = computeTokenCost(getModelPrice(run.setup), {
    tokensIn: tokensIn.value,
    tokensOut: tokensOut.value,
    cachedTokens: metrics.cachedTokens,
    isCachedExtra: metrics.isCachedExtra,
    reasoningTokens: metrics.reasoningTokens,
  });
  const isEstimated = tokensIn.kind === 'estimated' || tokensOut.kind === 'estimated';
  return { ...cost, isEstimated: isEstimated && cost.source !== 'unknown' };
}

function createCost(currency: string, amount: number): Omit<Cost, 'source'> {
  return { amounts: { [currency]: amount }, isEstimated: false, pricedCount: 1, unpricedCount: 0 };
}

interface TokenCounts {
  tokensIn: number;
  tokensOut: number;
  /** Part of the input, or in addition to it if `isCachedExtra` is set. */
  cachedTokens?: number | undefined;
  isCachedExtra?: true | undefined;
  /** Part of the output. */
  reasoningTokens?: number | undefined;
}

/** Multiplies the tokens of one answer by their price. */
export function computeTokenCost(price: ModelPrice | undefined, counts: TokenCounts): Cost {
  if (!price) return { amounts: {}, isEstimated: false, pricedCount: 0, unpricedCount: 1, source: 'unknown' };
  const { inputPerMillion, outputPerMillion, currency, source } = price;
  const { cachedInputPerMillion = inputPerMillion, reasoningPerMillion = outputPerMillion } = price;
  const { tokensIn, tokensOut, cachedTokens = 0, isCachedExtra = false, reasoningTokens = 0 } = counts;
  const cached = isCachedExtra ? cachedTokens : Math.min(cachedTokens, tokensIn);
  const uncached = isCachedExtra ? tokensIn : tokensIn - cached;
  const reasoning = Math.min(reasoningTokens, tokensOut);
  const amount =
    (uncached * inputPerMillion +
      cached * cachedInputPerMillion +
      (tokensOut - reasoning) * outputPerMillion +
      reasoning * reasoningPerMillion) /
    1_000_000;
  return { ...createCost(currency, amount), source };
}

/** Formats a cost as "$0.0012", "~$0.0012", "≥ $0.0012", "$0.0012 + €0.0004" or "no price". */
export function formatTotalCost({ amounts, isEstimated, unpricedCount }: Cost): string {
  const parts = Object.entries(amounts).map(([currency, amount]) => formatCost(amount, currency));
  if (parts.length === 0) return noPrice;
  return `${unpricedCount > 0 ? '≥ ' : ''}${isEstimated ? '~' : ''}${parts.join(' + ')}`;
}

const sourceTexts = {
  reported: 'as reported by the provider',
  listed: 'at the current list price of the gateway',
  file: 'at the price in the file of GATEWAY_PRICES',
  mixed: 'as reported, or at the current prices',
};

/** Formats the cost of an answer with its origin: "cost $0.0012 (as reported by the provider)". */
export function formatCostWithSource(cost: Cost): string {
  return cost.source === 'unknown' ? noPrice : `cost ${formatTotalCost(cost)} (${sourceTexts[cost.source]})`;
}

/** Describes the origin of a cost in a sentence, and how many answers it omits. */
export function describeCost({ source, pricedCount, unpricedCount }: Cost): string {
  if (source === 'unknown') return 'Neither the provider nor the price lists give a price.';
  const total = pricedCount + unpricedCount;
  const omission =
    unpricedCount === 0
      ? ''
      : ` ${unpricedCount} of ${pluralize(total, 'answer')} ${haveText(unpricedCount)} no price.`;
  return `Cost ${sourceTexts[source]}.${omission}`;
}

function haveText(count: number): string {
  return count === 1 ? 'has' : 'have';
}

/** Formats the price of a million tokens in and out as "$3 / $15" or "free"; `undefined` if it is unknown. */
export function formatModelPrice(price: Price | undefined): string | undefined {
  if (!price) return undefined;
  const { inputPerMillion, outputPerMillion, currency } = price;
  return inputPerMillion + outputPerMillion === 0
    ? 'free'
    : `${formatPrice(inputPerMillion, currency)} / ${formatPrice(outputPerMillion, currency)}`;
}

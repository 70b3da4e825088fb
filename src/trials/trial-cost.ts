/** Costs of a trial: token counts that are summed answer by answer, and the costs computed from the sums. */
import {
  addCosts,
  computeTokenCost,
  type Amounts,
  type Cost,
  type ModelPrice,
} from '../conversation/reply/cost.ts';
import type { Metric, Metrics } from '../conversation/reply/metrics.ts';
import { sendsRequests, type Trial } from './trial.ts';

/** Token counts of a run from which its cost is computed, as stored in its cell. */
export interface AnswerUsage extends Pick<
  Metrics,
  'cachedTokens' | 'isCachedExtra' | 'reasoningTokens' | 'costUsd'
> {
  tokensIn?: Metric;
  tokensOut?: Metric;
}

/** Sums over answers. A cost is linear in these counts, so the cost of the sum is the sum of the costs. */
export interface UsageSum {
  /** Number of answers whose cost is computed from tokens, and how many of them have estimated counts. */
  answers: number;
  estimatedAnswers: number;
  /** Input tokens without cached ones. */
  uncachedTokens: number;
  cachedTokens: number;
  /** Output tokens without reasoning. */
  textTokens: number;
  reasoningTokens: number;
  /** Number of answers whose provider reported the cost, and these costs in US dollars. */
  reportedAnswers: number;
  reportedUsd: number;
}

export function createUsageSum(): UsageSum {
  return {
    answers: 0,
    estimatedAnswers: 0,
    uncachedTokens: 0,
    cachedTokens: 0,
    textTokens: 0,
    reasoningTokens: 0,
    reportedAnswers: 0,
    reportedUsd: 0,
  };
}

/** Returns the usage of one answer; `undefined` if no token counts are known, because nothing was received. */
export function toUsageSum(usage: AnswerUsage): UsageSum | undefined {
  const { tokensIn, tokensOut, costUsd, cachedTokens = 0, reasoningTokens = 0, isCachedExtra } = usage;
  if (costUsd !== undefined) return { ...createUsageSum(), reportedAnswers: 1, reportedUsd: costUsd };
  if (!tokensIn || !tokensOut || !('value' in tokensIn) || !('value' in tokensOut)) return undefined;
  const cached = isCachedExtra ? cachedTokens : Math.min(cachedTokens, tokensIn.value);
  const reasoning = Math.min(reasoningTokens, tokensOut.value);
  return {
    ...createUsageSum(),
    answers: 1,
    estimatedAnswers: tokensIn.kind === 'estimated' || tokensOut.kind === 'estimated' ? 1 : 0,
    uncachedTokens: isCachedExtra ? tokensIn.value : tokensIn.value - cached,
    cachedTokens: cached,
    textTokens: tokensOut.value - reasoning,
    reasoningTokens: reasoning,
  };
}

/** Adds a usage to a sum, or removes it again with the factor -1. */
export function addUsage(sum: UsageSum, usage: UsageSum | undefined, factor: 1 | -1 = 1): void {
  if (!usage) return;
  sum.answers += factor * usage.answers;
  sum.estimatedAnswers += factor * usage.estimatedAnswers;
  sum.uncachedTokens += factor * usage.uncachedTokens;
  sum.cachedTokens += factor * usage.cachedTokens;
  sum.textTokens += factor * usage.textTokens;
  sum.reasoningTokens += factor * usage.reasoningTokens;
  sum.reportedAnswers += factor * usage.reportedAnswers;
  sum.reportedUsd += factor * usage.reportedUsd;
}

/** Returns the cost of these answers at a price; `undefined` without answers. */
export function computeUsageCost(usage: UsageSum, price: ModelPrice | undefined): Cost | undefined {
  const { answers, estimatedAnswers, reportedAnswers, reportedUsd } = usage;
  const costs: Cost[] = [];
  if (reportedAnswers > 0)
    costs.push({
      amounts: { USD: reportedUsd },
      isEstimated: false,
      pricedCount: reportedAnswers,
      unpricedCount: 0,
      source: 'reported',
    });
  if (answers > 0)
    costs.push({
      ...computeTokenCost(price, {
        tokensIn: usage.uncachedTokens,
        cachedTokens: usage.cachedTokens,
        isCachedExtra: true,
        tokensOut: usage.textTokens + usage.reasoningTokens,
        reasoningTokens: usage.reasoningTokens,
      }),
      isEstimated: price !== undefined && estimatedAnswers > 0,
      pricedCount: price === undefined ? 0 : answers,
      unpricedCount: price === undefined ? answers : 0,
    });
  return addCosts(costs);
}

/** Most money that a trial may cost. */
export interface Budget {
  amount: number;
  /** ISO 4217 code. */
  currency: string;
}

/** Reason why the costs of a trial cannot be compared with a budget. Columns are given by their index. */
export type BudgetProblem =
  | { kind: 'no price'; columns: readonly number[] }
  | { kind: 'several currencies'; currencies: readonly string[] };

/** Returns why no budget can be kept; `prices` are those of the columns. */
export function findBudgetProblem(
  { columns, budget }: Pick<Trial, 'columns' | 'budget'>,
  prices: readonly (ModelPrice | undefined)[],
  spentAmounts: Amounts = {},
): BudgetProblem | undefined {
  const unpricedColumns = columns.flatMap((column, index) =>
    sendsRequests(column) && prices[index] === undefined ? [index] : [],
  );
  if (unpricedColumns.length > 0) return { kind: 'no price', columns: unpricedColumns };
  const currencies = new Set([
    ...(budget ? [budget.currency] : []),
    ...prices.flatMap((price, index) => (columns[index]?.savedAnswers ? [] : (price?.currency ?? []))),
    ...Object.keys(spentAmounts),
  ]);
  return currencies.size > 1 ? { kind: 'several currencies', currencies: [...currencies] } : undefined;
}

/** Output tokens assumed for an answer if nothing is known about the answers of a column. */
export const defaultOutputTokens = 200;

/** Properties of a request that determine its cost before it is sent. */
export interface CellRequest {
  /** Tokens of the messages, estimated from their length. */
  promptTokens: number;
  /** Maximum output tokens that the request allows, for all candidates together; `undefined` without a limit. */
  maxOutputTokens: number | undefined;
}

/**
 * Estimates the cost of a request before it is sent, rather too high than too low, because a budget must not be passed.
 * Input: the estimate from the length of the messages, or the mean of the column's answers if that is larger, because
 * the length does not include tools and images. Output: the limit that the request sends, otherwise twice the mean of
 * the column's answers or of earlier answers of the model; `defaultOutputTokens` if there are none. If the provider
 * reports costs, it is at least twice their mean.
 */
export function estimateCellCost(
  price: ModelPrice,
  { promptTokens, maxOutputTokens }: CellRequest,
  usage: UsageSum,
  pastTokensOut = defaultOutputTokens / 2,
): number {
  const { answers, uncachedTokens, cachedTokens, textTokens, reasoningTokens, reportedAnswers } = usage;
  const meanTokensIn = answers === 0 ? 0 : (uncachedTokens + cachedTokens) / answers;
  const meanTokensOut = answers === 0 ? pastTokensOut : (textTokens + reasoningTokens) / answers;
  const { inputPerMillion, outputPerMillion, reasoningPerMillion = outputPerMillion } = price;
  const tokensIn = Math.max(promptTokens, meanTokensIn);
  const tokensOut = maxOutputTokens ?? 2 * meanTokensOut;
  const tokenCost =
    (tokensIn * inputPerMillion + tokensOut * Math.max(outputPerMillion, reasoningPerMillion)) / 1_000_000;
  return reportedAnswers === 0 ? tokenCost : Math.max(tokenCost, (2 * usage.reportedUsd) / reportedAnswers);
}

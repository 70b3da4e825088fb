/** Estimates the cost of a trial, and what it can decide, before it runs. */
import { getOutputLimit } from '../conversation/reply/cost-estimate.ts';
import { addCosts, computeTokenCost, type Cost, type ModelPrice } from '../conversation/reply/cost.ts';
import { buildRequestFields } from '../conversation/setup/params.ts';
import {
  computeDetectableDifference,
  estimateRequiredCases,
  estimateReverseShare,
  type PairSum,
  type TrialDesign,
} from './statistics/planning.ts';
import { defaultOutputTokens } from './trial-cost.ts';
import { estimateTimeLeft, type GatewayLimit } from './trial-pace.ts';
import { countCases, getTrialRules, type Trial } from './trial.ts';

/** Statistics of earlier answers of a column's model, from this trial or others. */
export interface PastAnswerStats {
  meanMs: number;
  tokensIn: number;
  tokensOut: number;
  answers: number;
}

/** Price, earlier answers and request limit of a column, from its model and gateway. */
export interface ColumnContext extends GatewayLimit {
  pastStats: PastAnswerStats | undefined;
  /** `undefined` if the price is unknown. */
  price: ModelPrice | undefined;
}

/** Estimated cost of a trial, with the origin of the estimated output. */
export interface PlanCost {
  total: Cost;
  /** Number of earlier answers whose length is expected again; 0 without any. */
  answers: number;
  /** True if an answer of some column is expected to be as long as its `max_tokens` allow. */
  hasLimitedOutput: boolean;
  /** True if nothing is known about the answers of some column, so `defaultOutputTokens` are expected. */
  hasAssumedOutput: boolean;
  /** Indexes of the columns without a price. */
  unpricedColumns: readonly number[];
}

export interface TrialPlan {
  cases: number;
  /** Number of cases that can be compared: fewer than `cases` if a baseline with copied answers does not have all. */
  comparedCases: number;
  /** Number of columns that send requests. */
  columns: number;
  repeats: number;
  requests: number;
  /** Estimated duration; undefined if neither the rate nor the answer times are known. */
  durationMs: number | undefined;
  /** Estimated tokens; `undefined` without earlier answers. */
  tokens?: { in: number; out: number; answers: number };
  /** Absent without requests. */
  cost?: PlanCost;
  /** Estimated storage for the answers in this browser, in bytes. */
  bytes: number;
  /** Present if the answers need over a fifth of the quota. If they need over nine tenths, the run is blocked. */
  space?: { quotaBytes: number; isBlocking: boolean };
  /** Share of cases in which the baseline alone is expected to pass. */
  reverseShare: number;
  /** The same share in earlier trials, and the number of their pairs; absent for too few. */
  pastReverseShare?: { share: number; pairs: number };
  /** Smallest difference in points that this many cases detect in 4 of 5 such trials; `undefined` if there is none. */
  readonly detectablePoints: number | undefined;
  /** Number of cases required for each of these differences; `undefined` above 10,000. */
  readonly requiredCases: { points: number; cases: number | undefined }[];
}

/** Size in bytes of an answer with its run, without text and tape. */
const bytesPerAnswer = 1300;
/** Size in bytes of a token in the text and of its event on the packed tape. */
const bytesPerToken = 11;
const warningShare = 0.2;
const blockingShare = 0.9;
const rulerPoints = [10, 20, 30];

export interface PlanInputs {
  slots: number;
  /** Indexed by column. */
  columns: readonly ColumnContext[];
  /** Tokens of all prompts of a column together, estimated from their length; indexed by column. */
  promptTokens: readonly number[];
  /** Number of cases that the baseline has or will have; absent if these are all. */
  comparedCases?: number;
  /** Pairs in earlier trials of the same check. */
  pastPairs?: PairSum;
  /** Storage quota of the browser in bytes. */
  quotaBytes?: number;
}

export function estimatePlan(
  trial: Trial,
  { slots, columns, promptTokens, comparedCases = countCases(trial), pastPairs, quotaBytes }: PlanInputs,
): TrialPlan {
  const cases = countCases(trial);
  const requestsPerColumn = cases * trial.repeats;
  const askedColumns = columns.filter((_, index) => trial.columns[index]?.savedAnswers === undefined);
  const requests = requestsPerColumn * askedColumns.length;
  const time = estimateTimeLeft(
    askedColumns.map(({ gateway, perMinute, pastStats }) => ({
      gateway,
      perMinute,
      requests: requestsPerColumn,
      meanMs: pastStats?.meanMs,
    })),
    slots,
  );
  const design: TrialDesign = {
    rules: getTrialRules(trial),
    comparisons: Math.max(1, trial.columns.length - 1),
    groupSize: getGroupSize(trial),
    repeats: trial.repeats,
  };
  const pastShare = pastPairs && estimateReverseShare(pastPairs);
  const reverseShare = trial.reverseShare ?? pastShare ?? getReverseShare(trial);
  let cachedDetectable: { points: number | undefined } | undefined;
  let cachedRequiredCases: TrialPlan['requiredCases'] | undefined;
  const tokens = estimateTokens(askedColumns, requestsPerColumn);
  const cost = estimatePlanCost(trial, columns, promptTokens, requestsPerColumn);
  const outputTokens = tokens?.out ?? requests * defaultOutputTokens;
  const bytes = requests * bytesPerAnswer + outputTokens * bytesPerToken;
  const space = quotaBytes === undefined ? undefined : estimateSpace(bytes, quotaBytes);
  return {
    cases,
    comparedCases,
    columns: askedColumns.length,
    repeats: trial.repeats,
    requests,
    durationMs:
      time.isLowerBound && askedColumns.every(({ perMinute }) => perMinute === 0) ? undefined : time.ms,
    ...(tokens ? { tokens } : {}),
    ...(cost ? { cost } : {}),
    bytes,
    ...(space ? { space } : {}),
    reverseShare,
    ...(pastPairs && pastShare !== undefined
      ? { pastReverseShare: { share: pastShare, pairs: pastPairs.pairs } }
      : {}),
    // Computed on demand, since it is slow for many cases and shown for drafts only.
    get detectablePoints() {
      cachedDetectable ??= {
        points:
          comparedCases === 0 ? undefined : computeDetectableDifference(comparedCases, reverseShare, design),
      };
      return cachedDetectable.points;
    },
    get requiredCases() {
      cachedRequiredCases ??= rulerPoints.map((points) => ({
        points,
        cases: estimateRequiredCases({ better: reverseShare + points / 100, worse: reverseShare }, design),
      }));
      return cachedRequiredCases;
    },
  };
}

/** Returns the chosen share of cases in which the baseline alone is expected to pass, or the default. */
export function getReverseShare({ reverseShare = 0.05 }: Pick<Trial, 'reverseShare'>): number {
  return reverseShare;
}

/** Returns the mean number of cases in a group; 1 without groups. */
function getGroupSize({ batches }: Pick<Trial, 'batches'>): number {
  const caseCount = batches.reduce((sum, { caseIds }) => sum + caseIds.length, 0);
  const groupCount = batches.reduce(
    (sum, { caseIds, groups }) => sum + (groups ? new Set(groups).size : caseIds.length),
    0,
  );
  return groupCount === 0 ? 1 : caseCount / groupCount;
}

/** Returns the estimate only if all columns have earlier answers; a partial sum would mislead. */
function estimateTokens(
  columns: readonly ColumnContext[],
  requests: number,
): TrialPlan['tokens'] | undefined {
  const availableStats = columns.flatMap(({ pastStats }) => pastStats ?? []);
  if (columns.length === 0 || availableStats.length < columns.length) return undefined;
  const estimateTotal = (key: 'tokensIn' | 'tokensOut'): number =>
    Math.round(availableStats.reduce((sum, stats) => sum + stats[key] * requests, 0));
  // Columns with the same model share its earlier answers.
  const answers = [...new Set(availableStats)].reduce((sum, stats) => sum + stats.answers, 0);
  return { in: estimateTotal('tokensIn'), out: estimateTotal('tokensOut'), answers };
}

/** Returns `undefined` without requests. */
function estimatePlanCost(
  trial: Trial,
  columns: readonly ColumnContext[],
  promptTokens: readonly number[],
  requests: number,
): PlanCost | undefined {
  const outputs = columns.flatMap(({ pastStats, price }, index) => {
    const column = trial.columns[index];
    if (column?.savedAnswers) return [];
    const limit = getOutputLimit(buildRequestFields(column?.setup.params ?? {}));
    return [{ index, pastStats, price, limit }];
  });
  const costs = outputs.map(({ index, pastStats, price, limit }) => {
    const expectedTokens = pastStats?.tokensOut ?? limit ?? defaultOutputTokens;
    return computeTokenCost(price, {
      tokensIn: (promptTokens[index] ?? 0) * trial.repeats,
      tokensOut: Math.min(expectedTokens, limit ?? expectedTokens) * requests,
    });
  });
  const total = requests === 0 ? undefined : addCosts(costs);
  return (
    total && {
      total: { ...total, isEstimated: total.source !== 'unknown' },
      answers: [...new Set(outputs.map(({ pastStats }) => pastStats))].reduce(
        (sum, stats) => sum + (stats?.answers ?? 0),
        0,
      ),
      hasLimitedOutput: outputs.some(({ pastStats, limit }) => !pastStats && limit !== undefined),
      hasAssumedOutput: outputs.some(({ pastStats, limit }) => !pastStats && limit === undefined),
      unpricedColumns: outputs.flatMap(({ index, price }) => (price ? [] : [index])),
    }
  );
}

function estimateSpace(bytes: number, quotaBytes: number): TrialPlan['space'] {
  if (bytes <= warningShare * quotaBytes) return undefined;
  return { quotaBytes, isBlocking: bytes > blockingShare * quotaBytes };
}

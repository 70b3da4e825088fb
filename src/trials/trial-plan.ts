/** Estimates the cost of a trial, and what it can decide, before it runs. */
import { estimateRequiredCases, computeDetectableDifference } from './statistics/planning.ts';
import { evidenceThreshold } from './statistics/sequential-test.ts';
import { estimateTimeLeft } from './trial-pace.ts';
import { countCases, type Trial } from './trial.ts';

/** Statistics of earlier answers of a column's model, from this trial or others. */
export interface PastAnswerStats {
  meanMs: number;
  tokensIn: number;
  tokensOut: number;
  answers: number;
}

export interface TrialPlan {
  cases: number;
  columns: number;
  repeats: number;
  requests: number;
  /** Estimated duration; undefined if neither the rate nor the answer times are known. */
  durationMs: number | undefined;
  /** Estimated tokens; `undefined` without earlier answers. */
  tokens?: { in: number; out: number; answers: number };
  /** Estimated storage for the answers in this browser, in bytes. */
  bytes: number;
  /** Present if the answers need over a fifth of the quota. If they need over nine tenths, the run is blocked. */
  space?: { quotaBytes: number; isBlocking: boolean };
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
/** Estimate for a column without earlier answers. */
const defaultTokens = 200;

export interface PlanInputs {
  perMinute: number;
  slots: number;
  /** Indexed by column. */
  pastAnswers: readonly (PastAnswerStats | undefined)[];
  /** Storage quota of the browser in bytes. */
  quotaBytes?: number;
}

export function estimatePlan(
  trial: Trial,
  { perMinute, slots, pastAnswers, quotaBytes }: PlanInputs,
): TrialPlan {
  const cases = countCases(trial);
  const requestsPerColumn = cases * trial.repeats;
  const requests = requestsPerColumn * trial.columns.length;
  const time = estimateTimeLeft(
    trial.columns.map((_, index) => ({ requests: requestsPerColumn, meanMs: pastAnswers[index]?.meanMs })),
    perMinute,
    slots,
  );
  const threshold = evidenceThreshold * Math.max(1, trial.columns.length - 1);
  const reverseShare = 0.05;
  let cachedDetectable: { points: number | undefined } | undefined;
  let cachedRequiredCases: TrialPlan['requiredCases'] | undefined;
  const tokens = estimateTokens(pastAnswers, trial.columns.length, requestsPerColumn);
  const outputTokens = tokens?.out ?? requests * defaultTokens;
  const bytes = requests * bytesPerAnswer + outputTokens * bytesPerToken;
  const space = quotaBytes === undefined ? undefined : estimateSpace(bytes, quotaBytes);
  return {
    cases,
    columns: trial.columns.length,
    repeats: trial.repeats,
    requests,
    durationMs: time.isLowerBound && perMinute === 0 ? undefined : time.ms,
    ...(tokens ? { tokens } : {}),
    bytes,
    ...(space ? { space } : {}),
    // Computed on demand, since it is slow for many cases and shown for drafts only.
    get detectablePoints() {
      cachedDetectable ??= {
        points: cases === 0 ? undefined : computeDetectableDifference(cases, reverseShare, threshold),
      };
      return cachedDetectable.points;
    },
    get requiredCases() {
      cachedRequiredCases ??= rulerPoints.map((points) => ({
        points,
        cases: estimateRequiredCases({ better: reverseShare + points / 100, worse: reverseShare }, threshold),
      }));
      return cachedRequiredCases;
    },
  };
}

/** Returns the estimate only if all columns have earlier answers; a partial sum would mislead. */
function estimateTokens(
  pastAnswers: PlanInputs['pastAnswers'],
  columnCount: number,
  requests: number,
): TrialPlan['tokens'] | undefined {
  const availableStats = pastAnswers.filter((stats) => stats !== undefined);
  if (columnCount === 0 || availableStats.length < columnCount) return undefined;
  const estimateTotal = (key: 'tokensIn' | 'tokensOut'): number =>
    Math.round(availableStats.reduce((sum, stats) => sum + stats[key] * requests, 0));
  // Columns with the same model share its earlier answers.
  const answers = [...new Set(availableStats)].reduce((sum, stats) => sum + stats.answers, 0);
  return { in: estimateTotal('tokensIn'), out: estimateTotal('tokensOut'), answers };
}

function estimateSpace(bytes: number, quotaBytes: number): TrialPlan['space'] {
  if (bytes <= warningShare * quotaBytes) return undefined;
  return { quotaBytes, isBlocking: bytes > blockingShare * quotaBytes };
}

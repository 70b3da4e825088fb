/** Estimates what a trial costs and can decide before it runs. */
import { formatBytes, formatCount, pluralize } from '../lib/format.ts';
import { estimateRequiredCases, computeDetectableDifference } from './statistics/planning.ts';
import { evidenceThreshold } from './statistics/sequential-test.ts';
import { formatLongDuration, estimateTimeLeft } from './trial-pace.ts';
import { countCases, type Trial } from './trial.ts';

/** Of earlier answers of a column's model, in this trial or before. */
export interface PastAnswerStats {
  meanMs: number;
  tokensIn: number;
  tokensOut: number;
  answers: number;
}

export interface TrialPlan {
  requests: number;
  /** "120 cases × 3 columns = 360 requests, 7 min 16 s" */
  heading: string;
  /** Tokens where earlier answers tell; undefined where they do not. */
  tokens?: { in: number; out: number; answers: number };
  /** What the answers will take in this browser. */
  bytes: number;
  /** Said where it is over a fifth of what the browser grants; a refusal over nine tenths. */
  space?: { text: string; isBlocking: boolean };
  /** The smallest difference in points that so many cases tell, in 4 of 5 such trials; undefined where none is. */
  readonly detectablePoints: number | undefined;
  /** How many cases each of these differences needs; undefined over 10,000. */
  readonly requiredCases: { points: number; cases: number | undefined }[];
}

/** An answer with its run, without its text and its tape. */
const bytesPerAnswer = 1300;
/** In the text, and packed in the tape with an event for it. */
const bytesPerToken = 11;
const warningShare = 0.2;
const blockingShare = 0.9;
const rulerPoints = [10, 20, 30];
/** Before anything is known of a column. */
const defaultTokens = 200;

export interface PlanInputs {
  perMinute: number;
  slots: number;
  /** By column, in their order. */
  pastAnswers: readonly (PastAnswerStats | undefined)[];
  /** What the browser grants, in bytes. */
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
  const space = quotaBytes === undefined ? undefined : describeSpace(bytes, quotaBytes);
  const sizeTexts = [
    pluralize(cases, 'case'),
    pluralize(trial.columns.length, 'column'),
    ...(trial.repeats === 1 ? [] : [pluralize(trial.repeats, 'repeat')]),
  ];
  return {
    requests,
    heading: `${sizeTexts.join(' × ')} = ${pluralize(requests, 'request')}, ${time.isLowerBound && perMinute === 0 ? 'time unknown' : formatLongDuration(time.ms)}`,
    ...(tokens ? { tokens } : {}),
    bytes,
    ...(space ? { space } : {}),
    // It takes long for many cases, and only a draft says it.
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

/** Known for all columns, or not at all: half a sum misleads. */
function estimateTokens(
  pastAnswers: PlanInputs['pastAnswers'],
  columnCount: number,
  requests: number,
): TrialPlan['tokens'] | undefined {
  const availableStats = pastAnswers.filter((stats) => stats !== undefined);
  if (columnCount === 0 || availableStats.length < columnCount) return undefined;
  const estimateTotal = (key: 'tokensIn' | 'tokensOut'): number =>
    Math.round(availableStats.reduce((sum, stats) => sum + stats[key] * requests, 0));
  const answers = availableStats.reduce((sum, stats) => sum + stats.answers, 0);
  return { in: estimateTotal('tokensIn'), out: estimateTotal('tokensOut'), answers };
}

function describeSpace(bytes: number, quotaBytes: number): TrialPlan['space'] {
  if (bytes <= warningShare * quotaBytes) return undefined;
  const isBlocking = bytes > blockingShare * quotaBytes;
  const text = `about ${formatBytes(bytes)} of the ${formatBytes(quotaBytes)} this browser allows`;
  return { text: isBlocking ? `Too large to run: needs ${text}.` : `Needs ${text}.`, isBlocking };
}

/** "About 34,600 tokens in and 7,900 out, estimated from 30 earlier answers of these models." */
export function describePlanTokens({ in: tokensIn, out, answers }: NonNullable<TrialPlan['tokens']>): string {
  const formatRounded = (count: number): string => formatCount(Number(count.toPrecision(3)));
  const sourceText = `estimated from ${pluralize(answers, 'earlier answer')} of these models`;
  return `About ${formatRounded(tokensIn)} tokens in and ${formatRounded(out)} out, ${sourceText}.`;
}

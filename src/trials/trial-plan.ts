/** Estimates what a trial costs and can decide before it runs. */
import { formatBytes, formatCount, pluralize } from '../lib/format.ts';
import { casesNeeded, differenceTold } from './statistics/planning.ts';
import { baseThreshold } from './statistics/sequential-test.ts';
import { durationWords, timeLeft } from './trial-pace.ts';
import { caseCount, type Trial } from './trial.ts';

/** Of earlier answers of a column's model, in this trial or before. */
export interface EarlierAnswers {
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
  space?: { words: string; isRefused: boolean };
  /** The smallest difference in points that so many cases tell, in 4 of 5 such trials; undefined where none is. */
  readonly told: number | undefined;
  /** How many cases each of these differences needs; undefined over 10,000. */
  readonly needed: { points: number; cases: number | undefined }[];
}

/** An answer with its run, without its text and its tape. */
const answerBytes = 1300;
/** In the text, and packed in the tape with an event for it. */
const tokenBytes = 11;
const shownFrom = 0.2;
const refusedFrom = 0.9;
const ruler = [10, 20, 30];
/** Before anything is known of a column. */
const guessedTokens = 200;

export interface PlanFacts {
  perMinute: number;
  places: number;
  /** By column, in their order. */
  earlier: readonly (EarlierAnswers | undefined)[];
  /** What the browser grants, in bytes. */
  granted?: number;
}

export function planOf(trial: Trial, { perMinute, places, earlier, granted }: PlanFacts): TrialPlan {
  const cases = caseCount(trial);
  const each = cases * trial.repeats;
  const requests = each * trial.columns.length;
  const time = timeLeft(
    trial.columns.map((_, index) => ({ requests: each, meanMs: earlier[index]?.meanMs })),
    perMinute,
    places,
  );
  const threshold = baseThreshold * Math.max(1, trial.columns.length - 1);
  const otherWay = 0.05;
  let found: { told: number | undefined } | undefined;
  let needed: TrialPlan['needed'] | undefined;
  const tokens = tokensOf(earlier, trial.columns.length, each);
  const out = tokens?.out ?? requests * guessedTokens;
  const bytes = requests * answerBytes + out * tokenBytes;
  const space = granted === undefined ? undefined : spaceOf(bytes, granted);
  const parts = [
    pluralize(cases, 'case'),
    pluralize(trial.columns.length, 'column'),
    ...(trial.repeats === 1 ? [] : [pluralize(trial.repeats, 'repeat')]),
  ];
  return {
    requests,
    heading: `${parts.join(' × ')} = ${pluralize(requests, 'request')}, ${time.isAtLeast && perMinute === 0 ? 'time not known' : durationWords(time.ms)}`,
    ...(tokens ? { tokens } : {}),
    bytes,
    ...(space ? { space } : {}),
    // It takes long for many cases, and only a draft says it.
    get told() {
      found ??= { told: cases === 0 ? undefined : differenceTold(cases, otherWay, threshold) };
      return found.told;
    },
    get needed() {
      needed ??= ruler.map((points) => ({
        points,
        cases: casesNeeded({ better: otherWay + points / 100, worse: otherWay }, threshold),
      }));
      return needed;
    },
  };
}

/** Known for all columns, or not at all: half a sum misleads. */
function tokensOf(
  earlier: PlanFacts['earlier'],
  columns: number,
  requests: number,
): TrialPlan['tokens'] | undefined {
  const known = earlier.filter((each) => each !== undefined);
  if (columns === 0 || known.length < columns) return undefined;
  const sumOf = (key: 'tokensIn' | 'tokensOut'): number =>
    Math.round(known.reduce((sum, each) => sum + each[key] * requests, 0));
  const answers = known.reduce((sum, each) => sum + each.answers, 0);
  return { in: sumOf('tokensIn'), out: sumOf('tokensOut'), answers };
}

function spaceOf(bytes: number, granted: number): TrialPlan['space'] {
  if (bytes <= shownFrom * granted) return undefined;
  const isRefused = bytes > refusedFrom * granted;
  const words = `About ${formatBytes(bytes)} of the ${formatBytes(granted)} that this browser grants`;
  return { words: isRefused ? `${words}: too much to run.` : `${words}.`, isRefused };
}

/** "About 34,600 tokens in and 7,900 out, from 30 earlier answers of these models." */
export function tokenWords({ in: tokensIn, out, answers }: NonNullable<TrialPlan['tokens']>): string {
  const rounded = (count: number): string => formatCount(Number(count.toPrecision(3)));
  const from = `from ${pluralize(answers, 'earlier answer')} of these models`;
  return `About ${rounded(tokensIn)} tokens in and ${rounded(out)} out, ${from}.`;
}

import { runToCompletion } from '../../lib/steps.ts';
import type { TrialData } from '../../state/trials/repository/trial-records.ts';
/** Decides the exit code of a trial from its verdict, the expectation and the floors. */
import { createTrialResults, detachedContext } from '../../state/trials/results/trial-results.ts';
import { hashCheck } from '../../trials/checks/score-answer.ts';
import type { Cell, Check } from '../../trials/trial.ts';
import { isFinding, type Comparison } from '../../trials/verdict.ts';
import type { Expectation, Floor } from './expectations.ts';

/** Exit codes of the trial command. */
export const exitCodes = {
  asExpected: 0,
  decidedAgainst: 1,
  wrongUse: 2,
  notDecided: 3,
  gatewayOut: 4,
  stopped: 5,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Result of an expectation or of a floor. */
export type Judgement = 'as expected' | 'decided against' | 'not decided';

export interface JudgedFloor extends Floor {
  /** Index of the column. */
  column: number;
  /** Range of the rate, with missing answers as failed at its low end and as passed at its high end. */
  interval: readonly [low: number, high: number] | undefined;
  judgement: Judgement;
}

/**
 * Judges a comparison; `margin` is a share. A finding that missing answers could reverse is not decided, so that a cell
 * without an answer never counts as passed.
 */
export function judgeComparison(
  comparison: Pick<Comparison, 'outcome' | 'interval' | 'dependsOnMissing' | 'missingCount' | 'counted'>,
  expectation: Expectation,
  margin: number,
): Judgement {
  const { outcome, interval, dependsOnMissing, missingCount, counted } = comparison;
  if (dependsOnMissing) return 'not decided';
  const [low, high] = interval ?? [-1, 1];
  const isWithinMargin = low > -margin && high < margin;
  switch (expectation) {
    case 'better':
      if (outcome === 'better') return 'as expected';
      break;
    case 'not-worse':
      if (outcome === 'worse') return 'decided against';
      // A difference that may be zero, but is not worse by the margin, is good enough. Each missing answer could lower it.
      return outcome !== 'too few' && (outcome === 'better' || low - missingCount / counted > -margin)
        ? 'as expected'
        : 'not decided';
    case 'same':
      if (outcome !== 'too few' && isWithinMargin) return 'as expected';
      break;
  }
  return isFinding(comparison) ? 'decided against' : 'not decided';
}

/** Judges a floor: decided against if the whole range of the rate lies below it, not decided while it holds the floor. */
export function judgeFloor(
  interval: readonly [low: number, high: number] | undefined,
  rate: number,
): Judgement {
  if (!interval) return 'not decided';
  const [low, high] = interval;
  if (high < rate) return 'decided against';
  return low < rate ? 'not decided' : 'as expected';
}

/** Judges the floors of all columns but the baseline; of the only column if there is one. */
export function judgeFloors(data: TrialData, floors: readonly Floor[]): JudgedFloor[] {
  const { columns, baseline, checks } = data.trial;
  return floors.flatMap((floor) => {
    const check = checks.find(({ name }) => name === floor.check);
    if (!check) return [];
    const lowEnds = computeRateIntervals(data, check, 'failed');
    const highEnds = computeRateIntervals(data, check, 'passed');
    return columns.flatMap(({ id }, column): JudgedFloor[] => {
      if (columns.length > 1 && id === baseline) return [];
      const [low, high] = [lowEnds[column]?.[0], highEnds[column]?.[1]];
      const interval = low === undefined || high === undefined ? undefined : ([low, high] as const);
      return [{ ...floor, column, interval, judgement: judgeFloor(interval, floor.rate) }];
    });
  });
}

/** Returns the range of each column's rate for this check, counting cells without an answer as `missingResult`. */
function computeRateIntervals(data: TrialData, check: Check, missingResult: 'passed' | 'failed') {
  const toAnswered = (cell: Cell): Cell => {
    if (cell.outcome === 'answered') return cell;
    const score = {
      of: hashCheck(check, data.cases.get(cell.caseId)?.values ?? {}),
      result: missingResult,
    };
    return { ...cell, outcome: 'answered', scores: { ...cell.scores, [check.id]: score } };
  };
  const filledData = {
    ...data,
    trial: { ...data.trial, decides: check.id },
    cells: new Map([...data.cells].map(([id, cell]) => [id, toAnswered(cell)])),
  };
  const results = createTrialResults();
  results.rebuild(filledData);
  const { verdict } = runToCompletion(results.computeTotals(filledData, detachedContext));
  return filledData.trial.columns.map((_, column) => verdict?.columns[column]?.rate?.interval);
}

/** States of a trial, the transitions between them, and what a run requires. */
import type { ErrorReport } from '../gateway/errors/errors.ts';
import type { CaseError, CaseProblems } from './cases.ts';
import { hashCheckRule } from './checks/score-answer.ts';
import { withGroups } from './edit-trial.ts';
import type { BudgetProblem } from './trial-cost.ts';
import type { TrialPlan } from './trial-plan.ts';
import {
  countCases,
  sendsRequests,
  type Case,
  type CaseId,
  type Column,
  type PauseReason,
  type Trial,
  type TrialState,
} from './trial.ts';

/**
 * Events of a trial; times are epoch ms. `opened`: a page opened a trial that no tab is running; `heartbeatAt` is its
 * last heartbeat.
 */
export type TrialEvent =
  | { name: 'run' | 'stop' | 'resume' | 'all ended' | 'decided' | 'more to ask'; at: number }
  | { name: 'pause'; at: number; why: PauseReason; report?: ErrorReport; nextCost?: number }
  | { name: 'opened'; at: number; heartbeatAt: number | undefined };

/**
 * Maximum gap in ms after which a reopened trial resumes automatically. After a longer one it pauses, because requests
 * cost money.
 */
const maxAutoResumeGapMs = 600_000;

/** Returns the next state; the same object if the event does not apply. */
export function getNextState(state: TrialState, event: TrialEvent): TrialState {
  const { at } = event;
  switch (event.name) {
    case 'run':
      return state.name === 'draft' ? { name: 'running', since: at } : state;
    case 'pause':
      if (state.name !== 'running') return state;
      return {
        name: 'paused',
        at,
        why: event.why,
        ...(event.report ? { report: event.report } : {}),
        ...(event.nextCost === undefined ? {} : { nextCost: event.nextCost }),
      };
    case 'stop':
      return state.name === 'running' || state.name === 'paused'
        ? { name: 'stopped', at, why: 'person' }
        : state;
    case 'decided':
      return state.name === 'running' ? { name: 'stopped', at, why: 'decided' } : state;
    case 'all ended':
      // Requests still in flight when the trial paused may also have finished it.
      return state.name === 'running' || state.name === 'paused' ? { name: 'finished', at } : state;
    case 'resume':
      return state.name === 'paused' || state.name === 'stopped' ? { name: 'running', since: at } : state;
    case 'more to ask':
      return state.name === 'finished' ? { name: 'running', since: at } : state;
    case 'opened':
      if (
        state.name !== 'running' ||
        (event.heartbeatAt !== undefined && at - event.heartbeatAt <= maxAutoResumeGapMs)
      )
        return state;
      return { name: 'paused', at: event.heartbeatAt ?? state.since, why: 'closed' };
  }
}

/**
 * Returns the trial in the running state. The first run fixes the plan and the groups, which are stored before any
 * request is sent.
 */
export function startTrial(trial: Trial, cases: ReadonlyMap<CaseId, Case>, timestamp: number): Trial {
  const { repeats, columns, checks, decides, groupField, leavesOutTimeouts, baseline, margin } = trial;
  const check = checks.find(({ id }) => id === decides);
  const plan = trial.plan ?? {
    rules: 2,
    at: timestamp,
    cases: countCases(trial),
    repeats,
    columns: columns.map(({ id }) => id),
    ...(decides === undefined ? {} : { decides }),
    ...(check ? { checkHash: hashCheckRule(check) } : {}),
    ...(groupField === undefined ? {} : { groupField }),
    ...(leavesOutTimeouts ? { leavesOutTimeouts } : {}),
    baseline,
    margin,
  };
  return {
    ...withGroups(trial, cases),
    plan,
    state: { name: 'running', since: timestamp },
    updatedAt: timestamp,
  };
}

/** Reason why a trial cannot run. */
export type RunBlocker =
  | CaseError
  | UnknownGateway
  | BudgetProblem
  | { kind: 'no column' | 'no model' | 'no cases' | 'no space' };

/** Column, by its index, whose gateway the server does not have. */
export interface UnknownGateway {
  kind: 'unknown gateway';
  column: number;
  gateway: string;
}

/** Returns the columns that send requests to a gateway that the server does not have. */
export function findUnknownGateways(
  columns: readonly Column[],
  isUnknown: (gateway: string) => boolean,
): UnknownGateway[] {
  return columns.flatMap((column, index): UnknownGateway[] => {
    const { gateway } = column.setup;
    return gateway !== undefined && sendsRequests(column) && isUnknown(gateway)
      ? [{ kind: 'unknown gateway', column: index, gateway }]
      : [];
  });
}

/** Returns the first reason why the trial cannot run; undefined if there is none. */
export function findRunBlocker(
  { columns, state, budget }: Pick<Trial, 'columns' | 'state' | 'budget'>,
  { errors }: Pick<CaseProblems, 'errors'>,
  plan: Pick<TrialPlan, 'cases' | 'space'>,
  [unknownGateway]: readonly UnknownGateway[] = [],
  budgetProblem?: BudgetProblem,
): RunBlocker | undefined {
  if (errors[0]) return errors[0];
  if (columns.length === 0) return { kind: 'no column' };
  if (columns.some(({ setup }) => setup.model === '')) return { kind: 'no model' };
  if (unknownGateway) return unknownGateway;
  if (plan.cases === 0) return { kind: 'no cases' };
  if (budget && budgetProblem) return budgetProblem;
  // A trial that has started continues, since the browser may grant more than its reported quota.
  return state.name === 'draft' && plan.space?.isBlocking === true ? { kind: 'no space' } : undefined;
}

/** Describes what blocks a run, and what to know before it. */
import { formatBytes, formatCount, formatList, pluralize } from '../../lib/format.ts';
import type { CaseError, CaseWarning } from '../../trials/cases.ts';
import type { BudgetProblem } from '../../trials/trial-cost.ts';
import type { TrialPlan } from '../../trials/trial-plan.ts';
import type { RunBlocker, UnknownGateway } from '../../trials/trial-state.ts';
import { getColumnLetter } from '../../trials/trial.ts';

/** Describes an exceeded limit or a case that is too large. */
export function formatCaseError(error: CaseError): string {
  if (error.kind === 'large case') return `Case ${error.name} is larger than 100 KB.`;
  const { counted, count, max } = error;
  return `Too many ${counted}s: ${formatCount(count)}. The limit is ${formatCount(max)}.`;
}

/** Describes a problem that does not block the run. */
export function formatCaseWarning(warning: CaseWarning): string {
  if (warning.kind === 'unknown field') return `No case has a value for {{${warning.field}}}.`;
  const { cases, field } = warning;
  const isSingle = cases === 1;
  return `${pluralize(cases, 'case')} ${isSingle ? 'has' : 'have'} no value for ${field} and ${isSingle ? 'is' : 'are'} not counted by the deciding check.`;
}

/** Describes how much storage the answers need; a warning if that is a large part of what the browser allows. */
export function formatSpace({ bytes, space }: Pick<TrialPlan, 'bytes' | 'space'>): string {
  if (!space) return `About ${formatBytes(bytes)} in this browser.`;
  const sizeText = `about ${formatBytes(bytes)} of the ${formatBytes(space.quotaBytes)} this browser allows`;
  return space.isBlocking ? `Too large to run: needs ${sizeText}.` : `Needs ${sizeText}.`;
}

/** Describes a column whose gateway the server does not have. */
export function formatUnknownGateway({ column, gateway }: UnknownGateway): string {
  return `Column ${getColumnLetter(column)}: this server has no gateway named ${gateway}.`;
}

/** Describes why no budget can be kept. */
export function formatBudgetProblem(problem: BudgetProblem): string {
  if (problem.kind === 'several currencies')
    return `Costs are in ${formatList(problem.currencies)}, so no budget can be kept.`;
  const letters = formatList(problem.columns.map(getColumnLetter));
  const subject = problem.columns.length === 1 ? `Column ${letters} has` : `Columns ${letters} have`;
  return `${subject} no price, so no budget can be kept.`;
}

/** Describes why a run was refused. */
export function formatRunBlocker(blocker: RunBlocker, plan: Pick<TrialPlan, 'bytes' | 'space'>): string {
  switch (blocker.kind) {
    case 'no column':
      return 'Add a column first.';
    case 'no model':
      return 'Choose a model for every column.';
    case 'no cases':
      return 'Add or import cases first.';
    case 'no space':
      return formatSpace(plan);
    case 'unknown gateway':
      return formatUnknownGateway(blocker);
    case 'no price':
    case 'several currencies':
      return formatBudgetProblem(blocker);
    default:
      return formatCaseError(blocker);
  }
}

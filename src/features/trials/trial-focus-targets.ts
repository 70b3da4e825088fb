import { createFocusTarget, type FocusTarget } from '../../ui/focus/focus-target.ts';

/** Grid of cases, to which Escape returns the focus. */
export const casesGrid = createFocusTarget('cases of a trial');
/** Panel beside the grid. */
export const sidePanel = createFocusTarget('beside the cases');
export const caseFilters = createFocusTarget('filters of cases');
/** Button that removes the filter by a value. */
export const valueFilterButton = createFocusTarget('value filter of cases');
export const trialTitle = createFocusTarget('title of the trial');
/** Field in the setup. */
export const budgetField = createFocusTarget('budget of the trial');
export const checksHeading = createFocusTarget('heading of the checks');

/** Returns the focus target of a check in a list. */
export function getCheckTarget(checkId: string): FocusTarget {
  return createFocusTarget(`check ${checkId}`);
}

import { createFocusTarget } from '../../ui/focus/focus-target.ts';

/** Grid of cases, to which Escape returns the focus. */
export const casesGrid = createFocusTarget('cases of a trial');
/** Panel beside the grid. */
export const sidePanel = createFocusTarget('beside the cases');
export const caseFilters = createFocusTarget('filters of cases');

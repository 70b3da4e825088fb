import { createFocusTarget } from '../../ui/focus/focus-target.ts';

/** The grid of cases, where Escape leads back to. */
export const casesGrid = createFocusTarget('cases of a trial');
/** What stands beside it. */
export const sidePanel = createFocusTarget('beside the cases');
export const caseFilters = createFocusTarget('filters of cases');

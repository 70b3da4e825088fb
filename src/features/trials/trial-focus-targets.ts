import { createPlace } from '../../ui/focus/focus-target.ts';

/** The grid of cases, where Escape leads back to. */
export const casesGrid = createPlace('cases of a trial');
/** What stands beside it. */
export const sidePanel = createPlace('beside the cases');
export const caseFilters = createPlace('filters of cases');

/** Focus targets of the lab for other parts of the app. */
import { createFocusTarget } from '../../ui/focus/focus-target.ts';

export const labFindField = createFocusTarget('find texts');
export const labTextFields = createFocusTarget('extra fields for texts');
export const labQueryFields = createFocusTarget('extra fields for the query');

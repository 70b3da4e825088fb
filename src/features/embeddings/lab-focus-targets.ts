/** Where the focus of the lab goes from elsewhere. */
import { createFocusTarget } from '../../ui/focus/focus-target.ts';

export const labFindField = createFocusTarget('find texts');
export const labTextFields = createFocusTarget('extra fields for texts');
export const labQueryFields = createFocusTarget('extra fields for the query');

/** Where the focus of the lab goes from elsewhere. */
import { createPlace } from '../../ui/focus/focus-target.ts';

export const labFindField = createPlace('find texts');
export const labTextFields = createPlace('extra fields for texts');
export const labQueryFields = createPlace('extra fields for the query');

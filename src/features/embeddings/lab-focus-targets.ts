/** Where the focus of the lab goes from elsewhere. */
import { createPlace } from '../../ui/focus/focus-target.ts';

export const findField = createPlace('find texts');
export const fieldsOfTexts = createPlace('extra fields for texts');
export const fieldsOfQuery = createPlace('extra fields for the query');

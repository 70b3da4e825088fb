/** Where the focus of the lab goes from elsewhere. */
import { createPlace } from '../../ui/focus/places.ts';

export const findField = createPlace('find texts');

import { clsx } from 'clsx';

/**
 * Classes of a row across the lanes that contains the prompt. Stylesheets that hide bands of other lanes select this
 * class.
 */
export const bandLook = clsx(
  'message-band border-line bg-bench py-2.25 in-[.many-lanes]:py-0 max-phone:px-4',
);
/** Classes of a band with a message. */
export const messageBandLook = clsx(bandLook, 'border-b max-phone:py-3');

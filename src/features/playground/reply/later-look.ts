import { clsx } from 'clsx';

/** Classes that show the actions of an earlier message only while its `group/older` is hovered or focused. */
export const laterLook = clsx(
  '[transition:opacity_90ms] [@media(hover:hover)]:group-[:not(:hover,:focus-within)]/older:opacity-0',
);

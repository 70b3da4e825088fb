import { cn } from '../../../ui/cn.ts';

/** What can be done with a message that others followed shows when it, a `group/older`, is pointed at or in use. */
export const laterLook = cn(
  '[transition:opacity_90ms] [@media(hover:hover)]:group-[:not(:hover,:focus-within)]/older:opacity-0',
);

import { cn } from '../cn.ts';

/**
 * Classes of elements that float beside their anchor (`anchor-popover.ts`). They are in the top layer, so no panel
 * clips them.
 */
export const popoverLook = cn(
  'floating fixed inset-auto rounded-3 border border-line-2 bg-raised text-left font-sans text-13 normal-nums',
  'tracking-[0.004em] whitespace-normal text-ink shadow-e-2',
);

/** Classes of a popover with a list of options, and of its parts. The options set their own margins inside it. */
export const listLook = cn('max-w-[calc(100vw-16px)] min-w-42 overflow-hidden', popoverLook);
export const listboxLook = cn(
  'relative max-h-[min(396px,60vh)] [scrollbar-width:thin] overflow-y-auto overscroll-contain',
);
export const optionLook = cn(
  'flex cursor-pointer items-center gap-1.5 text-13 whitespace-nowrap aria-selected:bg-hover',
  'forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2 forced-colors:aria-selected:outline-[Highlight]',
);
export const listHeadLook = cn('flex flex-wrap items-center gap-1.25 px-3 pt-2 pb-1.5 text-12 text-ink-3');
export const listFootLook = cn(
  'flex min-h-8.5 flex-wrap items-center gap-1.5 border-t border-line bg-bench px-3 py-1 text-12 text-ink-3',
);

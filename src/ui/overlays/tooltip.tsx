import type { ReactNode, RefObject } from 'react';

import { cn } from '../cn.ts';
import { anchorPopover } from './anchor-popover.ts';
import type { useTooltip } from './use-tooltip.ts';

interface TooltipProps {
  anchor: RefObject<HTMLElement | null>;
  tooltip: ReturnType<typeof useTooltip>;
  children: ReactNode;
}

const look = cn(
  'floating fixed inset-auto inline-flex max-w-70 items-center gap-2 rounded-2 bg-ink px-2 py-1 text-left font-sans text-12',
  'tracking-[0.004em] whitespace-normal text-on-ink shadow-e-2',
  '[&_kbd]:min-w-0 [&_kbd]:border-0 [&_kbd]:bg-transparent [&_kbd]:p-0 [&_kbd]:text-inherit [&_kbd]:opacity-75',
);

/** The bubble of `useTooltip`. Its text must also be in the accessible name or description of the anchor. */
export function Tooltip({ anchor, tooltip, children }: TooltipProps) {
  if (!tooltip.isVisible) return null;
  return (
    <span
      role="tooltip"
      popover="manual"
      className={look}
      {...tooltip.tipProps}
      ref={(bubble) => {
        if (!bubble || !anchor.current) return;
        bubble.showPopover();
        anchorPopover(anchor.current, bubble, 'centre');
      }}
    >
      {children}
    </span>
  );
}

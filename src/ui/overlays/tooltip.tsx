import type { ReactNode, RefObject } from 'react';

import { placeBeside } from './place-beside.ts';
import type { useTooltip } from './use-tooltip.ts';

interface TooltipProps {
  anchor: RefObject<HTMLElement | null>;
  tooltip: ReturnType<typeof useTooltip>;
  children: ReactNode;
}

/** The bubble of `useTooltip`. What it says must also be in the anchor's accessible name or description. */
export function Tooltip({ anchor, tooltip, children }: TooltipProps) {
  if (!tooltip.shown) return null;
  return (
    <span
      role="tooltip"
      popover="manual"
      className="pop tip"
      {...tooltip.tipProps}
      ref={(bubble) => {
        if (!bubble || !anchor.current) return;
        bubble.showPopover();
        placeBeside(anchor.current, bubble, 'centre');
      }}
    >
      {children}
    </span>
  );
}

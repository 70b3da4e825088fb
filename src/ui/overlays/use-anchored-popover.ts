import { useLayoutEffect, type RefObject } from 'react';

import { placeBeside, type Placement } from './anchor-popover.ts';

/**
 * Shows a `popover="manual"` beside its anchor while `open`, and hides it when not. `around`: selector of what holds the
 * anchor and is lined up with in its place, where there is such a part.
 */
export function useAnchoredPopover(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  popover: RefObject<HTMLElement | null>,
  placement: Placement,
  around?: string,
): void {
  useLayoutEffect(() => {
    const shown = popover.current;
    if (!open || !shown || !anchor.current) return;
    shown.showPopover();
    const outer = around === undefined ? null : anchor.current.closest<HTMLElement>(around);
    placeBeside(outer ?? anchor.current, shown, placement);
    return () => shown.hidePopover();
  }, [open, anchor, popover, placement, around]);
}

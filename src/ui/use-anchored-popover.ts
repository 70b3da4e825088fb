import { useLayoutEffect, type RefObject } from 'react';

import { placeBeside, type Placement } from './place-beside.ts';

/** Shows a `popover="manual"` beside its anchor while `open`, and hides it when not. */
export function useAnchoredPopover(
  open: boolean,
  anchor: RefObject<HTMLElement | null>,
  popover: RefObject<HTMLElement | null>,
  placement: Placement,
): void {
  useLayoutEffect(() => {
    const shown = popover.current;
    if (!open || !shown || !anchor.current) return;
    shown.showPopover();
    placeBeside(anchor.current, shown, placement);
    return () => shown.hidePopover();
  }, [open, anchor, popover, placement]);
}

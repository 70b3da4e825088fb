import { useLayoutEffect, type RefObject } from 'react';

/** Shows a `popover="manual"` while `open`. */
export function useShownPopover(open: boolean, popover: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = popover.current;
    if (!open || !element) return;
    element.showPopover();
    return () => element.hidePopover();
  }, [open, popover]);
}

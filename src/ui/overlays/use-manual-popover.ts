import { useLayoutEffect, type RefObject } from 'react';

/** Shows a `popover="manual"` while `isOpen`. */
export function useManualPopover(isOpen: boolean, popover: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = popover.current;
    if (!isOpen || !element) return;
    element.showPopover();
    return () => element.hidePopover();
  }, [isOpen, popover]);
}

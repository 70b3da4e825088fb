import { useLayoutEffect, type RefObject } from 'react';

/** Shows a popover when its element is mounted, with the focus inside. */
export function usePopoverOnMount(popover: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    popover.current?.showPopover();
    popover.current?.focus();
  }, [popover]);
}

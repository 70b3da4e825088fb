import { useLayoutEffect, type RefObject } from 'react';

/** Shows a popover when its element comes into the page, with the focus in it. */
export function usePopoverOnMount(popover: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    popover.current?.showPopover();
    popover.current?.focus();
  }, [popover]);
}

import { useLayoutEffect, type RefObject } from 'react';

import { anchorPopover, type Placement } from './anchor-popover.ts';

/**
 * Shows a `popover="manual"` beside its anchor while `isOpen`. `containerSelector` finds an ancestor of the anchor to
 * align with instead, if there is one.
 */
export function useAnchoredPopover(
  isOpen: boolean,
  anchor: RefObject<HTMLElement | null>,
  popover: RefObject<HTMLElement | null>,
  placement: Placement,
  containerSelector?: string,
): void {
  useLayoutEffect(() => {
    const element = popover.current;
    if (!isOpen || !element || !anchor.current) return;
    element.showPopover();
    const container =
      containerSelector === undefined ? null : anchor.current.closest<HTMLElement>(containerSelector);
    anchorPopover(container ?? anchor.current, element, placement);
    return () => element.hidePopover();
  }, [isOpen, anchor, popover, placement, containerSelector]);
}

import { useLayoutEffect, useState, type RefObject } from 'react';

import { createFocusTarget, type FocusTarget } from './focus-target.ts';

/**
 * Returns the focus to the previously focused element when a panel closes with the focus inside. If that element is gone
 * or was replaced, to the focus target around it, or else to `fallback`.
 */
export function useReturnFocus(panel: RefObject<HTMLElement | null>, fallback: FocusTarget): void {
  // Read while rendering, because this update may remove the element.
  const [previous] = useState(() => {
    const element = document.activeElement;
    return {
      element,
      targetName: element?.closest<HTMLElement>('[data-focus-target]')?.dataset['focusTarget'],
    };
  });
  useLayoutEffect(() => {
    const element = panel.current;
    return () => {
      const { activeElement } = document;
      if (activeElement !== document.body && !element?.contains(activeElement)) return;
      // Deferred, because the previously focused element may be hidden until this update is complete.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        const { element: previousElement, targetName } = previous;
        if (
          previousElement instanceof HTMLElement &&
          previousElement.isConnected &&
          previousElement !== document.body
        )
          previousElement.focus();
        else if (targetName === undefined || !createFocusTarget(targetName).focus()) fallback.focus();
      });
    };
  }, [panel, fallback, previous]);
}

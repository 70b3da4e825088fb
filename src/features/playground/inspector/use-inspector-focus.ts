import { useLayoutEffect, type RefObject } from 'react';

import { openInspectorButton, inspectorTab } from '../playground-focus-targets.ts';

/** Focus goes into the inspector when it opens, and back to where it was when it closes with the focus in it. */
export function useInspectorFocus(drawer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = drawer.current;
    const previouslyFocused = document.activeElement;
    inspectorTab.focus();
    return () => {
      const { activeElement } = document;
      if (activeElement !== document.body && !element?.contains(activeElement)) return;
      // The rest of this change is still to come: what had the focus may be hidden until then.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        if (
          previouslyFocused instanceof HTMLElement &&
          previouslyFocused.isConnected &&
          previouslyFocused !== document.body
        )
          previouslyFocused.focus();
        else openInspectorButton.focus();
      });
    };
  }, [drawer]);
}

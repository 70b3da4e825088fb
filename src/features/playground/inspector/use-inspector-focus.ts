import { useEffect, useLayoutEffect, type RefObject } from 'react';

import { openInspectorButton, inspectorTab } from '../playground-focus-targets.ts';

/** Moves the focus into the inspector when it opens, and back when it closes with the focus inside. */
export function useInspectorFocus(drawer: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = drawer.current;
    const previouslyFocused = document.activeElement;
    return () => {
      const { activeElement } = document;
      if (activeElement !== document.body && !element?.contains(activeElement)) return;
      // Deferred, because the previously focused element may be hidden until this update is complete.
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
  // Waits a frame, until the tabs know their positions: none becomes a tab stop while one of them has the focus.
  useEffect(() => {
    const frame = requestAnimationFrame(() => inspectorTab.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
}

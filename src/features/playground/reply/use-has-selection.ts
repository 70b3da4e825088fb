import { useCallback, useSyncExternalStore, type RefObject } from 'react';

/** Returns whether text of this element is selected; watched only while enabled. */
export function useHasSelection(part: RefObject<HTMLElement | null>, isEnabled: boolean): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (isEnabled) document.addEventListener('selectionchange', onChange);
      return () => document.removeEventListener('selectionchange', onChange);
    },
    [isEnabled],
  );
  const hasSelection = () => {
    if (!part.current) return false;
    const selection = document.getSelection();
    return selection?.isCollapsed === false && selection.containsNode(part.current, true);
  };
  return useSyncExternalStore(subscribe, hasSelection, () => false);
}

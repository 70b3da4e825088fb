import { useEffect, useState, type RefObject } from 'react';

/**
 * Returns true once the browser has rendered this group, which happens shortly before it scrolls into view. `onNear` is
 * called at that time, but never if `isAlwaysRendered` is true.
 */
export function useGroupVisibility(
  group: RefObject<HTMLElement | null>,
  isAlwaysRendered: boolean,
  onNear: () => void,
): boolean {
  const [isNear, setIsNear] = useState(
    isAlwaysRendered || !('ContentVisibilityAutoStateChangeEvent' in globalThis),
  );
  useEffect(() => {
    const element = group.current;
    if (isNear || element === null) return undefined;
    const onChange = (event: Event) => {
      if (!(event instanceof ContentVisibilityAutoStateChangeEvent) || event.skipped) return;
      setIsNear(true);
      onNear();
    };
    element.addEventListener('contentvisibilityautostatechange', onChange);
    return () => element.removeEventListener('contentvisibilityautostatechange', onChange);
  }, [group, isNear, onNear]);
  return isNear;
}

import { useEffect, useState, type RefObject } from 'react';

/**
 * Whether the browser draws this group, or ever did: it does so from some way before the group comes on screen.
 * `onNear` is called at that moment. A group that is `isAlwaysRendered` never gets the call.
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

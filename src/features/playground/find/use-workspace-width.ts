import { useLayoutEffect, type RefObject } from 'react';

/** Sets the visible width on an element that spans all lanes, since lanes may continue beyond the right edge. */
export function useWorkspaceWidth(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = part.current;
    const workspace = element?.closest('main');
    if (!element || !workspace) return undefined;
    const resizeObserver = new ResizeObserver(() =>
      element.style.setProperty('--workspace-width', `${workspace.clientWidth}px`),
    );
    resizeObserver.observe(workspace);
    return () => resizeObserver.disconnect();
  }, [part]);
}

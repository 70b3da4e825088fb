import { useLayoutEffect, type RefObject } from 'react';

/** Sets `--workspace-width` on an element that spans all lanes, which may be wider than the visible area. */
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

import { useLayoutEffect, type RefObject } from 'react';

/** Tells a part that stands over all lanes how wide the window onto them is: lanes may go on at its right. */
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

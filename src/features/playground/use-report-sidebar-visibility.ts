import { useLayoutEffect } from 'react';

import { usePlayground } from '../../state/use-playground.tsx';

/** Tells the rest of the app that the sidebar is on screen, for as long as it is. */
export function useReportSidebarVisibility(): void {
  const { view } = usePlayground();
  useLayoutEffect(() => {
    view.setState({ isSidebarVisible: true });
    return () => view.setState({ isSidebarVisible: false });
  }, [view]);
}

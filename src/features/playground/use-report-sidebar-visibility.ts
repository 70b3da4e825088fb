import { useLayoutEffect } from 'react';

import { usePlayground } from '../../state/use-playground.tsx';

/** Reports to the rest of the app that the sidebar is visible while it is mounted. */
export function useReportSidebarVisibility(): void {
  const { view } = usePlayground();
  useLayoutEffect(() => {
    view.setState({ isSidebarVisible: true });
    return () => view.setState({ isSidebarVisible: false });
  }, [view]);
}

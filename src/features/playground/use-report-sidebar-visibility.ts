import { useLayoutEffect } from 'react';

import { useSessionServices } from '../../state/contexts.tsx';

/** Reports to the rest of the app that the sidebar is visible while it is mounted. */
export function useReportSidebarVisibility(): void {
  const { view } = useSessionServices();
  useLayoutEffect(() => {
    view.setState({ isSidebarVisible: true });
    return () => view.setState({ isSidebarVisible: false });
  }, [view]);
}

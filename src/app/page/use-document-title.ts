import { useEffect } from 'react';

import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useRoute, useSession } from '../../state/contexts.tsx';
import { findScreen, notFoundScreen } from '../screens.tsx';

/** Sets the title of the browser tab: the session title or the screen's name, then Bench. */
export function useDocumentTitle(): void {
  const route = useRoute();
  const title = useSession((data) => data.session.title);
  const currentTitle =
    route.screen === 'playground' && title ? title : (findScreen(route) ?? notFoundScreen).title;
  useEffect(() => {
    document.title = `${getDisplayTitle(currentTitle)} · Bench`;
  }, [currentTitle]);
}

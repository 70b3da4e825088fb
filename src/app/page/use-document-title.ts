import { useEffect } from 'react';

import { getDisplayTitle } from '../../lib/text/trim.ts';
import { useRoute, useSession } from '../../state/use-playground.tsx';
import { screenOf, unknownScreen } from '../screens.tsx';

/** What the browser's tab says: the session's title, or the screen's name, then Bench. */
export function useDocumentTitle(): void {
  const route = useRoute();
  const title = useSession((data) => data.session.title);
  const shown = route.screen === 'playground' && title ? title : (screenOf(route) ?? unknownScreen).title;
  useEffect(() => {
    document.title = `${getDisplayTitle(shown)} · Bench`;
  }, [shown]);
}

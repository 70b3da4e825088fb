import { useEffect } from 'react';

import { useRoute, useSession } from '../../state/react.tsx';
import type { Route } from '../../state/route.ts';

const names: Record<Route['screen'], string> = {
  playground: 'Playground',
  embeddings: 'Embeddings',
  history: 'History',
  gallery: 'Gallery',
  unknown: 'Not found',
};

/** What the browser's tab says: the session's title, or the screen's name, then Bench. */
export function useDocumentTitle(): void {
  const { screen } = useRoute();
  const title = useSession((data) => data.session.title);
  const shown = screen === 'playground' && title ? title : names[screen];
  useEffect(() => {
    document.title = `${shown} · Bench`;
  }, [shown]);
}

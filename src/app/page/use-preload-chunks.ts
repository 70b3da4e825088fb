import { useEffect } from 'react';
import { useStore } from 'zustand';

import { preloadAll } from '../../lib/lazy-import.ts';
import { useRoute, useSessionState, useLibraryServices } from '../../state/contexts.tsx';

/**
 * Returns true once code that is not needed for typing may load: when the first screen is usable, or storage blocks it.
 * It then preloads, in idle time, what must work offline. With the browser's data saver on, each part loads on demand.
 */
export function usePreloadChunks(): boolean {
  const { screen } = useRoute();
  const isSessionOpen = useSessionState(({ currentId, missingId }) => (currentId ?? missingId) !== undefined);
  const isStorageDurable = useStore(useLibraryServices().storage, ({ mode }) => mode === 'durable');
  const canPreload = screen !== 'playground' || isSessionOpen || !isStorageDurable;
  useEffect(() => {
    if (canPreload && !isDataSaverOn()) void preloadAll(waitForIdleCallback);
  }, [canPreload]);
  return canPreload;
}

function waitForIdleCallback(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 500);
  });
}

function isDataSaverOn(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  );
}

import { useEffect } from 'react';
import { useStore } from 'zustand';

import { preloadAll } from '../../lib/lazy-import.ts';
import { usePlayground, useRoute, useSessionState } from '../../state/use-playground.tsx';

/**
 * True once what is not needed to write may come: the first screen can be used, or the storage keeps one from it. From
 * then on fetches in idle moments what must be there when the network has gone. Where the browser asks to save data, each
 * part comes when it is wanted.
 */
export function usePreloadChunks(): boolean {
  const { screen } = useRoute();
  const isSessionOpen = useSessionState(({ currentId, missingId }) => (currentId ?? missingId) !== undefined);
  const isStorageDurable = useStore(usePlayground().storage, ({ mode }) => mode === 'durable');
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

import { useEffect } from 'react';

import { fetchInAdvance } from '../../lib/fetched.ts';
import { useRoute, useSessionState } from '../../state/react.tsx';

/**
 * True once the first screen can be used, whatever the storage does. From then on fetches in idle moments what must be
 * there when the network has gone. Where the browser asks to save data, each part comes when it is wanted.
 */
export function usePartsInAdvance(): boolean {
  const { screen } = useRoute();
  const isUsable = useSessionState(
    ({ currentId, missingId }) => screen !== 'playground' || (currentId ?? missingId) !== undefined,
  );
  useEffect(() => {
    if (isUsable && !savesData()) void fetchInAdvance(idle);
  }, [isUsable]);
  return isUsable;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 500);
  });
}

function savesData(): boolean {
  const connection: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return (
    typeof connection === 'object' &&
    connection !== null &&
    'saveData' in connection &&
    connection.saveData === true
  );
}

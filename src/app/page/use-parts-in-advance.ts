import { useEffect } from 'react';

import { fetchInAdvance } from '../../lib/fetched.ts';
import { useRoute, useSessionState } from '../../state/react.tsx';

/** Once the first screen can be used, fetches in idle moments what must be there when the network has gone. */
export function usePartsInAdvance(): void {
  const { screen } = useRoute();
  const isUsable = useSessionState(
    ({ currentId, missingId }) => screen !== 'playground' || (currentId ?? missingId) !== undefined,
  );
  useEffect(() => {
    if (isUsable) void fetchInAdvance(idle);
  }, [isUsable]);
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 500);
  });
}

import { useCallback, useState } from 'react';

import { useIdleLoad } from '../../../ui/use-idle-load.ts';

type Loaded = typeof import('./starters.tsx');

/** The list of starters once it is here. */
export function useStarters(): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded>();
  useIdleLoad(useCallback(async () => setLoaded(await import('./starters.tsx')), []));
  return loaded;
}

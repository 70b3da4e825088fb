import { useCallback, useState } from 'react';

import { useIdleLoad } from '../../../ui/hooks/use-idle-load.ts';

const load = () => import('./starters.tsx');
type Loaded = Awaited<ReturnType<typeof load>>;

/** The list of starters once it is here. */
export function useStarters(): Loaded | undefined {
  const [loaded, setLoaded] = useState<Loaded>();
  useIdleLoad(useCallback(async () => setLoaded(await load()), []));
  return loaded;
}

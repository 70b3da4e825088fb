import { useCallback, useState } from 'react';

import { useIdleLoad } from '../../../ui/use-idle-load.ts';
import { loadMore } from './load-more.ts';

type More = Awaited<ReturnType<typeof loadMore>>;

/** The composer's further parts once they are here. */
export function useComposerMore(): More | undefined {
  const [more, setMore] = useState<More>();
  useIdleLoad(useCallback(async () => setMore(await loadMore()), []));
  return more;
}

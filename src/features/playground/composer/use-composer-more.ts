import { useCallback, useState } from 'react';

import { useFirstScreen, useIdleLoad } from '../../../ui/hooks/use-idle-load.ts';
import { loadMore } from './load-more.ts';

type More = Awaited<ReturnType<typeof loadMore>>;

/** The composer's further parts once they are here. */
export function useComposerMore(): More | undefined {
  const [more, setMore] = useState<More>();
  useFirstScreen();
  useIdleLoad(useCallback(async () => setMore(await loadMore()), []));
  return more;
}

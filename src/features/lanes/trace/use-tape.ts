import { useEffect, useState } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { useLibraryServices, useRunServices, useSessionServices } from '../../../state/contexts.tsx';
import { createTapeFeed, type TapeFeed } from '../../../state/runs/tape-feed.ts';
import { findSessionByRun } from '../../../state/sessions/session-store.ts';

/**
 * Returns the tape of a run, loaded from storage and followed as long as the hook is enabled and the tape grows. The
 * feed is a stable object that grows in place; the component re-renders for each new part.
 */
export function useTape(run: Run, isEnabled = true): TapeFeed {
  const { library } = useLibraryServices();
  const { recorder } = useRunServices();
  const { session } = useSessionServices();
  const createFeed = () =>
    createTapeFeed(run, {
      library,
      recorder,
      isLive: () => {
        const currentRun = findSessionByRun(session.getState(), run.id)?.runs[run.id];
        return currentRun !== undefined && isLive(currentRun);
      },
    });
  const [openFeed, setOpenFeed] = useState(() => ({ runId: run.id, sentAt: run.sentAt, feed: createFeed() }));
  const [, forceRender] = useState(0);
  // If Bench's server delays a request, the request is sent again, and its tape restarts.
  const isStale = openFeed.runId !== run.id || openFeed.sentAt !== run.sentAt;
  const currentFeed = isStale ? { runId: run.id, sentAt: run.sentAt, feed: createFeed() } : openFeed;
  if (isStale) setOpenFeed(currentFeed);

  const { feed } = currentFeed;
  useEffect(() => {
    if (!isEnabled) return;
    const unsubscribe = feed.state.subscribe(() => forceRender((count) => count + 1));
    feed.follow();
    return () => {
      unsubscribe();
      feed.stop();
    };
  }, [feed, isEnabled]);
  return feed;
}

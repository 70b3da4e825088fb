import { useEffect, useState } from 'react';

import { isLive } from '../../../conversation/reply/run.ts';
import type { Run } from '../../../conversation/session/types.ts';
import { createTapeFeed, type TapeFeed } from '../../../state/runs/tape-feed.ts';
import { findSessionByRun } from '../../../state/sessions/session-store.ts';
import { usePlayground } from '../../../state/use-playground.tsx';

/**
 * The tape of a run, read from storage and followed while it is wanted and grows. The feed stays the same and grows in
 * place; this answers again with each piece that came.
 */
export function useTape(run: Run, isWanted = true): TapeFeed {
  const { library, recorder, session } = usePlayground();
  const open = () =>
    createTapeFeed(run, {
      library,
      recorder,
      isLive: () => {
        const now = findSessionByRun(session.getState(), run.id)?.runs[run.id];
        return now !== undefined && isLive(now);
      },
    });
  const [kept, setKept] = useState(() => ({ runId: run.id, sentAt: run.sentAt, feed: open() }));
  const [, setSeen] = useState(0);
  // A request that our own server held back is sent again: then its tape begins again.
  const isOther = kept.runId !== run.id || kept.sentAt !== run.sentAt;
  const shown = isOther ? { runId: run.id, sentAt: run.sentAt, feed: open() } : kept;
  if (isOther) setKept(shown);

  const { feed } = shown;
  useEffect(() => {
    if (!isWanted) return;
    const letGo = feed.state.subscribe(() => setSeen((seen) => seen + 1));
    feed.follow();
    return () => {
      letGo();
      feed.stop();
    };
  }, [feed, isWanted]);
  return feed;
}

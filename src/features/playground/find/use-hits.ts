import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';

import {
  findHits,
  getNextHit,
  describeHit,
  pickInitialHit,
  isSameHit,
  type Hit,
} from '../../../conversation/find/hits.ts';
import { getRowInView, buildRows } from '../../../conversation/session/prompt-rows.ts';
import type { SessionData } from '../../../conversation/session/types.ts';
import { markdownToPlainText } from '../../../markdown/tree/markdown-plain-text.ts';
import { goToHit } from '../../../state/find/find-store.ts';
import { useFind, usePlayground, useSession, useView } from '../../../state/use-playground.tsx';
import { useAnnounce } from '../../../ui/display/live-region.tsx';

export interface Hits {
  hits: readonly Hit[];
  pattern: RegExp | undefined;
}

const none: Hits = { hits: [], pattern: undefined };

/** The hits of what is looked for in the session on screen. */
export function useHits(): Hits {
  const data = useSession((all) => all);
  const sessionId = useFind((find) => find.sessionId);
  const query = useFind((find) => find.query);
  const among = useFind((find) => find.scope);
  const eachWord = useFind((find) => find.isFromHistory);
  const asked = useMemo(
    () => ({ query, scope: among, matchesTermsSeparately: eachWord }),
    [query, among, eachWord],
  );
  // Typing goes on while a long session is searched.
  const wanted = useDeferredValue(asked);
  return useMemo(
    () => (data && data.session.id === sessionId ? findHits(data, wanted, markdownToPlainText) : none),
    [data, sessionId, wanted],
  );
}

/** Goes to the first hit as soon as there is one, and gives the way from hit to hit. */
export function useWalk({ hits, pattern }: Hits): (step: 1 | -1) => void {
  const { find } = usePlayground();
  const announce = useAnnounce();
  const promptInView = useView((view) => view.promptInView);
  const turn = useSession((data) => turnOf(data, promptInView)) ?? 1;
  const anchor = useRef(turn);
  const shownFor = useRef<RegExp>(undefined);

  useEffect(() => {
    anchor.current = turn;
  }, [turn]);

  useEffect(() => {
    const { currentHit, record } = find.getState();
    const isNew = pattern?.source !== shownFor.current?.source || record !== undefined;
    const next = pickInitialHit(hits, { here: currentHit, record, turn: anchor.current });
    if (!next) {
      if (currentHit) find.setState({ currentHit: undefined });
      if (isNew && pattern) announce('No hits.');
    } else if (isNew || !isSameHit(next, currentHit)) {
      goToHit(find, next, pattern);
      announce(describeHit(hits, next));
    }
    if (hits.length > 0 || pattern === undefined) shownFor.current = pattern;
  }, [find, hits, pattern, announce]);

  return useCallback(
    (step) => {
      const next = getNextHit(hits, find.getState().currentHit, step);
      if (!next) return;
      goToHit(find, next, pattern);
      announce(describeHit(hits, next));
    },
    [find, hits, pattern, announce],
  );
}

function turnOf(data: SessionData, promptInView: string | undefined): number {
  return getRowInView(buildRows(data), promptInView)?.number ?? 1;
}

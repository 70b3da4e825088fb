import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react';

import {
  findHits,
  getAdjacentHit,
  describeHit,
  pickInitialHit,
  isSameHit,
  type Hit,
} from '../../conversation/find/hits.ts';
import { getRowInView, buildPromptRows } from '../../conversation/session/prompt-rows.ts';
import type { SessionData } from '../../conversation/session/types.ts';
import { markdownToPlainText } from '../../markdown/tree/markdown-plain-text.ts';
import { useFind, useSession, useView, useSessionServices } from '../../state/contexts.tsx';
import { goToHit } from '../../state/find/find-store.ts';
import { useAnnounce } from '../../ui/display/live-region.tsx';

export interface Hits {
  hits: readonly Hit[];
  pattern: RegExp | undefined;
}

const noHits: Hits = { hits: [], pattern: undefined };

/** Returns the hits for the query in the current session. */
export function useHits(): Hits {
  const data = useSession((session) => session);
  const sessionId = useFind((find) => find.sessionId);
  const query = useFind((find) => find.query);
  const scope = useFind((find) => find.scope);
  const matchesTermsSeparately = useFind((find) => find.isFromHistory);
  const findQuery = useMemo(
    () => ({ query, scope, matchesTermsSeparately }),
    [query, scope, matchesTermsSeparately],
  );
  // Keeps typing responsive while a long session is searched.
  const deferredQuery = useDeferredValue(findQuery);
  return useMemo(
    () =>
      data && data.session.id === sessionId ? findHits(data, deferredQuery, markdownToPlainText) : noHits,
    [data, sessionId, deferredQuery],
  );
}

/** Moves to the first hit as soon as there is one; returns a function that steps between hits. */
export function useHitNavigation({ hits, pattern }: Hits): (step: 1 | -1) => void {
  const { find } = useSessionServices();
  const announce = useAnnounce();
  const promptInView = useView((view) => view.promptInView);
  const turnNumber = useSession((data) => getTurnNumber(data, promptInView)) ?? 1;
  const anchorTurnNumber = useRef(turnNumber);
  const lastPattern = useRef<RegExp>(undefined);

  useEffect(() => {
    anchorTurnNumber.current = turnNumber;
  }, [turnNumber]);

  useEffect(() => {
    const { currentHit, recordId } = find.getState();
    const isNewQuery = pattern?.source !== lastPattern.current?.source || recordId !== undefined;
    const initialHit = pickInitialHit(hits, {
      currentHit,
      recordId,
      minTurnNumber: anchorTurnNumber.current,
    });
    if (!initialHit) {
      if (currentHit) find.setState({ currentHit: undefined });
      if (isNewQuery && pattern) announce('No hits.');
    } else if (isNewQuery || !isSameHit(initialHit, currentHit)) {
      goToHit(find, initialHit, pattern);
      announce(describeHit(hits, initialHit));
    }
    if (hits.length > 0 || pattern === undefined) lastPattern.current = pattern;
  }, [find, hits, pattern, announce]);

  return useCallback(
    (step) => {
      const nextHit = getAdjacentHit(hits, find.getState().currentHit, step);
      if (!nextHit) return;
      goToHit(find, nextHit, pattern);
      announce(describeHit(hits, nextHit));
    },
    [find, hits, pattern, announce],
  );
}

function getTurnNumber(data: SessionData, promptInView: string | undefined): number {
  return getRowInView(buildPromptRows(data), promptInView)?.number ?? 1;
}

import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';

import { shownSet } from '../lab-store.ts';
import { useLab, useLabState } from '../use-lab.ts';
import { findStore, inputOf } from './find-store.ts';

/** Still typing until nothing was typed for so long. */
const pauseMs = 400;

export interface Find {
  /** Embeds the query where it is not known yet, and shows its nearest: what Enter does. */
  ask: () => void;
  /** The set to look in is loaded. */
  isReady: boolean;
}

/** Looks for what is in the field: after a pause where that costs nothing or was allowed to, else on request. */
export function useFind(): Find {
  const { embedQuery, knownQuery } = useLab();
  const set = useLabState(shownSet);
  const query = useStore(findStore, (state) => state.query);
  const template = useStore(findStore, (state) => state.template);
  const under = useRef<AbortController>(undefined);

  const look = useEffectEvent(async (maySpend: boolean) => {
    under.current?.abort();
    const words = query.trim();
    if (!set || words === '') {
      findStore.setState({ found: undefined, isAsking: false, problem: undefined });
      return;
    }
    const stop = new AbortController();
    under.current = stop;
    const { slot, version } = set;
    const input = inputOf(words, template);
    const { found } = findStore.getState();
    if (found?.slot === slot && found.version === version && found.input === input) {
      findStore.setState({ isAsking: false, problem: undefined });
      return;
    }
    try {
      let vector = await knownQuery(slot, input);
      if (stop.signal.aborted) return;
      if (!vector) {
        // What was found for other words would be taken for an answer to these.
        findStore.setState({ found: undefined, problem: undefined });
        if (!maySpend) return;
        findStore.setState({ isAsking: true });
        vector = await embedQuery(slot, input, stop.signal);
        if (stop.signal.aborted) return;
      }
      findStore.setState({ found: { slot, version, query: words, input, vector }, problem: undefined });
    } catch (error) {
      if (!stop.signal.aborted)
        findStore.setState({ problem: error instanceof Error ? error.message : String(error) });
    } finally {
      if (under.current === stop) findStore.setState({ isAsking: false });
    }
  });

  useEffect(() => {
    const timer = setTimeout(() => void look(findStore.getState().embedsAsTyped), pauseMs);
    return () => clearTimeout(timer);
  }, [query, template, set?.slot, set?.version]);
  useEffect(() => () => under.current?.abort(), []);

  const asked = useRef<() => void>(() => {});
  useEffect(() => {
    asked.current = () => void look(true);
  }, []);
  return { ask: () => asked.current(), isReady: set !== undefined };
}

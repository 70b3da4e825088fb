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
  const under = useRef<{ stop: AbortController; name: string; maySpend: boolean }>(undefined);

  const look = useEffectEvent(async (maySpend: boolean) => {
    const words = query.trim();
    const name = JSON.stringify([set?.slot, set?.version, inputOf(words, template)]);
    // Enter came before the pause was over: what is paid for is not given up for a look at the same words.
    if (under.current?.maySpend === true && under.current.name === name) return;
    under.current?.stop.abort();
    under.current = undefined;
    if (!set || words === '') {
      findStore.setState({ found: undefined, isAsking: false, problem: undefined });
      return;
    }
    const { slot, version } = set;
    const input = inputOf(words, template);
    const { found } = findStore.getState();
    if (found?.slot === slot && found.version === version && found.input === input) {
      findStore.setState({ isAsking: false, problem: undefined });
      return;
    }
    const stop = new AbortController();
    under.current = { stop, name, maySpend };
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
      if (under.current?.stop === stop) {
        under.current = undefined;
        findStore.setState({ isAsking: false });
      }
    }
  });

  useEffect(() => {
    const timer = setTimeout(() => void look(findStore.getState().embedsAsTyped), pauseMs);
    return () => clearTimeout(timer);
  }, [query, template, set?.slot, set?.version]);
  useEffect(() => () => under.current?.stop.abort(), []);

  const asked = useRef<() => void>(() => {});
  useEffect(() => {
    asked.current = () => void look(true);
  }, []);
  return { ask: () => asked.current(), isReady: set !== undefined };
}

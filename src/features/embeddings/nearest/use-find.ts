import { useEffect, useEffectEvent, useRef } from 'react';
import { useStore } from 'zustand';

import { useLab, useLabState } from '../hooks/use-lab.ts';
import { shownSet } from '../lab/lab-store.ts';
import { findStore } from './find-store.ts';
import { lookFor, type UnderWay } from './look-for.ts';

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
  const lab = useLab();
  const set = useLabState(shownSet);
  const query = useStore(findStore, (state) => state.query);
  const template = useStore(findStore, (state) => state.template);
  const under = useRef<UnderWay>(undefined);

  const look = useEffectEvent((maySpend: boolean) => {
    const words = query.trim();
    if (!set || words === '') {
      under.current?.stop.abort();
      under.current = undefined;
      findStore.setState({ found: undefined, isAsking: false, problem: undefined });
      return;
    }
    void lookFor(lab, under, { set, words, template, maySpend });
  });

  useEffect(() => {
    const timer = setTimeout(() => look(findStore.getState().embedsAsTyped), pauseMs);
    return () => clearTimeout(timer);
  }, [query, template, set?.slot, set?.version]);
  useEffect(() => () => under.current?.stop.abort(), []);

  const asked = useRef<() => void>(() => {});
  useEffect(() => {
    asked.current = () => look(true);
  }, []);
  return { ask: () => asked.current(), isReady: set !== undefined };
}

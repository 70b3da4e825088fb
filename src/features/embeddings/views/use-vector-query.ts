import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { SetView, VectorEngine } from '../../../embedding/engine/engine.ts';
import { getShownSet, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';

/** Time in ms for which an unused result is cached. */
const gcTimeMs = 5 * 60_000;

export interface SetViewModel {
  set: LoadedSet;
  view: SetView;
  /** Dimensions of the view: those of the set, or fewer. */
  dimensions: number;
}

/** Returns the shown set, truncated to the selected size. */
export function useSetView(): SetViewModel | undefined {
  const set = useLabState(getShownSet);
  const shownDimensions = useLabState((state) => state.shownDimensions);
  return useMemo(() => set && createSetView(set, shownDimensions), [set, shownDimensions]);
}

/** Creates a view of a set with at most `maxDimensions` dimensions. */
export function createSetView(set: LoadedSet, maxDimensions?: number): SetViewModel {
  const dimensions = Math.min(set.dimensions, maxDimensions ?? set.dimensions);
  return { set, dimensions, view: { set: set.slot, dimensions } };
}

interface Options {
  isEnabled?: boolean;
  /** Keeps the previous result while the result for another size is computed. */
  keepsPreviousData?: boolean;
}

/**
 * Computes a result for the shown vectors and caches it while they are unchanged; cancelled when no view uses it. `key`
 * contains everything that the result depends on besides the view.
 */
export function useVectorQuery<T extends object>(
  setView: SetViewModel | undefined,
  key: readonly (string | number)[],
  compute: (engine: VectorEngine, view: SetView, signal: AbortSignal) => Promise<T>,
  { isEnabled = true, keepsPreviousData = false }: Options = {},
) {
  const { id, engine } = useLab();
  const setKey = ['lab', id, setView?.set.slot, setView?.set.version];
  return useQuery<T>({
    queryKey: [...setKey, setView?.dimensions, ...key],
    queryFn: ({ signal }) => {
      if (!setView) throw new Error('No vectors to show');
      return compute(engine, setView.view, signal);
    },
    enabled: setView !== undefined && isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: gcTimeMs,
    retry: false,
    // Arrays of numbers are either new or identical, so comparing them element by element is pointless.
    structuralSharing: false,
    placeholderData: (previousData, previousQuery) =>
      // Data of another set is never kept, because its rows belong to other texts.
      keepsPreviousData && setKey.every((part, index) => previousQuery?.queryKey[index] === part)
        ? previousData
        : undefined,
  });
}

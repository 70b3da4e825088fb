import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { SetView, VectorEngine } from '../../../embedding/engine/engine.ts';
import { getShownSet, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';

/** How long an answer is kept that no view shows any more. */
const gcTimeMs = 5 * 60_000;

export interface SetViewModel {
  set: LoadedSet;
  view: SetView;
  /** Of the view: the set's own, or fewer. */
  dimensions: number;
}

/** The set that the views show, cut to the size that the person chose. */
export function useSetView(): SetViewModel | undefined {
  const set = useLabState(getShownSet);
  const shownDimensions = useLabState((state) => state.shownDimensions);
  return useMemo(() => set && createSetView(set, shownDimensions), [set, shownDimensions]);
}

/** A view of a set at a size; the set's own where it is no longer. */
export function createSetView(set: LoadedSet, maxDimensions?: number): SetViewModel {
  const dimensions = Math.min(set.dimensions, maxDimensions ?? set.dimensions);
  return { set, dimensions, view: { set: set.slot, dimensions } };
}

interface Options {
  isEnabled?: boolean;
  /** While the answer for another size is awaited, the last one stays. */
  keepsPreviousData?: boolean;
}

/**
 * Something computed about the vectors on show, kept while they stay the same; given up when no view wants it any
 * more. `key` tells it from all else, with everything that the answer depends on besides the view.
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
    // Arrays of numbers are new or the same: comparing them number by number gains nothing.
    structuralSharing: false,
    placeholderData: (previousData, previousQuery) =>
      // Of other vectors nothing may be shown, not for a moment: rows mean other texts there.
      keepsPreviousData && setKey.every((part, index) => previousQuery?.queryKey[index] === part)
        ? previousData
        : undefined,
  });
}

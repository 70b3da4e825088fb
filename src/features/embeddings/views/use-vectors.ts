import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import type { SetView, VectorEngine } from '../../../embedding/engine/engine.ts';
import { shownSet, type LoadedSet } from '../../../state/lab/lab-state.ts';
import { useLab, useLabState } from '../hooks/use-lab.ts';

/** How long an answer is kept that no view shows any more. */
const keptMs = 5 * 60_000;

export interface ShownView {
  set: LoadedSet;
  view: SetView;
  /** Of the view: the set's own, or fewer. */
  dimensions: number;
}

/** The set that the views show, cut to the size that the person chose. */
export function useShownView(): ShownView | undefined {
  const set = useLabState(shownSet);
  const cut = useLabState((state) => state.cut);
  return useMemo(() => set && viewOf(set, cut), [set, cut]);
}

/** A view of a set at a size; the set's own where it is no longer. */
export function viewOf(set: LoadedSet, cut?: number): ShownView {
  const dimensions = Math.min(set.dimensions, cut ?? set.dimensions);
  return { set, dimensions, view: { set: set.slot, dimensions } };
}

interface Options {
  isWanted?: boolean;
  /** While the answer for another size is awaited, the last one stays. */
  keepsLast?: boolean;
}

/**
 * Something computed about the vectors on show, kept while they stay the same; given up when no view wants it any
 * more. `name` tells it from all else, with everything that the answer depends on besides the view.
 */
export function useVectors<T extends object>(
  shown: ShownView | undefined,
  name: readonly (string | number)[],
  compute: (engine: VectorEngine, view: SetView, signal: AbortSignal) => Promise<T>,
  { isWanted = true, keepsLast = false }: Options = {},
) {
  const { id, engine } = useLab();
  const vectors = ['lab', id, shown?.set.slot, shown?.set.version];
  return useQuery<T>({
    queryKey: [...vectors, shown?.dimensions, ...name],
    queryFn: ({ signal }) => {
      if (!shown) throw new Error('No vectors to show');
      return compute(engine, shown.view, signal);
    },
    enabled: shown !== undefined && isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: keptMs,
    retry: false,
    // Arrays of numbers are new or the same: comparing them number by number gains nothing.
    structuralSharing: false,
    placeholderData: (last, lastQuery) =>
      // Of other vectors nothing may be shown, not for a moment: rows mean other texts there.
      keepsLast && vectors.every((part, at) => lastQuery?.queryKey[at] === part) ? last : undefined,
  });
}

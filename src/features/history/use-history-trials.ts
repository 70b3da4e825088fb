import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { Snippet } from '../../conversation/files/text-search.ts';
import type { TrialSummary } from '../../state/trials/trials-store.ts';
import { usePlayground } from '../../state/use-playground.tsx';
import type { TrialId } from '../../trials/trial.ts';

const fresh = { placeholderData: keepPreviousData, staleTime: 0, gcTime: 0, retry: false } as const;
const notOpen = createStore(() => ({ count: 0 }));

interface HistoryTrials {
  trials: readonly TrialSummary[];
  /** Those that hold every word of the query; undefined where nothing is asked for. */
  found: ReadonlyMap<TrialId, Snippet | undefined> | undefined;
  /** Why they could not be read. */
  error: Error | null;
  again: () => void;
}

/** The trials of this browser, read again whenever one of them may have changed. */
export function useHistoryTrials(query: string): HistoryTrials {
  const { lazyTrials: door } = usePlayground();
  const opened = useQuery({ queryKey: ['door of trials'], queryFn: () => door.load(), ...fresh });
  const changes = useStore(opened.data?.changes ?? notOpen, ({ count }) => count);
  const list = useQuery({
    queryKey: ['trials of the history', changes, opened.data !== undefined],
    queryFn: async () => (await opened.data?.list()) ?? [],
    ...fresh,
  });
  const words = query.trim();
  const found = useQuery({
    queryKey: ['trials found in the history', words, changes, opened.data !== undefined],
    queryFn: async ({ signal }) =>
      (await opened.data?.search(words, signal)) ?? new Map<TrialId, undefined>(),
    enabled: words !== '',
    ...fresh,
  });
  return {
    trials: list.data ?? [],
    found: words === '' ? undefined : (found.data ?? new Map()),
    error: opened.error ?? list.error,
    again: () => void (opened.error ? opened.refetch() : list.refetch()),
  };
}

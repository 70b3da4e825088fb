import { useMedia } from './use-media-query.ts';

/** Widths at which the picker is as wide as its lane, and its rows have two lines. */
export function useIsNarrow(): boolean {
  return useMedia('(width < 900px)');
}

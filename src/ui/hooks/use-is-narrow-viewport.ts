import { useMediaQuery } from './use-media-query.ts';

/** Widths at which the picker is as wide as its lane, and its rows have two lines. */
export function useIsNarrowViewport(): boolean {
  return useMediaQuery('(width < 900px)');
}

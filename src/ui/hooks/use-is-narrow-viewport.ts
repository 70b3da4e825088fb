import { useMediaQuery } from './use-media-query.ts';

/** Returns true at widths where the picker fills its lane and its rows have two lines. */
export function useIsNarrowViewport(): boolean {
  return useMediaQuery('(width < 900px)');
}

import { useSyncExternalStore } from 'react';

/**
 * Values from before the page was laid out for printing, by query: printing keeps the layout on screen whatever the
 * paper width.
 */
const screenValues = new Map<string, boolean>();

/** Returns whether the media query matches, and updates on changes. False when rendered without a DOM. */
export function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => {
      const isOnScreen = !matchMedia('print').matches;
      if (isOnScreen || !screenValues.has(query)) screenValues.set(query, matchMedia(query).matches);
      return screenValues.get(query) ?? false;
    },
    () => false,
  );
}

import { useSyncExternalStore } from 'react';

/** Values from before the page was laid out for paper, by query: what is on screen is printed, whatever the paper's width. */
const screenValues = new Map<string, boolean>();

/** Whether this media query holds, now and whenever that changes. Drawn without a page, none holds. */
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

import { useSyncExternalStore } from 'react';

const query = '(width < 600px)';

function subscribe(onChange: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', onChange);
  return () => media.removeEventListener('change', onChange);
}

/** Phone widths, where rows take touch sizes. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

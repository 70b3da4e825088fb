import { useSyncExternalStore } from 'react';

/** wide: four views at once. middle: the texts beside one view. small: one thing at a time. */
export type LabWidth = 'wide' | 'middle' | 'small';

const wide = '(width >= 1200px)';
const middle = '(width >= 900px)';

function subscribe(onChange: () => void): () => void {
  const queries = [matchMedia(wide), matchMedia(middle)];
  for (const query of queries) query.addEventListener('change', onChange);
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange);
  };
}

export function useLabWidth(): LabWidth {
  return useSyncExternalStore(subscribe, () =>
    matchMedia(wide).matches ? 'wide' : matchMedia(middle).matches ? 'middle' : 'small',
  );
}

import type { RefObject } from 'react';

import { useArrival } from './use-find-scroll.ts';

interface ArrivalProps {
  scroller: RefObject<HTMLElement | null>;
  isFlat: boolean;
}

/** Goes to what was asked for. Draws nothing: it is a part so that its code comes after the first screen. */
export function Arrival({ scroller, isFlat }: ArrivalProps): null {
  useArrival(scroller, isFlat);
  return null;
}

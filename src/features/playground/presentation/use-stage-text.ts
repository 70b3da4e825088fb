import { useEffect, useRef, useState, type RefObject } from 'react';

import { useFollowEnd } from '../conversation/use-stick-to-bottom.ts';

const nowhere = { current: null };
/** Less than that is not a line of text. */
const leastMorePx = 8;

/**
 * The text of an answer on the stage, among `texts` for as long as it is there. It follows one that was live when it came.
 * `isCut`: more of it is below.
 */
export function useStageText(
  live: boolean,
  texts: Set<HTMLElement>,
): { scroller: RefObject<HTMLDivElement | null>; isCut: boolean } {
  const scroller = useRef<HTMLDivElement>(null);
  const [follows] = useState(live);
  const [isCut, setCut] = useState(false);
  // 1: there is a message, whose answer is followed from the start.
  useFollowEnd(follows ? scroller : nowhere, 1);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = () => setCut(element.scrollHeight - element.clientHeight - element.scrollTop > leastMorePx);
    const resized = new ResizeObserver(look);
    resized.observe(element);
    if (element.firstElementChild) resized.observe(element.firstElementChild);
    element.addEventListener('scroll', look, { passive: true });
    texts.add(element);
    return () => {
      texts.delete(element);
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [texts]);
  return { scroller, isCut };
}

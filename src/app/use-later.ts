import { useEffect, useRef, useState } from 'react';

import { useSessionState } from '../state/react.tsx';

const load = () => import('./later.tsx');
type Later = Awaited<ReturnType<typeof load>>;

/** Keys that are held until what answers them is here; the browser has other uses for them. */
const held = /^(?:Escape|F6)$/;
const heldWithCtrl = /^[ki,\\]$/i;

/**
 * The commands, their keys and the tools of the bar, once they are here: fetched when one can write, before anything
 * else that can wait. What is pressed until then is not lost.
 */
export function useLater(isPlayground: boolean): Later | undefined {
  const isReady =
    useSessionState((state) => (state.currentId ?? state.missingId) !== undefined) || !isPlayground;
  const [later, setLater] = useState<Later>();
  const early = useRef<KeyboardEvent[]>([]);
  useEffect(() => {
    if (!isReady || later) return;
    const hold = (event: KeyboardEvent) => {
      const isHeld = (event.ctrlKey || event.metaKey ? heldWithCtrl : held).test(event.key);
      if (!isHeld || event.defaultPrevented) return;
      if (event.key !== 'Escape') event.preventDefault();
      early.current.push(event);
    };
    addEventListener('keydown', hold);
    // After the paint that shows the composer.
    const timer = setTimeout(() => void load().then(setLater, () => undefined));
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', hold);
    };
  }, [isReady, later]);
  // Effects of what is inside have run by now: they listen.
  useEffect(() => {
    if (later)
      for (const event of early.current.splice(0)) dispatchEvent(new KeyboardEvent('keydown', event));
  }, [later]);
  return later;
}

import { useEffect, useState } from 'react';

import { useSessionState } from '../state/react.tsx';

type Later = typeof import('./later.tsx');

/** Keys that are held until what answers them is here; the browser has other uses for them. */
const held = /^(?:Escape|F6)$/;
const heldWithCtrl = /^[ki,\\]$/i;

/**
 * The commands, their keys and the tools of the bar, once they are here: fetched when one can write, before anything
 * else that can wait. What is pressed until then is not lost.
 */
export function useLater(isPlayground: boolean): Later | undefined {
  const isReady = useSessionState((state) => (state.currentId ?? state.missingId) !== undefined) || !isPlayground;
  const [later, setLater] = useState<Later>();
  useEffect(() => {
    if (!isReady) return;
    const early: KeyboardEvent[] = [];
    const hold = (event: KeyboardEvent) => {
      const isHeld = (event.ctrlKey || event.metaKey ? heldWithCtrl : held).test(event.key);
      if (!isHeld || event.defaultPrevented) return;
      if (event.key !== 'Escape') event.preventDefault();
      early.push(event);
    };
    const stop = () => removeEventListener('keydown', hold);
    addEventListener('keydown', hold);
    // After the paint that shows the composer.
    const timer = setTimeout(() => {
      void import('./later.tsx').then((loaded) => {
        setLater(loaded);
        stop();
        setTimeout(() => early.forEach((event) => dispatchEvent(new KeyboardEvent('keydown', event))));
      }, stop);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [isReady]);
  return later;
}

import { useEffect, useState } from 'react';

import { usePlayground } from '../../state/use-playground.tsx';

/**
 * The value as it was before the last frame, no function. What is drawn for it holds up no key: the frame that shows what
 * a key did comes first. Not `useDeferredValue`: while answers stream, each frame of theirs would begin that work again.
 */
export function useFrameDelayedValue<T>(value: T): T {
  const { page } = usePlayground();
  const [delayedValue, setDelayedValue] = useState(value);
  useEffect(() => {
    let isCancelled = false;
    page.runInNextFrame(() => isCancelled || setDelayedValue(value));
    return () => {
      isCancelled = true;
    };
  }, [page, value]);
  return delayedValue;
}

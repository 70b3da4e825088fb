import { useEffect, useState } from 'react';

import { useAppServices } from '../../state/contexts.tsx';

/**
 * Returns the value of the previous frame (values must not be functions), so that rendering it never delays the frame
 * after a key press. `useDeferredValue` would restart the rendering with every frame of a stream.
 */
export function useFrameDelayedValue<T>(value: T): T {
  const { page } = useAppServices();
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

/** What the composer's button means when it is pressed, where Send and Stop stand in one place. */
import { useCallback, useLayoutEffect, useRef } from 'react';

/** Longer than systems let pass between the two clicks of a double click, or than a hand takes to press what it aimed at. */
const settledAfterMs = 500;

interface Moment {
  /** An answer is arriving, so Stop is shown. */
  isBusy: boolean;
  /** For how long. */
  busyForMs: number;
  /** Some of it was asked for in this tab. */
  isOwn: boolean;
}

/**
 * A press on what has just become Stop was meant for the Send that stood there: where this tab had sent, it is the
 * second click of a double click; where another tab had, it sends.
 */
export function pressMeans({ isBusy, busyForMs, isOwn }: Moment): 'send' | 'stop' | 'nothing' {
  if (!isBusy) return 'send';
  if (busyForMs >= settledAfterMs) return 'stop';
  return isOwn ? 'nothing' : 'send';
}

/** What a press means now; told how things stand, from the moment that Stop is shown or gone. */
export function useSendOrStop(isBusy: boolean, isOwn: () => boolean): () => ReturnType<typeof pressMeans> {
  const sinceMs = useRef(0);
  useLayoutEffect(() => {
    sinceMs.current = performance.now();
  }, [isBusy]);
  return useCallback(
    () => pressMeans({ isBusy, busyForMs: performance.now() - sinceMs.current, isOwn: isOwn() }),
    [isBusy, isOwn],
  );
}

/** Text that grows on screen. The component reads it in every frame, bypassing React state. */
export interface StreamingText {
  /** Returns the text so far, `undefined` once it is no longer shown. */
  read: () => string | undefined;
  /** Calls `onGrow` when the text may have grown; returns an unsubscribe function. */
  subscribe: (onGrow: () => void) => () => void;
}

/** A text that grows while it is on screen: its leaf reads it in every frame, past React. */
export interface StreamingText {
  /** The whole text so far; undefined where it is no longer shown. */
  read: () => string | undefined;
  /** Calls back whenever the text may have grown; answers with how to stop that. */
  subscribe: (onGrow: () => void) => () => void;
}

import { useLayoutEffect, useRef } from 'react';

/** Moves the focus to the new current row after a key press. The same render mounts the row. */
export function useRowFocus(current: number | undefined) {
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const isFocusPending = useRef(false);
  useLayoutEffect(() => {
    if (!isFocusPending.current || current === undefined) return;
    isFocusPending.current = false;
    buttons.current.get(current)?.focus({ preventScroll: true });
  }, [current]);
  return {
    /** Called when a row's button mounts or unmounts. */
    registerButton: (text: number, button: HTMLButtonElement | null) => {
      if (button) buttons.current.set(text, button);
      else buttons.current.delete(text);
    },
    /** Requests focus for the next current row, which receives it when the row changes. */
    requestFocus: () => {
      isFocusPending.current = true;
    },
  };
}

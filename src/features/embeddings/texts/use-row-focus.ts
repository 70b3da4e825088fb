import { useLayoutEffect, useRef } from 'react';

/** Moves the focus to the row that becomes the current one, where a key asked for it: it is mounted with that render. */
export function useRowFocus(current: number | undefined) {
  const buttons = useRef(new Map<number, HTMLButtonElement>());
  const isFocusPending = useRef(false);
  useLayoutEffect(() => {
    if (!isFocusPending.current || current === undefined) return;
    isFocusPending.current = false;
    buttons.current.get(current)?.focus({ preventScroll: true });
  }, [current]);
  return {
    /** Told of each button that comes or goes. */
    registerButton: (text: number, button: HTMLButtonElement | null) => {
      if (button) buttons.current.set(text, button);
      else buttons.current.delete(text);
    },
    /** The next current row takes the focus. */
    requestFocus: () => {
      isFocusPending.current = true;
    },
  };
}

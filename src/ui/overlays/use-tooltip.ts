import { useEffect, useRef, useState, type PointerEvent, type FocusEvent } from 'react';

const hoverDelayMs = 400;
/** Long enough to move the pointer onto the tooltip. */
const leaveDelayMs = 120;

/**
 * When a tooltip shows: 400 ms after the pointer rests on its anchor, at once on keyboard focus; it hides on
 * leaving, blur, click and Escape, and stays while the pointer is on the tooltip itself.
 */
export function useTooltip() {
  const [shown, setShown] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const later = (show: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShown(show), delayMs);
  };
  const now = (show: boolean) => {
    clearTimeout(timer.current);
    setShown(show);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!shown) return;
    const hideOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setShown(false);
    };
    document.addEventListener('keydown', hideOnEscape, true);
    return () => document.removeEventListener('keydown', hideOnEscape, true);
  }, [shown]);

  return {
    shown,
    /** At once, as a tap asks for it. */
    show: () => now(true),
    anchorProps: {
      onPointerEnter: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') later(true, hoverDelayMs);
      },
      onPointerLeave: () => later(false, leaveDelayMs),
      onPointerDown: () => now(false),
      onFocus: (event: FocusEvent) => {
        // Not in this moment: focus that comes back because a popover hides would show one while another hides.
        if (event.target.matches(':focus-visible')) later(true, 0);
      },
      onBlur: () => now(false),
    },
    tipProps: { onPointerEnter: () => now(true), onPointerLeave: () => later(false, leaveDelayMs) },
  };
}

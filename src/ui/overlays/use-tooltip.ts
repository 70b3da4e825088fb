import { useEffect, useRef, useState, type PointerEvent, type FocusEvent } from 'react';

const hoverDelayMs = 400;
/** Long enough to move the pointer onto the tooltip. */
const leaveDelayMs = 120;

/**
 * When a tooltip shows: 400 ms after the pointer rests on its anchor, at once on keyboard focus; it hides on
 * leaving, blur, click and Escape, and stays while the pointer is on the tooltip itself.
 */
export function useTooltip() {
  const [isVisible, setVisible] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const setVisibleLater = (show: boolean, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setVisible(show), delayMs);
  };
  const setVisibleNow = (show: boolean) => {
    clearTimeout(timer.current);
    setVisible(show);
  };

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isVisible) return;
    const hideOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setVisible(false);
    };
    document.addEventListener('keydown', hideOnEscape, true);
    return () => document.removeEventListener('keydown', hideOnEscape, true);
  }, [isVisible]);

  return {
    isVisible,
    /** At once, as a tap asks for it. */
    show: () => setVisibleNow(true),
    anchorProps: {
      onPointerEnter: (event: PointerEvent) => {
        if (event.pointerType === 'mouse') setVisibleLater(true, hoverDelayMs);
      },
      onPointerLeave: () => setVisibleLater(false, leaveDelayMs),
      onPointerDown: () => setVisibleNow(false),
      onFocus: (event: FocusEvent) => {
        // Not in this moment: focus that comes back because a popover hides would show one while another hides.
        if (event.target.matches(':focus-visible')) setVisibleLater(true, 0);
      },
      onBlur: () => setVisibleNow(false),
    },
    tipProps: {
      onPointerEnter: () => setVisibleNow(true),
      onPointerLeave: () => setVisibleLater(false, leaveDelayMs),
    },
  };
}
